/*
 * These are the functions of strings in CEL and in cel-go's extension. Strings are UTF-8, and indexes count
 * code points: offset_of() and index_of() convert between indexes and offsets in bytes. cel-go has changed
 * more than once which indexes indexOf and lastIndexOf accept, so there are three functions of each: the
 * plain one, _unbounded and _strict; functions.def says which release has which. Each function pays for the
 * bytes that it reads and writes.
 */
#include "typecheck/cel/interpreter/functions/strings.h"

#include <inttypes.h>
#include <string.h>

#include "bytes/utf8.h"
#include "typecheck/base/arena.h"
#include "typecheck/base/unicode.h"
#include "typecheck/cel/interpreter/values/value_text.h"

/* cel-go has no guard of the types before these. */
static bool are_strings(const struct invocation *c)
{
    return c->args[0]->kind == VALUE_STRING && c->args[1]->kind == VALUE_STRING;
}

const struct value *strings_contains(const struct invocation *c)
{
    if (!are_strings(c))
        return value_no_overload(c->arena);
    struct str s = c->args[0]->text, part = c->args[1]->text;
    arena_pay_bytes(c->arena, s.len + part.len);
    return value_bool(part.len == 0 || memmem(s.at, s.len, part.at, part.len) != NULL);
}

const struct value *strings_ends_with(const struct invocation *c)
{
    if (!are_strings(c))
        return value_no_overload(c->arena);
    arena_pay_bytes(c->arena, c->args[1]->text.len);
    return value_bool(str_has_suffix(c->args[0]->text, c->args[1]->text));
}

const struct value *strings_starts_with(const struct invocation *c)
{
    if (!are_strings(c))
        return value_no_overload(c->arena);
    arena_pay_bytes(c->arena, c->args[1]->text.len);
    return value_bool(str_has_prefix(c->args[0]->text, c->args[1]->text));
}

/* ---- places ---- */

/* Bytes of the code point at `at`. */
static size_t point_len(struct str s, size_t at)
{
    size_t len = (unsigned char)s.at[at] < 0x80 ? 1 : utf8_len(s.at + at, s.len - at);
    return len == 0 ? 1 : len;
}

/* The offset of code point number `index`, which is no more than there are. */
static size_t offset_of(struct arena *a, struct str s, int64_t index)
{
    size_t at = 0;
    for (; index > 0; index--)
        at += point_len(s, at);
    arena_pay_bytes(a, at);
    return at;
}

/* Code points before the offset. */
static int64_t index_of(struct arena *a, struct str s, size_t offset)
{
    return (int64_t)value_string_size(a, (struct str){s.at, offset});
}

static const struct value *out_of_range(struct arena *a, int64_t index)
{
    return value_errorf(a, "index out of range: %" PRId64, index);
}

const struct value *strings_char_at(const struct invocation *c)
{
    struct str s = c->args[0]->text;
    int64_t index = c->args[1]->integer, size = (int64_t)value_string_size(c->arena, s);
    if (index < 0 || index > size)
        return out_of_range(c->arena, index);
    size_t at = offset_of(c->arena, s, index);
    return value_string(c->arena, (struct str){s.at + at, index == size ? 0 : point_len(s, at)});
}

const struct value *strings_substring(const struct invocation *c)
{
    struct str s = c->args[0]->text;
    int64_t size = (int64_t)value_string_size(c->arena, s), start = c->args[1]->integer;
    int64_t end = c->count == 3 ? c->args[2]->integer : size;
    if (c->count == 3 && start > end)
        return value_errorf(c->arena, "invalid substring range. start: %" PRId64 ", end: %" PRId64, start,
                            end);
    if (start < 0 || start > size)
        return out_of_range(c->arena, start);
    if (end < 0 || end > size)
        return out_of_range(c->arena, end);
    size_t from = offset_of(c->arena, s, start);
    size_t len = offset_of(c->arena, str_skip(s, from), end - start);
    return value_string(c->arena, (struct str){s.at + from, len});
}

/* ---- search ---- */

/* The offset of `part` at or after `from`; SIZE_MAX: it is not there. */
static size_t find(struct arena *a, struct str s, struct str part, size_t from)
{
    const char *found = memmem(s.at + from, s.len - from, part.at, part.len);
    size_t at = found == NULL ? SIZE_MAX : (size_t)(found - s.at);
    arena_pay_bytes(a, (found == NULL ? s.len : at) - from + part.len);
    return at;
}

/* The index of an empty string: the given one, or the end. */
static const struct value *index_of_empty(struct arena *a, int64_t index, int64_t size)
{
    return value_int(a, index > size ? size : index);
}

