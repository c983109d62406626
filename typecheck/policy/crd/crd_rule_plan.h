/*
 * crd_rule_plan: makes a rule that crd_rule compiled ready to be evaluated.
 */
#ifndef TYPECHECK_POLICY_CRD_CRD_RULE_PLAN_H
#define TYPECHECK_POLICY_CRD_CRD_RULE_PLAN_H

#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/types/env.h"

struct crd_rule_program;

/* Returns what plan_make does. The program is one of results that outlive the plan. */
enum plan_outcome crd_rule_plan(struct arena *a, const struct env *env,
                                const struct crd_rule_program *program, struct plan *out, struct str *why);

#endif
