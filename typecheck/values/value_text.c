#include "typecheck/values/value_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/gonumber.h"
#include "typecheck/base/gourl.h"
#include "typecheck/values/addresses.h"
#include "typecheck/values/objects.h"
#include "typecheck/values/quantities.h"
#include "typecheck/values/semvers.h"
#include "typecheck/values/times.h"

/* Lists and maps within each other are printed no deeper: values of a run are never so deep. */
enum { PRINT_DEPTH = 1000 };

/* ---- as Go's %v ---- */

static void print(struct text *t, const struct value *v, unsigned depth);

static void print_list(struct text *t, const struct value_list *list, unsigned depth)
{
    text_add_char(t, '[');
    for (size_t i = 0; i < list->count; i++) {
        text_add(t, i == 0 ? STR("") : STR(", "));
        print(t, list->items[i], depth + 1);
    }
    text_add_char(t, ']');
}

static void print_map(struct text *t, const struct value_map *map, unsigned depth)
{
    text_add_char(t, '{');
    for (size_t i = 0; i < map->count; i++) {
        text_add(t, i == 0 ? STR("") : STR(", "));
        print(t, map->entries[i].key, depth + 1);
        text_add(t, STR(": "));
        print(t, map->entries[i].value, depth + 1);
    }
    text_add_char(t, '}');
}

/* %v of a slice of bytes. */
static void print_bytes(struct text *t, struct str bytes)
{
    text_add_char(t, '[');
    for (size_t i = 0; i < bytes.len; i++)
        text_addf(t, i == 0 ? "%u" : " %u", (unsigned char)bytes.at[i]);
    text_add_char(t, ']');
}

/* Of a value of Kubernetes; nothing of a named format or an authorization, where Go prints places in memory.
 */
static struct str own_text(struct arena *a, const struct value *v)
{
    if (v->kind == VALUE_IP || v->kind == VALUE_CIDR)
        return addresses_text(a, v);
    if (v->kind == VALUE_QUANTITY)
        return quantities_text(a, v);
    if (v->kind == VALUE_SEMVER)
        return semvers_text(a, v);
    return v->kind == VALUE_URL ? gourl_text(a, v->url) : STR("");
}

static void print(struct text *t, const struct value *v, unsigned depth)
{
    arena_step(t->arena);
    if (depth > PRINT_DEPTH)
        arena_fail(t->arena, ARENA_STEPS);
    switch (v->kind) {
    case VALUE_NULL:
        text_add(t, STR("NULL_VALUE"));
        break;
    case VALUE_BOOL:
        text_add(t, v->boolean ? STR("true") : STR("false"));
        break;
    case VALUE_INT:
        text_add_int(t, v->integer);
        break;
    case VALUE_UINT:
        text_addf(t, "%" PRIu64, v->uinteger);
        break;
    case VALUE_DOUBLE:
        text_add(t, gonumber_double_text(t->arena, v->floating));
        break;
    case VALUE_STRING:
    case VALUE_TYPE:
    case VALUE_ERROR:
        text_add(t, v->text);
        break;
    case VALUE_BYTES:
        print_bytes(t, v->text);
        break;
    case VALUE_DURATION:
        text_add(t, times_duration_text(t->arena, v->integer));
        break;
    case VALUE_TIMESTAMP:
        text_add(t, times_timestamp_text(t->arena, v));
        break;
    case VALUE_IP:
    case VALUE_CIDR:
    case VALUE_QUANTITY:
    case VALUE_SEMVER:
    case VALUE_FORMAT:
    case VALUE_URL:
    case VALUE_AUTHORIZATION:
    case VALUE_OBJECT:
    case VALUE_JSON_PATCH:
        text_add(t, own_text(t->arena, v));
        break;
    case VALUE_LIST:
        print_list(t, v->list, depth);
        break;
    case VALUE_MAP:
        print_map(t, v->map, depth);
        break;
    case VALUE_OPTIONAL:
        text_add(t, v->inner == NULL ? STR("optional.none()") : STR("optional("));
        if (v->inner != NULL) {
            print(t, v->inner, depth + 1);
            text_add_char(t, ')');
        }
        break;
    }
}

struct str value_text(struct arena *a, const struct value *v)
{
    struct text t = {.arena = a};
    print(&t, v, 0);
    return text_str(&t);
}

static bool has_text(struct arena *a, const struct value *v, unsigned depth)
{
    const uint32_t without =
        VALUE_KIND(VALUE_AUTHORIZATION) | VALUE_KIND(VALUE_OBJECT) | VALUE_KIND(VALUE_JSON_PATCH);
    bool does = !value_is_typed(v) && (without >> v->kind & 1) == 0;
    arena_step(a);
    if (depth > PRINT_DEPTH)
        arena_fail(a, ARENA_STEPS);
    if (v->kind == VALUE_OPTIONAL && v->inner != NULL)
        return has_text(a, v->inner, depth + 1);
    for (size_t i = 0; does && v->kind == VALUE_LIST && i < v->list->count; i++)
        does = has_text(a, v->list->items[i], depth + 1);
    for (size_t i = 0; does && v->kind == VALUE_MAP && i < v->map->count; i++)
        does = has_text(a, v->map->entries[i].key, depth + 1) &&
               has_text(a, v->map->entries[i].value, depth + 1);
    return does;
}

