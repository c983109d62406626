/*
 * The values of all operations are made JSON first; then the operations are applied to the document, one
 * after the other. The document is never changed in place: reach() finds the containers on the way to a
 * path, and change_at() copies each of them with the change, from the innermost one up to the root. An
 * operation that fails ends the patch with Go's message. A test that does not hold ends it without an error,
 * and the object stays as it was. Some patches are not evaluated at all, such as a test for null: lack()
 * says so.
 */
#include "typecheck/cel/interpreter/values/json_patches.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/json_pointer.h"
#include "typecheck/cel/interpreter/values/equality.h"
#include "typecheck/cel/interpreter/values/objects.h"
#include "typecheck/cel/interpreter/values/value_map.h"

enum { JSON_DEPTH = 1000 };

static const double MAX_SAFE = 9007199254740991.0;

static const struct str LACKS = STR_INIT("vapcheck does not apply a JSON patch whose value is no JSON");

struct patching {
    struct arena *arena;
    const struct value *root;
    bool holds_objects;
    struct patched *out;
    bool has_ended, is_test_failed;
    struct str path; /* of the operation, as the patch has it */
};

/* about: the path, or what else of the operation the error is about. */
static void fail(struct patching *p, struct str about, struct str error)
{
    if (!p->has_ended) {
        p->out->error = error;
        p->out->names = error_names_add(p->arena, NULL, about);
    }
    p->has_ended = true;
}

static void lack(struct patching *p, struct str missing)
{
    if (!p->has_ended)
        p->out->missing = missing;
    p->has_ended = true;
}

#define FAIL(p, about, ...) fail(p, about, str_join((p)->arena, STR_PARTS(__VA_ARGS__)))

/* ---- values as JSON ---- */

/* Lists and maps of Go are not converted. */
static const struct value *fail_typed(struct patching *p, const struct value *v)
{
    const struct str name = v->kind == VALUE_MAP ? v->map->go_struct : STR("");
    struct str from = v->kind == VALUE_LIST ? STR("'list(dyn)' to '") : STR("'map(dyn, dyn)' to '");
    struct str to = STR("*structpb.Value'");
    if (name.len != 0) {
        /* the package and the type */
        size_t at = name.len, dots = 0;
        while (at > 0 && (dots += name.at[at - 1] == '.') < 2)
            at--;
        from = str_join(p->arena, STR_PARTS(STR("struct type "), str_skip(name, at), STR(" to ")));
        to.len--;
    }
    FAIL(p, STR(""),
         STR("JSONPath valueExpression evaluated to a type that could not marshal to JSON: type conversion "
             "error from "),
         from, to);
    return &value_null;
}

static const struct value *to_json(struct patching *p, const struct value *v, unsigned depth);

static const struct value *list_to_json(struct patching *p, const struct value_list *list, unsigned depth)
{
    struct value *out = value_new_list(p->arena, list->count);
    for (size_t i = 0; i < list->count && !p->has_ended; i++)
        value_append(p->arena, out->list, to_json(p, list->items[i], depth + 1));
    return out;
}

static const struct value *map_to_json(struct patching *p, const struct value_map *map, unsigned depth)
{
    struct value *out = value_map_new(p->arena, map->count);
    out->map->is_json = true;
    for (size_t i = 0; i < map->count && !p->has_ended; i++) {
        if (map->entries[i].key->kind != VALUE_STRING)
            lack(p, LACKS);
        else
            value_map_set(p->arena, out->map, map->entries[i].key,
                          to_json(p, map->entries[i].value, depth + 1));
    }
    return out;
}

/* A double without a fraction is written as an integer. */
static const struct value *number_to_json(struct patching *p, const struct value *v)
{
    double d = v->kind == VALUE_DOUBLE ? v->floating
               : v->kind == VALUE_INT  ? (double)v->integer
                                       : (double)v->uinteger;
    if (!(d >= -MAX_SAFE && d <= MAX_SAFE)) {
        lack(p, LACKS);
        return &value_null;
    }
    return d == (double)(int64_t)d ? value_int(p->arena, (int64_t)d) : value_double(p->arena, d);
}

