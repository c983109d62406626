/*
 * references: which of the values that differ from request to request the expressions of a policy refer to.
 *
 * Ways in which a type comes to admission (ways.h) that are the same in all
 * that a policy refers to are evaluated once. References do not depend on the type.
 */
#ifndef TYPECHECK_EVAL_REFERENCES_H
#define TYPECHECK_EVAL_REFERENCES_H

#include <stdbool.h>

#include "typecheck/syntax/ast.h"

struct arena;

struct references {
    bool object, old_object, params;
    bool operation;   /* request.operation, or all of the request */
    bool resource;    /* request.resource, request.requestResource, or all of it */
    bool subresource; /* request.subResource, request.requestSubResource, or all of it */
    bool created;     /* fields that only what is created lacks (cleared.h) */
    bool namespace;   /* request.namespace, namespaceObject, or all of it */
};

/* Adds those of an expression. The nodes are paid in the arena. */
void references_add(struct references *r, struct arena *a, const struct ast *ast);

#endif
