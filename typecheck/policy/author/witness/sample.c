#include "typecheck/policy/author/witness/sample.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/golang/gonumber.h"

/* The depth up to which required fields within required fields are made; the number of items that are made at
 * once. */
enum { REQUIRED_DEPTH = 16, ITEMS_MAX = 64 };

/* ---- schemas ---- */

/* The schema of a property or an item: still with its name, if it has one. */
static struct sample_schema schema_at(const struct schema *doc, uint32_t index)
{
    return (struct sample_schema){doc, index == 0 ? NULL : &doc->nodes[index]};
}

static const struct schema_node *resolve(struct sample_schema s)
{
    return s.node == NULL ? NULL : schema_graph_follow(s.doc, s.node);
}

static bool is_component(struct sample_schema s, struct str suffix)
{
    return s.node != NULL && str_has_suffix(schema_graph_component(s.doc, s.node), suffix);
}

static bool is_quantity(struct sample_schema s)
{
    return is_component(s, STR("api.resource.Quantity"));
}

/* The text up to the quotation mark that ends it. */
static size_t quoted_length(struct str s, bool *is_escaped)
{
    size_t i = 0;
    *is_escaped = false;
    for (; i < s.len && s.at[i] != '"'; i++) {
        *is_escaped = *is_escaped || s.at[i] == '\\';
        i += s.at[i] == '\\';
    }
    return i < s.len ? i : s.len;
}

/* The values that a string may have, one after the other; those that JSON escapes are passed over. */
static bool next_choice(struct str *list, struct str *out)
{
    bool is_escaped = true;
    while (is_escaped) {
        const char *start = memchr(list->at, '"', list->len);
        if (start == NULL)
            return false;
        struct str rest = str_skip(*list, (size_t)(start - list->at) + 1);
        size_t len = quoted_length(rest, &is_escaped);
        *out = (struct str){rest.at, len};
        *list = str_skip(rest, len < rest.len ? len + 1 : len);
    }
    return true;
}

static struct str choices_of(struct sample_schema s)
{
    const struct schema_node *node = resolve(s);
    return node == NULL ? STR("") : schema_graph_enum(s.doc, node);
}

static bool takes_text(struct sample_schema s, struct str text)
{
    struct str list = choices_of(s), choice;
    bool has_any = list.len == 0;
    while (!has_any && next_choice(&list, &choice))
        has_any = str_eq(choice, text);
    return has_any;
}

static bool takes(struct sample_schema s, enum sample_kind kind)
{
    const struct schema_node *node = resolve(s);
    if (node == NULL)
        return true;
    if (kind == SAMPLE_NULL)
        return ((node->flags | s.node->flags) & SCHEMA_NULLABLE) != 0;
    if (is_quantity(s))
        return kind == SAMPLE_STRING;
    if ((node->flags & SCHEMA_INT_OR_STRING) != 0)
        return kind == SAMPLE_STRING || kind == SAMPLE_NUMBER;
    switch ((enum schema_json_type)node->type) {
    case JSON_UNTYPED:
        return true;
    case JSON_ARRAY:
        return kind == SAMPLE_LIST;
    case JSON_OBJECT:
        return kind == SAMPLE_MAP;
    case JSON_STRING:
        return kind == SAMPLE_STRING;
    case JSON_BOOLEAN:
        return kind == SAMPLE_BOOL;
    case JSON_NUMBER:
    case JSON_INTEGER:
        return kind == SAMPLE_NUMBER;
    }
    return true;
}

/* Sets *out to the schema of a member; returns false if there can be no such member. */
static bool find_schema(struct arena *a, struct sample_schema s, struct str key, struct sample_schema *out)
{
    const struct schema_node *node = resolve(s);
    *out = (struct sample_schema){s.doc, NULL};
    if (node == NULL)
        return true;
    const struct schema_property *p = schema_graph_find(s.doc, node, property_name_of_key(a, key));
    if (p != NULL)
        *out = schema_at(s.doc, p->node);
    else if (node->additional != 0)
        *out = schema_at(s.doc, node->additional & SCHEMA_NODE_MASK);
    return p != NULL || node->additional != 0 || schema_graph_takes_members(node);
}

/* ---- making ---- */

static struct sample *make(struct arena *a, struct sample_schema schema, unsigned depth);

