#include "controller/apiserver/defaults/labelkeys.h"

#include <stddef.h>

#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/defaultobject.h"

/* (registry/core/pod: mutatePodAffinity and mutateTopologySpreadConstraints) */

static void append(struct json_object *selector, const char *key, const char *how, const char *value)
{
    struct json_object *expression = json_object_new_object(), *values = json_object_new_array();
    jsonval_append(values, json_object_new_string(value));
    jsonval_set(expression, "key", json_object_new_string(key));
    jsonval_set(expression, "operator", json_object_new_string(how));
    jsonval_set(expression, "values", values);
    if (jsonval_array(selector, "matchExpressions") == NULL)
        jsonval_set(selector, "matchExpressions", json_object_new_array());
    jsonval_append(jsonval_array(selector, "matchExpressions"), expression);
}

/* A term without a selector selects nothing. */
static void apply(struct arena *a, struct json_object *term, const char *list, const char *how,
                  struct json_object *labels)
{
    struct json_object *keys = jsonval_array(term, list), *selector = jsonval_get(term, "labelSelector");
    for (size_t i = 0; i < jsonval_length(keys) && json_object_is_type(selector, json_type_object); i++) {
        const char *key = jsonval_text(jsonval_at(keys, i));
        const char *value = key == NULL ? NULL : jsonval_string(labels, key);
        arena_step(a);
        if (value != NULL)
            append(selector, key, how, value);
    }
}

void labelkeys_apply_affinity(struct arena *a, struct json_object *pod)
{
    static const struct {
        const char *list, *term; /* term: below an item; empty: the item itself */
    } rows[] = {
        {"spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution", "podAffinityTerm"},
        {"spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution", ""},
        {"spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution", "podAffinityTerm"},
        {"spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution", ""},
    };
    struct json_object *labels = defaultobject_get(pod, "metadata.labels");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json_object *terms = defaultobject_get(pod, rows[i].list);
        for (size_t k = 0; json_object_is_type(terms, json_type_array) && k < jsonval_length(terms); k++) {
            struct json_object *item = jsonval_at(terms, k),
                               *term = *rows[i].term == '\0' ? item : jsonval_get(item, rows[i].term);
            arena_step(a);
            apply(a, term, "matchLabelKeys", "In", labels);
            apply(a, term, "mismatchLabelKeys", "NotIn", labels);
        }
    }
}

void labelkeys_apply_spread(struct arena *a, struct json_object *pod)
{
    struct json_object *list = jsonval_array(jsonval_get(pod, "spec"), "topologySpreadConstraints");
    for (size_t i = 0; i < jsonval_length(list); i++) {
        arena_step(a);
        apply(a, jsonval_at(list, i), "matchLabelKeys", "In", defaultobject_get(pod, "metadata.labels"));
    }
}
