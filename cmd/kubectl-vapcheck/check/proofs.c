#include "cmd/kubectl-vapcheck/check/proofs.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"

/* A policy whose text is longer is proved each time. */
enum { KEY_CAP_BYTES = 1024 * 1024 };

/* The proofs of one policy. */
struct kept {
    enum witnesses_proof *proofs;
    char **examples;
    size_t count;
    bool is_used; /* since proofs_begin */
};

struct proofs {
    struct keymap policies; /* struct kept, by what they depend on */
};

struct proofs *proofs_new(void)
{
    return mem_zalloc(sizeof(struct proofs));
}

static void free_kept(void *value)
{
    struct kept *kept = value;
    for (size_t i = 0; i < kept->count; i++)
        mem_free(kept->examples[i]);
    mem_free(kept->examples);
    mem_free(kept->proofs);
    mem_free(kept);
}

void proofs_free(struct proofs *proofs)
{
    if (proofs != NULL)
        keymap_deinit(&proofs->policies, free_kept);
    mem_free(proofs);
}

static void keep_used(void *user, const char *key, void *value)
{
    struct keymap *used = user;
    struct kept *kept = value;
    if (!kept->is_used) {
        free_kept(kept);
        return;
    }
    kept->is_used = false;
    keymap_put(used, key, kept);
}

void proofs_begin(struct proofs *proofs)
{
    struct keymap used = {0};
    keymap_each(&proofs->policies, keep_used, &used);
    keymap_deinit(&proofs->policies, NULL);
    proofs->policies = used;
}

/* Returns the text on which the proofs depend; NULL: it is too long. The caller frees it. */
static char *make_key(const struct policyview *policy, const struct check_result *result)
{
    struct buf key;
    buf_init(&key, KEY_CAP_BYTES);
    for (size_t i = 0; i < result->n_advice; i++) {
        const struct check_advice *advice = &result->advice[i];
        buf_printf(&key, "%d %zu %u %d %zu %d %d %u;", (int)advice->id, advice->expression, advice->node,
                   advice->is_operand, advice->type, advice->fails, (int)advice->failure, advice->chain);
    }
    buf_puts(&key, json_object_to_json_string_ext(policy->json, JSON_C_TO_STRING_PLAIN));
    if (!key.is_full)
        return buf_take(&key, NULL);
    buf_deinit(&key);
    return NULL;
}

static enum witnesses_proof *copy(const struct kept *kept, char **examples)
{
    enum witnesses_proof *proofs = mem_array(kept->count + 1, sizeof *proofs);
    memcpy(proofs, kept->proofs, kept->count * sizeof *proofs);
    for (size_t i = 0; i < kept->count; i++)
        examples[i] = kept->examples[i] == NULL ? NULL : mem_strdup(kept->examples[i]);
    return proofs;
}

/* Proves the advice, and keeps a copy. */
static struct kept *prove(struct check *check, struct schemas *schemas, const struct finding_set *selected)
{
    struct kept *kept = mem_zalloc(sizeof *kept);
    kept->count = check_result(check)->n_advice;
    kept->examples = mem_array(kept->count + 1, sizeof *kept->examples);
    kept->proofs = witnesses_prove(check, schemas, selected, kept->examples);
    return kept;
}

enum witnesses_proof *proofs_find(struct proofs *proofs, const struct policyview *policy, struct check *check,
                                  struct schemas *schemas, const struct finding_set *selected,
                                  char **examples)
{
    const bool is_kept = proofs != NULL && check_result(check)->n_advice > 0;
    cleanup_mem char *key = is_kept ? make_key(policy, check_result(check)) : NULL;
    if (key == NULL)
        return witnesses_prove(check, schemas, selected, examples);
    struct kept *kept = keymap_get(&proofs->policies, key);
    if (kept == NULL) {
        kept = prove(check, schemas, selected);
        keymap_put(&proofs->policies, key, kept);
    }
    kept->is_used = true;
    return copy(kept, examples);
}