const struct value *strings_index_of(const struct invocation *c)
{
    struct str s = c->args[0]->text, part = c->args[1]->text;
    int64_t index = c->count == 3 ? c->args[2]->integer : 0, size = (int64_t)value_string_size(c->arena, s);
    if (index < 0)
        return out_of_range(c->arena, index);
    if (part.len == 0)
        return index_of_empty(c->arena, index, size);
    size_t at = index >= size ? SIZE_MAX : find(c->arena, s, part, offset_of(c->arena, s, index));
    return value_int(c->arena, at == SIZE_MAX ? -1 : index_of(c->arena, s, at));
}

const struct value *strings_index_of_unbounded(const struct invocation *c)
{
    return c->count == 3 && c->args[1]->text.len == 0 ? c->args[2] : strings_index_of(c);
}

/* Returns true if a text that is not empty is looked for where there is no character. */
static bool looks_outside(const struct invocation *c, int64_t index, int64_t size)
{
    return c->args[1]->text.len != 0 && (index < 0 || index >= size);
}

const struct value *strings_index_of_strict(const struct invocation *c)
{
    int64_t size = (int64_t)value_string_size(c->arena, c->args[0]->text);
    int64_t index = c->count == 3 ? c->args[2]->integer : 0;
    return looks_outside(c, index, size) ? out_of_range(c->arena, index) : strings_index_of_unbounded(c);
}

/* The last offset of `part` at or before `from`; SIZE_MAX: it is not there. */
static size_t find_last(struct arena *a, struct str s, struct str part, size_t from)
{
    for (size_t at = from + 1; at-- > 0;) {
        arena_step(a);
        if (part.len <= s.len - at && memcmp(s.at + at, part.at, part.len) == 0)
            return at;
    }
    return SIZE_MAX;
}

const struct value *strings_last_index_of(const struct invocation *c)
{
    struct str s = c->args[0]->text, part = c->args[1]->text;
    int64_t size = (int64_t)value_string_size(c->arena, s), index = size - 1;
    if (c->count == 2 && part.len == 0)
        return value_int(c->arena, size);
    if (c->count == 2 && s.len < part.len)
        return value_int(c->arena, -1);
    if (c->count == 3)
        index = c->args[2]->integer;
    if (index < 0)
        return out_of_range(c->arena, index);
    if (part.len == 0)
        return index_of_empty(c->arena, index, size);
    size_t at = index >= size ? SIZE_MAX : find_last(c->arena, s, part, offset_of(c->arena, s, index));
    return value_int(c->arena, at == SIZE_MAX ? -1 : index_of(c->arena, s, at));
}

const struct value *strings_last_index_of_unbounded(const struct invocation *c)
{
    return c->count == 3 && c->args[1]->text.len == 0 ? c->args[2] : strings_last_index_of(c);
}

const struct value *strings_last_index_of_strict(const struct invocation *c)
{
    int64_t size = (int64_t)value_string_size(c->arena, c->args[0]->text);
    int64_t index = c->count == 3 ? c->args[2]->integer : size - 1;
    return looks_outside(c, index, size) ? out_of_range(c->arena, index) : strings_last_index_of_unbounded(c);
}

/* ---- other texts ---- */

/* The bit in which letters of ASCII differ from capitals. */
#define CASE_BIT 0x20u

static const struct value *change_case(const struct invocation *c, char first, char last)
{
    struct str s = c->args[0]->text;
    char *at = arena_copy(c->arena, s.at, s.len);
    arena_pay_bytes(c->arena, s.len);
    for (size_t i = 0; i < s.len; i++) {
        if (at[i] >= first && at[i] <= last)
            at[i] = (char)((unsigned char)at[i] ^ CASE_BIT);
    }
    return value_string(c->arena, (struct str){at, s.len});
}

const struct value *strings_lower(const struct invocation *c)
{
    return change_case(c, 'A', 'Z');
}

const struct value *strings_upper(const struct invocation *c)
{
    return change_case(c, 'a', 'z');
}

struct str strings_trim_space(struct arena *a, struct str s)
{
    arena_pay_bytes(a, s.len);
    return unicode_trimmed(s);
}

const struct value *strings_trim(const struct invocation *c)
{
    return value_string(c->arena, strings_trim_space(c->arena, c->args[0]->text));
}

