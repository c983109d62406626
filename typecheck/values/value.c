#include "typecheck/values/value.h"

#include "bytes/utf8.h"
#include "typecheck/base/arena.h"
#include "typecheck/values/addresses.h"
#include "typecheck/values/authorizations.h"
#include "typecheck/values/objects.h"
#include "typecheck/values/quantities.h"
#include "typecheck/values/value_text.h"

const struct value value_null = {.kind = VALUE_NULL};
const struct value value_true = {.kind = VALUE_BOOL, .boolean = true};
const struct value value_false = {.kind = VALUE_BOOL, .boolean = false};
const struct value value_none = {.kind = VALUE_OPTIONAL, .inner = NULL};

/* ---- making them ---- */

static struct value *new_value(struct arena *a, enum value_kind kind)
{
    struct value *v = ARENA_NEW(a, struct value);
    v->kind = kind;
    return v;
}

static const struct value *new_text(struct arena *a, enum value_kind kind, struct str text)
{
    struct value *v = new_value(a, kind);
    v->text = text;
    return v;
}

const struct value *value_int(struct arena *a, int64_t integer)
{
    struct value *v = new_value(a, VALUE_INT);
    v->integer = integer;
    return v;
}

const struct value *value_uint(struct arena *a, uint64_t uinteger)
{
    struct value *v = new_value(a, VALUE_UINT);
    v->uinteger = uinteger;
    return v;
}

const struct value *value_double(struct arena *a, double floating)
{
    struct value *v = new_value(a, VALUE_DOUBLE);
    v->floating = floating;
    return v;
}

const struct value *value_string(struct arena *a, struct str text)
{
    return new_text(a, VALUE_STRING, text);
}

const struct value *value_bytes(struct arena *a, struct str bytes)
{
    return new_text(a, VALUE_BYTES, bytes);
}

const struct value *value_duration(struct arena *a, int64_t nanoseconds)
{
    struct value *v = new_value(a, VALUE_DURATION);
    v->integer = nanoseconds;
    return v;
}

const struct value *value_type(struct arena *a, struct str name)
{
    return new_text(a, VALUE_TYPE, name);
}

const struct value *value_optional(struct arena *a, const struct value *inner)
{
    struct value *v = new_value(a, VALUE_OPTIONAL);
    v->inner = inner;
    return v;
}

const struct value *value_error(struct arena *a, struct str message)
{
    return new_text(a, VALUE_ERROR, message);
}

const struct value *value_errorf(struct arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str message = str_vformat(a, format, args);
    va_end(args);
    return value_error(a, message);
}

const struct value *value_no_overload(struct arena *a)
{
    return value_error(a, STR("no such overload"));
}

const struct value *value_fatal(struct arena *a, struct str message)
{
    struct value *v = new_value(a, VALUE_ERROR);
    v->text = message;
    v->is_fatal = true;
    return v;
}

const struct value *value_check_hashable(struct arena *a, const struct value *key)
{
    if (key->kind != VALUE_BYTES && key->kind != VALUE_SEMVER && key->kind != VALUE_FORMAT)
        return NULL;
    return value_fatal(
        a, str_format(a, "internal error: runtime error: hash of unhashable type %s", value_go_type(key)));
}

/* ---- lists ---- */

struct value *value_new_list(struct arena *a, size_t cap)
{
    struct value *v = new_value(a, VALUE_LIST);
    v->list = ARENA_NEW(a, struct value_list);
    v->list->items = ARENA_ARRAY(a, cap, const struct value *);
    v->list->cap = cap;
    return v;
}

enum { FIRST_ITEMS = 4 };

void value_append(struct arena *a, struct value_list *list, const struct value *item)
{
    if (list->count == list->cap)
        list->items = arena_room(a, list->items, &list->cap, FIRST_ITEMS, sizeof(const struct value *));
    list->items[list->count++] = item;
}

/* ---- maps ---- */

/* Maps of no more entries are searched one by one. */
enum { FEW_ENTRIES = 8, FIRST_ENTRIES = 4 };

struct value *value_new_map(struct arena *a, size_t cap)
{
    struct value *v = new_value(a, VALUE_MAP);
    v->map = ARENA_NEW(a, struct value_map);
    v->map->entries = ARENA_ARRAY(a, cap, struct value_entry);
    v->map->cap = cap;
    return v;
}

/* Go's == of two keys: of the same type, and lists, maps and optionals only with themselves. */
static bool is_same_key(struct arena *a, const struct value *one, const struct value *two)
{
    if (one == two && one->kind != VALUE_DOUBLE)
        return true;
    if (one->kind != two->kind)
        return false;
    switch (one->kind) {
    case VALUE_NULL:
        return true;
    case VALUE_BOOL:
        return one->boolean == two->boolean;
    case VALUE_INT:
    case VALUE_DURATION:
        return one->integer == two->integer;
    case VALUE_UINT:
        return one->uinteger == two->uinteger;
    case VALUE_DOUBLE:
        return one->floating == two->floating;
    case VALUE_STRING:
    case VALUE_TYPE:
        arena_pay_bytes(a, one->text.len);
        return str_eq(one->text, two->text);
    case VALUE_TIMESTAMP:
        return one->timestamp.seconds == two->timestamp.seconds &&
               one->timestamp.nanoseconds == two->timestamp.nanoseconds &&
               one->timestamp.offset_seconds == two->timestamp.offset_seconds;
    case VALUE_IP:
    case VALUE_CIDR:
        return addresses_are_equal(one, two);
    case VALUE_QUANTITY:
        return one->quantity == two->quantity;
    case VALUE_URL:
        return one->url == two->url;
    case VALUE_BYTES:
    case VALUE_LIST:
    case VALUE_MAP:
    case VALUE_OPTIONAL:
    case VALUE_SEMVER:
    case VALUE_FORMAT:
    case VALUE_AUTHORIZATION:
    case VALUE_OBJECT:
    case VALUE_JSON_PATCH:
    case VALUE_ERROR:
        break;
    }
    return false;
}

