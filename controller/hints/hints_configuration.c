/* hints.h for the files that configure an API server, and for selectors of devices: each trial compiles one
 * expression again. */
#include <string.h>

#include "client/base/mem.h"
#include "client/text/yaml.h"
#include "controller/apiserver/validation/configuration.h"
#include "controller/apiserver/validation/devices.h"
#include "controller/hints/hints.h"
#include "controller/hints/hints_search.h"
#include "typecheck/compile.h"

enum { TRIAL_STEPS = 200 };

struct unit {
    const struct hints_cluster *cluster;
    enum config_place place;
};

/* A try has a budget of its own. */
static void spend(uint64_t *left, uint64_t steps)
{
    const uint64_t spent = TRIAL_STEPS + steps;
    *left -= spent < *left ? spent : *left;
}

static bool try_selector(void *user, struct str text, uint64_t *left, uint64_t steps,
                         struct hints_trial *trial)
{
    const struct unit *u = user;
    (void)steps; /* the trial is done at once */
    struct device_check check;
    struct device_checked checked;
    device_check_init(&check, u->cluster->new_env, u->cluster->types.minor, *left);
    const bool is_known = device_check_compile(&check, text, &checked);
    trial->rank = HINTS_UNKNOWN;
    if (is_known)
        hints_trial_refuse(trial, &checked.problem, text);
    if (trial->rank == HINTS_GOOD && checked.cost > DEVICE_CHECK_MAX_COST)
        trial->rank = HINTS_REFUSED;
    spend(left, check.arena.steps);
    device_check_deinit(&check);
    return false;
}

static bool try_text(void *user, struct str text, uint64_t *left, uint64_t steps, struct hints_trial *trial)
{
    const struct unit *u = user;
    (void)steps; /* the trial is done at once */
    struct config_check check;
    struct config_checked checked;
    config_check_init(&check, u->cluster->env, *left);
    const bool is_known = config_check_compile(&check, u->place, text, &checked);
    trial->rank = HINTS_UNKNOWN;
    if (is_known)
        hints_trial_refuse(trial, &checked.problem, text);
    spend(left, check.arena.steps);
    config_check_deinit(&check);
    return false;
}

/* A hint for what stands in a field; NULL: none. */
static struct hint *search(struct unit *u, struct json_object *file, const char *field, const char *text,
                           uint64_t *left)
{
    struct hints_search search = {.try = try_text, .user = u, .env = u->cluster->env};
    if (devices_is_kind(file) && devices_is_selector(field)) {
        search.try = try_selector;
        search.env = env_binding(u->cluster->new_env);
    } else if (devices_is_kind(file) || !configuration_place(field, &u->place)) {
        return NULL;
    }
    return hints_search_whole(&search, str_of(text), left);
}

void hints_of_configuration(const struct hints_cluster *cluster, const struct yaml_node *root,
                            const struct fielderrors *refusals, struct hints *out)
{
    uint64_t left = HINTS_MAX_STEPS;
    *out = (struct hints){0};
    for (size_t i = 0; i < refusals->count && left > 0; i++) {
        struct unit u = {.cluster = cluster};
        const char *field = refusals->items[i].field;
        cleanup_mem char *path = devices_is_kind(root->json) ? devices_field(root->json, field)
                                                             : configuration_field(root->json, field);
        const struct yaml_node *node = yaml_find(root, path);
        if (node == NULL || !json_object_is_type(node->json, json_type_string))
            continue;
        hints_put(out, field, search(&u, root->json, field, json_object_get_string(node->json), &left));
    }
}
