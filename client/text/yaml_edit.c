#include "client/text/yaml_edit.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/hash.h"
#include "bytes/hex.h"
#include "bytes/utf8.h"
#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/textlines.h"

/* Says how many bytes before a part are kept for comparison with the file. */
enum { CONTEXT_BYTES = 8 };

/* ---- a place of the value, in the source ---- */

/* A scalar's source and its value, both read at once. */
struct walk {
    const struct yaml_node *scalar;
    const char *value;
    size_t value_len;
    size_t source_at, value_at;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The bytes of the escape at the place, and the character that it makes; 0 if there is none, or for a line
 * break that is left out. */
static size_t escape_len(const struct walk *w, uint32_t *code)
{
    static const char letters[] = "0abtnvfre \"/\\N_LP";
    static const uint32_t codes[] = {0,   7,   8,   '\t', '\n', 11,   12,     '\r',  0x1b,
                                     ' ', '"', '/', '\\', 0x85, 0xa0, 0x2028, 0x2029};
    const char *at = w->scalar->source + w->source_at;
    const size_t left = w->scalar->source_len - w->source_at;
    *code = 0;
    if (left < 2)
        return left;
    const size_t digits = at[1] == 'x' ? 2 : at[1] == 'u' ? 4 : at[1] == 'U' ? 8 : 0;
    const char *letter = at[1] == '\0' ? NULL : strchr(letters, at[1]);
    if (digits == 0)
        *code = letter == NULL ? 0 : codes[letter - letters];
    for (size_t i = 2; i < digits + 2 && i < left; i++) {
        const int32_t digit = hex_digit(at[i]);
        *code = *code << 4 | (digit < 0 ? 0 : (uint32_t)digit);
    }
    return digits + 2 < left ? digits + 2 : left;
}

static bool is_escape(const struct walk *w)
{
    return w->scalar->style == YAML_DOUBLE_QUOTED && w->source_at < w->scalar->source_len &&
           w->scalar->source[w->source_at] == '\\';
}

/* Passes over white space and what stands for it, in both. */
static void pass_blanks(struct walk *w)
{
    while (w->source_at < w->scalar->source_len) {
        uint32_t code;
        const char c = w->scalar->source[w->source_at];
        const size_t len = is_escape(w) ? escape_len(w, &code) : 0;
        if (len > 0 && (code > ' ' || (code != 0 && !is_blank((char)code))))
            break;
        if (len == 0 && !is_blank(c))
            break;
        w->source_at += len > 0 ? len : 1;
    }
    while (w->value_at < w->value_len && is_blank(w->value[w->value_at]))
        w->value_at++;
}

/* Passes over a character that is not white space; false if source and value differ. */
static bool pass_sign(struct walk *w)
{
    const char *source = w->scalar->source + w->source_at;
    const size_t left = w->scalar->source_len - w->source_at;
    uint32_t code, found;
    size_t len;
    if (left == 0 || w->value_at == w->value_len)
        return false;
    if (is_escape(w)) {
        len = escape_len(w, &code);
    } else {
        len = utf8_next(source, left, &code);
        if (w->scalar->style == YAML_SINGLE_QUOTED && *source == '\'')
            len = left < 2 ? left : 2;
    }
    w->value_at += utf8_next(w->value + w->value_at, w->value_len - w->value_at, &found);
    w->source_at += len;
    if (code >= 0xd800 && code < 0xdc00) { /* the other half is the next escape */
        uint32_t half;
        w->source_at += is_escape(w) ? escape_len(w, &half) : 0;
        return found > 0xffff;
    }
    return code == found;
}

/* Finds the place in the source of the byte `at` of the value; false if it has no place of its own there. A
 * place after a sign lies before the white space that follows. */
static bool find_place(const struct yaml_node *scalar, const char *value, size_t value_len, size_t at,
                       size_t *found)
{
    struct walk w = {scalar, value, value_len, 0, 0};
    for (;;) {
        const struct walk before = w;
        pass_blanks(&w);
        if (at > before.value_at && at < w.value_at) {
            const size_t len = w.value_at - before.value_at;
            *found = before.source_at + (at - before.value_at);
            return len == w.source_at - before.source_at &&
                   memcmp(value + before.value_at, scalar->source + before.source_at, len) == 0;
        }
        if (at == before.value_at || at == w.value_at) {
            *found = at == before.value_at ? before.source_at : w.source_at;
            return true;
        }
        if (at < w.value_at || !pass_sign(&w))
            return false;
    }
}

static struct yaml_place place_in_source(const struct yaml_node *scalar, size_t at)
{
    struct yaml_place place = scalar->text;
    uint32_t code;
    for (size_t i = 0; i < at;) {
        const bool is_two =
            scalar->source[i] == '\r' && i + 1 < scalar->source_len && scalar->source[i + 1] == '\n';
        const size_t len = is_two ? 2 : utf8_next(scalar->source + i, scalar->source_len - i, &code);
        const bool is_break = scalar->source[i] == '\n' || scalar->source[i] == '\r';
        place.line += is_break;
        place.column = is_break ? 1 : place.column + 1;
        i += len;
    }
    return place;
}

/* ---- the text ---- */

/* The text as it stands between the quotes of the style. */
static char *write_text(const char *text, enum yaml_style style)
{
    const char *twice = style == YAML_SINGLE_QUOTED ? "'" : "";
    const char *escaped = style == YAML_DOUBLE_QUOTED ? "\"\\" : "";
    char *out = mem_zalloc(2 * strlen(text) + 1), *at = out;
    for (const char *p = text; *p != '\0'; p++) {
        if (strchr(escaped, *p) != NULL)
            *at++ = '\\';
        if (strchr(twice, *p) != NULL)
            *at++ = *p;
        *at++ = *p;
    }
    return out;
}

/* Returns true if a plain scalar, of any flow or block, can have the text in it, at its beginning or after
 * that. */
static bool is_plain(const char *text, bool is_begin)
{
    const size_t len = strlen(text);
    if (len > 0 && is_begin && strchr("'\"[]{}!&*|>%@`#,?:-", text[0]) != NULL)
        return false;
    return strstr(text, ": ") == NULL && strchr(text, '#') == NULL && (len == 0 || text[len - 1] != ':');
}

bool yaml_edit_init(struct yaml_edit *edit, const struct yaml_node *scalar, size_t start, size_t end,
                    const char *text)
{
    const char *value = jsonval_text(scalar->json);
    size_t from, to;
    if (value == NULL || scalar->style == YAML_COLLECTION || strpbrk(text, "\r\n\t") != NULL)
        return false;
    const size_t len = strlen(value);
    while (start == end && end == len && end > 0 && is_blank(value[end - 1]))
        start = --end; /* text that is added at the end stands in its last line */
    if (end > len || start > end || !find_place(scalar, value, len, start, &from) ||
        !find_place(scalar, value, len, end, &to) || to < from ||
        (scalar->style == YAML_PLAIN && !is_plain(text, from == 0)))
        return false;
    const size_t n_before = from < CONTEXT_BYTES ? from : CONTEXT_BYTES;
    *edit = (struct yaml_edit){.at = place_in_source(scalar, from),
                               .end = place_in_source(scalar, to),
                               .text = write_text(text, scalar->style),
                               .old = mem_strndup(scalar->source + from - n_before, to - from + n_before),
                               .n_before = n_before,
                               .scalar = scalar->start};
    return true;
}

void yaml_edit_deinit(struct yaml_edit *edit)
{
    mem_free(edit->text);
    mem_free(edit->old);
    edit->text = edit->old = NULL;
}

/* ---- the file ---- */

struct span {
    size_t start, end;
    const struct yaml_edit *edit;
};

static int compare_spans(const void *one, const void *two)
{
    const struct span *a = one, *b = two;
    return a->start != b->start ? (a->start < b->start ? -1 : 1) : a->end < b->end ? -1 : a->end > b->end;
}

static size_t byte_at(const struct textlines *lines, struct yaml_place place)
{
    return textlines_offset(lines, (struct textlines_place){place.line - 1, place.column - 1},
                            TEXTLINES_UTF32);
}

static struct span *list_spans(const char *bytes, size_t len, const struct yaml_edit *edits, size_t count)
{
    struct textlines lines;
    struct span *spans = mem_array(count + 1, sizeof *spans);
    textlines_init(&lines, mem_strndup(bytes, len), len);
    for (size_t i = 0; i < count; i++)
        spans[i] = (struct span){byte_at(&lines, edits[i].at), byte_at(&lines, edits[i].end), &edits[i]};
    textlines_deinit(&lines);
    if (count > 1)
        qsort(spans, count, sizeof *spans, compare_spans);
    return spans;
}

/* Returns true if what the edit replaces stands there. */
static bool is_there(const char *bytes, size_t len, const struct span *span)
{
    const struct yaml_edit *edit = span->edit;
    const size_t old_len = strlen(edit->old);
    return span->end >= span->start && span->start >= edit->n_before && span->end <= len &&
           span->end - span->start + edit->n_before == old_len &&
           memcmp(bytes + span->start - edit->n_before, edit->old, old_len) == 0;
}

char *yaml_edit_apply(const char *bytes, size_t len, const struct yaml_edit *edits, size_t count,
                      size_t *changed_len)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t bom = len >= 3 && memcmp(bytes, mark, 3) == 0 ? 3 : 0;
    struct span *spans = list_spans(bytes + bom, len - bom, edits, count);
    size_t room = len, at = 0, n = 0;
    bool is_whole = true;
    for (size_t i = 0; i < count; i++)
        room += strlen(spans[i].edit->text);
    char *out = mem_zalloc(room + 1);
    memcpy(out, bytes, bom);
    n = bom;
    for (size_t i = 0; i < count && is_whole; i++) {
        const size_t text_len = strlen(spans[i].edit->text);
        is_whole = spans[i].start >= at && is_there(bytes + bom, len - bom, &spans[i]);
        if (!is_whole)
            break;
        memcpy(out + n, bytes + bom + at, spans[i].start - at);
        n += spans[i].start - at;
        memcpy(out + n, spans[i].edit->text, text_len);
        n += text_len;
        at = spans[i].end;
    }
    mem_free(spans);
    if (!is_whole) {
        mem_free(out);
        return NULL;
    }
    memcpy(out + n, bytes + bom + at, len - bom - at);
    *changed_len = n + len - bom - at;
    return out;
}