/* Turns an object into JSON. It must have no null: the library that gets it takes null for no JSON. */
static const struct value *object_to_json(struct patching *p, const struct value *v, unsigned depth)
{
    struct str error;
    struct value *out = value_map_new(p->arena, v->object->fields->count);
    out->map->is_json = true;
    for (size_t i = 0; i < v->object->fields->count && !p->has_ended; i++) {
        const struct value_entry *e = &v->object->fields->entries[i];
        const struct value *field = objects_plain(p->arena, e->value, &error);
        if (field == NULL || field->kind == VALUE_NULL || (depth > 0 && !p->holds_objects))
            lack(p, LACKS);
        else
            value_map_set(p->arena, out->map, e->key, to_json(p, field, depth + 1));
    }
    return out;
}

static const struct value *to_json(struct patching *p, const struct value *v, unsigned depth)
{
    arena_step(p->arena);
    if (depth > JSON_DEPTH)
        arena_fail(p->arena, ARENA_STEPS);
    if (value_is_typed(v))
        return fail_typed(p, v);
    switch ((unsigned)v->kind) {
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_STRING:
        return v;
    case VALUE_INT:
    case VALUE_UINT:
    case VALUE_DOUBLE:
        return number_to_json(p, v);
    case VALUE_LIST:
        return list_to_json(p, v->list, depth);
    case VALUE_MAP:
        return map_to_json(p, v->map, depth);
    case VALUE_OBJECT:
        return object_to_json(p, v, depth);
    }
    lack(p, LACKS);
    return &value_null;
}

/* ---- places in the document ---- */

/* A place in the document: a container and a key in it. */
struct place {
    struct str *parts;           /* of the path; the last is the key */
    const struct value **within; /* by part: the container that it is a key of */
    size_t count;
};

/* Returns false if the path has no part. */
static bool split(struct patching *p, struct str path, struct place *out)
{
    size_t slashes = 0;
    arena_pay_bytes(p->arena, path.len);
    for (size_t i = 0; i < path.len; i++)
        slashes += path.at[i] == '/';
    *out = (struct place){.count = 0};
    if (slashes == 0)
        return false;
    if (slashes > JSON_DEPTH)
        arena_fail(p->arena, ARENA_STEPS);
    out->parts = ARENA_ARRAY(p->arena, slashes, struct str);
    for (struct str rest = json_pointer_parts(path);
         json_pointer_next(p->arena, &rest, &out->parts[out->count]);)
        out->count++;
    return true;
}

/* strconv.Atoi */
static bool read_index(struct str key, int64_t *out)
{
    enum { MOST_BYTES = 15 };
    *out = 0;
    if (key.len > MOST_BYTES || !json_pointer_is_index(key))
        return false;
    for (size_t i = str_is_digit(key.at[0]) ? 0 : 1; i < key.len; i++)
        *out = 10 * *out + (key.at[i] - '0');
    *out = key.at[0] == '-' ? -*out : *out;
    return true;
}

static struct str bad_number(struct patching *p, struct str key)
{
    return str_join(p->arena, STR_PARTS(STR("strconv.Atoi: parsing \""), key, STR("\": invalid syntax")));
}

static struct str bad_index(struct patching *p, int64_t index)
{
    return str_format(p->arena, "Unable to access invalid index: %lld: invalid index referenced",
                      (long long)index);
}

/* The value at the key. Returns NULL if there is none, or if it sets *error. */
static const struct value *get(struct patching *p, const struct value *container, struct str key,
                               struct str *error)
{
    int64_t index;
    *error = STR("");
    if (container->kind == VALUE_MAP)
        return value_map_member(p->arena, container->map, key);
    int64_t count = (int64_t)container->list->count;
    if (!read_index(key, &index)) {
        *error = bad_number(p, key);
        return NULL;
    }
    int64_t at = index < 0 ? index + count : index;
    if (at < 0 || at >= count) {
        *error = bad_index(p, index);
        return NULL;
    }
    return container->list->items[at];
}

/* Sets *out to the place of the path in the document as it is now. Returns false if the path leads
 * nowhere. */
