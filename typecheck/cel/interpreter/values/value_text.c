/*
 * There are two writers. print() writes a value as Go's %v does, since messages of errors contain such
 * texts; has_text() says whether this is possible, because of some values Go prints addresses of memory.
 * write_literal() writes a literal of CEL, which is also JSON if the value is; the entries of maps are
 * sorted by their texts, so that equal maps have equal texts. The names of types, in CEL's words and in
 * Go's, come from the tables at the top.
 */
#include "typecheck/cel/interpreter/values/value_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/utf8.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/addresses.h"
#include "typecheck/cel/interpreter/values/authorizations.h"
#include "typecheck/cel/interpreter/values/quantities.h"
#include "typecheck/cel/interpreter/values/semvers.h"
#include "typecheck/cel/interpreter/values/times.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/golang/gonumber.h"
#include "typecheck/golang/gourl.h"

/* ---- names ---- */

static const struct {
    struct str name;
    const char *go;
} types[] = {
    [VALUE_NULL] = {STR_INIT("null_type"), "types.Null"},
    [VALUE_BOOL] = {STR_INIT("bool"), "types.Bool"},
    [VALUE_INT] = {STR_INIT("int"), "types.Int"},
    [VALUE_UINT] = {STR_INIT("uint"), "types.Uint"},
    [VALUE_DOUBLE] = {STR_INIT("double"), "types.Double"},
    [VALUE_STRING] = {STR_INIT("string"), "types.String"},
    [VALUE_BYTES] = {STR_INIT("bytes"), "types.Bytes"},
    [VALUE_DURATION] = {STR_INIT("google.protobuf.Duration"), "types.Duration"},
    [VALUE_TIMESTAMP] = {STR_INIT("google.protobuf.Timestamp"), "types.Timestamp"},
    [VALUE_LIST] = {STR_INIT("list"), "*types.baseList"},
    [VALUE_MAP] = {STR_INIT("map"), "*types.baseMap"},
    [VALUE_TYPE] = {STR_INIT("type"), "*types.Type"},
    [VALUE_OPTIONAL] = {STR_INIT("optional_type"), "*types.Optional"},
    [VALUE_IP] = {STR_INIT("net.IP"), "cel.IP"},
    [VALUE_CIDR] = {STR_INIT("net.CIDR"), "cel.CIDR"},
    [VALUE_QUANTITY] = {STR_INIT("kubernetes.Quantity"), "cel.Quantity"},
    [VALUE_SEMVER] = {STR_INIT("kubernetes.Semver"), "cel.Semver"},
    [VALUE_FORMAT] = {STR_INIT("kubernetes.NamedFormat"), "cel.Format"},
    [VALUE_URL] = {STR_INIT("kubernetes.URL"), "cel.URL"},
    [VALUE_AUTHORIZATION] = {STR_INIT(""), ""},            /* see authorization_types */
    [VALUE_OBJECT] = {STR_INIT(""), "*dynamic.ObjectVal"}, /* see value_type_name */
    [VALUE_JSON_PATCH] = {STR_INIT("JSONPatch"), "*mutation.JSONPatchVal"},
    [VALUE_ERROR] = {STR_INIT("error"), "*types.Err"},
};

static const struct {
    struct str name;
    const char *go;
} authorization_types[] = {
    [AUTHORIZATIONS_AUTHORIZER] = {STR_INIT("kubernetes.authorization.Authorizer"), "library.authorizerVal"},
    [AUTHORIZATIONS_PATH_CHECK] = {STR_INIT("kubernetes.authorization.PathCheck"), "library.pathCheckVal"},
    [AUTHORIZATIONS_GROUP_CHECK] = {STR_INIT("kubernetes.authorization.GroupCheck"), "library.groupCheckVal"},
    [AUTHORIZATIONS_RESOURCE_CHECK] = {STR_INIT("kubernetes.authorization.ResourceCheck"),
                                       "library.resourceCheckVal"},
    [AUTHORIZATIONS_DECISION] = {STR_INIT("kubernetes.authorization.Decision"), "library.decisionVal"},
};

bool value_is_own(const struct value *v)
{
    return v->kind == VALUE_IP || v->kind == VALUE_CIDR || v->kind == VALUE_QUANTITY ||
           v->kind == VALUE_SEMVER || v->kind == VALUE_FORMAT || v->kind == VALUE_URL ||
           v->kind == VALUE_AUTHORIZATION;
}

struct str value_type_name(const struct value *v)
{
    if (v->kind == VALUE_AUTHORIZATION)
        return authorization_types[v->authorization->type].name;
    if (v->kind == VALUE_OBJECT)
        return v->object->type;
    return types[v->kind].name;
}

