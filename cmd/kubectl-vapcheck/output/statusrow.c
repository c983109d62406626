#include "cmd/kubectl-vapcheck/output/statusrow.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/err.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "controller/findings/conditions.h"
#include "controller/match/policyview.h"
#include "controller/match/types.h"

static struct json_object *find_condition(struct json_object *status, const char *type)
{
    struct json_object *list = jsonval_array(status, "conditions");
    for (size_t i = 0; i < jsonval_length(list); i++) {
        if (strcmp(jsonval_string_or_empty(jsonval_at(list, i), "type"), type) == 0)
            return jsonval_at(list, i);
    }
    return NULL;
}

/* The condition's status, or "stale" if it is about an older generation of the policy; "-" if there is
 * none. */
static const char *condition_cell(struct json_object *policy, const char *type)
{
    struct json_object *c = find_condition(jsonval_get(policy, "status"), type);
    int64_t generation = jsonval_int(jsonval_get(policy, "metadata"), "generation", 0);
    if (c == NULL)
        return "-";
    return jsonval_int(c, "observedGeneration", generation) < generation
               ? "stale"
               : jsonval_string_or_empty(c, "status");
}

/* Returns true if some controller has checked it. Kubernetes 1.37 shows an empty list of warnings as none at
 * all, older ones as an empty typeChecking. */
static bool is_checked_by_any(struct json_object *status)
{
    return jsonval_get(status, "typeChecking") != NULL || jsonval_int(status, "observedGeneration", 0) > 0;
}

/* kube-controller-manager writes no condition, but which generation it has checked. A check that reached a
 * bound on work or memory is "limit". */
static const char *checked_cell(struct json_object *policy)
{
    struct json_object *status = jsonval_get(policy, "status");
    const char *ours = condition_cell(policy, CONDITIONS_CHECKED);
    const char *reason = jsonval_string_or_empty(find_condition(status, CONDITIONS_CHECKED), "reason");
    if (strcmp(ours, "False") == 0 && strcmp(reason, conditions_reason_name(TYPES_LIMIT_REACHED)) == 0)
        return "limit";
    if (strcmp(ours, "-") != 0 || !is_checked_by_any(status))
        return ours;
    int64_t generation = jsonval_int(jsonval_get(policy, "metadata"), "generation", 0);
    return jsonval_int(status, "observedGeneration", 0) < generation ? "stale" : "builtin";
}

static char *warnings_cell(struct json_object *status)
{
    struct json_object *checking = jsonval_get(status, "typeChecking");
    if (!is_checked_by_any(status))
        return mem_strdup("-");
    return mem_printf("%zu", jsonval_length(jsonval_array(checking, "expressionWarnings")));
}

/* The types that the rules match, as "apps/v1, Kind=Deployment". */
static struct json_object *list_types(struct json_object *policy, const struct discovery *discovery)
{
    const struct types_options options = {.scope = TYPES_FULL, .max_types = TYPES_MAX_DEFAULT};
    struct json_object *list = json_object_new_array();
    struct types_list types;
    struct policyview *view;
    struct err err = {0};
    if (policyview_new(policy, &view, &err) != 0)
        return list;
    types_resolve(&view->match, discovery, &options, &types);
    for (size_t i = 0; i < types.n_targets; i++) {
        const struct types_target *t = &types.targets[i];
        cleanup_mem char *name = output_name_type(t);
        jsonval_append(list, json_object_new_string(name));
    }
    types_list_deinit(&types);
    policyview_free(view);
    return list;
}

static struct json_object *list_bindings(const char *policy, struct json_object *bindings)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < jsonval_length(bindings); i++) {
        struct json_object *b = jsonval_at(bindings, i);
        const char *named = jsonval_string_or_empty(jsonval_get(b, "spec"), "policyName");
        const char *name = jsonval_metadata(b, "name");
        if (strcmp(named, policy) == 0)
            jsonval_append(list, json_object_new_string(name));
    }
    return list;
}

static const long long HOUR_S = 3600, DAY_S = 86400;