bool value_has_text(struct arena *a, const struct value *v)
{
    return has_text(a, v, 0);
}

/* ---- as a literal ---- */

static void write_literal(struct text *t, const struct value *v, unsigned depth);

static struct str literal_text(struct arena *a, const struct value *v, unsigned depth)
{
    struct text t = {.arena = a};
    write_literal(&t, v, depth);
    return text_str(&t);
}

static int by_text(const void *one, const void *two)
{
    return str_cmp(*(const struct str *)one, *(const struct str *)two);
}

static void write_map(struct text *t, const struct value_map *map, unsigned depth)
{
    struct str *parts = ARENA_ARRAY(t->arena, map->count, struct str);
    for (size_t i = 0; i < map->count; i++) {
        const struct value_entry *entry = &map->entries[i];
        parts[i] = str_join(t->arena, STR_PARTS(literal_text(t->arena, entry->key, depth + 1), STR(": "),
                                                literal_text(t->arena, entry->value, depth + 1)));
    }
    if (map->count != 0)
        qsort(parts, map->count, sizeof *parts, by_text);
    text_add_char(t, '{');
    for (size_t i = 0; i < map->count; i++) {
        text_add(t, i == 0 ? STR("") : STR(", "));
        text_add(t, parts[i]);
    }
    text_add_char(t, '}');
}

static void write_string(struct text *t, struct str s)
{
    text_add_char(t, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        if (c == '"' || c == '\\')
            text_addf(t, "\\%c", c);
        else if (c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f')
            text_addf(t, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c == '\b' ? 'b' : 'f');
        else if (c < ' ')
            text_addf(t, "\\u%04x", c);
        else
            text_add_char(t, (char)c);
    }
    text_add_char(t, '"');
}

static void write_double(struct text *t, double floating)
{
    struct str s = gonumber_double_text(t->arena, floating);
    text_add(t, s);
    if (strpbrk(s.at, ".eIN") == NULL)
        text_add(t, STR(".0"));
}

static void write_list(struct text *t, const struct value_list *list, unsigned depth)
{
    text_add_char(t, '[');
    for (size_t i = 0; i < list->count; i++) {
        text_add(t, i == 0 ? STR("") : STR(", "));
        write_literal(t, list->items[i], depth + 1);
    }
    text_add_char(t, ']');
}

/* What has no parts. */
static void write_scalar(struct text *t, const struct value *v)
{
    if (v->kind == VALUE_NULL) {
        text_add(t, STR("null"));
    } else if (v->kind == VALUE_STRING) {
        write_string(t, v->text);
    } else if (v->kind == VALUE_UINT) {
        text_addf(t, "%" PRIu64 "u", v->uinteger);
    } else if (v->kind == VALUE_DOUBLE) {
        write_double(t, v->floating);
    } else if (v->kind == VALUE_DURATION) {
        text_addf(t, "duration(%" PRId64 ")", v->integer);
    } else if (v->kind == VALUE_TIMESTAMP) {
        text_addf(t, "timestamp(%" PRId64 ".%09" PRId32 ")", v->timestamp.seconds, v->timestamp.nanoseconds);
    } else if (v->kind == VALUE_TYPE) {
        text_addf(t, "type(%.*s)", STR_ARG(v->text));
    } else if (value_is_own(v)) {
        text_add(t, value_type_name(v));
        text_add_char(t, '(');
        print(t, v, 0);
        text_add_char(t, ')');
    } else if (v->kind == VALUE_BYTES) {
        text_add(t, STR("bytes("));
        for (size_t i = 0; i < v->text.len; i++)
            text_addf(t, "%02x", (unsigned char)v->text.at[i]);
        text_add_char(t, ')');
    } else {
        print(t, v, 0);
    }
}

static void write_literal(struct text *t, const struct value *v, unsigned depth)
{
    arena_step(t->arena);
    if (depth > PRINT_DEPTH)
        arena_fail(t->arena, ARENA_STEPS);
    if (v->kind == VALUE_LIST) {
        write_list(t, v->list, depth);
    } else if (v->kind == VALUE_MAP) {
        write_map(t, v->map, depth);
    } else if (v->kind == VALUE_OBJECT || v->kind == VALUE_JSON_PATCH) {
        text_add(t, v->object->type);
        write_map(t, v->object->fields, depth);
    } else if (v->kind == VALUE_OPTIONAL && v->inner != NULL) {
        text_add(t, STR("optional.of("));
        write_literal(t, v->inner, depth + 1);
        text_add_char(t, ')');
    } else if (v->kind == VALUE_ERROR) { /* within an optional */
        text_add(t, STR("error()"));
    } else {
        write_scalar(t, v);
    }
}

struct str value_literal(struct arena *a, const struct value *v)
{
    return literal_text(a, v, 0);
}