const char *value_go_type(const struct value *v)
{
    if (v->go == VALUE_GO_NIL)
        return "<nil>";
    if (value_is_typed(v) && v->kind == VALUE_LIST)
        return "*common.reflectSchemalessTypedList";
    if (value_is_typed(v))
        return v->map->go_struct.len == 0 ? "*common.reflectSchemalessTypedMap"
                                          : "*common.reflectSchemalessTypedStruct";
    if (value_is_custom(v) && v->kind == VALUE_LIST)
        return v->list->type == VALUE_LIST_SET   ? "*common.unstructuredSetList"
               : v->list->type == VALUE_LIST_MAP ? "*common.unstructuredMapList"
                                                 : "*common.unstructuredList";
    if (value_is_custom(v))
        return "*common.unstructuredMap";
    if (v->kind == VALUE_LIST && (v->list->is_mutable || v->list->is_sum))
        return v->list->is_mutable ? "*types.mutableList" : "*types.concatList";
    if (v->kind == VALUE_MAP && v->map->is_mutable)
        return "*types.mutableMap";
    if (v->kind == VALUE_QUANTITY && v->quantity->is_sum)
        return "*cel.Quantity";
    if (v->kind == VALUE_AUTHORIZATION)
        return authorization_types[v->authorization->type].go;
    return types[v->kind].go;
}

const char *value_go_generic_type(const struct value *v)
{
    if (v->kind == VALUE_NULL)
        return types[v->kind].go;
    const char *const before = value_go_type(v);
    if (before == types[VALUE_LIST].go)
        return v->list->is_json ? "*types.sliceList[interface {}]"
                                : "*types.sliceList[cel.dev/cel-go/common/types/ref.Val]";
    if (before == types[VALUE_MAP].go)
        return v->map->is_json ? "*types.nativeMap[string,interface {}]"
                               : "*types.nativeMap[cel.dev/cel-go/common/types/ref.Val,cel.dev/cel-go/common/"
                                 "types/ref.Val]";
    return before;
}

const char *value_go_json_type(const struct value *v)
{
    if (v->go == VALUE_GO_NULL)
        return "structpb.NullValue";
    if (v->kind == VALUE_JSON_PATCH)
        return types[v->kind].go;
    static const char *const scalars[] = {[VALUE_NULL] = "<nil>",
                                          [VALUE_BYTES] = "[]uint8",
                                          [VALUE_DURATION] = "time.Duration",
                                          [VALUE_TIMESTAMP] = "time.Time"};
    if ((size_t)v->kind < sizeof scalars / sizeof *scalars && scalars[v->kind] != NULL)
        return scalars[v->kind];
    return v->kind == VALUE_LIST ? "[]interface {}" : "map[string]interface {}";
}

const struct value *value_check_hashable(struct arena *a, const struct value *key)
{
    if (key->kind != VALUE_BYTES && key->kind != VALUE_SEMVER && key->kind != VALUE_FORMAT)
        return NULL;
    return value_fatal(
        a, str_format(a, "internal error: runtime error: hash of unhashable type %s", value_go_type(key)));
}

/* Lists and maps within each other are printed no deeper: values of a run are never so deep. */
enum { PRINT_DEPTH = 1000 };

/* ---- as Go's %v ---- */

static void print(struct text *t, const struct value *v, unsigned depth);

static void print_list(struct text *t, const struct value_list *list, unsigned depth)
{
    text_add_char(t, '[');
    for (size_t i = 0; i < list->count; i++) {
        text_add(t, i == 0 ? STR("") : STR(", "));
        if (list->is_json && list->items[i]->kind == VALUE_NULL)
            text_add(t, STR("<nil>")); /* Go has not wrapped it */
        else
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

/* The text of a value of Kubernetes; empty for a named format or an authorization, where Go prints addresses
 * of memory. */
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
        text_add_char(t, '0'); /* Go's number of the null value, which has no text of its own */
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
    bool does = !value_is_typed(v) && !value_is_custom(v) && (without >> v->kind & 1) == 0;
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

/* Returns the number of bytes from i on that are written as they are. */
static size_t plain_run(struct str s, size_t i)
{
    const size_t start = i;
    while (i < s.len && s.at[i] != '"' && s.at[i] != '\\' && (unsigned char)s.at[i] >= ' ')
        i++;
    return i - start;
}

static void write_string(struct text *t, struct str s)
{
    text_add_char(t, '"');
    for (size_t i = 0; i < s.len; i++) {
        const size_t plain = plain_run(s, i);
        text_add(t, (struct str){s.at + i, plain});
        i += plain;
        if (i == s.len)
            break;
        unsigned char c = (unsigned char)s.at[i];
        if (c == '"' || c == '\\')
            text_addf(t, "\\%c", c);
        else if (c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f')
            text_addf(t, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c == '\b' ? 'b' : 'f');
        else
            text_addf(t, "\\u%04x", c);
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

/* Writes a value that has no parts. */
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

size_t value_string_size(struct arena *a, struct str s)
{
    arena_pay_bytes(a, s.len);
    return utf8_count(s.at, s.len);
}