/* ---- trees ---- */

static bool is_edited(const struct yaml_node *scalar, const struct yaml_edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (edits[i].scalar.line == scalar->start.line && edits[i].scalar.column == scalar->start.column)
            return true;
    }
    return false;
}

static bool is_equal(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* YAML_DEPTH bounds the recursion. */
static bool is_same(const struct yaml_node *a, const struct yaml_node *b, const struct yaml_edit *edits,
                    size_t count)
{
    if (a->n_children != b->n_children || a->style != b->style || !is_equal(a->key, b->key))
        return false;
    if (a->style != YAML_COLLECTION)
        return is_edited(a, edits, count) ? json_object_is_type(b->json, json_type_string)
                                          : json_object_equal(a->json, b->json) != 0;
    if (a->n_children == 0) /* it is empty, or only a digest is left of it */
        return json_object_equal(a->json, b->json) != 0;
    bool is_all = json_object_get_type(a->json) == json_object_get_type(b->json);
    for (size_t i = 0; i < a->n_children && is_all; i++)
        is_all = is_same(a->children[i], b->children[i], edits, count);
    return is_all;
}

/* Two texts that are compared. The trees of the first one's objects are kept where an edit is, and those of
 * the second one's objects where they were kept in the first one. */
struct comparison {
    const struct yaml_edit *edits;
    size_t count;
    bool *is_kept; /* by object, in the order in which the objects end */
    size_t n_objects;
    size_t next; /* of the second text */
};

/* YAML_DEPTH bounds the recursion. */
static bool has_edit(const struct comparison *c, const struct yaml_node *node)
{
    bool has = node->style != YAML_COLLECTION && is_edited(node, c->edits, c->count);
    for (size_t i = 0; i < node->n_children && !has; i++)
        has = has_edit(c, node->children[i]);
    return has;
}

/* Writes what is_same compares. */
static void write_node(struct buf *out, const struct yaml_node *node)
{
    const int64_t numbers[] = {node->style, json_object_get_type(node->json), node->n_children};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        buf_put_number(out, numbers[i]);
        buf_putc(out, ' ');
    }
    if (node->key != NULL)
        buf_put_json(out, node->key, strlen(node->key));
    if (node->n_children == 0)
        buf_puts(out, json_object_to_json_string_ext(node->json, JSON_C_TO_STRING_PLAIN));
    for (size_t i = 0; i < node->n_children; i++)
        write_node(out, node->children[i]);
}

