/*
 * objectschema: whether an object fits the schema of its kind, as the API server decodes it.
 *
 * A value of another type, and a field that the schema does not have: with the first no server takes the
 * object, with the second kubectl does not send it. What a server asks besides (required fields, the values
 * of fields) is not looked at.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_OBJECTSCHEMA_H
#define CMD_KUBECTL_VAPCHECK_TEST_OBJECTSCHEMA_H

#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/test/testfiles.h"

/* Sets the object's problem, once until testfiles_forget. An object of an unknown kind fits. */
void objectschema_check(struct testobject *object, struct schemas *schemas);

#endif