static bool reach(struct patching *p, struct str path, struct place *out)
{
    const struct value *v = p->root;
    struct str error;
    if (!split(p, path, out))
        return false;
    out->within = ARENA_ARRAY(p->arena, out->count, const struct value *);
    for (size_t i = 0; v != NULL && (v->kind == VALUE_MAP || v->kind == VALUE_LIST); i++) {
        out->within[i] = v;
        if (i + 1 == out->count)
            return true;
        v = get(p, v, out->parts[i], &error);
    }
    return false;
}

static struct str key_of(const struct place *place)
{
    return place->parts[place->count - 1];
}

/* The value at a place. Returns NULL if there is none, or if it sets *error. */
static const struct value *get_at(struct patching *p, const struct place *place, struct str *error)
{
    return get(p, place->within[place->count - 1], key_of(place), error);
}

/* ---- changes ---- */

enum change { CHANGE_SET, CHANGE_ADD, CHANGE_REMOVE };

static const struct value *copy_list(struct patching *p, const struct value_list *list, size_t at,
                                     enum change change, const struct value *v)
{
    struct value *out = value_new_list(p->arena, list->count + 1);
    arena_pay(p->arena, list->count);
    for (size_t i = 0; i < list->count; i++) {
        if (i == at && v != NULL)
            value_append(p->arena, out->list, v);
        if (i != at || change == CHANGE_ADD)
            value_append(p->arena, out->list, list->items[i]);
    }
    if (at == list->count && change == CHANGE_ADD)
        value_append(p->arena, out->list, v);
    return out;
}

static const struct value *copy_map(struct patching *p, const struct value_map *map, struct str key,
                                    const struct value *v)
{
    struct value *out = value_map_new(p->arena, map->count + 1);
    out->map->is_json = true;
    for (size_t i = 0; i < map->count; i++)
        value_map_set(p->arena, out->map, map->entries[i].key, map->entries[i].value);
    if (v != NULL)
        value_map_set(p->arena, out->map, value_string(p->arena, key), v);
    else
        value_map_remove(p->arena, out->map, value_string(p->arena, key));
    return out;
}

/* A container with the change at its key; NULL with *error. */
static const struct value *change_in(struct patching *p, const struct value *container, struct str key,
                                     enum change change, const struct value *v, struct str *error)
{
    int64_t index;
    *error = STR("");
    if (container->kind == VALUE_MAP) {
        if (change == CHANGE_REMOVE && get(p, container, key, error) == NULL) {
            *error = str_join(
                p->arena, STR_PARTS(STR("Unable to remove nonexistent key: "), key, STR(": missing value")));
            return NULL;
        }
        return copy_map(p, container->map, key, v);
    }
    int64_t count = (int64_t)container->list->count, room = count + (change == CHANGE_ADD);
    if (change == CHANGE_ADD && str_eq(key, STR("-")))
        return copy_list(p, container->list, container->list->count, change, v);
    if (!read_index(key, &index)) {
        *error = change == CHANGE_ADD
                     ? str_join(p->arena, STR_PARTS(STR("value was not a proper array index: '"), key,
                                                    STR("': "), bad_number(p, key)))
                     : bad_number(p, key);
        return NULL;
    }
    int64_t at = index < 0 ? index + room : index;
    if (at < 0 || at >= room) {
        *error = bad_index(p, index);
        return NULL;
    }
    return copy_list(p, container->list, (size_t)at, change, v);
}

/* Changes the container of the place, and so those above it. *error: why it cannot be changed. */
static void change_at(struct patching *p, const struct place *place, enum change change,
                      const struct value *v, struct str *error)
{
    size_t i = place->count - 1;
    const struct value *changed = change_in(p, place->within[i], place->parts[i], change, v, error);
    struct str none;
    if (changed == NULL)
        return;
    while (i-- > 0)
        changed = change_in(p, place->within[i], place->parts[i], CHANGE_SET, changed, &none);
    p->root = changed;
}

/* ---- operations ---- */

static const struct str MISSING = STR_INIT(": missing value");

