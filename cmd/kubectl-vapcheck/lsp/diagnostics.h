/*
 * diagnostics: an output of check that makes the Language Server Protocol's diagnostics of one document.
 *
 *     struct diagnostics found = {.document = document, .unit = unit, .list = json_object_new_array()};
 *     check_manifest(&(struct check_request){.output = diagnostics_output(&found), ...}, ...);
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_DIAGNOSTICS_H
#define CMD_KUBECTL_VAPCHECK_LSP_DIAGNOSTICS_H

#include "cmd/kubectl-vapcheck/lsp/textdocument.h"
#include "cmd/kubectl-vapcheck/output/output.h"

/* Nobody looks at more, and an editor takes seconds to show them. */
enum { DIAGNOSTICS_MAX = 5000 };

struct diagnostics {
    struct textdocument *document; /* gets the actions; findings in other documents are left out */
    enum textlines_unit unit;
    struct json_object *list;
    size_t n_left_out; /* beyond DIAGNOSTICS_MAX */
};

struct output diagnostics_output(struct diagnostics *diagnostics);

/* Adds a note at the begin of the document, which says what is not checked or not shown. */
void diagnostics_note(struct diagnostics *diagnostics, const char *text);

#endif