static struct sample *new_sample(struct arena *a, struct sample_schema schema, enum sample_kind kind,
                                 struct str text)
{
    struct sample *s = ARENA_NEW(a, struct sample);
    s->schema = schema;
    s->kind = kind;
    s->text = text;
    return s;
}

static void append(struct sample *s, struct sample *part)
{
    struct sample **end = &s->first;
    while (*end != NULL)
        end = &(*end)->next;
    *end = part;
}

static struct sample *add_member(struct arena *a, struct sample *s, struct str key, struct sample *member)
{
    member->key = str_copy(a, key);
    append(s, member);
    return member;
}

static struct str key_of(struct arena *a, struct str name)
{
    struct str key;
    if (property_name_is_quoted(name))
        return str_skip(name, 1);
    return property_name_unescape(a, name, &key) ? key : name;
}

static void add_required(struct arena *a, struct sample *s, unsigned depth)
{
    const struct schema *doc = s->schema.doc;
    const struct schema_node *node = resolve(s->schema);
    if (node == NULL || depth > REQUIRED_DEPTH)
        return;
    for (uint32_t i = 0; i < node->property_count; i++) {
        const struct schema_property *p = &doc->properties[node->properties + i];
        arena_step(a);
        if (!p->is_required)
            continue;
        struct str name = str_of(doc->strings + p->name);
        struct sample *member =
            add_member(a, s, key_of(a, name), make(a, schema_at(doc, p->node), depth + 1));
        member->is_fixed = true;
        if (member->kind == SAMPLE_LIST && sample_item(a, member, 0) != NULL)
            member->first->is_fixed = true; /* required lists are seldom accepted as empty ones */
    }
}

/* The first of those that there may be. */
static struct str text_of(struct sample_schema s, const struct schema_node *node)
{
    struct str list = schema_graph_enum(s.doc, node), text;
    if (next_choice(&list, &text))
        return text;
    switch ((enum schema_format)node->format) {
    case FORMAT_BYTE:
        return STR("YQ==");
    case FORMAT_DATE:
        return STR("2026-01-01");
    case FORMAT_DATE_TIME:
        return STR("2026-01-01T00:00:00Z");
    case FORMAT_DURATION:
        return STR("1s");
    case FORMAT_OTHER:
        break;
    }
    return STR("a");
}

static struct sample *make(struct arena *a, struct sample_schema schema, unsigned depth)
{
    const struct schema_node *node = resolve(schema);
    arena_step(a);
    if (node == NULL)
        return new_sample(a, schema, SAMPLE_STRING, STR("a"));
    if (is_quantity(schema))
        return new_sample(a, schema, SAMPLE_STRING, STR("1"));
    if ((node->flags & SCHEMA_INT_OR_STRING) != 0)
        return new_sample(a, schema, SAMPLE_NUMBER, STR("1"));
    switch ((enum schema_json_type)node->type) {
    case JSON_ARRAY:
        return new_sample(a, schema, SAMPLE_LIST, STR(""));
    case JSON_STRING:
        return new_sample(a, schema, SAMPLE_STRING, text_of(schema, node));
    case JSON_BOOLEAN:
        return new_sample(a, schema, SAMPLE_BOOL, STR("true"));
    case JSON_NUMBER:
    case JSON_INTEGER:
        return new_sample(a, schema, SAMPLE_NUMBER, STR("1"));
    case JSON_UNTYPED:
    case JSON_OBJECT:
        break;
    }
    struct sample *s = new_sample(a, schema, SAMPLE_MAP, STR(""));
    add_required(a, s, depth);
    return s;
}

struct sample *sample_new(struct arena *a, struct sample_schema schema)
{
    return make(a, schema, 0);
}

struct sample *sample_new_string(struct arena *a, struct str text)
{
    return new_sample(a, (struct sample_schema){NULL, NULL}, SAMPLE_STRING, text);
}

struct sample *sample_copy(struct arena *a, const struct sample *s)
{
    struct sample *copy = ARENA_NEW(a, struct sample), **end = &copy->first;
    arena_step(a);
    *copy = *s;
    copy->next = NULL;
    copy->first = NULL;
    for (const struct sample *part = s->first; part != NULL; part = part->next) {
        *end = sample_copy(a, part);
        end = &(*end)->next;
    }
    return copy;
}