/* The digest that is left of an object without an edit. */
static struct json_object *digest(const struct yaml_node *object)
{
    static const uint64_t keys[][2] = {{1, 2}, {3, 4}};
    struct json_object *left = json_object_new_array();
    cleanup_buf struct buf text;
    buf_init(&text, SIZE_MAX - 1);
    write_node(&text, object);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        jsonval_append(left, json_object_new_int64((int64_t)hash_with_key(keys[i], text.data, text.len)));
    return left;
}

/* A yaml_reduce of the first text. */
static struct json_object *reduce_first(void *user, const struct yaml_node *object)
{
    struct comparison *c = user;
    const bool is_kept = has_edit(c, object);
    c->is_kept = mem_grow(c->is_kept, c->n_objects, sizeof *c->is_kept);
    c->is_kept[c->n_objects++] = is_kept;
    return is_kept ? NULL : digest(object);
}

/* A yaml_reduce of the second text. */
static struct json_object *reduce_second(void *user, const struct yaml_node *object)
{
    struct comparison *c = user;
    const size_t i = c->next++;
    return i < c->n_objects && c->is_kept[i] ? NULL : digest(object);
}

static bool are_same(const struct yaml *old, const struct yaml *changed, const struct yaml_edit *edits,
                     size_t count)
{
    bool is_all = yaml_count(old) == yaml_count(changed);
    for (size_t i = 0; i < yaml_count(old) && is_all; i++)
        is_all = is_same(yaml_root(old, i), yaml_root(changed, i), edits, count);
    return is_all;
}

bool yaml_edit_is_only(struct yaml_edit_text old, struct yaml_edit_text changed,
                       const struct yaml_edit *edits, size_t count)
{
    struct comparison c = {.edits = edits, .count = count};
    struct yaml *before = NULL, *after = NULL;
    struct yaml_place where;
    struct err err = {0};
    cleanup_mem char *first = mem_strndup(old.at, old.len);
    bool is_only = yaml_parse_reduced(&first, old.len, reduce_first, &c, &before, &where, &err) == 0;
    if (is_only) {
        yaml_forget_text(before);
        cleanup_mem char *second = mem_strndup(changed.at, changed.len);
        is_only = yaml_parse_reduced(&second, changed.len, reduce_second, &c, &after, &where, &err) == 0 &&
                  are_same(before, after, edits, count);
    }
    yaml_close(before);
    yaml_close(after);
    mem_free(c.is_kept);
    return is_only;
}
