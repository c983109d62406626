#include "controller/reconcile/bindings.h"

#include <string.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonpick.h"

struct bindings {
    struct keymap policies; /* by binding: the name of its policy */
    struct keymap counts;   /* by policy: size_t, how many bindings name it */
};

struct bindings *bindings_new(void)
{
    return mem_zalloc(sizeof(struct bindings));
}

void bindings_free(struct bindings *bindings)
{
    if (bindings == NULL)
        return;
    keymap_deinit(&bindings->policies, mem_free);
    keymap_deinit(&bindings->counts, mem_free);
    mem_free(bindings);
}

/* The caller frees it; NULL: the binding names none. No tree is made, because a list of bindings is read in
 * one turn. */
static char *policy_name(const struct store_object *binding)
{
    struct jsonpick_pick name = {.path = {"spec", "policyName"}};
    cleanup_mem char *text = store_text(binding);
    if (jsonpick_pick(text, binding->len, &name, 1, NULL) != 0)
        return NULL;
    return jsonpick_string(&name.value);
}

static bool count_up(struct bindings *b, const char *policy)
{
    size_t *count = keymap_get(&b->counts, policy);
    if (count == NULL) {
        count = mem_zalloc(sizeof *count);
        keymap_put(&b->counts, policy, count);
    }
    return (*count)++ == 0;
}

static bool count_down(struct bindings *b, const char *policy)
{
    size_t *count = keymap_get(&b->counts, policy);
    if (count == NULL || --*count > 0)
        return false;
    keymap_remove(&b->counts, policy);
    mem_free(count);
    return true;
}

void bindings_change(struct bindings *bindings, const struct store_object *now,
                     const struct store_object *before, void (*on_flip)(void *user, const char *policy),
                     void *user)
{
    char *named = now == NULL ? NULL : policy_name(now);
    cleanup_mem char *named_before = keymap_remove(&bindings->policies, now != NULL ? now->key : before->key);
    if (named != NULL)
        keymap_put(&bindings->policies, now->key, named);
    /* policyName cannot change, but a binding can be deleted and made again between two reads */
    if (named != NULL && named_before != NULL && strcmp(named, named_before) == 0)
        return;
    if (named != NULL && count_up(bindings, named))
        on_flip(user, named);
    if (named_before != NULL && count_down(bindings, named_before))
        on_flip(user, named_before);
}

bool bindings_has(const struct bindings *bindings, const char *policy)
{
    return keymap_get(&bindings->counts, policy) != NULL;
}

struct visiting {
    const char *policy;
    void (*visit)(void *user, const char *binding);
    void *user;
};

static void visit_one(void *user, const char *binding, void *policy)
{
    const struct visiting *v = user;
    if (strcmp(policy, v->policy) == 0)
        v->visit(v->user, binding);
}

void bindings_visit(const struct bindings *bindings, const char *policy,
                    void (*visit)(void *user, const char *binding), void *user)
{
    struct visiting visiting = {policy, visit, user};
    if (bindings_has(bindings, policy))
        keymap_each(&bindings->policies, visit_one, &visiting);
}
