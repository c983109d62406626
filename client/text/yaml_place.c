/* Finds the place in the file of a character of a scalar's value: the scalar's source is read once more with
 * YAML's rules for its style, and each character of the value is counted. */
#include "client/text/yaml.h"

#include <stdint.h>
#include <string.h>

#include "bytes/hex.h"
#include "bytes/utf8.h"
#include "client/base/mem.h"

struct walk {
    const char *at;
    const char *end;
    struct yaml_place place; /* of at, in the file */
    struct yaml_place value; /* of the next character of the value */
    struct yaml_place target;
    struct yaml_place found;
    bool is_found;
    bool is_back; /* the target is a place in the file, and the found place one in the value */
    /* For yaml_breaks: the number of code points of the value so far, the line of the last one in the file,
     * and the code points before which a line of the file begins. breaks NULL: they are not wanted. */
    uint32_t count;
    unsigned line;
    uint32_t *breaks;
    size_t n_breaks;
};

static bool is_blank(const struct walk *w)
{
    return w->at < w->end && (*w->at == ' ' || *w->at == '\t');
}

static bool is_break(const struct walk *w)
{
    return w->at < w->end && (*w->at == '\n' || *w->at == '\r');
}

/* Passes over one character or one line break of the source. */
static uint32_t advance(struct walk *w)
{
    uint32_t code;
    if (is_break(w)) {
        w->at += *w->at == '\r' && w->at + 1 < w->end && w->at[1] == '\n' ? 2 : 1;
        w->place.line++;
        w->place.column = 1;
        return '\n';
    }
    w->at += utf8_next(w->at, (size_t)(w->end - w->at), &code);
    w->place.column++;
    return code;
}

/* One character of the value, which stands at `from`. */
static void emit(struct walk *w, uint32_t code, struct yaml_place from)
{
    if (w->breaks != NULL && w->count > 0 && from.line > w->line)
        w->breaks[w->n_breaks++] = w->count;
    w->line = from.line;
    w->count++;
    const bool is_behind = w->place.line > w->target.line ||
                           (w->place.line == w->target.line && w->place.column > w->target.column);
    if (w->is_back && !w->is_found && is_behind) {
        w->is_found = true;
        w->found = w->value;
    } else if (!w->is_back && !w->is_found && w->value.line == w->target.line &&
               (w->value.column == w->target.column ||
                (code == '\n' && w->target.column > w->value.column))) {
        w->is_found = true;
        w->found = from;
        if (code == '\n')
            w->found.column += w->target.column - w->value.column;
    }
    if (code == '\n') {
        w->value.line++;
        w->value.column = 1;
    } else {
        w->value.column++;
    }
}

static void emit_source(struct walk *w)
{
    const struct yaml_place from = w->place;
    emit(w, advance(w), from);
}

static void skip_blanks(struct walk *w)
{
    while (is_blank(w))
        (void)advance(w);
}

/* Blanks are part of the value unless a break follows; a break is a space, n + 1 breaks are n. */
static void walk_fold(struct walk *w)
{
    struct walk ahead = *w;
    skip_blanks(&ahead);
    if (!is_break(&ahead) && ahead.at < ahead.end) {
        while (is_blank(w))
            emit_source(w);
        return;
    }
    const struct yaml_place from = w->place;
    size_t breaks = 0;
    skip_blanks(w);
    while (is_break(w)) {
        (void)advance(w);
        skip_blanks(w);
        breaks++;
    }
    if (breaks == 1)
        emit(w, ' ', from);
    for (size_t i = 1; i < breaks; i++)
        emit(w, '\n', from);
}

static void walk_escape(struct walk *w)
{
    const struct yaml_place from = w->place;
    (void)advance(w);
    if (w->at == w->end)
        return;
    if (is_break(w)) {
        (void)advance(w);
        skip_blanks(w);
        while (is_break(w)) {
            const struct yaml_place here = w->place;
            (void)advance(w);
            emit(w, '\n', here);
            skip_blanks(w);
        }
        return;
    }
    const uint32_t letter = advance(w);
    const int digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    uint32_t code = letter == 'n' ? '\n' : 'x';
    if (digits) {
        code = 0;
        for (int i = 0; i < digits && w->at < w->end; i++) {
            const int32_t digit = hex_digit((int32_t)advance(w));
            code = code << 4 | (digit < 0 ? 0 : (uint32_t)digit);
        }
    }
    emit(w, code, from);
}

