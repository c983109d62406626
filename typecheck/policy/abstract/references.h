/*
 * references: finds the values that differ between requests (operation, resource, oldObject ...) and that a
 * policy reads.
 *
 * If several kinds of request (ways.h) do not differ in any value that the
 * policy reads, the policy is evaluated once for all of them. References do not
 * depend on the type.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_REFERENCES_H
#define TYPECHECK_POLICY_ABSTRACT_REFERENCES_H

#include <stdbool.h>

#include "typecheck/cel/syntax/ast.h"

struct arena;

/* A key that an expression tests, with `in`, has() or .?. */
struct references_key {
    const struct references_key *next;
    struct str name;
};

struct references {
    const struct references_key *keys; /* that are tested */
    bool tests_keys;                   /* that are not constants */
    bool object, old_object, params;
    bool operation;   /* request.operation, or all of the request */
    bool resource;    /* request.resource, request.requestResource, or all of it */
    bool subresource; /* request.subResource, request.requestSubResource, or all of it */
    bool created;     /* fields that are absent only in created objects (cleared.h) */
    bool namespace;   /* request.namespace, namespaceObject, or all of it */
};

/* Adds the references of an expression. The arena pays for its nodes. */
void references_add(struct references *r, struct arena *a, const struct ast *ast);

/* Returns true if any of the expressions tests for the key by its name. */
bool references_names_key(const struct references *r, struct arena *a, struct str name);
/* The same, or may test for it: the key is computed. */
bool references_tests_key(const struct references *r, struct arena *a, struct str name);

#endif
