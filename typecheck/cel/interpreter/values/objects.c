#include "typecheck/cel/interpreter/values/objects.h"

#include "bytes/utf8.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/golang/goquote.h"

/* Objects within each other are no deeper: expressions are not, and JSON is not. */
enum { OBJECT_DEPTH = 1000 };

static const struct str OP = STR_INIT("op"), PATH = STR_INIT("path"), FROM = STR_INIT("from"),
                        VALUE = STR_INIT("value");

static const struct value not_given = {.kind = VALUE_NULL, .go = VALUE_GO_NIL},
                          given_null = {.kind = VALUE_NULL, .go = VALUE_GO_NULL};

/* ---- making them ---- */

static bool is_text_field(struct str name)
{
    return str_eq(name, OP) || str_eq(name, PATH) || str_eq(name, FROM);
}

/* The value as a text as Go takes it, a type by its name; NULL if it is none. */
static const struct value *as_text(struct arena *a, const struct value *v)
{
    while (v->kind == VALUE_OPTIONAL && v->inner != NULL)
        v = v->inner;
    if (v->kind == VALUE_TYPE)
        return value_string(a, v->text);
    return v->kind == VALUE_STRING ? v : NULL;
}

/* The Go type of what a value holds; NULL if that depends on where it is from. */
static const char *held_type(const struct celgo *celgo, const struct value *v)
{
    static const char *const names[] = {[VALUE_NULL] = "structpb.NullValue",
                                        [VALUE_BOOL] = "bool",
                                        [VALUE_INT] = "int64",
                                        [VALUE_UINT] = "uint64",
                                        [VALUE_DOUBLE] = "float64",
                                        [VALUE_BYTES] = "[]uint8",
                                        [VALUE_DURATION] = "time.Duration",
                                        [VALUE_TIMESTAMP] = "time.Time",
                                        [VALUE_JSON_PATCH] = "*mutation.JSONPatchVal"};
    if (v->kind == VALUE_OPTIONAL)
        return v->inner == NULL ? "<nil>" : held_type(celgo, v->inner);
    if (v->kind == VALUE_MAP && !value_is_typed(v))
        return v->map->is_json ? "map[string]interface {}" : "map[ref.Val]ref.Val";
    if (v->kind == VALUE_LIST && v->list->is_sum && !value_is_typed(v))
        return celgo->has_generic_types ? "[]ref.Val" : "[]interface {}";
    return (size_t)v->kind < sizeof names / sizeof *names ? names[v->kind] : NULL;
}

/* The one field that is wrong; if there are several, it depends on the order in which Go looks at them. */
static const struct value *refuse_fields(struct arena *a, const struct celgo *celgo,
                                         const struct value_entry *wrong, size_t count)
{
    const char *type = count == 1 ? held_type(celgo, wrong->value) : NULL;
    return type == NULL ? NULL
                        : value_errorf(a, "unexpected type %s for JSONPatchType '%.*s' field", type,
                                       STR_ARG(wrong->key->text));
}

/* Go does not tell a text that is empty from one that was not given. */
static const struct value *take_patch(struct arena *a, const struct celgo *celgo,
                                      const struct value_map *fields, struct value_map *out)
{
    const struct value_entry *wrong = NULL;
    size_t count = 0;
    for (size_t i = 0; i < fields->count; i++) {
        const struct value_entry *f = &fields->entries[i];
        const bool is_text = is_text_field(f->key->text);
        const struct value *text = is_text ? as_text(a, f->value) : NULL;
        if (!is_text) {
            value_map_set(a, out, f->key, f->value);
        } else if (text == NULL) {
            wrong = f;
            count++;
        } else if (text->text.len != 0) {
            value_map_set(a, out, f->key, text);
        }
    }
    return count == 0 ? &value_true : refuse_fields(a, celgo, wrong, count);
}