/* An age as kubectl writes it: "12s", "5m", "3h", "2d". The caller frees it. */
static char *age(time_t seconds)
{
    long long s = seconds < 0 ? 0 : (long long)seconds;
    if (s < 120)
        return mem_printf("%llds", s);
    if (s < 2 * HOUR_S)
        return mem_printf("%lldm", s / 60);
    return s < 2 * DAY_S ? mem_printf("%lldh", s / HOUR_S) : mem_printf("%lldd", s / DAY_S);
}

char *statusrow_age(const char *created, time_t now)
{
    struct tm tm = {0};
    if (strptime(created, "%Y-%m-%dT%H:%M:%SZ", &tm) == NULL)
        return mem_strdup("-");
    return age(now - timegm(&tm));
}

/* The message of the first condition that is not True. */
static const char *message_of(struct json_object *status)
{
    static const char *const types[] = {CONDITIONS_VALID, CONDITIONS_CHECKED, CONDITIONS_PARAM_KIND};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct json_object *c = find_condition(status, types[i]);
        if (c != NULL && strcmp(jsonval_string_or_empty(c, "status"), "True") != 0)
            return jsonval_string_or_empty(c, "message");
    }
    return "";
}

/* For each condition the index of the column that shows it; -1: none does. */
static const struct {
    const char *type;
    int place;
} columns[] = {
#define COLUMN(place, head, width)                             (place)
#define HIDDEN                                                 (-1)
#define CONDITION(name, type, object, event, findings, column) {CONDITIONS_##name, column},
#include "controller/findings/conditions.def"
};

/* The bindings themselves say if the policy is bound. */
static const char *cell_of(struct json_object *policy, const char *type, struct json_object *bindings)
{
    if (strcmp(type, CONDITIONS_CHECKED) == 0)
        return checked_cell(policy);
    if (strcmp(type, CONDITIONS_BOUND) == 0)
        return jsonval_length(bindings) > 0 ? "True" : "False";
    return condition_cell(policy, type);
}

static void add_or_empty(struct json_object *object, const char *key, struct json_object *list)
{
    jsonval_set(object, key, list == NULL ? json_object_new_array() : json_object_get(list));
}

void statusrow_init(struct statusrow *row, struct json_object *policy, struct json_object *bindings,
                    const struct discovery *discovery, time_t now)
{
    struct json_object *metadata = jsonval_get(policy, "metadata"), *status = jsonval_get(policy, "status");
    const char *created = jsonval_string_or_empty(metadata, "creationTimestamp");
    *row = (struct statusrow){.name = jsonval_string_or_empty(metadata, "name")};
    struct json_object *types = list_types(policy, discovery), *bound = list_bindings(row->name, bindings);
    row->cells[STATUSROW_TYPES] = mem_printf("%zu", jsonval_length(types));
    row->cells[STATUSROW_WARNINGS] = warnings_cell(status);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (columns[i].place >= 0)
            row->cells[STATUSROW_CONDITION + columns[i].place] =
                mem_strdup(cell_of(policy, columns[i].type, bound));
    }
    row->cells[STATUSROW_AGE] = statusrow_age(created, now);
    row->cells[STATUSROW_MESSAGE] = mem_strdup(message_of(status));
    row->json = json_object_new_object();
    jsonval_set(row->json, "name", json_object_new_string(row->name));
    jsonval_set(row->json, "types", types);
    add_or_empty(row->json, "expressionWarnings",
                 jsonval_array(jsonval_get(status, "typeChecking"), "expressionWarnings"));
    add_or_empty(row->json, "conditions", jsonval_array(status, "conditions"));
    jsonval_set(row->json, "checked", json_object_new_string(checked_cell(policy)));
    jsonval_set(row->json, "bindings", bound);
    jsonval_set(row->json, "creationTimestamp", json_object_new_string(created));
}

void statusrow_deinit(struct statusrow *row)
{
    for (size_t i = 0; i < STATUSROW_COLUMNS; i++)
        mem_free(row->cells[i]);
    json_object_put(row->json);
}
