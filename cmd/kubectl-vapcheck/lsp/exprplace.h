/*
 * exprplace: finds the expression at a place of a document, and converts places between the two texts, which
 * differ because an expression in YAML may be quoted, folded or indented.
 *
 *     if (exprplace_find(document, offset, &place)) {
 *         ... place.text, place.offset ...
 *         exprplace_deinit(&place);
 *     }
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_EXPRPLACE_H
#define CMD_KUBECTL_VAPCHECK_LSP_EXPRPLACE_H

#include "cmd/kubectl-vapcheck/lsp/textdocument.h"
#include "controller/match/policyview.h"

struct exprplace {
    const struct textdocument *document;
    const struct manifest_object *object;
    const struct yaml_node *node;
    struct str text; /* of the expression */
    size_t offset;   /* a byte of it */
    /* The policy around it; NULL if there is none: `field` names the field of the expression. */
    struct policyview *policy;
    size_t expression; /* which of the policy's */
    char *field;
};

/* offset: a byte of the document's text. Returns false if there is no expression. In an object that is no
 * policy, every scalar counts as an expression; exprscope knows which of them is one. */
bool exprplace_find(const struct textdocument *document, size_t offset, struct exprplace *out);
void exprplace_deinit(struct exprplace *place);

/* The byte of the document's text that holds this byte of the expression. */
size_t exprplace_offset(const struct exprplace *place, size_t offset);

#endif
