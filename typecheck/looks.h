/*
 * looks: what a policy's expressions look at, of what differs from request to request.
 *
 * Ways in which a type comes to admission that are the same in all that is
 * looked at are one. No type has a part in it: once for a policy is enough.
 */
#ifndef TYPECHECK_LOOKS_H
#define TYPECHECK_LOOKS_H

#include <stdbool.h>

#include "typecheck/ast.h"

struct looks {
    bool at_objects; /* object, oldObject */
    bool at_request; /* request, namespaceObject */
};

/* Adds what an expression looks at. */
void looks_add(struct looks *l, const struct ast *ast);

#endif
