/*
 * labelselector: a label selector, from a text as in kubectl's -l or from an
 * object's JSON, and whether labels match it. Pure.
 *
 *     "team=a", "team==a", "team!=a", "team", "!team", "env in (prod, test)",
 *     "env notin (dev)", any of these joined by commas: all must hold.
 *
 *     struct labelselector *s;
 *     if (labelselector_parse("env in (prod),!legacy", &s, &err) != 0) ...
 *     if (labelselector_matches(s, jsonval_get(metadata, "labels"))) ...
 */
#ifndef CONTROLLER_MATCH_LABELSELECTOR_H
#define CONTROLLER_MATCH_LABELSELECTOR_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"

struct labelselector;

/* The caller frees *out with labelselector_free. Errors: INVALID, with the place. */
int labelselector_parse(const char *text, struct labelselector **out, struct err *err) MUST_CHECK;
/* Reads a metav1.LabelSelector; NULL and {} match all labels. Errors: INVALID (no server stores such a
 * selector). */
int labelselector_from_json(struct json_object *json, struct labelselector **out, struct err *err) MUST_CHECK;
void labelselector_free(struct labelselector *selector);

/* A label with one of the values; without values: with any. is_negated: no such label. */
struct labelselector_requirement {
    const char *key;
    const char *const *values;
    size_t n_values;
    bool is_negated;
};

size_t labelselector_count(const struct labelselector *selector);
/* The requirement at the index, borrowed. All of them must hold. */
struct labelselector_requirement labelselector_requirement(const struct labelselector *selector,
                                                           size_t index);

/* Returns true if the selector matches all labels. */
bool labelselector_is_empty(const struct labelselector *selector);
/* Returns true if no labels match it, because its requirements exclude each other. False if that takes too
 * many comparisons. */
bool labelselector_is_contradictory(const struct labelselector *selector);
/* The cost of a match, in comparisons of texts. */
uint64_t labelselector_steps(const struct labelselector *selector);

/* labels: an object of strings, or NULL. "!=" and "notin" match if the label is absent, as in Kubernetes. */
bool labelselector_matches(const struct labelselector *selector, struct json_object *labels);

#endif