/* Of two keys that are the same; by content where that is in one word, else by kind. */
static uint32_t hash_key(struct arena *a, const struct value *key)
{
    static const uint64_t FACTOR = 0x9E3779B97F4A7C15u;
    if (key->kind == VALUE_STRING || key->kind == VALUE_TYPE) {
        arena_pay_hash(a, key->text.len);
        return str_hash(key->text);
    }
    bool is_word = key->kind == VALUE_INT || key->kind == VALUE_UINT || key->kind == VALUE_DURATION;
    return (uint32_t)(((is_word ? key->uinteger : 0) + (uint64_t)key->kind) * FACTOR >> 32);
}

/* Where the key is in the slots, or the free place for it. */
static uint32_t *find_slot(struct arena *a, const struct value_map *map, const struct value *key)
{
    size_t i = hash_key(a, key) & (map->slot_count - 1);
    while (map->slots[i] != 0 && !is_same_key(a, map->entries[map->slots[i] - 1].key, key)) {
        arena_step(a);
        i = (i + 1) & (map->slot_count - 1);
    }
    return &map->slots[i];
}

static void index_entries(struct arena *a, struct value_map *map)
{
    map->slot_count = (size_t)FEW_ENTRIES * 4;
    while (map->slot_count < 4 * map->count)
        map->slot_count *= 2;
    map->slots = ARENA_ARRAY(a, map->slot_count, uint32_t);
    for (size_t i = 0; i < map->count; i++)
        *find_slot(a, map, map->entries[i].key) = (uint32_t)i + 1;
}

/* NULL: there is none. */
static struct value_entry *find_entry(struct arena *a, const struct value_map *map, const struct value *key)
{
    if (map->slots != NULL) {
        uint32_t place = *find_slot(a, map, key);
        return place == 0 ? NULL : &map->entries[place - 1];
    }
    for (size_t i = 0; i < map->count; i++) {
        if (is_same_key(a, map->entries[i].key, key))
            return &map->entries[i];
    }
    return NULL;
}

void value_set(struct arena *a, struct value_map *map, const struct value *key, const struct value *v)
{
    struct value_entry *known = find_entry(a, map, key);
    if (known != NULL) {
        known->value = v;
        return;
    }
    ARENA_ROOM(a, map->entries, map->count, map->cap, FIRST_ENTRIES);
    map->entries[map->count++] = (struct value_entry){key, v};
    if (map->slots != NULL && 2 * map->count <= map->slot_count)
        *find_slot(a, map, key) = (uint32_t)map->count;
    else if (map->count > FEW_ENTRIES)
        index_entries(a, map);
}

void value_remove(struct arena *a, struct value_map *map, const struct value *key)
{
    const struct value_entry *entry = find_entry(a, map, key);
    if (entry == NULL)
        return;
    map->count--;
    for (size_t i = (size_t)(entry - map->entries); i < map->count; i++)
        map->entries[i] = map->entries[i + 1];
    if (map->slots != NULL)
        index_entries(a, map);
}

const struct value *value_at(struct arena *a, const struct value_map *map, const struct value *key)
{
    const struct value_entry *entry = find_entry(a, map, key);
    return entry == NULL ? NULL : entry->value;
}

const struct value *value_member(struct arena *a, const struct value_map *map, struct str key)
{
    const struct value name = {.kind = VALUE_STRING, .text = key};
    return value_at(a, map, &name);
}

#define TWO_TO_63 9223372036854775808.0
#define TWO_TO_64 18446744073709551616.0

static const struct value *find_double(struct arena *a, const struct value_map *map, double d)
{
    const struct value *found = NULL;
    if (d > -TWO_TO_63 && d < TWO_TO_63 && (double)(int64_t)d == d)
        found = value_at(a, map, &(struct value){.kind = VALUE_INT, .integer = (int64_t)d});
    if (found == NULL && d >= 0 && d < TWO_TO_64 && (double)(uint64_t)d == d)
        found = value_at(a, map, &(struct value){.kind = VALUE_UINT, .uinteger = (uint64_t)d});
    return found;
}

const struct value *value_find(struct arena *a, const struct value_map *map, const struct value *key)
{
    if (map->count == 0 || (map->is_json && key->kind != VALUE_STRING))
        return NULL;
    const struct value *found = value_at(a, map, key);
    if (found != NULL)
        return found;
    if (key->kind == VALUE_DOUBLE)
        return find_double(a, map, key->floating);
    if (key->kind == VALUE_INT && key->integer >= 0)
        return value_at(a, map, &(struct value){.kind = VALUE_UINT, .uinteger = (uint64_t)key->integer});
    if (key->kind == VALUE_UINT && key->uinteger <= INT64_MAX)
        return value_at(a, map, &(struct value){.kind = VALUE_INT, .integer = (int64_t)key->uinteger});
    return NULL;
}

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

size_t value_string_size(struct arena *a, struct str s)
{
    arena_pay_bytes(a, s.len);
    size_t size = 0;
    for (size_t at = 0; at < s.len; size++) {
        size_t len = (unsigned char)s.at[at] < 0x80 ? 1 : utf8_len(s.at + at, s.len - at);
        at += len == 0 ? 1 : len;
    }
    return size;
}
