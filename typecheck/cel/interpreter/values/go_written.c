#include "typecheck/cel/interpreter/values/go_written.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/quantities.h"
#include "typecheck/cel/interpreter/values/times.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/schema/go_type.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/schema/written_fields.h"
#include "typecheck/golang/timestamp.h"

struct str go_written_key(struct go_written *c, const struct schema_property *p)
{
    struct str name = str_of(c->doc->strings + p->name), key = name;
    if (property_name_is_quoted(name))
        return str_skip(name, 1);
    (void)property_name_unescape(c->arena, name, &key);
    return key;
}

const struct value *go_written_default(struct go_written *c, const struct schema_property *p)
{
    const struct schema_node *node = &c->doc->nodes[p->node];
    if (node->note == SCHEMA_NOTE_LOST) {
        c->is_lost = true;
        return NULL;
    }
    uint32_t text = c->doc->notes[node->note].default_text;
    return text == 0 ? NULL : json_value_read(c->arena, str_of(c->doc->strings + text));
}

struct value *go_written_new_map(struct go_written *c, size_t cap)
{
    struct value *v = value_map_new(c->arena, cap);
    v->map->is_json = true;
    return v;
}

static bool is_empty(const struct value *v)
{
    return (v->kind == VALUE_LIST && v->list->count == 0) || (v->kind == VALUE_MAP && v->map->count == 0);
}

/* Returns true if Go writes a list or map even if it has none. */
static bool is_kept(const struct go_type *type, const struct schema_property *p, struct str key)
{
    return (p->is_required && !go_type_omits(type, key)) || go_type_keeps(type, key);
}

/* The value that Go writes for an item that is null: the zero of its type. */
static const struct value *zero_of(struct go_written *c, const struct go_type *type, unsigned depth)
{
    const struct schema_node *node = &c->doc->nodes[type->node];
    switch (go_type_shape(type)) {
    case GO_STRUCT:
        return go_written_complete(c, go_written_new_map(c, 0), type, depth + 1);
    case GO_QUANTITY:
        return value_string(c->arena, STR("0"));
    case GO_DOUBLE:
        return value_double(c->arena, 0);
    case GO_SCALAR:
        break;
    case GO_MAP:
    case GO_LIST:
    case GO_FIELDS:
    case GO_JSON:
        return &value_null;
    }
    if (node->format != FORMAT_OTHER || (node->flags & SCHEMA_INT_OR_STRING) != 0)
        return &value_null;
    return node->type == JSON_STRING    ? value_string(c->arena, STR(""))
           : node->type == JSON_BOOLEAN ? &value_false
                                        : value_int(c->arena, 0);
}

static const struct value *complete_item(struct go_written *c, const struct value *v,
                                         const struct go_type *type, unsigned depth)
{
    return v->kind == VALUE_NULL ? zero_of(c, type, depth) : go_written_complete(c, v, type, depth + 1);
}

/* Returns true if Go writes a field of this type even if it has no value. */
static bool can_be_null(const struct go_written *c, const struct go_type *type)
{
    const struct schema_node *node = &c->doc->nodes[type->node];
    if (node->items == 0 && node->additional == 0) /* a quick answer for most fields */
        return false;
    enum go_shape shape = go_type_shape(type);
    return shape == GO_LIST || shape == GO_MAP; /* a field of another shape is set, or the object refused */
}

/* A struct of Go. written: its fields that Go does not write as the schema says; NULL: it has none. */
struct fields {
    const struct go_type *type;
    const struct written_fields *written;
};

/* The value that Go writes for a field that is not set, by the lists in `written`; NULL: it is in neither
 * list. */
static const struct value *unset_by_type(struct go_written *c, const struct fields *f, struct str key)
{
    if (written_fields_has(f->written->null, key))
        return &value_null;
    return written_fields_has(f->written->zero, key) ? value_string(c->arena, STR("0")) : NULL;
}

