/*
 * crdbounds: which maxItems, maxProperties or maxLength would make a rule of
 * a CustomResourceDefinition cheap enough. Pure.
 *
 * It tries each missing bound alone, then all of them together: a trial sets
 * the bounds and estimates the cost of the compiled rule again. If none is
 * enough, it also tries to lower those that the definition has.
 *
 *     char *hint = crdbounds_hint(&question);   "maxItems: 27 at .spec.list is enough"
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDBOUNDS_H
#define CONTROLLER_APISERVER_CRD_CRDBOUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "controller/apiserver/crd/crdplace.h"
#include "controller/apiserver/crd/crdwork.h"
#include "typecheck/crd.h"
#include "typecheck/schema.h"

struct crdbounds_question {
    struct compiler *compiler;
    const struct cel_place_compiled *compiled; /* by that compiler; a messageExpression is evaluated once */
    struct schema *schema;        /* its bounds are changed for the trials, and restored afterwards */
    const struct crdplace *place; /* the place of the rules */
    struct crdwork *work;         /* pays for the trials */
};

/* Returns NULL if no bound helps. If there are too many trials, the hint says so. The caller frees it. */
char *crdbounds_hint(const struct crdbounds_question *question);

#endif
