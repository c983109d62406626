/* hints.h for the files that configure an API server, and for selectors of devices: each trial compiles one
 * expression again. */
#include <string.h>

#include "bytes/budget.h"
#include "client/base/mem.h"
#include "client/text/yaml.h"
#include "controller/apiserver/validation/configuration.h"
#include "controller/apiserver/validation/devices.h"
#include "controller/hints/hints.h"
#include "controller/hints/hints_search.h"
#include "typecheck/compile.h"

enum { TRIAL_STEPS = 200 };

struct unit {
    enum cel_place place;
    struct cel_place_scope scope;
};

static bool try_text(void *user, struct str text, uint64_t *left, uint64_t steps, struct hints_trial *trial)
{
    const struct unit *u = user;
    const uint64_t limit = cel_place_cost_limit(u->place);
    struct compiler compiler;
    (void)steps; /* the trial is done at once, with a budget of its own */
    compiler_init(&compiler, &u->scope, *left);
    const struct cel_place_compiled *compiled = compiler_compile(&compiler, u->place, text);
    trial->rank = HINTS_UNKNOWN;
    if (compiled != NULL)
        hints_trial_refuse(trial, &compiled->problem, text);
    if (trial->rank == HINTS_GOOD && limit > 0 && compiled->cost > limit)
        trial->rank = HINTS_REFUSED;
    budget_pay(left, TRIAL_STEPS + compiler.arena.steps);
    compiler_deinit(&compiler);
    return false;
}

/* A hint for what stands in a field; NULL: none. */
static struct hint *search(const struct hints_cluster *cluster, struct json_object *file, const char *field,
                           const char *text, uint64_t *left)
{
    struct unit u = {.scope = {.env = cluster->env}};
    if (devices_is_kind(file) && devices_is_selector(field)) {
        u.place = CEL_PLACE_SELECTOR;
        u.scope = (struct cel_place_scope){.env = cluster->new_env, .minor = cluster->types.minor};
    } else if (devices_is_kind(file) || !configuration_place(field, &u.place)) {
        return NULL;
    }
    const struct hints_search search = {
        .try = try_text, .user = &u, .env = cel_place_env(u.place, u.scope.env)};
    return hints_search_whole(&search, str_of(text), left);
}

void hints_of_configuration(const struct hints_cluster *cluster, const struct yaml_node *root,
                            const struct fielderrors *refusals, struct hints *out)
{
    uint64_t left = HINTS_MAX_STEPS;
    *out = (struct hints){0};
    for (size_t i = 0; i < refusals->count && left > 0; i++) {
        const char *field = refusals->items[i].field;
        cleanup_mem char *path = devices_is_kind(root->json) ? devices_field(root->json, field)
                                                             : configuration_field(root->json, field);
        const struct yaml_node *node = yaml_find(root, path);
        if (node == NULL || !json_object_is_type(node->json, json_type_string))
            continue;
        hints_put(out, field, search(cluster, root->json, field, json_object_get_string(node->json), &left));
    }
}
