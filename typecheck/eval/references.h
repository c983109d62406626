/*
 * references: what a policy's expressions look at, of what differs from request to request.
 *
 * Ways in which a type comes to admission that are the same in all that is
 * looked at are one. No type has a part in it: once for a policy is enough.
 */
#ifndef TYPECHECK_EVAL_REFERENCES_H
#define TYPECHECK_EVAL_REFERENCES_H

#include <stdbool.h>

#include "typecheck/syntax/ast.h"

struct arena;

struct references {
    bool at_objects;     /* object, oldObject */
    bool at_operation;   /* request.operation, or all of the request */
    bool at_resource;    /* request.resource, request.requestResource, or all of it */
    bool at_subresource; /* request.subResource, request.requestSubResource, or all of it */
    bool at_namespace;   /* request.namespace, namespaceObject, or all of it */
};

/* Adds what an expression looks at. The nodes are paid in the arena. */
void references_add(struct references *l, struct arena *a, const struct ast *ast);

#endif
