#include "typecheck/policy/abstract/cleared.h"

#include "typecheck/base/arena.h"

/* "here" becomes "on CREATE" where other requests have the field. */
#define CLEARED_HERE                                                                                         \
    {                                                                                                        \
        STR_INIT("the API server clears it"), true                                                           \
    }

static const struct absreason cleared_here = CLEARED_HERE;

bool cleared_is_named(const struct node *n)
{
    static const struct str names[] = {STR_INIT("status"), STR_INIT("deletionTimestamp"),
                                       STR_INIT("deletionGracePeriodSeconds"), STR_INIT("selfLink")};
    bool is_text = n->kind == NODE_LITERAL && n->literal.kind == LITERAL_STRING;
    if (n->kind != NODE_SELECT && !is_text)
        return false;
    struct str name = is_text ? n->literal.bytes : n->select.field;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_eq(names[i], name))
            return true;
    }
    return false;
}

/* The one map that the field is; NULL: it is absent, or may be something else. */
static const struct absmap *only_map(const struct absmap_found *found)
{
    bool is_map = found->presence != ABS_ABSENT && (found->value->kinds & ABS_MAP) != 0;
    const struct absmap *map = is_map ? found->value->maps : NULL;
    return map != NULL && map->next == NULL && map->type != NULL ? map : NULL;
}

/* `was` with another map in it. */
static struct absfield with_map(struct arena *a, struct str name, const struct absmap_found *was,
                                struct absmap map)
{
    struct absval *value = ARENA_NEW(a, struct absval);
    *value = *was->value;
    value->maps = absval_of_map(a, map)->maps;
    return (struct absfield){.name = name, .presence = was->presence, .value = value};
}

/* ---- metadata ---- */

static bool clear_metadata(struct arena *a, struct types *ts, const struct cleared_at *at,
                           const struct absval *object, struct absfield *out)
{
    static const struct absfield of_created[] = {
        {.name = STR_INIT("deletionTimestamp"), .presence = ABS_ABSENT, .why = CLEARED_HERE},
        {.name = STR_INIT("deletionGracePeriodSeconds"), .presence = ABS_ABSENT, .why = CLEARED_HERE},
        {.name = STR_INIT("selfLink"), .presence = ABS_ABSENT, .why = CLEARED_HERE},
    };
    enum { CREATED = sizeof of_created / sizeof *of_created };
    const bool is_clear = at->is_created && at->is_metadata_clear;
    if (!at->is_cluster_scoped && !is_clear)
        return false;
    const struct absmap_found found = absmap_find(a, ts, object, STR("metadata"));
    const struct absmap *was = only_map(&found);
    if (was == NULL)
        return false;
    struct absmap map = *was;
    struct absfield *fields = ARENA_ARRAY(a, CREATED + 1, struct absfield);
    map.fields = fields;
    map.field_count = is_clear ? CREATED : 0;
    memcpy(fields, of_created, map.field_count * sizeof *fields);
    if (at->is_cluster_scoped)
        fields[map.field_count++] = (struct absfield){.name = STR("namespace"),
                                                      .presence = ABS_ABSENT,
                                                      .why = {STR("the kind is cluster-scoped"), false}};
    *out = with_map(a, STR("metadata"), &found, map);
    return true;
}

/* ---- status ---- */

#define STATUS_FIELDS_MAX 5

/*
 * Status fields that the strategy of a kind keeps or sets on CREATE; if releases differ, all of them. Kinds
 * that are not listed keep their status, or it is not known.
 */
