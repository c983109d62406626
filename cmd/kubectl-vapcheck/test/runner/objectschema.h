/*
 * objectschema: checks whether an object fits the schema of its kind, as the API server decodes it.
 *
 * Two faults are found. No server takes an object with a value of a wrong type; kubectl does not send one
 * with a field that the schema does not have. Other rules (required fields, the values of fields) are not
 * checked.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_OBJECTSCHEMA_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_OBJECTSCHEMA_H

#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/test/suite/testfiles.h"

/* Sets the object's problem, once until testfiles_forget. An object of an unknown kind fits. */
void objectschema_check(struct testobject *object, struct schemas *schemas);

#endif