static void walk_flow(struct walk *w, enum yaml_style style)
{
    while (w->at < w->end && !w->is_found) {
        if (is_blank(w) || is_break(w)) {
            walk_fold(w);
        } else if (style == YAML_DOUBLE_QUOTED && *w->at == '\\') {
            walk_escape(w);
        } else if (style == YAML_SINGLE_QUOTED && *w->at == '\'') {
            const struct yaml_place from = w->place;
            (void)advance(w);
            if (w->at < w->end)
                emit(w, advance(w), from);
        } else {
            emit_source(w);
        }
    }
}

static void skip_indent(struct walk *w, size_t indent)
{
    while (w->at < w->end && *w->at == ' ' && w->place.column <= indent)
        (void)advance(w);
}

static void walk_folded(struct walk *w, size_t indent)
{
    bool was_broken = false;
    bool was_blank = false;
    struct yaml_place broken_at = w->place;
    while (w->at < w->end && !w->is_found) {
        size_t breaks = 0;
        struct yaml_place first_at = w->place;
        for (skip_indent(w, indent); is_break(w); skip_indent(w, indent)) {
            (void)advance(w);
            breaks++;
        }
        if (was_broken && !was_blank && !is_blank(w)) {
            if (breaks == 0)
                emit(w, ' ', broken_at);
        } else if (was_broken) {
            emit(w, '\n', broken_at);
        }
        for (size_t i = 0; i < breaks; i++) {
            emit(w, '\n', first_at);
            first_at.line++;
        }
        was_blank = is_blank(w);
        while (w->at < w->end && !is_break(w))
            emit_source(w);
        broken_at = w->place;
        was_broken = is_break(w);
        if (was_broken)
            (void)advance(w);
    }
}

static struct walk begin(const struct yaml_node *scalar, struct yaml_place target)
{
    return (struct walk){.at = scalar->source,
                         .end = scalar->source + scalar->source_len,
                         .place = scalar->text,
                         .value = {1, 1},
                         .target = target};
}

/* Walks over a scalar whose lines are not those of its value. */
static void walk_scalar(struct walk *w, const struct yaml_node *scalar)
{
    if (scalar->style == YAML_FOLDED)
        walk_folded(w, scalar->indent);
    else
        walk_flow(w, scalar->style);
}

struct yaml_place yaml_place_in(const struct yaml_node *scalar, size_t line, size_t column)
{
    struct walk w = begin(scalar, yaml_place_at(line, column));
    if (scalar->style == YAML_COLLECTION)
        return scalar->start;
    if (scalar->style == YAML_LITERAL)
        return yaml_place_at(scalar->text.line + line - 1, scalar->indent + column);
    walk_scalar(&w, scalar);
    return w.is_found ? w.found : w.place;
}

struct yaml_place yaml_place_of(const struct yaml_node *scalar, struct yaml_place where)
{
    struct walk w = begin(scalar, where);
    if (where.line < scalar->text.line || scalar->style == YAML_COLLECTION)
        return (struct yaml_place){1, 1};
    if (scalar->style == YAML_LITERAL)
        return (struct yaml_place){where.line - scalar->text.line + 1,
                                   where.column > scalar->indent ? where.column - scalar->indent : 1};
    w.is_back = true;
    walk_scalar(&w, scalar);
    return w.is_found ? w.found : w.value;
}

/* Code points become bytes. Those that the value does not have, as the last line feed of >-, are left out. */
static size_t in_bytes(uint32_t *breaks, size_t count, const char *value, size_t len)
{
    size_t at = 0, points = 0, kept = 0;
    for (size_t i = 0; i < count; i++) {
        at += utf8_skip(value + at, len - at, breaks[i] - points);
        points = breaks[i];
        if (at < len)
            breaks[kept++] = (uint32_t)at;
    }
    return kept;
}

uint32_t *yaml_breaks(const struct yaml_node *scalar, size_t *count)
{
    const struct yaml_place nowhere = {0};
    *count = 0;
    if (scalar->style == YAML_COLLECTION || scalar->style == YAML_LITERAL ||
        !json_object_is_type(scalar->json, json_type_string))
        return NULL;
    struct walk w = begin(scalar, nowhere);
    w.breaks = mem_array(scalar->source_len + 1, sizeof *w.breaks);
    walk_scalar(&w, scalar);
    *count = in_bytes(w.breaks, w.n_breaks, json_object_get_string(scalar->json),
                      (size_t)json_object_get_string_len(scalar->json));
    return w.breaks;
}