static void add(struct patching *p, const struct value *v)
{
    struct place place;
    struct str error;
    if (!reach(p, p->path, &place)) {
        FAIL(p, p->path, STR("add operation does not apply: doc is missing path: \""), p->path, STR("\""),
             MISSING);
        return;
    }
    change_at(p, &place, CHANGE_ADD, v, &error);
    if (error.len != 0)
        FAIL(p, p->path, STR("error in add for path: '"), p->path, STR("': "), error);
}

static void remove_at(struct patching *p)
{
    struct place place;
    struct str error;
    if (!reach(p, p->path, &place)) {
        FAIL(p, p->path, STR("remove operation does not apply: doc is missing path: \""), p->path, STR("\""),
             MISSING);
        return;
    }
    change_at(p, &place, CHANGE_REMOVE, NULL, &error);
    if (error.len != 0)
        FAIL(p, p->path, STR("error in remove for path: '"), p->path, STR("': "), error);
}

static void replace(struct patching *p, const struct value *v)
{
    struct place place;
    struct str error;
    if (p->path.len == 0) {
        lack(p, STR("vapcheck does not replace a whole object by a JSON patch"));
        return;
    }
    if (!reach(p, p->path, &place)) {
        FAIL(p, p->path, STR("replace operation does not apply: doc is missing path: "), p->path, MISSING);
        return;
    }
    (void)get_at(p, &place, &error);
    if (error.len != 0)
        FAIL(p, p->path, STR("replace operation does not apply: doc is missing key: "), p->path, MISSING);
    else
        change_at(p, &place, CHANGE_SET, v, &error);
}

/* Sets *out to the value at `from`, or to null if there is none. Returns false if that failed. */
static bool take(struct patching *p, const struct place *from, const struct value **out, struct str *error)
{
    *out = get_at(p, from, error);
    if (*out == NULL)
        *out = &value_null;
    return error->len == 0;
}

static void move(struct patching *p, struct str from)
{
    struct place source, target;
    const struct value *v;
    struct str error;
    if (!reach(p, from, &source)) {
        FAIL(p, from, STR("move operation does not apply: doc is missing from path: "), from, MISSING);
        return;
    }
    if (take(p, &source, &v, &error))
        change_at(p, &source, CHANGE_REMOVE, NULL, &error);
    if (error.len != 0) {
        FAIL(p, from, STR("error in move for path: '"), key_of(&source), STR("': "), error);
        return;
    }
    if (!reach(p, p->path, &target)) {
        FAIL(p, p->path, STR("move operation does not apply: doc is missing destination path: "), p->path,
             MISSING);
        return;
    }
    change_at(p, &target, CHANGE_ADD, v, &error);
    if (error.len != 0)
        FAIL(p, p->path, STR("error in move for path: '"), p->path, STR("': "), error);
}

static void copy(struct patching *p, struct str from)
{
    struct place source, target;
    const struct value *v;
    struct str error;
    if (!reach(p, from, &source)) {
        FAIL(p, from, STR("copy operation does not apply: doc is missing from path: "), from, MISSING);
        return;
    }
    if (!take(p, &source, &v, &error)) {
        FAIL(p, from, STR("error in copy for from: '"), from, STR("': "), error);
        return;
    }
    if (!reach(p, p->path, &target)) {
        FAIL(p, p->path, STR("copy operation does not apply: doc is missing destination path: "), p->path,
             MISSING);
        return;
    }
    change_at(p, &target, CHANGE_ADD, v, &error);
    if (error.len != 0)
        FAIL(p, p->path, STR("error while adding value during copy: "), error);
}

static bool has_null(struct arena *a, const struct value *v, unsigned depth)
{
    arena_step(a);
    bool has = v->kind == VALUE_NULL || depth > JSON_DEPTH;
    for (size_t i = 0; !has && v->kind == VALUE_LIST && i < v->list->count; i++)
        has = has_null(a, v->list->items[i], depth + 1);
    for (size_t i = 0; !has && v->kind == VALUE_MAP && i < v->map->count; i++)
        has = has_null(a, v->map->entries[i].value, depth + 1);
    return has;
}