/* The value that Go writes for a field that was not sent; NULL: it writes no field. */
static const struct value *unset_field(struct go_written *c, const struct fields *f,
                                       const struct schema_property *p, struct str *key, unsigned depth)
{
    const struct go_type of_field = go_type_property(f->type, p);
    const struct value *v = go_written_default(c, p);
    const bool has_more = f->written != NULL && (*f->written->null != '\0' || *f->written->zero != '\0');
    if (v == NULL && !has_more && !can_be_null(c, &of_field))
        return NULL;
    *key = go_written_key(c, p);
    if (v != NULL)
        return go_type_leaves_out(f->type, *key) ? NULL : go_written_complete(c, v, &of_field, depth + 1);
    if (can_be_null(c, &of_field))
        return is_kept(f->type, p, *key) ? &value_null : NULL;
    return has_more ? unset_by_type(c, f, *key) : NULL;
}

static bool is_zero(const struct value *v)
{
    return (v->kind == VALUE_BOOL && !v->boolean) || (v->kind == VALUE_INT && v->integer == 0) ||
           (v->kind == VALUE_DOUBLE && v->floating == 0) || (v->kind == VALUE_STRING && v->text.len == 0);
}

/* Returns true for a value that Go leaves out, as if it had not been sent. */
static bool is_omitted(const struct fields *f, const struct value *v, struct str key)
{
    return f->written != NULL && is_zero(v) && written_fields_has(f->written->omitted, key);
}

/* The value that Go writes for a field that was sent and is not null; NULL: it writes no field. */
static const struct value *set_field(struct go_written *c, const struct value *sent,
                                     const struct go_type *type, const struct schema_property *p,
                                     struct str key, unsigned depth)
{
    const struct go_type of_field = go_type_property(type, p);
    const struct value *v = go_written_complete(c, sent, &of_field, depth + 1);
    enum go_shape shape = go_type_shape(&of_field);
    bool is_left_out = (shape == GO_LIST || shape == GO_MAP) && is_empty(v) && !is_kept(type, p, key);
    return is_left_out ? NULL : v;
}

/* The entries of the map, by property of the node; NULL: there is none. */
static const struct value_entry **find_properties(struct go_written *c, const struct value_map *json,
                                                  const struct schema_node *node)
{
    const struct value_entry **found =
        ARENA_ARRAY(c->arena, node->property_count, const struct value_entry *);
    for (size_t i = 0; i < json->count; i++) {
        const struct value_entry *e = &json->entries[i];
        const struct schema_property *p =
            schema_graph_find(c->doc, node, property_name_of_key(c->arena, e->key->text));
        arena_step(c->arena);
        if (p != NULL)
            found[p - &c->doc->properties[node->properties]] = e;
    }
    return found;
}

static const struct value *complete_struct(struct go_written *c, const struct value_map *json,
                                           const struct go_type *type, unsigned depth)
{
    const struct schema_node *node = &c->doc->nodes[type->node];
    const struct value_entry **found = find_properties(c, json, node);
    const struct fields f = {type, written_fields_find(go_type_name(type))};
    struct value *out = go_written_new_map(c, json->count);
    for (uint32_t i = 0; i < node->property_count; i++) {
        const struct schema_property *p = &c->doc->properties[node->properties + i];
        const struct value_entry *e = found[i];
        struct str key = STR("");
        bool is_set = e != NULL && e->value->kind != VALUE_NULL && !is_omitted(&f, e->value, e->key->text);
        const struct value *v = is_set ? set_field(c, e->value, type, p, e->key->text, depth)
                                       : unset_field(c, &f, p, &key, depth);
        arena_step(c->arena);
        if (v != NULL)
            value_map_add(c->arena, out->map, e != NULL ? e->key : value_string(c->arena, key), v);
    }
    return out;
}

/* Returns true if Go writes all values of a map of JSON as they were sent: labels, for example. */
static bool is_map_kept(struct go_written *c, const struct value_map *json, const struct go_type *item)
{
    if (!json->is_json || go_type_shape(item) != GO_SCALAR || c->doc->nodes[item->node].format == FORMAT_BYTE)
        return false;
    arena_pay(c->arena, json->count);
    for (size_t i = 0; i < json->count; i++) {
        if (json->entries[i].value->kind == VALUE_NULL)
            return false;
    }
    return true;
}

static const struct value *complete_map(struct go_written *c, const struct value *v,
                                        const struct go_type *type, unsigned depth)
{
    const struct value_map *json = v->map;
    const struct go_type item = go_type_item(type);
    if (is_map_kept(c, json, &item))
        return v;
    struct value *out = go_written_new_map(c, json->count);
    for (size_t i = 0; i < json->count; i++)
        value_map_add(c->arena, out->map, json->entries[i].key,
                      complete_item(c, json->entries[i].value, &item, depth));
    return out;
}

