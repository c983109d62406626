/*
 * decision: a policy, evaluated on a request, with the values of its parts. A public header.
 */
#ifndef TYPECHECK_DECISION_H
#define TYPECHECK_DECISION_H

#include "typecheck/cel/interpreter/values/authorizer.h"
#include "typecheck/policy/run/policy_run.h"
#include "typecheck/policy/run/policy_trace.h"
#include "typecheck/policy/run/written_object.h"

#endif