/* A patch whose test fails is not applied at all, and that is not a failure. */
static void test(struct patching *p, const struct value *wanted)
{
    struct place place;
    struct str error;
    if (p->path.len == 0 || (wanted != NULL && has_null(p->arena, wanted, 0))) {
        lack(p, STR("vapcheck does not test for null, or a whole object, in a JSON patch"));
        return;
    }
    if (!reach(p, p->path, &place)) {
        FAIL(p, p->path, STR("test operation does not apply: is missing path: "), p->path, MISSING);
        return;
    }
    const struct value *v = get_at(p, &place, &error);
    if (error.len != 0) {
        FAIL(p, p->path, STR("error in test for path: '"), p->path, STR("': "), error);
        return;
    }
    bool is_there = v != NULL && v->kind != VALUE_NULL;
    bool is_equal =
        is_there == (wanted != NULL) && (!is_there || equality_of(p->arena, v, wanted) == EQUALITY_YES);
    p->is_test_failed = !is_equal;
    p->has_ended = !is_equal;
}

static struct str text_of(struct patching *p, const struct value *patch, struct str name)
{
    const struct value *v = objects_patch_given(p->arena, patch, name);
    return v == NULL ? STR("") : v->text;
}

/* Go writes the paths as its own literals, and reads them as JSON. */
static bool is_plain_text(struct arena *a, struct str s)
{
    arena_pay_bytes(a, s.len);
    for (size_t i = 0; i < s.len; i++) {
        if ((unsigned char)s.at[i] < ' ' || (unsigned char)s.at[i] >= 0x7f)
            return false;
    }
    return true;
}

/* v: its value as JSON; NULL: it has none. */
static void apply(struct patching *p, const struct value *patch, const struct value *v)
{
    struct str op = text_of(p, patch, STR("op")), from = text_of(p, patch, STR("from"));
    p->path = text_of(p, patch, STR("path"));
    bool needs_from = str_eq(op, STR("move")) || str_eq(op, STR("copy"));
    if (!is_plain_text(p->arena, p->path) || !is_plain_text(p->arena, from) || !is_plain_text(p->arena, op))
        lack(p, STR("vapcheck does not apply a JSON patch whose path is not ASCII"));
    else if (needs_from && from.len == 0)
        FAIL(p, STR("from"), op, STR(" operation failed to decode from: operation, missing from field"),
             MISSING);
    else if (str_eq(op, STR("add")))
        add(p, v == NULL ? &value_null : v);
    else if (str_eq(op, STR("remove")))
        remove_at(p);
    else if (str_eq(op, STR("replace")))
        replace(p, v == NULL ? &value_null : v);
    else if (str_eq(op, STR("move")))
        move(p, from);
    else if (str_eq(op, STR("copy")))
        copy(p, from);
    else if (str_eq(op, STR("test")))
        test(p, v);
    else
        FAIL(p, op, STR("Unexpected kind: "), op);
}

/* The value of a patch as JSON; NULL if it has none. */
static const struct value *value_of(struct patching *p, const struct value *patch)
{
    const struct value *given =
        patch->kind == VALUE_JSON_PATCH ? objects_patch_given(p->arena, patch, STR("value")) : NULL;
    return given == NULL ? NULL : to_json(p, given, 0);
}

struct patched json_patches_apply(struct arena *a, const struct value *patches, const struct value *object,
                                  bool holds_objects)
{
    struct patched out = {.error = STR(""), .missing = STR("")};
    struct patching p = {.arena = a, .root = object, .holds_objects = holds_objects, .out = &out};
    const struct value_list *list = patches->list;
    const struct value **values = ARENA_ARRAY(a, list->count, const struct value *);
    /* all are evaluated before the first is applied */
    for (size_t i = 0; i < list->count && !p.has_ended; i++)
        values[i] = value_of(&p, list->items[i]);
    const bool has_values = !p.has_ended;
    for (size_t i = 0; i < list->count && !p.has_ended; i++) {
        if (list->items[i]->kind != VALUE_JSON_PATCH)
            lack(&p, LACKS);
        else
            apply(&p, list->items[i], values[i]);
    }
    if (out.error.len != 0 && has_values)
        out.error = str_join(a, STR_PARTS(STR("JSON Patch: "), out.error));
    if (out.error.len == 0 && out.missing.len == 0)
        out.object = p.is_test_failed ? object : p.root;
    return out;
}
