#include "cmd/kubectl-vapcheck/output/frame.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/output/columns.h"
#include "typecheck/text.h"

enum {
    LONGEST = 300,              /* characters of a line, before and behind the beginning of the part */
    LINE_CAP_BYTES = 64 * 1024, /* of 2 * LONGEST characters, spelled */
    LABEL_COLUMNS = 60,         /* a longer label has a line of its own */
};

static const char dots[] = "...";
enum { DOTS = sizeof dots - 1 };

/* Adds the characters from `from` to before `to`; returns the columns up to there. */
static size_t add_characters(struct buf *line, const char *text, size_t from, size_t to, size_t column)
{
    while (from < to) {
        uint32_t code;
        const size_t plain = plain_run(text + from, to - from);
        buf_append(line, text + from, plain);
        column += plain;
        from += plain;
        if (from == to)
            break;
        const size_t n = utf8_next(text + from, to - from, &code);
        const bool is_bad = n == 1 && code == UTF8_REPLACEMENT;
        if (code == '\t') {
            const size_t gap = COLUMNS_TAB - column % COLUMNS_TAB;
            buf_printf(line, "%*s", (int)gap, "");
            column += gap;
        } else if (is_bad || plain_is_hidden(code)) {
            char spelled[PLAIN_SPELLED_BYTES];
            const size_t len = plain_spell(is_bad ? (unsigned char)text[from] : code, PLAIN_TEXT, spelled);
            buf_append(line, spelled, len);
            column += len;
        } else {
            buf_append(line, text + from, n);
            column += columns_of(code);
        }
        from += n;
    }
    return column;
}

/* The line's length without its line end and the spaces before it. */
static size_t without_end(const char *line, size_t len)
{
    while (len > 0 && strchr(" \t\r\n", line[len - 1]) != NULL)
        len--;
    return len;
}

/* The part of the line from the byte `begin` to before `behind`. */
static void init(struct frame *f, unsigned number, struct str whole, size_t begin, size_t behind)
{
    struct buf text;
    const char *line = whole.at;
    const size_t from = utf8_back(line, begin, LONGEST);
    size_t len = without_end(line, whole.len);
    len = len < begin ? begin : len;
    const size_t to = begin + utf8_skip(line + begin, len - begin, LONGEST);
    behind = behind < to ? behind : to;
    buf_init(&text, LINE_CAP_BYTES);
    *f = (struct frame){.number = number, .is_cut_before = from > 0, .is_cut_after = to < len};
    f->at = add_characters(&text, line, from, begin, 0);
    f->width = add_characters(&text, line, begin, behind, f->at) - f->at;
    (void)add_characters(&text, line, behind, to, f->at + f->width);
    f->line = buf_take(&text, NULL);
    f->width = f->width == 0 ? 1 : f->width;
}

void frame_init(struct frame *f, struct yaml *yaml, struct yaml_place at, struct yaml_place end)
{
    size_t len;
    const char *line = yaml_line(yaml, at.line, &len);
    const size_t begin = yaml_offset(yaml, at);
    const size_t behind = end.line > at.line                              ? SIZE_MAX
                          : end.line == at.line && end.column > at.column ? yaml_offset(yaml, end)
                                                                          : begin;
    init(f, at.line, (struct str){line, len}, begin, behind);
}

void frame_init_line(struct frame *f, const char *line, struct yaml_place at)
{
    const size_t len = strlen(line), begin = utf8_skip(line, len, at.column - 1);
    init(f, at.line, (struct str){line, len}, begin, begin);
}

void frame_deinit(struct frame *f)
{
    mem_free(f->line);
}

int frame_margin(const struct frame *f)
{
    return snprintf(NULL, 0, "%u", f->number);
}

/* The columns that are there for the line; 0: as many as it takes. */
static size_t room_of(const struct frame *f, const struct style_sequences *style)
{
    const size_t gutter = (size_t)frame_margin(f) + 3; /* "16 | " */
    return style->width == 0 ? 0 : style->width - gutter;
}

