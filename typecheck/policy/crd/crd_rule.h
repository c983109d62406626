/*
 * crd_rule: compiles the x-kubernetes-validations of one place of a
 * CustomResourceDefinition's schema as the API server does when the definition
 * is created. Pure; a public header beside typecheck.h and create_check.h.
 *
 * `self` and `oldSelf` have the type of the schema at that place
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go).
 *
 *     struct crd_rule_results r;
 *     crd_rule_compile(env, selftype, rules, count, steps, &r);
 *     for (size_t i = 0; i < r.done; i++) if (r.items[i].problem.text.len != 0) ...
 *     crd_rule_results_deinit(&r);
 */
#ifndef TYPECHECK_POLICY_CRD_CRD_RULE_H
#define TYPECHECK_POLICY_CRD_CRD_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/schema/crd_type.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/compile/compile_problem.h"

struct crd_rule {
    struct str expression, message_expression; /* message_expression empty: none */
    bool has_optional_old_self;                /* oldSelf is optional(T) */
};

/* Costs are the most that one evaluation can take; 0 if it did not compile. */
struct crd_rule_result {
    struct compile_problem problem;
    uint64_t cost;
    struct compile_problem message_problem;
    bool has_message; /* the messageExpression compiled */
    uint64_t message_cost;
    bool uses_old_self;
    const struct crd_rule_program *program, *message_program; /* for crd_rule_cost; NULL: did not compile */
};

struct crd_rule_results {
    struct crd_rule_result *items; /* by rule */
    size_t done;                   /* how many; fewer than all if a cap was reached */
    struct arena arena;            /* holds the items; its steps are those that were spent */
    const struct crd_type *self;
};

/* self: the type at the place of the rules; it outlives the results. An empty expression is not compiled.
 * max_steps: for all rules together. */
void crd_rule_compile(const struct env *env, const struct crd_type *self, const struct crd_rule *rules,
                      size_t count, uint64_t max_steps, struct crd_rule_results *results);
/* `self` and `oldSelf` of a rule, for assist.h: of is a struct crd_rule_place. */
struct crd_rule_place {
    const struct crd_type *self;
    bool has_optional_old_self;
};
size_t crd_rule_declare(const void *of, struct types *types, struct variable *out);
/* The cost again, with the bounds that the schema has now; UINT64_MAX: a cap was reached. The program must be
 * one of these results. */
uint64_t crd_rule_cost(struct crd_rule_results *results, const struct crd_rule_program *program);
void crd_rule_results_deinit(struct crd_rule_results *results);

#endif
