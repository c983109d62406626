/*
 * config_check: compiles the expressions of the files that configure an API
 * server, as it does when it reads them. Pure; a public header beside typecheck.h.
 *
 * Each place has one variable (k8s.io/apiserver/pkg/authentication/cel and
 * pkg/authorization/cel, compile.go). The environment is that of stored
 * expressions.
 *
 *     struct config_check c;
 *     config_check_init(&c, env, max_steps);
 *     struct config_checked checked;
 *     if (config_check_compile(&c, CONFIG_CLAIM_RULE, text, &checked) && checked.problem.text.len != 0) ...
 *     config_check_deinit(&c);
 */
#ifndef TYPECHECK_POLICY_COMPILE_CONFIG_CHECK_H
#define TYPECHECK_POLICY_COMPILE_CONFIG_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/compile/compile_problem.h"

struct types;

enum config_place {
    CONFIG_CLAIM_RULE,    /* `claims`, a map; bool */
    CONFIG_CLAIM_MAPPING, /* `claims`; any type */
    CONFIG_USER_RULE,     /* `user`; bool */
    CONFIG_ACCESS_REVIEW, /* `request`, a SubjectAccessReviewSpec; bool */
};

struct config_check {
    struct arena arena; /* holds the problems */
    const struct env *env;
    struct types *types;
    bool is_exhausted; /* a cap was reached: nothing more is compiled */
};

struct config_checked {
    struct compile_problem problem;
    /* Whether the expression selects claims.email and claims.email_verified. */
    bool uses_email, uses_email_verified;
};

/* The variable of a place, for assist.h: of is a struct config_check_scope. */
struct config_check_scope {
    enum config_place place;
    int level; /* env.h's */
};
size_t config_check_declare(const void *of, struct types *types, struct variable *out);

void config_check_init(struct config_check *c, const struct env *env, uint64_t max_steps);
/* False: a cap was reached, now or before, and nothing is known about the text. */
bool config_check_compile(struct config_check *c, enum config_place place, struct str text,
                          struct config_checked *out);
void config_check_deinit(struct config_check *c);

#endif
