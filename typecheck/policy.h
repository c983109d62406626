/*
 * policy: what a policy consists of: its expressions, and the kinds of object
 * that its rules match, with the requests that bring them.
 */
#ifndef TYPECHECK_POLICY_H
#define TYPECHECK_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct schema;
struct schema_node;

/* Which place of a policy an expression stands in; it decides which variables are declared there. */
enum policy_place {
    POLICY_VALIDATION,
    POLICY_MESSAGE,
    POLICY_MATCH_CONDITION,
    POLICY_VARIABLE,
    POLICY_AUDIT_ANNOTATION,
    POLICY_APPLY_CONFIGURATION, /* of a mutation, as is the next */
    POLICY_JSON_PATCH,
};

/* Whether the place has the mutating env (env.h). */
static inline bool policy_is_mutation(enum policy_place place)
{
    return place == POLICY_APPLY_CONFIGURATION || place == POLICY_JSON_PATCH;
}

struct policy_expression {
    enum policy_place place;
    struct str name;      /* POLICY_VARIABLE: the variable's name; else unused */
    struct str field_ref; /* spec.validations[0].expression */
    struct str text;
};

enum policy_operation {
    POLICY_CREATE = 1,
    POLICY_UPDATE = 2,
    POLICY_DELETE = 4,
    POLICY_CONNECT = 8,
};

enum { POLICY_OPERATIONS = 4 };

/* As rules and requests name it: of the operation at index i of the enum, which is 1 << i. */
extern const struct str policy_operation_names[POLICY_OPERATIONS];

/* Requests that bring a type: what the rules fix about them. */
struct policy_request {
    struct str group, version, resource;
    struct str subresource; /* empty: none */
    bool is_namespaced;
    bool has_status;     /* the resource has a subresource of that name in each version that may be sent */
    unsigned operations; /* a sum of enum policy_operation */
};

/* Where an expression fails: a node of its syntax tree (ast.h), in a kind of request. */
struct policy_site {
    uint32_t node;                        /* its id; 0: not known */
    bool is_operand;                      /* what takes its value fails */
    bool is_behind;                       /* evaluation comes there only past another failure */
    const struct policy_request *request; /* one of those of the type; NULL: not known */
    enum policy_operation operation;
};

struct policy_type {
    struct str group, version, kind;
    const struct schema *doc;       /* NULL: object is dyn */
    const struct schema_node *node; /* the root in doc; NULL: object is dyn */
    /* All requests that bring the type (SCHEMA_RUNTIME); none: nothing is known of them. */
    const struct policy_request *requests;
    size_t request_count;
};

#endif
