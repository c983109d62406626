/*
 * configurations_merge() does what the server does in the same order, and stops after the first step that
 * has errors: it checks the names of the configuration's types, makes JSON of it, checks the kind, validates
 * the values against the schema, refuses atomic fields, and merges. A step reports all of its errors, each
 * with its place (struct way). The merge goes by the schema: maps by their keys, lists by the keys of their
 * items, sets by value; other values are replaced. Neither input is changed. If Go would make something else
 * of a value than JSON, is_lacking is set, and there is no result.
 */
#include "typecheck/cel/interpreter/values/configurations.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/objects.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/types/mutation_types.h"
#include "typecheck/golang/goquote.h"

enum { JSON_DEPTH = 1000 };

static const struct str LACKS =
    STR_INIT("vapcheck does not apply a configuration that is no JSON of its schema's types");

/* The place of a value, as errors name it. */
struct way {
    const struct way *outer;
    struct str part; /* ".spec", "[name=\"a\"]", "[0]" */
    struct str name; /* "spec"; empty: it is an item */
};

/* The type that kube-openapi makes of a schema for merges. */
struct merge_type {
    const struct schema_node *node; /* the schema of the place; NULL for any JSON */
    bool is_atomic, preserves;
    const struct schema_node *stated; /* the node that refers to it, with its notes */
};

struct merging {
    struct arena *arena;
    const struct schema *doc;
    struct text errors; /* one after the other */
    struct str between; /* two of them */
    size_t error_count;
    const struct error_names *names; /* of the errors */
    bool is_lacking;
};

/* ---- types ---- */

static struct merge_type type_at(const struct merging *m, uint32_t index, bool preserves)
{
    const struct schema_node *node = &m->doc->nodes[index & SCHEMA_NODE_MASK];
    struct merge_type t = {node, (node->flags & SCHEMA_ATOMIC) != 0, preserves, node};
    t.node = schema_graph_follow(m->doc, node);
    t.is_atomic = t.is_atomic || (t.node->flags & SCHEMA_ATOMIC) != 0;
    t.preserves = t.preserves || (t.node->flags & SCHEMA_PRESERVES_UNKNOWN) != 0;
    if (str_has_suffix(schema_graph_component(m->doc, node), STR(".runtime.RawExtension"))) {
        t.is_atomic = true;
        t.node = NULL;
    }
    return t;
}

static const struct merge_type ANYTHING = {.node = NULL};

/* Sets *out to the type of a field; false if it is not declared. */
static bool field_type(struct merging *m, const struct merge_type *t, struct str key, struct merge_type *out)
{
    *out = ANYTHING;
    if (t->node == NULL)
        return true;
    const struct schema_property *p = schema_graph_find(m->doc, t->node, property_name_of_key(m->arena, key));
    bool is_open =
        t->preserves || t->node->property_count == 0 || (t->node->flags & SCHEMA_ADDITIONAL_TRUE) != 0;
    if (p != NULL)
        *out = type_at(m, p->node, t->preserves);
    else if (t->node->additional != 0)
        *out = type_at(m, t->node->additional, t->preserves);
    else
        return is_open;
    return true;
}

static struct merge_type item_type(const struct merging *m, const struct merge_type *t)
{
    return t->node == NULL || t->node->items == 0 ? ANYTHING : type_at(m, t->node->items, t->preserves);
}

static bool is_atomic_list(const struct merge_type *t)
{
    return t->node == NULL || t->node->type != JSON_ARRAY || t->is_atomic;
}

/* ---- errors ---- */

static void write_way(struct text *t, const struct way *way)
{
    if (way == NULL)
        return;
    write_way(t, way->outer);
    text_add(t, way->part);
}

static struct str way_text(struct merging *m, const struct way *way)
{
    struct text t = {.arena = m->arena};
    write_way(&t, way);
    return text_str(&t);
}

static void add_names(struct merging *m, const struct way *way)
{
    for (; way != NULL; way = way->outer)
        m->names = error_names_add(m->arena, m->names, way->name);
}

