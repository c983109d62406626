/*
 * typecheck: the CEL front-end's facade.
 *
 * Pure: expressions and schemas in, warnings out; no I/O, no clock. One call
 * checks one policy against all its types in an arena of its own and copies
 * what it found to the heap. An expression is parsed once however many types
 * it is checked against.
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
};

struct typecheck_expression {
    enum typecheck_place place;
    struct str name;      /* TYPECHECK_VARIABLE: the variable's name; else unused */
    struct str field_ref; /* spec.validations[0].expression */
    struct str text;
};

struct typecheck_type {
    struct str group, version, kind;
    const struct schema *doc;       /* NULL: object is dyn */
    const struct schema_node *node; /* the root in doc; NULL: object is dyn */
};

struct typecheck_policy {
    enum schema_typing typing;
    const struct typecheck_expression *expressions; /* in the order of warnings */
    size_t expression_count;
    const struct typecheck_type *types; /* in the order of warnings */
    size_t type_count;
    bool has_params;
    struct typecheck_type params; /* doc NULL: params is dyn */
};

struct typecheck_warning {
    size_t expression; /* index into the policy's */
    char *text;        /* one block a type with issues, as upstream joins them */
    char *first;       /* the first issue's message, for conditions: "undefined field 'x'" */
    size_t first_type; /* the type it is about */
};

struct typecheck_result {
    struct typecheck_warning *warnings;
    size_t warning_count;
    size_t peak_bytes; /* of the check's arena */
    bool exhausted;    /* a cap was reached; the last warning says which */
};

/* Memory and work of one policy's check (shared by all its expressions and types). */
#define TYPECHECK_ARENA_BYTES ((size_t)16 * 1024 * 1024)
#define TYPECHECK_MAX_STEPS   ((uint64_t)50 * 1000 * 1000)

/* Never fails: what could not be checked is a warning. The result is the caller's, to deinit. */
void typecheck_policy(const struct env *env, const struct typecheck_policy *policy,
                      struct typecheck_result *result);
void typecheck_result_deinit(struct typecheck_result *result);

#endif
