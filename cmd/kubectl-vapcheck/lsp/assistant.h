/*
 * assistant: hover, completion and definitions for an expression in an open document.
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_ASSISTANT_H
#define CMD_KUBECTL_VAPCHECK_LSP_ASSISTANT_H

#include "cmd/kubectl-vapcheck/lsp/workspace.h"

/* assistant_hover makes a Hover, assistant_complete a list of CompletionItems; the caller puts them. offset:
 * a byte of the document's text. NULL: nothing is known about the place. */
struct json_object *assistant_hover(struct workspace *w, const struct textdocument *document, size_t offset,
                                    enum textlines_unit unit);
struct json_object *assistant_complete(struct workspace *w, const struct textdocument *document,
                                       size_t offset, enum textlines_unit unit);
/* Makes a Location: of the policy's variable whose name stands there. */
struct json_object *assistant_define(struct workspace *w, const struct textdocument *document, size_t offset,
                                     enum textlines_unit unit);

#endif