static void complain(struct merging *m, const struct way *way, struct str message)
{
    add_names(m, way);
    if (m->error_count++ != 0)
        text_add(&m->errors, m->between);
    write_way(&m->errors, way);
    text_add(&m->errors, way == NULL ? STR("") : STR(": "));
    text_add(&m->errors, message);
}

static struct way step_to(struct merging *m, const struct way *outer, struct str key)
{
    return (struct way){outer, str_join(m->arena, STR_PARTS(STR("."), key)), key};
}

/* ---- keys of items ---- */

/* The names of a list's keys; NULL if it is a set. */
static const struct value_list *keys_of(struct merging *m, const struct merge_type *t)
{
    if (t->stated->note == SCHEMA_NOTE_LOST) {
        m->is_lacking = true;
        return NULL;
    }
    uint32_t text = m->doc->notes[t->stated->note].list_keys;
    const struct value *v = text == 0 ? NULL : json_value_read(m->arena, str_of(m->doc->strings + text));
    return v != NULL && v->kind == VALUE_LIST ? v->list : NULL;
}

static const struct value *default_of_key(struct merging *m, const struct merge_type *item, struct str key)
{
    const struct schema_property *p =
        item->node == NULL ? NULL
                           : schema_graph_find(m->doc, item->node, property_name_of_key(m->arena, key));
    uint32_t text = p == NULL ? 0 : m->doc->notes[m->doc->nodes[p->node].note].default_text;
    return text == 0 ? NULL : json_value_read(m->arena, str_of(m->doc->strings + text));
}

/* The keys and the type of the items of a list. */
struct keyed {
    const struct value_list *keys; /* keys_of() */
    struct merge_type item;
};

/* [name="a"]; empty: the item has none. */
static struct str key_of(struct merging *m, const struct keyed *list, const struct value *item)
{
    const struct value_list *keys = list->keys;
    struct text t = {.arena = m->arena};
    if (keys == NULL) {
        m->is_lacking = m->is_lacking || item->kind == VALUE_MAP || item->kind == VALUE_LIST;
        return str_join(m->arena, STR_PARTS(STR("[="), value_literal(m->arena, item), STR("]")));
    }
    if (item->kind != VALUE_MAP || keys->count > 2) {
        m->is_lacking = true;
        return STR("");
    }
    bool is_turned = keys->count == 2 && str_cmp(keys->items[0]->text, keys->items[1]->text) > 0;
    for (size_t i = 0; i < keys->count; i++) {
        struct str name = keys->items[is_turned ? 1 - i : i]->text;
        const struct value *v = value_map_member(m->arena, item->map, name);
        v = v == NULL ? default_of_key(m, &list->item, name) : v;
        if (v == NULL)
            continue;
        text_add(&t, t.len == 0 ? STR("[") : STR(","));
        text_add(&t, name);
        text_add_char(&t, '=');
        text_add(&t, value_literal(m->arena, v));
    }
    if (t.len == 0)
        return STR("");
    text_add_char(&t, ']');
    return text_str(&t);
}

/* ---- the values that are set ---- */

static void validate(struct merging *m, const struct value *v, const struct merge_type *t,
                     const struct way *way, unsigned depth);

/* Go takes the fields in any order, and stops at one that is not declared: here such a field comes last. */
static void validate_map(struct merging *m, const struct value *v, const struct merge_type *t,
                         const struct way *way, unsigned depth)
{
    const struct value *undeclared = NULL;
    for (size_t i = 0; i < v->map->count && !m->is_lacking; i++) {
        const struct value *key = v->map->entries[i].key;
        const struct way below = step_to(m, way, key->text);
        struct merge_type type;
        if (field_type(m, t, key->text, &type))
            validate(m, v->map->entries[i].value, &type, &below, depth + 1);
        else if (undeclared == NULL)
            undeclared = key;
    }
    if (undeclared != NULL) {
        const struct way below = step_to(m, way, undeclared->text);
        complain(m, &below, STR("field not declared in schema"));
    }
}

