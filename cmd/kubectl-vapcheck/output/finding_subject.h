/*
 * finding_subject: the subject of a finding, as data, so that a baseline and a reader of reports know it
 * again whatever its message says: messages are reworded, by this program and by the API server.
 *
 *     object.spec.replica <= 5        undefined-field is about `replica`
 *     object.spec.replicas == 'x'     never-equal is about `_==_ (int, string)`
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_FINDING_SUBJECT_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_FINDING_SUBJECT_H

#include "cmd/kubectl-vapcheck/output/output.h"

/* The subject of an issue: the name and the types that it is about; if it has none, the part of the
 * expression that it marks. The caller frees it. */
char *finding_subject_of_issue(const struct check_issue *issue, struct str expression);
/* The subject of a finding about a field: its value, or the hash of a long one, so another value has another
 * finding; "" if the object has no such field, or for the object as a whole. The caller frees it. */
char *finding_subject_of_field(const struct output_place *place, const char *field);

#endif