/* ---- parts ---- */

struct sample *sample_find(const struct sample *s, struct str key)
{
    struct sample *part = s->kind == SAMPLE_MAP ? s->first : NULL;
    while (part != NULL && !str_eq(part->key, key))
        part = part->next;
    return part;
}

/* Makes the sample a value of that kind, if its schema takes one. */
static bool become(struct arena *a, struct sample *s, enum sample_kind kind)
{
    if (s->kind == kind)
        return true;
    if (!takes(s->schema, kind))
        return false;
    s->kind = kind;
    s->text = STR("");
    s->first = NULL;
    if (kind == SAMPLE_MAP)
        add_required(a, s, 0);
    return true;
}

struct sample *sample_field(struct arena *a, struct sample *s, struct str key)
{
    struct sample_schema schema;
    arena_step(a);
    if (!become(a, s, SAMPLE_MAP))
        return NULL;
    struct sample *found = sample_find(s, key);
    if (found != NULL)
        return found;
    return find_schema(a, s->schema, key, &schema) ? add_member(a, s, key, make(a, schema, 0)) : NULL;
}

size_t sample_count(const struct sample *s)
{
    size_t count = 0;
    for (const struct sample *part = s->first; part != NULL; part = part->next)
        count++;
    return count;
}

struct sample *sample_item(struct arena *a, struct sample *s, size_t index)
{
    if (index >= ITEMS_MAX || !become(a, s, SAMPLE_LIST))
        return NULL;
    const struct schema_node *node = resolve(s->schema);
    const struct sample_schema schema =
        node == NULL ? s->schema : schema_at(s->schema.doc, node->items & SCHEMA_NODE_MASK);
    for (size_t count = sample_count(s); count <= index; count++)
        append(s, make(a, schema, 0));
    struct sample *item = s->first;
    while (index-- > 0)
        item = item->next;
    return item;
}

struct sample *sample_fix(struct arena *a, struct sample *s, struct str key, struct str text)
{
    struct sample *member = sample_field(a, s, key);
    if (member == NULL)
        member = add_member(a, s, key, sample_new_string(a, text));
    member->kind = SAMPLE_STRING;
    member->text = text;
    member->is_fixed = true;
    return member;
}

void sample_say(struct arena *a, struct sample *s, struct str key, struct str text)
{
    sample_fix(a, s, key, text)->is_said = true;
}

void sample_add(struct sample *s, struct sample *members)
{
    for (struct sample *next; members != NULL; members = next) {
        next = members->next;
        members->next = NULL;
        if (sample_find(s, members->key) == NULL)
            append(s, members);
    }
}

bool sample_remove(struct sample *s, const struct sample *part)
{
    struct sample **at = &s->first;
    while (*at != NULL && *at != part)
        at = &(*at)->next;
    if (*at == NULL || part->is_fixed)
        return false;
    *at = part->next;
    return true;
}

void sample_clear(struct sample *s)
{
    if (s->kind == SAMPLE_LIST)
        s->first = NULL;
}

static bool add_part(struct arena *a, struct sample *s, size_t count)
{
    if (s->kind == SAMPLE_LIST)
        return sample_item(a, s, count) != NULL;
    return sample_field(a, s, str_format(a, "k%zu", count)) != NULL;
}

bool sample_resize(struct arena *a, struct sample *s, size_t count)
{
    if (count > ITEMS_MAX || (s->kind != SAMPLE_LIST && s->kind != SAMPLE_MAP))
        return false;
    for (size_t now = sample_count(s); now < count; now++) {
        if (!add_part(a, s, now))
            return false;
    }
    for (size_t now = sample_count(s); now > count; now--) {
        const struct sample *last = s->first;
        while (last != NULL && last->next != NULL)
            last = last->next;
        if (last == NULL || !sample_remove(s, last))
            return false;
    }
    return true;
}

/* ---- values ---- */

static bool set(struct sample *s, enum sample_kind kind, struct str text)
{
    if (s->is_said || !takes(s->schema, kind))
        return false;
    s->kind = kind;
    s->text = text;
    s->first = NULL;
    return true;
}

