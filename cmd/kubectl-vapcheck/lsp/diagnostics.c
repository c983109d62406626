#include "cmd/kubectl-vapcheck/lsp/diagnostics.h"
#include "cmd/kubectl-vapcheck/lsp/range.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/found.h"

/* A longer message is cut. */
enum { MESSAGE_CAP_BYTES = 1024 * 1024 };

/* DiagnosticSeverity */
enum { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION, SEVERITY_HINT };

static int severity_of(enum finding_severity severity)
{
    switch (severity) {
    case FINDING_ERROR:
        return SEVERITY_ERROR;
    case FINDING_WARNING:
        return SEVERITY_WARNING;
    case FINDING_NOTE:
        return SEVERITY_INFORMATION;
    case FINDING_ADVICE:
        break;
    }
    return SEVERITY_HINT;
}

static bool is_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The end of the word that begins at the place, or of the character there, for a finding whose end is not
 * known. */
static size_t end_of(const struct textlines *text, size_t from)
{
    size_t at = from;
    uint32_t code;
    while (at < text->len && is_of_word(text->text[at]))
        at++;
    if (at > from || from == text->len || text->text[from] == '\n' || text->text[from] == '\r')
        return at;
    return from + utf8_next(text->text + from, text->len - from, &code);
}

static void add_line(struct buf *text, const char *line)
{
    if (line == NULL || *line == '\0')
        return;
    if (text->len > 0)
        (void)buf_putc(text, '\n');
    (void)buf_puts(text, line);
}

/* The text that an editor shows, in the words of check: what is wrong, what follows from it, and what to do.
 * The caller frees it. */
static char *message_of(const struct found_item *item)
{
    cleanup_buf struct buf text;
    buf_init(&text, MESSAGE_CAP_BYTES);
    if (item->id == FINDING_REFUSED)
        (void)buf_puts(&text, "the API server would refuse this: ");
    const char *message = item->message != NULL ? item->message : item->text;
    size_t len = strlen(message);
    while (len > 0 && message[len - 1] == '\n')
        len--;
    (void)buf_append(&text, message, len);
    add_line(&text, item->why);
    add_line(&text, item->hint);
    return plain_text(text.data);
}

/* place: of the object; NULL: it is about none. fix: for an action; NULL: there is none. */
static void put(struct diagnostics *d, const struct output_place *place, const struct found_item *item,
                const struct output_fix *fix)
{
    struct json_object *diagnostic = json_object_new_object();
    const struct textlines *text = &d->document->text;
    const size_t from = textdocument_offset(d->document, item->at),
                 end = textdocument_offset(d->document, item->end);
    cleanup_mem char *message = message_of(item), *page = output_help_url(item->id);
    jsonval_set(diagnostic, "range", range_json(text, from, end > from ? end : end_of(text, from), d->unit));
    jsonval_set(diagnostic, "severity", json_object_new_int(severity_of(item->severity)));
    jsonval_set(diagnostic, "code", json_object_new_string(finding_pages[item->id].id));
    if (*page != '\0') {
        struct json_object *description = json_object_new_object();
        jsonval_set(description, "href", json_object_new_string(page));
        jsonval_set(diagnostic, "codeDescription", description);
    }
    jsonval_set(diagnostic, "source", json_object_new_string("vapcheck"));
    jsonval_set(diagnostic, "message", json_object_new_string(message));
    jsonval_append(d->list, diagnostic);
    if (place != NULL)
        actions_add(&d->document->actions, &(struct actions_text){d->document->uri, text}, place, item, fix,
                    diagnostic, d->unit);
}

static void add(struct diagnostics *d, const struct output_place *place, const struct found_item *item,
                const struct output_fix *fix)
{
    if (jsonval_length(d->list) < DIAGNOSTICS_MAX)
        put(d, place, item, fix);
    else
        d->n_left_out++;
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    struct diagnostics *d = user;
    for (size_t i = 0; i < f->found->count; i++) {
        const struct found_item *item = &f->found->items[i];
        add(d, place, item, item->fix != NULL ? item->fix : found_advised(f, item));
    }
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    struct diagnostics *d = user;
    char none[] = "";
    cleanup_mem char *text = mem_strdup(message);
    if (strcmp(file, d->document->file) == 0)
        add(d, NULL,
            &(struct found_item){.id = FINDING_UNREADABLE_FILE,
                                 .severity = FINDING_ERROR,
                                 .at = *where,
                                 .text = text,
                                 .hint = none},
            NULL);
}

void diagnostics_note(struct diagnostics *d, const char *text)
{
    char none[] = "";
    cleanup_mem char *copy = mem_strdup(text);
    put(d, NULL,
        &(struct found_item){
            .id = FINDING_LIMIT_REACHED, .severity = FINDING_NOTE, .at = {1, 1}, .text = copy, .hint = none},
        NULL);
}

struct output diagnostics_output(struct diagnostics *d)
{
    return (struct output){.finding = on_finding, .error = on_error, .user = d};
}
