/*
 * document: a file that an editor has open: its text, which may not be saved yet, and its YAML.
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_DOCUMENT_H
#define CMD_KUBECTL_VAPCHECK_LSP_DOCUMENT_H

#include <stdint.h>

#include "client/text/textlines.h"
#include "cmd/kubectl-vapcheck/input/manifest.h"

struct document {
    char *uri;
    char *file; /* the path of a file: URI, else the URI */
    char *path; /* of the file, without links, when it was opened */
    int64_t version;
    struct textlines text;
    struct manifest manifest; /* of the text */
    bool is_stale;            /* its present text was not checked yet */
};

/* The bytes are copied. */
struct document *document_new(const char *uri, int64_t version, const char *bytes, size_t len);
void document_free(struct document *document);

/* Replaces the whole text, or a part of it. False: the text would be longer than YAML_TEXT_CAP_BYTES, and
 * nothing is changed. Call document_parse after the last change. */
bool document_replace(struct document *document, size_t from, size_t to, const char *bytes, size_t len);
void document_parse(struct document *document);

/* The byte of the text at a place of the manifest. */
size_t document_offset(const struct document *document, struct yaml_place place);

/* The path without links; unchanged if there is no such file. The caller frees it. */
char *document_real_path(const char *path);

/* The path that a URI names. The caller frees it; NULL: it names no file. */
char *document_path(const char *uri);

#endif
