/*
 * evaluate: the mode of celcheck that evaluates.
 *
 * Reads lines {"id":ID,"expr":TEXT,"values":{NAME:JSON},"limit":COST,"typed":[NAME]} and
 * writes a line {"id":ID,"value":TEXT,"cost":N} for each, "error" in place of
 * "value" where evaluation fails, "issues" in place of both where the
 * expression does not compile, and "missing" where this evaluator lacks
 * something. The variables are of type dyn; the limit may be absent. The variables in "typed" hold Go values,
 * as in Kubernetes 1.37: `request` an AdmissionRequest, others of the kinds that their JSON names.
 *
 * A line with a "policy" (the spec of a ValidatingAdmissionPolicy) in place of "expr" is evaluated as a whole
 * on its "request", "object", "oldObject", "params" and "namespaceObject": policy_line.h.
 */
#ifndef TESTS_SUPPORT_CELCHECK_EVALUATE_H
#define TESTS_SUPPORT_CELCHECK_EVALUATE_H

#include "typecheck/base/str.h"

struct env;

/* Prints a table of the environment's functions: which of them are evaluated. */
void evaluate_print_functions(const struct env *env);

/* Evaluates a line, and prints the answer. Returns false if the line is not as above. ns: if it is above
 * 0, an expression is evaluated for so long, and the answer has "ns", too: the CPU time of one evaluation. */
bool evaluate_line(const struct env *env, struct str line, double ns);

#endif
