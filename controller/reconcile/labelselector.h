/*
 * labelselector: a label selector as kubectl's -l takes it, and whether an
 * object's labels match. Pure.
 *
 *     "team=a", "team==a", "team!=a", "team", "!team", "env in (prod, test)",
 *     "env notin (dev)", any of these joined by commas: all must hold.
 *
 *     struct labelselector *s;
 *     if (labelselector_parse("env in (prod),!legacy", &s, &err) != 0) ...
 *     if (labelselector_matches(s, jsonval_get(metadata, "labels"))) ...
 */
#ifndef CONTROLLER_RECONCILE_LABELSELECTOR_H
#define CONTROLLER_RECONCILE_LABELSELECTOR_H

#include <json-c/json.h>
#include <stdbool.h>

#include "client/base/err.h"

struct labelselector;

/* The caller frees *out with labelselector_free. Errors: INVALID, with the place. */
int labelselector_parse(const char *text, struct labelselector **out, struct err *err) MUST_CHECK;
void labelselector_free(struct labelselector *selector);

/* labels: an object of strings, or NULL. As Kubernetes has it, "!=" and "notin" hold where the
 * label is absent. */
bool labelselector_matches(const struct labelselector *selector, struct json_object *labels);

#endif
