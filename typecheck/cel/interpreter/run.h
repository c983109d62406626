/*
 * run: evaluates a plan on the values of its variables.
 *
 * The value or the error is the API server's, to the byte, and so is the cost.
 *
 *     struct run_input inputs[] = {{.name = STR("object"), .json = text}};
 *     struct run_activation activation = {.inputs = inputs, .input_count = 1};
 *     struct run_result result = run_evaluate(&plan, a, &activation, RUN_EXPRESSION_COST);
 *     if (result.end == RUN_VALUE) ... result.value
 */
#ifndef TYPECHECK_CEL_INTERPRETER_RUN_H
#define TYPECHECK_CEL_INTERPRETER_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/interpreter/values/value.h"

struct arena;
struct go_type;
struct plan;

/* The API server's limit for the cost of one expression. */
#define RUN_EXPRESSION_COST 1000000u

/* A variable. Its value is read from JSON or made when it is first used, and then kept: the same
 * inputs can serve any number of runs with one arena, in which the values lie. */
struct run_input {
    struct str name;
    struct str json;            /* must be valid JSON; borrowed */
    const struct go_type *type; /* the Go type that holds it; NULL: JSON */
    /* Makes the value in place of JSON and type; NULL: it is read. NULL as the result: the value is not as
     * its schema says. */
    const struct value *(*make)(void *user, struct arena *a);
    void *user;
    const struct value *value; /* the value that was read; NULL before the first reading */
};

/* The fields of `variables`; the caller evaluates each when it is first used. */
struct run_variables {
    /* The value or an error value. NULL: there is no such variable; or *missing says what this
     * evaluator lacks. depth: how deep the evaluation is nested (see struct run_activation). */
    const struct value *(*find)(void *user, struct str name, unsigned depth, struct str *missing);
    void *user;
};

/* Sees the value of each node of the syntax tree, in the order of evaluation. */
struct run_observer {
    void (*see)(void *user, uint32_t node, const struct value *value);
    void *user;
};

/* The values of all variables. */
struct run_activation {
    struct run_input *inputs;
    size_t input_count;
    /* The policy's variables; NULL if the expression has no `variables`. */
    const struct run_variables *variables;
    unsigned depth; /* the number of nested evaluations around this run: it bounds the recursion */
    const struct run_observer *observer; /* the observer of each step; NULL if nobody observes */
};

enum run_end {
    RUN_VALUE,
    RUN_ERROR,   /* text: the API server's message */
    RUN_MISSING, /* text: what this evaluator lacks */
};

struct run_result {
    enum run_end end;
    const struct value *value; /* the value or the error; NULL: the run was stopped before its end */
    struct str text;
    enum issue_code code; /* of an error */
    uint64_t cost;
};

/* Everything lies in the arena, which also bounds the steps. */
struct run_result run_evaluate(const struct plan *plan, struct arena *a,
                               const struct run_activation *activation, uint64_t cost_limit);

#endif
