/*
 * textdocument: a file that an editor has open: its text, which may not be saved yet, and its YAML.
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_TEXTDOCUMENT_H
#define CMD_KUBECTL_VAPCHECK_LSP_TEXTDOCUMENT_H

#include <stdint.h>

#include "client/text/textlines.h"
#include "cmd/kubectl-vapcheck/input/manifest.h"
#include "cmd/kubectl-vapcheck/lsp/actions.h"

/* The longest text that is parsed. Each change needs another parsing, which takes at most a third of a second
 * for each MiB. */
enum { TEXTDOCUMENT_PARSED_MAX_BYTES = 3 * 1024 * 1024 };

struct textdocument {
    char *uri;
    char *file; /* the path of a file: URI, else the URI */
    char *path; /* of the file, without links, when it was opened */
    int64_t version;
    struct textlines text;
    struct manifest manifest; /* of the text, after textdocument_parse; empty if the text is too long */
    struct actions actions;   /* of the last check of the present text */
    bool is_parsed;
    bool is_stale; /* its present text was not checked yet */
};

/* The bytes are copied. */
struct textdocument *textdocument_new(const char *uri, int64_t version, const char *bytes, size_t len);
void textdocument_free(struct textdocument *document);

/* Takes another text. */
void textdocument_set(struct textdocument *document, char *take_text, size_t len);
/* Parses the text if it was not parsed yet. */
void textdocument_parse(struct textdocument *document);
bool textdocument_is_too_long(const struct textdocument *document);

/* The byte of the text at a place of the manifest. */
size_t textdocument_offset(const struct textdocument *document, struct yaml_place place);

/* The path without links; unchanged if there is no such file. The caller frees it. */
char *textdocument_real_path(const char *path);

/* The path that a URI names. The caller frees it; NULL if it names no file. */
char *textdocument_path(const char *uri);

#endif