const struct value *objects_make(struct arena *a, const struct celgo *celgo, struct str type,
                                 const struct value_map *fields)
{
    bool is_patch = str_eq(type, STR("JSONPatch"));
    struct value_object *object = ARENA_NEW(a, struct value_object);
    *object = (struct value_object){type, fields};
    if (is_patch) {
        struct value *taken = value_map_new(a, fields->count);
        const struct value *answer = take_patch(a, celgo, fields, taken->map);
        if (answer == NULL || value_is_error(answer))
            return answer;
        object->fields = taken->map;
    }
    struct value *v = ARENA_NEW(a, struct value);
    v->kind = is_patch ? VALUE_JSON_PATCH : VALUE_OBJECT;
    v->object = object;
    return v;
}

/* ---- reading them ---- */

const struct value *objects_patch_given(struct arena *a, const struct value *patch, struct str name)
{
    return value_map_member(a, patch->object->fields, name);
}

/* %s of a key in Go. */
static const struct value *unsupported(struct arena *a, const char *what, const struct value *key)
{
    struct text t = {.arena = a};
    text_addf(&t, "unsupported %s: ", what);
    if (key->kind != VALUE_STRING)
        text_addf(&t, "%%!s(%s=", value_go_type(key));
    text_add(&t, value_text(a, key));
    if (key->kind != VALUE_STRING)
        text_add_char(&t, ')');
    return value_error(a, text_str(&t));
}

const struct value *objects_patch_field(struct arena *a, const struct value *v, const struct value *key,
                                        bool is_presence)
{
    bool is_known = key->kind == VALUE_STRING && (is_text_field(key->text) || str_eq(key->text, VALUE));
    if (!is_known)
        return unsupported(a, is_presence ? "field" : "indexer", key);
    const struct value *given = objects_patch_given(a, v, key->text);
    if (given != NULL || is_presence)
        return given;
    return str_eq(key->text, VALUE) ? &not_given : value_string(a, STR(""));
}

/* Returns true if the value becomes a value of Go from which CEL makes the same value again. */
static bool is_plain(const struct value *v)
{
    const uint32_t kinds = VALUE_KIND(VALUE_NULL) | VALUE_KIND(VALUE_BOOL) | VALUE_KIND(VALUE_INT) |
                           VALUE_KIND(VALUE_UINT) | VALUE_KIND(VALUE_DOUBLE) | VALUE_KIND(VALUE_STRING) |
                           VALUE_KIND(VALUE_BYTES) | VALUE_KIND(VALUE_DURATION) |
                           VALUE_KIND(VALUE_TIMESTAMP) | VALUE_KIND(VALUE_JSON_PATCH);
    return (kinds >> v->kind & 1) != 0;
}

static const struct value *plain(struct arena *a, const struct value *v, struct str *error, unsigned depth);

/* %q of a key in Go, to which a number is a character; empty: that is not known. */
static struct str quote_key(struct arena *a, const struct value *key)
{
    if (key->kind == VALUE_BOOL || key->kind == VALUE_DOUBLE)
        return str_join(
            a, STR_PARTS(STR("%!q("), str_of(value_go_type(key)), STR("="), value_text(a, key), STR(")")));
    if (key->kind != VALUE_INT && key->kind != VALUE_UINT)
        return STR("");
    if (key->integer == '\'' || key->integer == '"')
        return key->integer == '"' ? STR("'\"'") : STR("'\\''");
    char utf8[UTF8_MAX_BYTES], *text;
    bool is_rune = key->uinteger <= 0x10FFFF && (key->uinteger < 0xD800 || key->uinteger > 0xDFFF);
    struct text t = {.arena = a};
    size_t len = utf8_put(is_rune ? (uint32_t)key->uinteger : UTF8_REPLACEMENT, utf8);
    goquote_add(&t, (struct str){utf8, len});
    text = t.at;
    text[0] = text[t.len - 1] = '\'';
    return text_str(&t);
}

