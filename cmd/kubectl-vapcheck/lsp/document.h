/*
 * document: a file that an editor has open: its text, which may not be saved yet, and its YAML.
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_DOCUMENT_H
#define CMD_KUBECTL_VAPCHECK_LSP_DOCUMENT_H

#include <stdint.h>

#include "client/text/textlines.h"
#include "cmd/kubectl-vapcheck/input/manifest.h"
#include "cmd/kubectl-vapcheck/lsp/actions.h"

/* The longest text that is parsed. Each change needs another parsing, which takes at most a third of a second
 * for each MiB. */
enum { DOCUMENT_PARSED_MAX_BYTES = 3 * 1024 * 1024 };

struct document {
    char *uri;
    char *file; /* the path of a file: URI, else the URI */
    char *path; /* of the file, without links, when it was opened */
    int64_t version;
    struct textlines text;
    struct manifest manifest; /* of the text, after document_parse; empty if the text is too long */
    struct actions actions;   /* of the last check of the present text */
    bool is_parsed;
    bool is_stale; /* its present text was not checked yet */
};

/* The bytes are copied. */
struct document *document_new(const char *uri, int64_t version, const char *bytes, size_t len);
void document_free(struct document *document);

/* Takes another text. */
void document_set(struct document *document, char *take_text, size_t len);
/* Parses the text if it was not parsed yet. */
void document_parse(struct document *document);
bool document_is_too_long(const struct document *document);

/* The byte of the text at a place of the manifest. */
size_t document_offset(const struct document *document, struct yaml_place place);

/* The path without links; unchanged if there is no such file. The caller frees it. */
char *document_real_path(const char *path);

/* The path that a URI names. The caller frees it; NULL if it names no file. */
char *document_path(const char *uri);

#endif
