/*
 * suppress: reads the annotations with which the author of an object suppresses findings.
 *
 * Both programs honour them. Pure.
 *
 *     metadata:
 *       annotations:
 *         vapcheck/ignore: never-equal,undefined-field   these are not reported
 *         vapcheck/skip: "true"                          the object is not checked at all
 *
 *     if (suppress_is_skipped(object)) return;
 *     struct finding_set ignored = suppress_ignored(object, &err);
 */
#ifndef CONTROLLER_FINDINGS_SUPPRESS_H
#define CONTROLLER_FINDINGS_SUPPRESS_H

#include <json-c/json.h>

#include "client/base/err.h"
#include "controller/findings/finding.h"

#define SUPPRESS_SKIP   "vapcheck/skip"
#define SUPPRESS_IGNORE "vapcheck/ignore"

bool suppress_is_skipped(struct json_object *object);

bool suppress_has_ignored(struct json_object *object);

/* The findings that the annotation names. err is set if it names something that is not a finding. */
struct finding_set suppress_ignored(struct json_object *object, struct err *err);

/* Adds the identifiers of a list ("never-equal, undefined-field") to the set. Errors: INVALID (a name is not
 * a finding, with a similar one; a finding cannot be ignored; the list is empty). The error is about the
 * first such name; the others are added all the same. */
int suppress_read(const char *list, struct finding_set *set, struct err *err);

/* The same for a list of findings to report: "default" is all but advice, "advice" is all advice. */
int suppress_read_selected(const char *list, struct finding_set *set, struct err *err);

#endif