static void complain_of_key(struct merging *m, const struct value_list *keys, const struct way *way, size_t i)
{
    struct text names = {.arena = m->arena};
    for (size_t k = 0; k < keys->count; k++) {
        text_add(&names, k == 0 ? STR("") : STR(" "));
        goquote_add(&names, keys->items[k]->text);
    }
    struct str list = text_str(&names);
    complain(m, way,
             str_format(m->arena,
                        "element %zu: associative list with keys has an element that omits all key fields "
                        "[%.*s] (and doesn't have default values for any key fields)",
                        i, STR_ARG(list)));
}

static void validate_list(struct merging *m, const struct value *v, const struct merge_type *t,
                          const struct way *way, unsigned depth)
{
    const bool is_atomic = is_atomic_list(t);
    const bool has_keys = !is_atomic && v->list->count > 0;
    const struct keyed list = {has_keys ? keys_of(m, t) : NULL, item_type(m, t)};
    struct value *seen = value_map_new(m->arena, v->list->count);
    for (size_t i = 0; i < v->list->count && !m->is_lacking; i++) {
        const struct value *item = v->list->items[i];
        struct str key = is_atomic ? str_format(m->arena, "[%zu]", i) : key_of(m, &list, item);
        const struct way below = {way, key, STR("")};
        if (key.len == 0 && list.keys != NULL && !m->is_lacking) {
            complain_of_key(m, list.keys, way, i);
            return;
        }
        const struct value *name = value_string(m->arena, key);
        if (!is_atomic && value_map_at(m->arena, seen->map, name) != NULL)
            complain(m, way, str_join(m->arena, STR_PARTS(STR("duplicate entries for key "), key)));
        value_map_set(m->arena, seen->map, name, &value_true);
        validate(m, item, &list.item, &below, depth + 1);
    }
}