static const struct {
    const char *group, *kind;
    const char *fields[STATUS_FIELDS_MAX + 1];
} created_status[] = {
    {"", "Namespace", {"phase"}},
    {"", "PersistentVolume", {"phase", "lastPhaseTransitionTime"}},
    {"", "PersistentVolumeClaim", {NULL}},
    {"", "Pod", {"phase", "qosClass", "conditions", "observedGeneration"}},
    {"", "ReplicationController", {"replicas"}},
    {"", "ResourceQuota", {NULL}},
    {"", "Service", {"loadBalancer"}},
    {"apps",
     "DaemonSet",
     {"currentNumberScheduled", "desiredNumberScheduled", "numberMisscheduled", "numberReady"}},
    {"apps", "Deployment", {NULL}},
    {"apps", "ReplicaSet", {"replicas"}},
    {"apps", "StatefulSet", {"replicas", "availableReplicas"}},
    {"autoscaling",
     "HorizontalPodAutoscaler",
     {"currentReplicas", "desiredReplicas", "currentMetrics", "conditions"}},
    {"batch", "CronJob", {NULL}},
    {"batch", "Job", {NULL}},
    {"certificates.k8s.io", "CertificateSigningRequest", {NULL}},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema", {NULL}},
    {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", {NULL}},
    {"networking.k8s.io", "Ingress", {"loadBalancer"}},
    {"policy",
     "PodDisruptionBudget",
     {"currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods"}},
    {"resource.k8s.io", "ResourceClaim", {NULL}},
    {"storage.k8s.io", "VolumeAttachment", {"attached"}},
};

enum { STATUS_KINDS = sizeof created_status / sizeof *created_status };

static size_t find_kind(const struct policy_type *kind)
{
    size_t i = 0;
    while (i < STATUS_KINDS && !(str_eq(kind->group, str_of(created_status[i].group)) &&
                                 str_eq(kind->kind, str_of(created_status[i].kind))))
        i++;
    return i;
}

/* The map itself is left, and nothing in it. */
static bool is_emptied(struct str name)
{
    return str_eq(name, STR("loadBalancer"));
}

static bool clear_status(struct arena *a, struct types *ts, const struct cleared_at *at,
                         const struct absval *object, struct absfield *out)
{
    if (!at->is_created || !at->has_status)
        return false;
    const size_t kind = find_kind(at->kind);
    const struct absmap_found found = absmap_find(a, ts, object, STR("status"));
    const struct absmap *was = only_map(&found);
    if (found.presence == ABS_ABSENT)
        return false;
    if (at->is_custom) {
        *out = (struct absfield){.name = STR("status"), .presence = ABS_ABSENT, .why = cleared_here};
        return true;
    }
    if (kind == STATUS_KINDS || was == NULL)
        return false;
    struct absfield *fields = ARENA_ARRAY(a, STATUS_FIELDS_MAX, struct absfield);
    struct absmap map = {.fields = fields, .form = was->form, .why = cleared_here};
    struct absmap empty = {.form = was->form, .why = cleared_here};
    const struct absval *status = absval_of_map(a, *was);
    for (size_t i = 0; created_status[kind].fields[i] != NULL; i++) {
        struct str name = str_of(created_status[kind].fields[i]);
        const struct absmap_found kept = absmap_find(a, ts, status, name);
        if (kept.presence == ABS_ABSENT)
            continue;
        const struct absval *value = is_emptied(name) ? absval_of_map(a, empty) : kept.value;
        fields[map.field_count++] = (struct absfield){.name = name, .presence = ABS_MAYBE, .value = value};
    }
    *out = with_map(a, STR("status"), &found, map);
    return true;
}

/* ---- the root ---- */

/* "stringData is merged into data when it is decoded", for each request; between mutations nothing is
 * decoded. */
static bool clear_string_data(const struct cleared_at *at, struct absfield *out)
{
    if (at->is_mutated || at->kind->group.len != 0 || !str_eq(at->kind->kind, STR("Secret")))
        return false;
    *out = (struct absfield){.name = STR("stringData"),
                             .presence = ABS_ABSENT,
                             .why = {STR("the API server moves it to data"), false}};
    return true;
}

size_t cleared_fields(struct arena *a, struct types *ts, const struct cleared_at *at,
                      const struct absval *object, struct absfield fields[CLEARED_FIELDS])
{
    size_t count = 0;
    count += clear_metadata(a, ts, at, object, &fields[count]);
    count += clear_status(a, ts, at, object, &fields[count]);
    count += clear_string_data(at, &fields[count]);
    return count;
}
