/*
 * objectschema: checks whether an object fits the schema of its kind, as the API server decodes it.
 *
 * Two faults are found. With a value of a wrong type no server takes the object; with a field that the schema
 * does not have kubectl does not send it. Other rules (required fields, the values of fields) are not
 * checked.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUN_OBJECTSCHEMA_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUN_OBJECTSCHEMA_H

#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/test/suite/testfiles.h"

/* Sets the object's problem, once until testfiles_forget. An object of an unknown kind fits. */
void objectschema_check(struct testobject *object, struct schemas *schemas);

#endif