static bool is_scalar_of(const struct value *v, const struct schema_node *node)
{
    bool is_number = v->kind == VALUE_INT || v->kind == VALUE_DOUBLE;
    switch ((enum schema_json_type)node->type) {
    case JSON_STRING:
        return v->kind == VALUE_STRING;
    case JSON_BOOLEAN:
        return v->kind == VALUE_BOOL;
    case JSON_NUMBER:
    case JSON_INTEGER:
        return is_number;
    case JSON_UNTYPED:
        return true;
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    return false;
}

/* Reports a value that stands in place of a number as Go does. Go's messages about other types also show how
 * the value lies in memory, which this evaluator does not know. */
static void refuse_type(struct merging *m, const struct value *v, const struct merge_type *t,
                        const struct way *way)
{
    const bool is_number = t->node != NULL && (t->node->type == JSON_INTEGER || t->node->type == JSON_NUMBER);
    const char *go = v->kind == VALUE_STRING ? "string"
                     : v->kind == VALUE_BOOL ? "bool"
                     : v->kind == VALUE_MAP  ? "map[string]interface {}"
                     : v->kind == VALUE_LIST ? "[]interface {}"
                                             : NULL;
    if (is_number && go != NULL)
        complain(m, way,
                 str_join(m->arena, STR_PARTS(STR("expected numeric (int or float), got "), str_of(go))));
    else
        m->is_lacking = true;
}

static void validate(struct merging *m, const struct value *v, const struct merge_type *t,
                     const struct way *way, unsigned depth)
{
    const bool takes_any = t->node == NULL || t->node->type == JSON_UNTYPED;
    arena_step(m->arena);
    if (depth > JSON_DEPTH)
        arena_fail(m->arena, ARENA_STEPS);
    if (v->kind == VALUE_MAP && (takes_any || t->node->type == JSON_OBJECT))
        validate_map(m, v, t, way, depth);
    else if (v->kind == VALUE_LIST && (takes_any || t->node->type == JSON_ARRAY))
        validate_list(m, v, t, way, depth);
    else if (v->kind == VALUE_MAP || v->kind == VALUE_LIST || (!takes_any && !is_scalar_of(v, t->node)))
        refuse_type(m, v, t, way);
}

static void complain_of_atomic(struct merging *m, const struct way *way)
{
    add_names(m, way);
    complain(m, NULL, way_text(m, way));
}

static void refuse_atomics(struct merging *m, const struct value *v, const struct merge_type *t,
                           const struct way *way)
{
    arena_step(m->arena);
    if (v->kind == VALUE_MAP) {
        if (t->is_atomic)
            complain_of_atomic(m, way);
        for (size_t i = 0; i < v->map->count; i++) {
            struct str key = v->map->entries[i].key->text;
            const struct way below = step_to(m, way, key);
            const struct schema_property *p =
                t->node == NULL ? NULL
                                : schema_graph_find(m->doc, t->node, property_name_of_key(m->arena, key));
            const struct merge_type type = p == NULL ? ANYTHING : type_at(m, p->node, t->preserves);
            if (p != NULL)
                refuse_atomics(m, v->map->entries[i].value, &type, &below);
        }
    }
    if (v->kind == VALUE_LIST) {
        const struct merge_type type = item_type(m, t);
        if (is_atomic_list(t))
            complain_of_atomic(m, way);
        for (size_t i = 0; i < v->list->count; i++) {
            const struct way below = {way, str_format(m->arena, "[%zu]", i), STR("")};
            refuse_atomics(m, v->list->items[i], &type, &below);
        }
    }
}

/* ---- merging ---- */

static const struct value *merge(struct merging *m, const struct value *l, const struct value *r,
                                 const struct merge_type *t, unsigned depth);

static const struct value *merge_maps(struct merging *m, const struct value_map *l, const struct value *r,
                                      const struct merge_type *t, unsigned depth)
{
    struct value *out = value_map_new(m->arena, l->count + r->map->count);
    struct merge_type type;
    out->map->is_json = true;
    for (size_t i = 0; i < l->count; i++) {
        const struct value_entry *e = &l->entries[i];
        const struct value *other = value_map_member(m->arena, r->map, e->key->text);
        (void)field_type(m, t, e->key->text, &type);
        value_map_set(m->arena, out->map, e->key, merge(m, e->value, other, &type, depth + 1));
    }
    for (size_t i = 0; i < r->map->count; i++) {
        const struct value_entry *e = &r->map->entries[i];
        if (value_map_at(m->arena, out->map, e->key) == NULL)
            value_map_set(m->arena, out->map, e->key, e->value);
    }
    return out;
}

/* The items of two lists by key, for a merge. */
struct sides {
    const struct value_list *l, *r;
    struct str *l_keys, *r_keys;
    struct value_map *in_l, *in_r; /* by key: 1 + the index */
    bool *is_merged;               /* by item of r */
};

static struct str *index_items(struct merging *m, const struct value_list *list, const struct keyed *t,
                               struct value_map *out)
{
    struct str *keys = ARENA_ARRAY(m->arena, list->count + 1, struct str);
    for (size_t i = 0; i < list->count; i++) {
        keys[i] = key_of(m, t, list->items[i]);
        const struct value *name = value_string(m->arena, keys[i]);
        m->is_lacking = m->is_lacking || keys[i].len == 0 || value_map_at(m->arena, out, name) != NULL;
        value_map_set(m->arena, out, name, value_int(m->arena, (int64_t)i + 1));
    }
    return keys;
}

/* 1 + the index; 0 if it is not there. */
static size_t find_item(struct merging *m, const struct value_map *index, struct str key)
{
    const struct value *v = value_map_member(m->arena, index, key);
    return v == NULL ? 0 : (size_t)v->integer;
}

/* The next item of r from `from` on that is in l, too. */
static size_t next_shared(struct merging *m, const struct sides *s, size_t from)
{
    while (from < s->r->count && find_item(m, s->in_l, s->r_keys[from]) == 0)
        from++;
    return from;
}

/* Items of l stay where they are, those of r come in their order. */
static const struct value *merge_lists(struct merging *m, const struct value_list *l,
                                       const struct value_list *r, const struct merge_type *t, unsigned depth)
{
    const struct keyed keyed = {keys_of(m, t), item_type(m, t)};
    const struct merge_type type = keyed.item;
    struct sides s = {.l = l, .r = r};
    s.in_l = value_map_new(m->arena, l->count)->map;
    s.in_r = value_map_new(m->arena, r->count)->map;
    s.l_keys = index_items(m, l, &keyed, s.in_l);
    s.r_keys = index_items(m, r, &keyed, s.in_r);
    s.is_merged = ARENA_ARRAY(m->arena, r->count + 1, bool);
    struct value *out = value_new_list(m->arena, l->count + r->count);
    size_t shared = m->is_lacking ? 0 : next_shared(m, &s, 0);
    for (size_t i = 0, k = 0; !m->is_lacking && (i < l->count || k < r->count);) {
        size_t other = i < l->count ? find_item(m, s.in_r, s.l_keys[i]) : 0;
        arena_step(m->arena);
        if (i < l->count && k < r->count && other == k + 1) {
            value_append(m->arena, out->list, merge(m, l->items[i], r->items[k], &type, depth + 1));
            s.is_merged[k] = true;
            shared = shared == k ? next_shared(m, &s, k + 1) : next_shared(m, &s, shared + 1);
            i++;
            k++;
            continue;
        }
        if (i < l->count && k < r->count && other != 0 && shared < r->count && shared != other - 1) {
            i++;
            continue;
        }
        if (i < l->count && other == 0) {
            value_append(m->arena, out->list, l->items[i++]);
            continue;
        }
        if (i < l->count && s.is_merged[other - 1])
            i++;
        if (k < r->count) {
            size_t mine = find_item(m, s.in_l, s.r_keys[k]);
            value_append(m->arena, out->list,
                         merge(m, mine == 0 ? NULL : l->items[mine - 1], r->items[k], &type, depth + 1));
            s.is_merged[k] = true;
            if (shared == k)
                shared = next_shared(m, &s, k + 1);
            k++;
        }
    }
    return out;
}

static const struct value *merge(struct merging *m, const struct value *l, const struct value *r,
                                 const struct merge_type *t, unsigned depth)
{
    arena_step(m->arena);
    if (depth > JSON_DEPTH)
        arena_fail(m->arena, ARENA_STEPS);
    if (r == NULL)
        return l;
    if (l == NULL || l->kind == VALUE_NULL)
        return r;
    if (l->kind == VALUE_MAP && r->kind == VALUE_MAP && !t->is_atomic)
        return l->map->count + r->map->count == 0 ? r : merge_maps(m, l->map, r, t, depth);
    if (l->kind == VALUE_LIST && r->kind == VALUE_LIST && !is_atomic_list(t))
        return l->list->count + r->list->count == 0 ? r : merge_lists(m, l->list, r->list, t, depth);
    return r;
}

/* ---- the configuration ---- */

/* The types' names say where they belong. */
static void check_names(struct merging *m, const struct value *v, struct str way, unsigned depth)
{
    arena_step(m->arena);
    if (depth > JSON_DEPTH)
        arena_fail(m->arena, ARENA_STEPS);
    if (v->kind == VALUE_LIST && !v->list->is_sum && !value_is_typed(v)) {
        for (size_t i = 0; i < v->list->count; i++)
            check_names(m, v->list->items[i], way, depth + 1);
    }
    if (v->kind == VALUE_MAP && !v->map->is_json && !value_is_typed(v)) {
        for (size_t i = 0; i < v->map->count; i++)
            check_names(m, v->map->entries[i].value, way, depth + 1);
    }
    if (v->kind != VALUE_OBJECT)
        return;
    if (!str_eq(v->object->type, way)) {
        m->names = error_names_add(m->arena, m->names, v->object->type);
        complain(m, NULL,
                 str_join(m->arena,
                          STR_PARTS(STR("unexpected type name \""), v->object->type, STR("\", expected \""),
                                    way, STR("\", which matches field name path from root Object type"))));
    }
    for (size_t i = 0; i < v->object->fields->count; i++) {
        const struct value_entry *e = &v->object->fields->entries[i];
        check_names(m, e->value, str_join(m->arena, STR_PARTS(way, STR("."), e->key->text)), depth + 1);
    }
}

/* Returns true if the value is JSON, and Go keeps it so. */
static bool is_json(struct arena *a, const struct value *v, bool is_deep, unsigned depth)
{
    const uint32_t scalars =
        VALUE_KIND(VALUE_BOOL) | VALUE_KIND(VALUE_INT) | VALUE_KIND(VALUE_DOUBLE) | VALUE_KIND(VALUE_STRING);
    bool is = depth <= JSON_DEPTH;
    arena_step(a);
    if ((scalars >> v->kind & 1) != 0)
        return true;
    if (v->kind == VALUE_OBJECT) {
        for (size_t i = 0; is && i < v->object->fields->count; i++)
            is = is_json(a, v->object->fields->entries[i].value, true, depth + 1);
        return is;
    }
    if (v->kind == VALUE_LIST && (is_deep || value_is_typed(v))) {
        for (size_t i = 0; is && i < v->list->count; i++)
            is = is_json(a, v->list->items[i], value_is_typed(v), depth + 1);
        return is;
    }
    if (v->kind != VALUE_MAP || !(is_deep || v->map->is_json))
        return false;
    for (size_t i = 0; is && i < v->map->count; i++)
        is = v->map->entries[i].key->kind == VALUE_STRING &&
             is_json(a, v->map->entries[i].value, v->map->is_json, depth + 1);
    return is;
}

static struct patched end(struct merging *m, const char *prefix)
{
    struct patched out = {.error = STR(""), .missing = STR(""), .names = m->names};
    if (m->is_lacking)
        out.missing = LACKS;
    else
        out.error = str_join(m->arena, STR_PARTS(str_of(prefix), text_str(&m->errors)));
    return out;
}

/* ---- kinds ---- */

static struct str text_at(const struct merging *m, const struct value *object, struct str key)
{
    const struct value *v = value_map_member(m->arena, object->map, key);
    return v == NULL || v->kind != VALUE_STRING ? STR("") : v->text;
}

static void check_kind(struct merging *m, const struct value *object)
{
    struct str api = text_at(m, object, STR("apiVersion")), kind = text_at(m, object, STR("kind"));
    const char *slash = memchr(api.at, '/', api.len);
    struct str group = {api.at, slash == NULL ? 0 : (size_t)(slash - api.at)};
    if (mutation_types_lack_kind(group, kind))
        complain(
            m, NULL,
            str_join(m->arena, STR_PARTS(STR("no corresponding type for "),
                                         slash == NULL ? STR("/") : STR(""), api, STR(", Kind="), kind)));
}

#define UNTYPED "error applying patch: failed to convert patch object to typed object: "

struct patched configurations_merge(struct arena *a, const struct value *configuration,
                                    const struct value *object, const struct schema *doc,
                                    const struct schema_node *root)
{
    static const struct str names[] = {STR_INIT("apiVersion"), STR_INIT("kind")};
    struct merging m = {.arena = a, .doc = doc, .errors = {.arena = a}, .between = STR("\n")};
    const struct merge_type type = {root, false, (root->flags & SCHEMA_PRESERVES_UNKNOWN) != 0, root};
    struct str error;
    check_names(&m, configuration, STR("Object"), 0);
    if (m.error_count != 0)
        return end(&m, "type mismatch: ");
    const struct value *plain =
        is_json(a, configuration, true, 0) ? objects_plain(a, configuration, &error) : NULL;
    if (plain == NULL || object->kind != VALUE_MAP)
        return (struct patched){.error = STR(""), .missing = LACKS};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        value_map_set(a, plain->map, value_string(a, names[i]), value_map_member(a, object->map, names[i]));
    check_kind(&m, object);
    m.between = STR("\n  ");
    if (m.error_count == 0)
        validate(&m, plain, &type, NULL, 0);
    if (m.is_lacking || m.error_count != 0)
        return end(&m, m.error_count > 1 ? UNTYPED "errors:\n  " : UNTYPED);
    m.between = STR(", ");
    refuse_atomics(&m, plain, &type, NULL);
    if (m.error_count != 0)
        return end(&m,
                   "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or "
                   "structs: ");
    const struct value *merged = merge(&m, object, plain, &type, 0);
    if (m.is_lacking)
        return end(&m, "");
    return (struct patched){.object = merged, .error = STR(""), .missing = STR("")};
}
