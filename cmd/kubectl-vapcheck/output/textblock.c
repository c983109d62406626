#include "cmd/kubectl-vapcheck/output/textblock.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/output/output.h"

/* "error[undefined-field]: ..."; the identifier leads to its page where the terminal can follow it. */
static void print_title(const struct textblock *b, const struct style_sequences *style, FILE *out)
{
    cleanup_mem char *url = style->has_links && b->id != FINDING_COUNT ? output_help_url(b->id) : NULL;
    print_sequence(out, style->severities[b->severity]);
    print_part(out, "%s", finding_severity_name(b->severity));
    if (url != NULL)
        print_raw(out, "[\033]8;;%s\033\\%s\033]8;;\033\\]", url, finding_pages[b->id].id);
    else if (b->id != FINDING_COUNT)
        print_part(out, "[%s]", finding_pages[b->id].id);
    print_raw(out, "%s%s", style->plain, style->bold);
    print_part(out, ": %s", b->title);
    print_sequence(out, style->plain);
    if (b->versions != NULL)
        print_part(out, " (Kubernetes %s)", b->versions);
    print_line(out, "%s", "");
}

static void print_place(const struct textblock *b, const struct style_sequences *style, FILE *out)
{
    print_sequence(out, style->frame);
    print_part(out, "  --> ");
    print_sequence(out, style->plain);
    print_part(out, "%s", b->file);
    if (b->at.line != 0)
        print_part(out, ":%u:%u", b->at.line, b->at.column);
    if (b->object != NULL)
        print_part(out, "   %s", b->object);
    if (b->field != NULL && *b->field != '\0')
        print_part(out, ", %s", b->field);
    print_line(out, "%s", "");
}

/* "   = " of the first line of a note, and as many spaces before the others. */
static void print_margin(const struct textblock *b, bool is_first, const struct style_sequences *style,
                         FILE *out)
{
    const int margin = b->frame == NULL ? 2 : frame_margin(b->frame) + 1;
    print_sequence(out, style->frame);
    print_part(out, "%*s%s ", margin, "", is_first ? "=" : " ");
    print_sequence(out, style->plain);
}

/* A text of several lines stands below its name. */
static void print_note(const struct textblock *b, const char *name, const char *text,
                       const struct style_sequences *style, FILE *out)
{
    const bool is_below = *name != '\0' && strchr(text, '\n') != NULL;
    print_margin(b, true, style, out);
    print_part(out, "%s%s", name, *name == '\0' ? "" : is_below ? ":" : ": ");
    if (is_below)
        print_line(out, "%s", "");
    for (size_t len, i = is_below; *text != '\0'; text += len + (text[len] == '\n'), i++) {
        len = strcspn(text, "\n");
        cleanup_mem char *line = mem_strndup(text, len);
        if (i > 0 && len > 0)
            print_margin(b, false, style, out);
        print_line(out, "%s", line);
    }
}

bool textblock_print(const struct textblock *b, const struct style_sequences *style, FILE *out)
{
    const bool is_behind = b->frame != NULL && b->fix != NULL && frame_fits(b->frame, b->fix, style);
    print_title(b, style, out);
    if (b->file != NULL)
        print_place(b, style, out);
    const bool is_seen =
        b->frame != NULL && frame_print(b->frame, is_behind ? b->fix : NULL, b->has_seen_line,
                                        style->severities[b->severity], style, out);
    if (b->fix != NULL && !is_behind)
        print_note(b, "", b->fix, style, out);
    if (b->why != NULL)
        print_note(b, "", b->why, style, out);
    if (b->server != NULL)
        print_note(b, b->id == FINDING_REFUSED ? "the API server" : "in the status", b->server, style, out);
    return is_seen;
}