static const struct value *refuse_key(struct arena *a, const struct value *key, struct str *error)
{
    struct str quoted = quote_key(a, key);
    if (quoted.len != 0)
        *error = str_format(a, "map key %.*s is of type %s, not string", STR_ARG(quoted), value_go_type(key));
    return NULL;
}

static const struct value *plain_map(struct arena *a, const struct value_map *map, struct str *error,
                                     unsigned depth)
{
    struct value *out = value_map_new(a, map->count);
    out->map->is_json = true;
    for (size_t i = 0; i < map->count; i++) {
        const struct value *key = map->entries[i].key;
        if (key->kind != VALUE_STRING)
            return map->count == 1 ? refuse_key(a, key, error) : NULL;
        const struct value *v = plain(a, map->entries[i].value, error, depth + 1);
        if (v == NULL)
            return NULL;
        value_map_set(a, out->map, key, v);
    }
    return out;
}

static const struct value *plain_list(struct arena *a, const struct value_list *list, struct str *error,
                                      unsigned depth)
{
    struct value *out = value_new_list(a, list->count);
    out->list->is_json = true;
    for (size_t i = 0; i < list->count; i++) {
        const struct value *v = plain(a, list->items[i], error, depth + 1);
        if (v == NULL)
            return NULL;
        value_append(a, out->list, v);
    }
    return out;
}

/* An error within an object that is within an object is a value of the latter, which is not followed. */
static const struct value *plain_object(struct arena *a, const struct value_object *object, struct str *error,
                                        unsigned depth)
{
    struct value *out = value_map_new(a, object->fields->count);
    out->map->is_json = true;
    for (size_t i = 0; i < object->fields->count; i++) {
        const struct value *v = plain(a, object->fields->entries[i].value, error, depth + 1);
        if (v == NULL) {
            *error = STR("");
            return NULL;
        }
        value_map_set(a, out->map, object->fields->entries[i].key, v);
    }
    return out;
}

static const struct value *plain(struct arena *a, const struct value *v, struct str *error, unsigned depth)
{
    arena_step(a);
    if (depth > OBJECT_DEPTH)
        arena_fail(a, ARENA_STEPS);
    if (is_plain(v))
        return v->kind == VALUE_NULL ? &given_null : v;
    if (v->kind == VALUE_TYPE)
        return value_string(a, v->text);
    if (v->kind == VALUE_OPTIONAL)
        return v->inner == NULL ? &not_given : plain(a, v->inner, error, depth + 1);
    if (v->kind == VALUE_LIST)
        return plain_list(a, v->list, error, depth);
    if (v->kind == VALUE_MAP)
        return plain_map(a, v->map, error, depth);
    return v->kind == VALUE_OBJECT ? plain_object(a, v->object, error, depth) : NULL;
}

const struct value *objects_plain(struct arena *a, const struct value *field, struct str *error)
{
    *error = STR("");
    return plain(a, field, error, 0);
}

static const struct value *cannot_get(struct arena *a, struct str name)
{
    struct text t = {.arena = a};
    text_add(&t, STR("cannot get field "));
    goquote_add(&t, name);
    return value_error(a, text_str(&t));
}

const struct value *objects_field(struct arena *a, const struct value *v, struct str name, bool is_presence,
                                  bool *is_lacking)
{
    struct str error = STR("");
    bool is_readable = v->kind == VALUE_OBJECT;
    const struct value *found = NULL;
    for (size_t i = 0; is_readable && i < v->object->fields->count; i++) {
        const struct value_entry *f = &v->object->fields->entries[i];
        const struct value *field = objects_plain(a, f->value, &error);
        is_readable = field != NULL;
        *is_lacking = *is_lacking || (field == NULL && error.len == 0);
        if (str_eq(f->key->text, name))
            found = field;
    }
    if (!is_readable && !is_presence)
        return cannot_get(a, name);
    if (!is_readable)
        return NULL;
    return found == NULL && !is_presence ? &not_given : found;
}
