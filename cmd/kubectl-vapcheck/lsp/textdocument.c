#include "cmd/kubectl-vapcheck/lsp/textdocument.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bytes/hex.h"
#include "client/base/buf.h"
#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/lsp/range.h"
#include "typecheck/text.h"

/* "%41" is "A". */
static char *decode(const char *text)
{
    struct buf out;
    buf_init(&out, strlen(text));
    while (*text != '\0') {
        const int32_t high = *text == '%' ? hex_digit(text[1]) : -1;
        const int32_t low = high < 0 ? -1 : hex_digit(text[2]);
        const bool is_escape = low >= 0 && high + low > 0; /* a NUL is none */
        const unsigned char byte = is_escape ? (unsigned char)(high * 16 + low) : (unsigned char)*text;
        (void)buf_append(&out, &byte, 1);
        text += is_escape ? 3 : 1;
    }
    return buf_take(&out, NULL);
}

char *textdocument_path(const char *uri)
{
    static const char scheme[] = "file://";
    if (strncasecmp(uri, scheme, sizeof scheme - 1) != 0)
        return NULL;
    const char *path = strchr(uri + sizeof scheme - 1, '/'); /* behind the host, which is this one */
    return path == NULL ? NULL : decode(path);
}

char *textdocument_real_path(const char *path)
{
    char *real = realpath(path, NULL);
    return real == NULL ? mem_strdup(path) : real;
}

struct textdocument *textdocument_new(const char *uri, int64_t version, const char *bytes, size_t len)
{
    struct textdocument *d = mem_zalloc(sizeof *d);
    d->uri = mem_strdup(uri);
    d->file = textdocument_path(uri);
    if (d->file == NULL)
        d->file = mem_strdup(uri);
    d->path = textdocument_real_path(d->file);
    d->version = version;
    textlines_init(&d->text, mem_strndup(bytes, len), len);
    d->is_stale = true;
    return d;
}

void textdocument_free(struct textdocument *d)
{
    actions_clear(&d->actions);
    manifest_deinit(&d->manifest);
    textlines_deinit(&d->text);
    mem_free(d->uri);
    mem_free(d->file);
    mem_free(d->path);
    mem_free(d);
}

void textdocument_set(struct textdocument *d, char *take_text, size_t len)
{
    actions_clear(&d->actions);
    manifest_deinit(&d->manifest);
    d->manifest = (struct manifest){.file = d->file};
    textlines_deinit(&d->text);
    textlines_init(&d->text, take_text, len);
    d->is_parsed = false;
    d->is_stale = true;
}

bool textdocument_is_too_long(const struct textdocument *d)
{
    return d->text.len > TEXTDOCUMENT_PARSED_MAX_BYTES;
}

void textdocument_parse(struct textdocument *d)
{
    if (d->is_parsed)
        return;
    manifest_deinit(&d->manifest);
    manifest_read_text(&d->manifest, d->file, d->text.text, textdocument_is_too_long(d) ? 0 : d->text.len);
    d->is_parsed = true;
}

size_t textdocument_offset(const struct textdocument *d, struct yaml_place place)
{
    return range_offset(&d->text, place);
}
