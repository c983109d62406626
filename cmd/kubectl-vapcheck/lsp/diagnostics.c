#include "cmd/kubectl-vapcheck/lsp/diagnostics.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/output/found.h"

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

static struct json_object *position_of(const struct textlines *text, size_t offset, enum textlines_unit unit)
{
    const struct textlines_place place = textlines_place(text, offset, unit);
    struct json_object *position = json_object_new_object();
    jsonval_set(position, "line", json_object_new_int64((int64_t)place.line));
    jsonval_set(position, "character", json_object_new_int64((int64_t)place.column));
    return position;
}

struct json_object *diagnostics_range(const struct textlines *text, size_t from, size_t to,
                                      enum textlines_unit unit)
{
    struct json_object *range = json_object_new_object();
    jsonval_set(range, "start", position_of(text, from, unit));
    jsonval_set(range, "end", position_of(text, to, unit));
    return range;
}

static bool is_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Where what begins at the place ends: a word, with the dot that selects it; else a character. */
static size_t end_of(const struct textlines *text, size_t from)
{
    size_t at = from;
    uint32_t code;
    while (at < text->len && at < from + 2 && (text->text[at] == '.' || text->text[at] == '?'))
        at++;
    while (at < text->len && is_of_word(text->text[at]))
        at++;
    if (at > from || from == text->len || text->text[from] == '\n' || text->text[from] == '\r')
        return at;
    return from + utf8_next(text->text + from, text->len - from, &code);
}

/* What an editor shows of it. The caller frees it. */
static char *message_of(const struct found_item *item)
{
    size_t len = strlen(item->text);
    while (len > 0 && item->text[len - 1] == '\n')
        len--;
    cleanup_mem char *text =
        mem_printf("%s%.*s%s%s", item->id == FINDING_REFUSED ? "the API server would refuse this: " : "",
                   (int)len, item->text, *item->hint == '\0' ? "" : "\n", item->hint);
    return plain_text(text);
}

static void put(struct diagnostics *d, const struct found_item *item)
{
    struct json_object *diagnostic = json_object_new_object();
    const struct textlines *text = &d->document->text;
    const size_t from = document_offset(d->document, item->at);
    cleanup_mem char *message = message_of(item), *page = output_help_url(item->id);
    jsonval_set(diagnostic, "range", diagnostics_range(text, from, end_of(text, from), d->unit));
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
}

static void add(struct diagnostics *d, const struct found_item *item)
{
    if (jsonval_length(d->list) < DIAGNOSTICS_MAX)
        put(d, item);
    else
        d->n_left_out++;
}

static void on_finding(void *user, const struct output_place *place, const struct output_finding *f)
{
    struct diagnostics *d = user;
    (void)place;
    for (size_t i = 0; i < f->found->count; i++)
        add(d, &f->found->items[i]);
}

static void on_skipped(void *user, const struct output_place *place, const char *kind)
{
    (void)user;
    (void)place;
    (void)kind;
}

static void on_error(void *user, const char *file, const struct yaml_place *where, const char *message)
{
    struct diagnostics *d = user;
    char none[] = "";
    cleanup_mem char *text = mem_strdup(message);
    if (strcmp(file, d->document->file) == 0)
        add(d, &(struct found_item){.id = FINDING_UNREADABLE_FILE,
                                    .severity = FINDING_ERROR,
                                    .at = *where,
                                    .text = text,
                                    .hint = none});
}

void diagnostics_note(struct diagnostics *d, const char *text)
{
    char none[] = "";
    cleanup_mem char *copy = mem_strdup(text);
    put(d,
        &(struct found_item){
            .id = FINDING_LIMIT_REACHED, .severity = FINDING_NOTE, .at = {1, 1}, .text = copy, .hint = none});
}

static void on_nothing(void *user, const char *message)
{
    (void)user;
    (void)message;
}

static void on_end(void *user)
{
    (void)user;
}

struct output diagnostics_output(struct diagnostics *d)
{
    return (struct output){.finding = on_finding,
                           .skipped = on_skipped,
                           .error = on_error,
                           .nothing = on_nothing,
                           .end = on_end,
                           .user = d};
}