const struct value *strings_quote(const struct invocation *c)
{
    static const char special[] = "\a\b\f\n\r\t\v\\\"", letters[] = "abfnrtv\\\"";
    struct str s = c->args[0]->text;
    struct text t = {.arena = c->arena};
    arena_pay_bytes(c->arena, s.len);
    text_add_char(&t, '"');
    for (size_t i = 0; i < s.len; i++) {
        const char *found = s.at[i] == '\0' ? NULL : strchr(special, s.at[i]);
        if (found == NULL)
            text_add_char(&t, s.at[i]);
        else
            text_addf(&t, "\\%c", letters[found - special]);
    }
    text_add_char(&t, '"');
    return value_string(c->arena, text_str(&t));
}

/* Escapes a key as a part of the path of a JSON patch. */
const struct value *strings_escape_key(const struct invocation *c)
{
    struct str s = c->args[0]->text;
    struct text t = {.arena = c->arena};
    arena_pay_bytes(c->arena, s.len);
    for (size_t i = 0; i < s.len; i++) {
        if (s.at[i] == '~' || s.at[i] == '/')
            text_add(&t, s.at[i] == '~' ? STR("~0") : STR("~1"));
        else
            text_add_char(&t, s.at[i]);
    }
    return value_string(c->arena, text_str(&t));
}

/* ---- parts ---- */

/* Replaces an empty `old`: inserts `with` before each code point, and at the end. */
static void replace_empty(struct text *t, struct str s, struct str with, int64_t most)
{
    for (size_t at = 0; at <= s.len;) {
        size_t len = at < s.len ? point_len(s, at) : 1;
        if (most != 0)
            text_add(t, with);
        most -= most > 0;
        if (at < s.len)
            text_add(t, (struct str){s.at + at, len});
        at += len;
    }
}

const struct value *strings_replace(const struct invocation *c)
{
    struct str s = c->args[0]->text, old = c->args[1]->text, with = c->args[2]->text;
    int64_t most = c->count == 4 ? c->args[3]->integer : -1;
    struct text t = {.arena = c->arena};
    if (old.len == 0) {
        arena_pay(c->arena, s.len);
        replace_empty(&t, s, with, most);
        return value_string(c->arena, text_str(&t));
    }
    size_t at = 0;
    for (size_t found; most != 0 && (found = find(c->arena, s, old, at)) != SIZE_MAX; most -= most > 0) {
        arena_pay_bytes(c->arena, with.len);
        text_add(&t, (struct str){s.at + at, found - at});
        text_add(&t, with);
        at = found + old.len;
    }
    text_add(&t, str_skip(s, at));
    return value_string(c->arena, text_str(&t));
}

/* The end of the part that begins at `at`: before the separator, or after one code point. */
static size_t part_end(struct arena *a, struct str s, struct str separator, size_t at)
{
    if (separator.len != 0)
        return find(a, s, separator, at);
    arena_step(a);
    return at + point_len(s, at) < s.len ? at + point_len(s, at) : SIZE_MAX;
}

const struct value *strings_split(const struct invocation *c)
{
    struct str s = c->args[0]->text, separator = c->args[1]->text;
    int64_t most = c->count == 3 ? c->args[2]->integer : -1;
    struct value *parts = value_new_list(c->arena, 0);
    if (most == 0 || (s.len == 0 && separator.len == 0))
        return parts;
    size_t at = 0;
    for (size_t end; most != 1 && (end = part_end(c->arena, s, separator, at)) != SIZE_MAX;
         most -= most > 0) {
        value_append(c->arena, parts->list, value_string(c->arena, (struct str){s.at + at, end - at}));
        at = end + separator.len;
    }
    value_append(c->arena, parts->list, value_string(c->arena, str_skip(s, at)));
    return parts;
}

const struct value *strings_join(const struct invocation *c)
{
    const struct value_list *list = c->args[0]->list;
    struct str separator = c->count == 2 ? c->args[1]->text : STR("");
    struct text t = {.arena = c->arena};
    for (size_t i = 0; i < list->count; i++) {
        const struct value *v = list->items[i];
        if (v->kind != VALUE_STRING && !value_has_text(c->arena, v))
            return function_lacks_text(c);
        if (v->kind != VALUE_STRING)
            return value_error_of(
                c->arena, ISSUE_OTHER,
                str_join(c->arena, STR_PARTS(STR("join: invalid input: "), value_text(c->arena, v))));
        arena_pay(c->arena, 1 + (separator.len + v->text.len) / ARENA_STEP_BYTES);
        text_add(&t, i == 0 ? STR("") : separator);
        text_add(&t, v->text);
    }
    return value_string(c->arena, text_str(&t));
}
