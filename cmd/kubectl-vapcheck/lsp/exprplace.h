/*
 * exprplace: the expression of a document that a place is in, and the way between the two texts: in YAML an
 * expression may be quoted, folded or indented.
 *
 *     if (exprplace_find(document, offset, &place)) {
 *         ... place.policy->expressions[place.expression], place.offset ...
 *         exprplace_deinit(&place);
 *     }
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_EXPRPLACE_H
#define CMD_KUBECTL_VAPCHECK_LSP_EXPRPLACE_H

#include "cmd/kubectl-vapcheck/lsp/document.h"
#include "controller/check/policyview.h"

struct exprplace {
    const struct document *document;
    const struct yaml_node *node;
    struct policyview *policy;
    size_t expression, offset; /* which of the policy's; a byte of its text */
};

/* offset: a byte of the document's text. False: there is no expression of a policy. */
bool exprplace_find(const struct document *document, size_t offset, struct exprplace *out);
void exprplace_deinit(struct exprplace *place);

/* The byte of the document's text where a byte of the expression stands. */
size_t exprplace_offset(const struct exprplace *place, size_t offset);

#endif