bool sample_set_string(struct sample *s, struct str text)
{
    if ((s->names != NULL && s->names->is_fixed) || !takes_text(s->schema, text))
        return false;
    if (s->names != NULL)
        s->names->key = text;
    return set(s, SAMPLE_STRING, text);
}

bool sample_set_other(struct sample *s, struct str than, struct str text)
{
    struct str list = choices_of(s->schema), choice = text;
    bool has_choices = list.len != 0;
    while (has_choices && next_choice(&list, &choice) && str_eq(choice, than))
        ;
    return !str_eq(choice, than) && sample_set_string(s, choice);
}

bool sample_set_int(struct arena *a, struct sample *s, int64_t value)
{
    return set(s, SAMPLE_NUMBER, str_format(a, "%lld", (long long)value));
}

bool sample_set_double(struct arena *a, struct sample *s, double value)
{
    const struct schema_node *node = resolve(s->schema);
    bool is_whole = node != NULL && node->type == JSON_INTEGER;
    return !is_whole && set(s, SAMPLE_NUMBER, gonumber_double_text(a, value));
}

bool sample_set_bool(struct sample *s, bool value)
{
    return set(s, SAMPLE_BOOL, value ? STR("true") : STR("false"));
}

bool sample_set_null(struct sample *s)
{
    return !s->is_fixed && set(s, SAMPLE_NULL, STR(""));
}

void sample_reset(struct arena *a, struct sample *s)
{
    const struct sample *made = make(a, s->schema, 0);
    s->kind = made->kind;
    s->text = made->text;
    s->first = made->first;
}

bool sample_is_int_or_string(const struct sample *s)
{
    const struct schema_node *node = resolve(s->schema);
    return node != NULL && !is_quantity(s->schema) && (node->flags & SCHEMA_INT_OR_STRING) != 0;
}

bool sample_is_left_out(const struct sample *s)
{
    const struct schema_node *node = resolve(s->schema);
    bool is_map = s->kind == SAMPLE_MAP && node != NULL && node->additional != 0;
    return (s->kind == SAMPLE_LIST || is_map) && s->first == NULL && !s->is_fixed;
}

void sample_zero(struct arena *a, struct sample *s)
{
    sample_reset(a, s);
    for (struct sample *part = s->first; part != NULL; part = part->next) {
        if (part->kind == SAMPLE_NUMBER)
            part->text = STR("0");
        else if (part->kind == SAMPLE_STRING)
            part->text = STR("");
        else if (part->kind == SAMPLE_BOOL)
            part->text = STR("false");
        else
            sample_zero(a, part);
    }
}

/* ---- text ---- */

static void write_string(struct text *t, struct str s)
{
    static const char digits[] = "0123456789abcdef";
    text_add_char(t, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        if (c == '"' || c == '\\')
            text_add_char(t, '\\');
        if (c >= 0x20) {
            text_add_char(t, (char)c);
            continue;
        }
        text_add(t, STR("\\u00"));
        text_add_char(t, digits[c >> 4]);
        text_add_char(t, digits[c & 15]);
    }
    text_add_char(t, '"');
}

static void write_parts(struct text *t, const struct sample *s);

static void write(struct text *t, const struct sample *s)
{
    arena_step(t->arena);
    switch (s->kind) {
    case SAMPLE_NULL:
        text_add(t, STR("null"));
        break;
    case SAMPLE_BOOL:
    case SAMPLE_NUMBER:
        text_add(t, s->text);
        break;
    case SAMPLE_STRING:
        write_string(t, s->text);
        break;
    case SAMPLE_LIST:
    case SAMPLE_MAP:
        write_parts(t, s);
        break;
    }
}

static void write_parts(struct text *t, const struct sample *s)
{
    bool is_map = s->kind == SAMPLE_MAP;
    text_add_char(t, is_map ? '{' : '[');
    for (const struct sample *part = s->first; part != NULL; part = part->next) {
        if (part != s->first)
            text_add_char(t, ',');
        if (is_map) {
            write_string(t, part->key);
            text_add_char(t, ':');
        }
        write(t, part);
    }
    text_add_char(t, is_map ? '}' : ']');
}

struct str sample_text(struct arena *a, const struct sample *s)
{
    struct text t = {.arena = a};
    write(&t, s);
    return text_str(&t);
}