bool frame_fits(const struct frame *f, const char *label, const struct style_sequences *style)
{
    const size_t columns = columns_count(label, strlen(label)), room = room_of(f, style);
    if (strchr(label, '\n') != NULL || columns > LABEL_COLUMNS)
        return false;
    return room == 0 || f->width + 1 + columns + (f->at < room / 2 ? f->at : room / 2) <= room;
}

/* The columns of the line that are shown. */
struct window {
    size_t from, to;
};

/* The part, and of what is around it as much as there is room for; at first what is before it, as the label
 * needs room behind it. */
static struct window find_window(const struct frame *f, size_t label, size_t room)
{
    const size_t all = columns_count(f->line, strlen(f->line));
    if (room == 0 || (all + (f->is_cut_before ? DOTS : 0) + (f->is_cut_after ? DOTS : 0) <= room &&
                      f->at + f->width + label <= room))
        return (struct window){0, all};
    const size_t inner = room - (size_t)2 * DOTS, behind = label > inner / 4 ? label : inner / 4;
    const size_t needed = f->width + behind < inner ? f->width + behind : inner;
    size_t from = f->at + needed <= inner ? 0 : f->at - (inner - needed);
    from = from <= f->at ? from : f->at;
    return (struct window){from, from + inner < all ? from + inner : all};
}

/* The bytes of the first characters that take no more than so many columns. */
static size_t skip_columns(const char *line, size_t columns)
{
    const size_t len = strlen(line);
    size_t at = 0, seen = 0;
    while (at < len) {
        uint32_t code;
        const size_t n = utf8_next(line + at, len - at, &code);
        if (seen + columns_of(code) > columns)
            break;
        seen += columns_of(code);
        at += n;
    }
    return at;
}

static void print_gutter(const struct frame *f, bool has_number, const struct style_sequences *style,
                         FILE *out)
{
    print_sequence(out, style->frame);
    if (has_number)
        print_part(out, "%u |", f->number);
    else
        print_part(out, "%*s |", frame_margin(f), "");
    print_sequence(out, style->plain);
}

static void print_underline(size_t before, size_t width, const char *label, FILE *out)
{
    char *carets = mem_array(width + 1, 1);
    memset(carets, '^', width);
    print_part(out, " %*s", (int)before, "");
    print_part(out, "%s%s%s", carets, label == NULL ? "" : " ", label == NULL ? "" : label);
    mem_free(carets);
}

bool frame_print(const struct frame *f, const char *label, bool has_seen, const char *color,
                 const struct style_sequences *style, FILE *out)
{
    const struct window w =
        find_window(f, label == NULL ? 0 : columns_count(label, strlen(label)) + 1, room_of(f, style));
    const bool has_before = w.from > 0 || f->is_cut_before;
    const bool has_after = f->is_cut_after || w.to < columns_count(f->line, strlen(f->line));
    const size_t first = skip_columns(f->line, w.from), last = skip_columns(f->line, w.to);
    const size_t lost = w.from - columns_count(f->line, first); /* the half of a wide character */
    cleanup_mem char *shown = mem_strndup(f->line + first, last - first);
    print_gutter(f, false, style, out);
    print_line(out, "%s", "");
    if (!has_seen || has_before || has_after) {
        print_gutter(f, true, style, out);
        print_line(out, "%s%s%s%s", *shown == '\0' ? "" : " ", has_before ? dots : "", shown,
                   has_after ? dots : "");
    }
    print_gutter(f, false, style, out);
    print_sequence(out, color);
    print_underline((has_before ? DOTS : 0) + f->at - w.from + lost,
                    f->at + f->width > w.to ? w.to - f->at + (w.to <= f->at) : f->width, label, out);
    print_sequence(out, style->plain);
    print_line(out, "%s", "");
    return !has_before && !has_after;
}
