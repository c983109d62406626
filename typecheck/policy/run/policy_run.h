/*
 * policy_run: an admission policy, evaluated on requests as the API server does it.
 *
 * Match conditions, validations, messages, audit annotations, failurePolicy and the bounds on costs, with the
 * server's texts (k8s.io/apiserver/pkg/admission/plugin: policy/validating/validator.go,
 * webhook/matchconditions/matcher.go, cel/activation.go and composition.go). The caller decides before
 * whether the rules and a binding match, and afterwards what a binding's actions do with a decision. The
 * mutations of a MutatingAdmissionPolicy are evaluated and applied, one after the other (policy/mutating:
 * dispatcher.go, patch/). If one was applied, the server asks a second time: match conditions of each policy,
 * and the mutations of one that wants to be invoked again. Changes by other plugins before that are not
 * known.
 *
 * Objects must be as the API server writes them: with defaults; for built-in kinds also without fields that
 * Go omits when they are empty, with fields that it never omits (a container has `resources`), and with
 * quantities in canonical form. Since Kubernetes 1.37 built-in kinds are evaluated as Go values, so their
 * schemas are needed, too.
 *
 *     struct policy_run *run = policy_run_new(env, &policy);
 *     policy_run_evaluate(run, &request, &result);        // as often as wanted
 *     for (size_t i = 0; i < result.decision_count; i++) ...
 *     policy_run_result_deinit(&result);
 *     policy_run_free(run);
 */
#ifndef TYPECHECK_POLICY_RUN_POLICY_RUN_H
#define TYPECHECK_POLICY_RUN_POLICY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/issue_code.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/run/policy_run_observer.h"
#include "typecheck/policy/run/policy_run_request.h"

struct ast;

/* The cost that a policy may have for one binding; match conditions have their own limit. */
#define POLICY_RUN_COST                 10000000u
#define POLICY_RUN_MATCH_CONDITION_COST 2500000u

enum policy_run_outcome {
    POLICY_RUN_ADMITTED,
    POLICY_RUN_DENIED,
    POLICY_RUN_FAILED, /* an expression failed */
};

#define POLICY_RUN_NO_VALIDATION SIZE_MAX

struct policy_run_decision {
    enum policy_run_outcome outcome;
    bool is_denial; /* for a binding with the action Deny */
    bool is_last;   /* the server answers with this error, whatever failurePolicy is, and evaluates no more */
    size_t validation; /* an index, or that of a mutation; POLICY_RUN_NO_VALIDATION: it is about the policy as
                          a whole */
    enum issue_code code; /* POLICY_RUN_FAILED: of the error */
    struct str message, reason;
};

enum policy_run_publication { POLICY_RUN_PUBLISHED, POLICY_RUN_EXCLUDED, POLICY_RUN_ANNOTATION_FAILED };

/* A failure denies the request, even without a binding's action Deny. */
struct policy_run_annotation {
    enum policy_run_publication publication;
    enum issue_code code; /* of an error */
    struct str key, text; /* the value or the error */
};

struct policy_run_result {
    /*
     * Says what this evaluator lacks, and for which expression (spec.validations[0].expression); then nothing
     * else is known. Empty: it lacks nothing.
     */
    struct str missing, missing_at;
    bool is_skipped;            /* the match conditions let the request pass */
    struct str false_condition; /* the name of the one that is false; empty: some failed, which is ignored */
    struct policy_run_decision *decisions;
    size_t decision_count;
    bool is_mutated; /* a mutation was applied, even one that changes nothing */
    /* Objects as JSON: the object after the mutations (empty if none was applied and nothing is expected),
     * and before them, completed (empty in the same cases); the expected object, completed as the object
     * is. */
    struct str mutated, before, expected;
    bool is_out_of_budget; /* and nothing behind this expression was evaluated: */
    struct policy_run_at ended_at;
    struct policy_run_annotation *annotations;
    size_t annotation_count;
    uint64_t match_condition_cost, cost, annotation_cost; /* of what was evaluated; messages are in `cost` */
    struct arena arena;                                   /* holds all texts except those of the policy */
};

/* Borrows the env and the policy until policy_run_free. NULL: there is no memory. */
struct policy_run;
struct policy_run *policy_run_new(const struct env *env, const struct policy *policy);
void policy_run_free(struct policy_run *run);

/* Sets the places of the policy's expressions, an array by expression. */
void policy_run_places(const struct policy *policy, struct policy_run_at *places);

/* One of the policy's expressions, compiled. */
struct policy_run_expression {
    /* The expression; NULL for a validation without a messageExpression. */
    const struct policy_expression *expression;
    /* The expression's tree; NULL if there is no expression, or it does not compile. */
    const struct ast *ast;
};

/* Returns false if the policy has no expression with that index at that place. */
bool policy_run_expression(const struct policy_run *run, struct policy_run_at at,
                           struct policy_run_expression *out);

/* The caller deinits the result. */
void policy_run_evaluate(const struct policy_run *run, const struct policy_run_request *request,
                         struct policy_run_result *result);
void policy_run_result_deinit(struct policy_run_result *result);

#endif
