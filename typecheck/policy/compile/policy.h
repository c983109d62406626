/*
 * policy: the parts of a policy: its expressions, and the kinds of object that
 * its rules match, with the requests that bring them.
 */
#ifndef TYPECHECK_POLICY_COMPILE_POLICY_H
#define TYPECHECK_POLICY_COMPILE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct ast; /* typecheck/cel/syntax/ast.h */
struct schema;
struct schema_node;

/* The place of an expression in a policy, which decides the variables that are declared. */
enum policy_place {
    POLICY_VALIDATION,
    POLICY_MESSAGE,
    POLICY_MATCH_CONDITION,
    POLICY_VARIABLE,
    POLICY_AUDIT_ANNOTATION,
    POLICY_APPLY_CONFIGURATION, /* this and the next: of a mutation */
    POLICY_JSON_PATCH,
};

enum { POLICY_PLACES = POLICY_JSON_PATCH + 1 };

/* Returns true if the place has the mutating env (env.h). */
static inline bool policy_is_mutation(enum policy_place place)
{
    return place == POLICY_APPLY_CONFIGURATION || place == POLICY_JSON_PATCH;
}

struct policy_expression {
    enum policy_place place;
    struct str name;      /* of a variable or a match condition, the key of an audit annotation; else empty */
    struct str field_ref; /* spec.validations[0].expression */
    struct str text;
    struct str message, reason; /* of a validation, as they are written; else empty */
};

/* An expression of a policy as a syntax tree, the same for each type. */
struct policy_tree {
    enum policy_place place;
    struct str name;       /* as in struct policy_expression */
    const struct ast *ast; /* the expression's tree; NULL if it could not be parsed */
};

/* A label that a selector wants. */
struct policy_label {
    struct str key, value;
    bool is_absent; /* there must be no such label; value is empty */
};

/* The labels of which one selection fits a selector. */
struct policy_selector {
    const struct policy_label *labels;
    size_t count;
};

/* A policy, or the match conditions of a webhook, as the checker and the evaluator take it. */
struct policy {
    const struct policy_expression
        *expressions; /* in the order of warnings; a message follows its validation */
    size_t count;
    bool has_params;
    bool lacks_variables;  /* `variables` is not declared: a webhook's match conditions */
    bool is_template;      /* it is a template of Gatekeeper (root_variables.h) */
    bool is_mutating;      /* it is evaluated before validating policies: objects are as clients sent them */
    bool is_reinvoked;     /* reinvocationPolicy: IfNeeded */
    bool ignores_failures; /* failurePolicy: Ignore */
    struct policy_selector objects, namespaces; /* the selectors of what it is asked about */
    struct expression_cache *cache;             /* of what was parsed before; NULL: none */
};

enum policy_operation {
    POLICY_CREATE = 1,
    POLICY_UPDATE = 2,
    POLICY_DELETE = 4,
    POLICY_CONNECT = 8,
};

enum { POLICY_OPERATIONS = 4 };

/* The name of an operation in rules and requests; the index of operation 1 << i is i. */
extern const struct str policy_operation_names[POLICY_OPERATIONS];

/* A set of requests that bring a type, with what the rules fix about them. */
struct policy_request {
    struct str group, version, resource;
    struct str subresource; /* empty: none */
    bool is_namespaced;
    bool has_status;     /* the resource has the subresource status in each version that may be sent */
    unsigned operations; /* a sum of enum policy_operation */
};

/* The place at which an expression fails: a node of its syntax tree (ast.h), in a kind of request. */
struct policy_site {
    uint32_t node;                        /* its id; 0: not known */
    bool is_operand;                      /* the operation that takes its value fails */
    bool is_behind;                       /* evaluation arrives there only after another failure */
    bool is_hidden;                       /* no request gets there before another mistake is corrected */
    const struct policy_request *request; /* one of those of the type; NULL: not known */
    enum policy_operation operation;
};

/* The names of types that requests have. */
enum policy_name {
    POLICY_KIND,
    POLICY_GROUP,
    POLICY_VERSION,
    POLICY_API_VERSION,
    POLICY_RESOURCE,
    POLICY_SUBRESOURCE,
};

enum { POLICY_NAMES = 6 };

/* Returns true if any type that is known has the name, even if the policy does not match it. */
typedef bool policy_has_name(void *user, enum policy_name sort, struct str name);

struct policy_type {
    struct str group, version, kind;
    const struct schema *doc;       /* the schema of the object; NULL if `object` is dyn */
    const struct schema_node *node; /* the root in doc; NULL: object is dyn */
    /* All requests that bring the type (SCHEMA_RUNTIME); none: nothing is known about them. */
    const struct policy_request *requests;
    size_t request_count;
    uint32_t identity; /* the same for types that are equal in all that is above, different for others; a
                          number of those so far. 0: it is not known (typecheck_kept) */
    bool is_stranger;  /* stands for all types that nobody knows: it has no names, but not those of others */
};

/* The values that an expression can have as a bool. Both: nothing is known, or it always fails, or it is no
 * bool. */
enum policy_truth { POLICY_CAN_BE_TRUE = 1, POLICY_CAN_BE_FALSE = 2 };

#endif