static const struct value *complete_list(struct go_written *c, const struct value_list *json,
                                         const struct go_type *type, unsigned depth)
{
    const struct go_type item = go_type_item(type);
    struct value *out = value_new_list(c->arena, json->count);
    for (size_t i = 0; i < json->count; i++)
        value_append(c->arena, out->list, complete_item(c, json->items[i], &item, depth));
    return out;
}

/* A quantity in canonical form. It may be sent as a number instead of a string. */
static const struct value *complete_quantity(struct go_written *c, const struct value *v)
{
    if (v->kind != VALUE_STRING && v->kind != VALUE_INT && v->kind != VALUE_DOUBLE)
        return v;
    const struct value *text = v->kind == VALUE_STRING ? v : value_string(c->arena, value_text(c->arena, v));
    struct str missing = STR("");
    const struct invocation call = {c->arena, STR("quantity"), &text, 1, NULL, &missing};
    const struct value *quantity = quantities_quantity(&call);
    return value_is_error(quantity) ? v : value_string(c->arena, quantities_text(c->arena, quantity));
}

/* Base64, without the line breaks that Go passes over. */
static const struct value *complete_bytes(struct go_written *c, const struct value *v)
{
    struct text text = {.arena = c->arena};
    if (memchr(v->text.at, '\n', v->text.len) == NULL && memchr(v->text.at, '\r', v->text.len) == NULL)
        return v;
    arena_pay(c->arena, v->text.len);
    for (size_t i = 0; i < v->text.len; i++) {
        if (v->text.at[i] != '\n' && v->text.at[i] != '\r')
            text_add_char(&text, v->text.at[i]);
    }
    return value_string(c->arena, text_str(&text));
}

/* A time, written in UTC with whole seconds; a MicroTime keeps its microseconds. */
static const struct value *complete_time(struct go_written *c, const struct value *v,
                                         const struct go_type *type)
{
    const bool is_micro = str_has_suffix(go_type_name(type), STR(".MicroTime"));
    struct timestamp t = {0};
    if (v->text.len == 0 || !timestamp_read(v->text, &t) ||
        (is_micro && t.offset_seconds == 0 && v->text.at[v->text.len - 1] == 'Z'))
        return v;
    const struct value *seconds = times_of_seconds(c->arena, t.seconds);
    if (value_is_error(seconds))
        return v;
    const struct str text = times_timestamp_text(c->arena, seconds);
    return value_string(c->arena, is_micro ? str_format(c->arena, "%.*s.%06dZ", (int)(text.len - 1), text.at,
                                                        t.nanoseconds / 1000)
                                           : text);
}

static const struct value *complete_scalar(struct go_written *c, const struct value *v,
                                           const struct go_type *type)
{
    const struct schema_node *node = &c->doc->nodes[type->node];
    if (v->kind != VALUE_STRING || node->type != JSON_STRING)
        return v;
    switch ((enum schema_format)node->format) {
    case FORMAT_BYTE:
        return complete_bytes(c, v);
    case FORMAT_DATE_TIME:
        return complete_time(c, v, type);
    case FORMAT_DATE:
    case FORMAT_DURATION:
    case FORMAT_OTHER:
        break;
    }
    return v;
}

const struct value *go_written_complete(struct go_written *c, const struct value *v,
                                        const struct go_type *type, unsigned depth)
{
    enum go_shape shape = go_type_shape(type);
    arena_step(c->arena);
    if (depth > GO_WRITTEN_DEPTH)
        arena_fail(c->arena, ARENA_STEPS);
    if (shape == GO_STRUCT && v->kind == VALUE_MAP)
        return complete_struct(c, v->map, type, depth);
    if (shape == GO_MAP && v->kind == VALUE_MAP)
        return complete_map(c, v, type, depth);
    if (shape == GO_LIST && v->kind == VALUE_LIST)
        return complete_list(c, v->list, type, depth);
    if (shape == GO_SCALAR)
        return complete_scalar(c, v, type);
    return shape == GO_QUANTITY ? complete_quantity(c, v) : v;
}
