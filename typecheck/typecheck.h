/*
 * typecheck: the CEL front-end's facade.
 *
 * Pure: expressions and schemas in, warnings out; no I/O, no clock. One call
 * checks one policy against all its types in an arena of its own and leaves
 * what it found in the result's. An expression is parsed once however many
 * types it is checked against.
 *
 *     struct typecheck_result r;
 *     typecheck_policy(env, &policy, &r);
 *     for (size_t i = 0; i < r.warning_count; i++) ...
 *     typecheck_result_deinit(&r);
 */
#ifndef TYPECHECK_TYPECHECK_H
#define TYPECHECK_TYPECHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/arena.h"
#include "typecheck/env.h"
#include "typecheck/schema.h"
#include "typecheck/str.h"

/* Which place of a policy an expression stands in; it decides which variables are declared there. */
enum typecheck_place {
    TYPECHECK_VALIDATION,
    TYPECHECK_MESSAGE,
    TYPECHECK_MATCH_CONDITION,
    TYPECHECK_VARIABLE,
    TYPECHECK_AUDIT_ANNOTATION,
    TYPECHECK_APPLY_CONFIGURATION, /* of a mutation, as is the next */
    TYPECHECK_JSON_PATCH,
};

/* Whether the place has the mutating env (env.h). */
bool typecheck_is_mutation(enum typecheck_place place);

struct typecheck_expression {
    enum typecheck_place place;
    struct str name;      /* TYPECHECK_VARIABLE: the variable's name; else unused */
    struct str field_ref; /* spec.validations[0].expression */
    struct str text;
};

enum typecheck_operation {
    TYPECHECK_CREATE = 1,
    TYPECHECK_UPDATE = 2,
    TYPECHECK_DELETE = 4,
    TYPECHECK_CONNECT = 8,
};

/* Requests that bring a type: what the rules fix about them. */
struct typecheck_request {
    struct str group, version, resource;
    struct str subresource; /* empty: none */
    bool is_namespaced;
    unsigned operations; /* a sum of enum typecheck_operation */
};

struct typecheck_type {
    struct str group, version, kind;
    const struct schema *doc;       /* NULL: object is dyn */
    const struct schema_node *node; /* the root in doc; NULL: object is dyn */
    /* All requests that bring the type (SCHEMA_RUNTIME); none: nothing is known of them. */
    const struct typecheck_request *requests;
    size_t request_count;
};

struct typecheck_policy {
    enum schema_typing typing;
    const struct typecheck_expression *expressions; /* in the order of warnings */
    size_t expression_count;
    const struct typecheck_type *types; /* in the order of warnings */
    size_t type_count;
    bool has_params;
    struct typecheck_type params; /* doc NULL: params is dyn */
    bool lacks_variables;         /* `variables` is not declared: a webhook's match conditions */
};

struct typecheck_warning {
    size_t expression; /* index into the policy's */
    struct str text;   /* one block a type with issues, as upstream joins them */
    struct str first;  /* its first issue's message, for conditions: "undefined field 'x'" */
    struct str hint;   /* what was probably meant there; empty: nobody knows */
    size_t first_type; /* the type that one is about */
};

struct typecheck_result {
    struct typecheck_warning *warnings; /* in the order of the policy's expressions */
    size_t warning_count;
    size_t left_out;    /* blocks of text that the bounds left out */
    size_t peak_bytes;  /* of the check's arena */
    bool is_exhausted;  /* a cap was reached: a warning says where */
    struct arena arena; /* holds the warnings */
};

/* Memory and work of one policy's check (shared by all its expressions and types). */
#define TYPECHECK_ARENA_BYTES ((size_t)16 * 1024 * 1024)
#define TYPECHECK_MAX_STEPS   ((uint64_t)50 * 1000 * 1000)

/*
 * Never fails: what could not be checked is a warning. The result is the
 * caller's, to deinit. typecheck_policy_within is the same with other caps.
 */
void typecheck_policy(const struct env *env, const struct typecheck_policy *policy,
                      struct typecheck_result *result);
void typecheck_policy_within(const struct env *env, const struct typecheck_policy *policy, size_t arena_bytes,
                             uint64_t max_steps, struct typecheck_result *result);
void typecheck_result_deinit(struct typecheck_result *result);

#endif
