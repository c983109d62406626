/*
 * workspace: everything with which the documents of an editor are checked: the flags, .vapcheck.yaml, the
 * schemas, and the other files of the project.
 *
 *     workspace_init(&workspace, argc, argv);
 *     if (workspace_load(&workspace, &err) != 0) show(err.msg);     (again when files change)
 *     struct textdocument *d = workspace_open(&workspace, uri, version, text, len);
 *     list = workspace_check(&workspace, d, unit, is_stopped, user);
 *     workspace_deinit(&workspace);
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_WORKSPACE_H
#define CMD_KUBECTL_VAPCHECK_LSP_WORKSPACE_H

#include "cmd/kubectl-vapcheck/lsp/textdocument.h"
#include "cmd/kubectl-vapcheck/options.h"

struct crds;
struct schemas;

/* A file of the inputs with objects that matter for checks. */
struct workspace_file {
    char *path; /* absolute, without links */
    struct manifest manifest;
};

struct workspace {
    int argc;
    char **argv;
    struct options options;
    struct schemas *schemas; /* the schemas; NULL before they could be loaded, when nothing is checked */
    struct inputs inputs;
    struct workspace_file *beside;
    size_t n_beside;
    bool shows_markdown; /* the editor does, in a hover */
    struct textdocument **documents;
    size_t n_documents;
};

/* argv: the flags, which were read once already, without an error. */
void workspace_init(struct workspace *w, int argc, char **argv);
void workspace_deinit(struct workspace *w);

/* Reads all again, from the working directory; all documents are stale. Errors: what is wrong with the
 * configuration or the schemas; everything that was loaded before stays. */
int workspace_load(struct workspace *w, struct err *err) MUST_CHECK;

/* Opens a document; one with the same URI is replaced. The workspace owns it. */
struct textdocument *workspace_open(struct workspace *w, const char *uri, int64_t version, const char *bytes,
                                    size_t len);
/* The document with this URI, which belongs to the workspace; NULL if it is not open. */
struct textdocument *workspace_find(const struct workspace *w, const char *uri);
void workspace_close(struct workspace *w, struct textdocument *document);
/* A document whose present text was not checked yet; NULL if there is none. */
struct textdocument *workspace_stale(const struct workspace *w);

/* The CustomResourceDefinitions of all documents and files. The caller frees them with crds_free. */
struct crds *workspace_definitions(const struct workspace *w, const struct textdocument *document);

/* The diagnostics of a document, which is then no longer stale. The caller puts them. Returns NULL if
 * is_stopped ended the check. */
struct json_object *workspace_check(struct workspace *w, struct textdocument *document,
                                    enum textlines_unit unit, bool (*is_stopped)(void *user), void *user);

#endif
