/*
 * exprscope: the variables of an expression that stands in no policy: a rule of a definition, a configuration
 * of an API server, a selector of devices.
 *
 *     if (exprscope_init(&scope, &place, schemas)) {
 *         assist_complete_at(&scope.place, place.offset, &found);
 *         exprscope_deinit(&scope);
 *     }
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_EXPRSCOPE_H
#define CMD_KUBECTL_VAPCHECK_LSP_EXPRSCOPE_H

#include "cmd/kubectl-vapcheck/input/definitions.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/lsp/exprplace.h"
#include "controller/apiserver/crd/crdself.h"
#include "typecheck/author.h"

struct exprscope {
    struct assist_place place;
    struct definitions definitions; /* this and the next: of a rule */
    struct crdself self;
};

/* Returns false if no expression stands there. The place outlives the scope. */
bool exprscope_init(struct exprscope *scope, const struct exprplace *place, const struct schemas *schemas);
void exprscope_deinit(struct exprscope *scope);

#endif
