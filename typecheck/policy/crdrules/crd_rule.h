/*
 * crd_rule: compiles one of the x-kubernetes-validations of a CustomResourceDefinition as the API server does
 * when the definition is created. Pure; a public header.
 *
 * The compiler's scope has the type of `self`: that of the schema at the place of the rule.
 *
 *     compiler_init(&c, &(struct cel_place_scope){.env = env, .self = &self}, steps);
 *     struct crd_rule_compiled found;
 *     if (crd_rule_compile(&c, &rule, &found) && !found.rule->compiles) ... found.rule->problem
 *     compiler_deinit(&c);
 */
#ifndef TYPECHECK_POLICY_CRDRULES_CRD_RULE_H
#define TYPECHECK_POLICY_CRDRULES_CRD_RULE_H

#include <stdbool.h>

#include "typecheck/base/str.h"
#include "typecheck/policy/compile/compiler.h"

struct crd_rule {
    struct str expression, message_expression; /* message_expression empty: none */
    bool has_optional_old_self;                /* oldSelf is optional(T) */
};

/* An empty expression, and the message of a rule that does not compile, are not compiled; they have no
 * problem, and no cost. */
struct crd_rule_compiled {
    const struct cel_place_compiled *rule, *message; /* they belong to the compiler */
};

/* Returns false if a cap was reached, now or before; then nothing is known about the rule. */
bool crd_rule_compile(struct compiler *c, const struct crd_rule *rule, struct crd_rule_compiled *out);

#endif
