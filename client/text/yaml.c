#include "client/text/yaml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"
#include "client/base/pool.h"
#include "client/text/jsonval.h"
#include "client/text/yaml_json.h"
#include "client/text/yaml_keys.h"
#include "client/text/yaml_lines.h"
#include "client/text/yaml_scalar.h"
#include "client/text/yaml_text.h"

/* A node under construction and what only the builder needs of it. The public part is first, so
 * that a pointer to it is a pointer to the whole. */
struct node {
    struct yaml_node pub;
    struct yaml_node **children;
    struct node *next; /* of all nodes, each of which holds its JSON */
    uint32_t room;     /* for so many children */
    uint32_t expanded; /* bytes of its text with every alias written out */
    uint32_t depth;    /* of nodes below it, aliases written out */
    bool is_mapping;   /* its JSON is an object */
    bool is_open;      /* its end was not seen yet */
    bool is_merged;    /* a member that came through << */
    bool is_known;     /* a member whose key is of yaml_keys */
    /* The place of each member in an open mapping into which << put members; else NULL. */
    struct lh_table *places;
};

struct yaml {
    struct pool pool; /* nodes, their keys and lists of children */
    char *bytes;      /* the text, and what stands before it; NULL: the caller's */
    char *text;
    size_t len;
    struct yaml_lines lines;
    struct node *all;
    size_t n_nodes;
    struct node **roots;
    size_t n_roots;
};

/* A key whose value comes next. */
struct pending {
    const char *key; /* it is NULL while a key is awaited */
    bool is_merge;   /* it is << */
    bool is_known;   /* it is of yaml_keys */
    struct yaml_place start;
};

struct builder {
    struct yaml *yaml;
    yaml_parser_t parser; /* reads one part of the text, which begins at: */
    yaml_mark_t base;     /* its index is in bytes */
    struct node *stack[YAML_DEPTH];
    size_t depth;
    struct pending member;              /* in the innermost collection */
    struct pending members[YAML_DEPTH]; /* in those around it */
    struct lh_table *anchors;           /* of this document, by name; NULL: none yet */
    yaml_reduce *reduce; /* a callback that may replace a tree by less; NULL if all trees are needed */
    void *user;
    struct pool marks[2]; /* of the document at hand, and of its item at hand: what was there before them */
    size_t alias_bytes;
    struct yaml_place *where;
    struct err *err;
};

static struct yaml_place place_of(yaml_mark_t mark)
{
    return yaml_place_at(mark.line + 1, mark.column + 1);
}

static int fail(struct builder *b, enum err_code code, yaml_mark_t mark, const char *what, const char *detail)
{
    *b->where = place_of(mark);
    return err_set(b->err, code, "%s%.200s", what, detail);
}

static size_t offset_of(struct yaml *y, yaml_mark_t mark)
{
    return yaml_lines_offset(&y->lines, mark.line, mark.column);
}

/* The mark of a byte at or behind another one. */
static yaml_mark_t advance(const struct yaml *y, yaml_mark_t from, size_t at)
{
    const size_t *starts = y->lines.starts;
    at = at < y->len ? at : y->len;
    yaml_mark_t to = from;
    while (to.line + 1 < y->lines.count && starts[to.line + 1] <= at)
        to.line++;
    const size_t start = to.line == from.line ? from.index : starts[to.line];
    to.column = (to.line == from.line ? from.column : 0) + utf8_count(y->text + start, at - start);
    to.index = at;
    return to;
}

/* A copy of a node, which is in the list of all. */
static struct node *add_node(struct yaml *y, const struct node *of)
{
    struct node *n = pool_alloc(&y->pool, sizeof *n);
    *n = *of;
    n->next = y->all;
    y->all = n;
    y->n_nodes++;
    return n;
}

static struct node *new_node(struct builder *b, enum yaml_style style, yaml_mark_t start)
{
    const struct yaml_place place = place_of(start);
    return add_node(b->yaml, &(struct node){.pub = {.style = style, .start = place, .text = place}});
}

static enum yaml_style style_of(yaml_scalar_style_t style)
{
    static const enum yaml_style styles[] = {
        [YAML_ANY_SCALAR_STYLE] = YAML_PLAIN,
        [YAML_PLAIN_SCALAR_STYLE] = YAML_PLAIN,
        [YAML_SINGLE_QUOTED_SCALAR_STYLE] = YAML_SINGLE_QUOTED,
        [YAML_DOUBLE_QUOTED_SCALAR_STYLE] = YAML_DOUBLE_QUOTED,
        [YAML_LITERAL_SCALAR_STYLE] = YAML_LITERAL,
        [YAML_FOLDED_SCALAR_STYLE] = YAML_FOLDED,
    };
    return styles[style];
}

static size_t leading_spaces(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && *p == ' ')
        p++;
    return (size_t)(p - start);
}

/* Leading spaces of the first line that holds anything else. */
static size_t first_indent(const char *p, const char *end)
{
    while (p < end) {
        const size_t spaces = leading_spaces(p, end);
        const char *at = p + spaces;
        if (at == end)
            return 0;
        const size_t n = yaml_lines_break(at, end);
        if (!n)
            return spaces;
        p = at + n;
    }
    return 0;
}

/* A block's text begins on the line behind its header, behind the indentation, which is what the
 * first line has more in the file than in the value. */
static void locate_block(struct yaml *y, struct node *n, yaml_mark_t start, size_t end_offset,
                         const char *value, size_t value_len)
{
    const size_t line = start.line + 1;
    if (line >= y->lines.count)
        return;
    const size_t start_offset = y->lines.starts[line];
    const char *from = y->text + start_offset;
    const char *end = y->text + (end_offset > start_offset ? end_offset : start_offset);
    const size_t in_file = first_indent(from, end);
    const size_t in_value = first_indent(value, value + value_len);
    n->pub.indent = in_file > in_value ? (uint32_t)(in_file - in_value) : 0;
    size_t skip = leading_spaces(from, end);
    skip = skip < n->pub.indent ? skip : n->pub.indent;
    n->pub.text = yaml_place_at(line + 1, n->pub.indent + 1);
    n->pub.source = from + skip;
    n->pub.source_len = (uint32_t)(end - n->pub.source);
}

/* A scalar's event begins at its tag and anchor, the scalar behind them. */
static yaml_mark_t skip_properties(struct yaml *y, const yaml_event_t *e)
{
    yaml_mark_t mark = e->start_mark;
    size_t at = offset_of(y, mark);
    const size_t end = offset_of(y, e->end_mark);
    while (at < end && strchr("&!# \t\r\n", y->text[at])) {
        const bool is_comment = y->text[at] == '#';
        const bool is_property = y->text[at] == '&' || y->text[at] == '!';
        do {
            at++;
        } while (at < end && ((is_comment && !strchr("\r\n", y->text[at])) ||
                              (is_property && !strchr(" \t\r\n", y->text[at]))));
    }
    mark.index = offset_of(y, mark);
    return advance(y, mark, at);
}

static void locate_scalar(struct builder *b, struct node *n, const yaml_event_t *e)
{
    struct yaml *y = b->yaml;
    const uint32_t quote = n->pub.style == YAML_SINGLE_QUOTED || n->pub.style == YAML_DOUBLE_QUOTED ? 1 : 0;
    const bool has_properties = e->data.scalar.anchor || e->data.scalar.tag;
    const yaml_mark_t mark = has_properties ? skip_properties(y, e) : e->start_mark;
    size_t start = offset_of(y, mark);
    size_t end = offset_of(y, e->end_mark);
    n->pub.start = place_of(mark);
    n->pub.text = n->pub.start;
    if (n->pub.style == YAML_LITERAL || n->pub.style == YAML_FOLDED) {
        n->pub.source = y->text + start;
        locate_block(y, n, mark, end, (const char *)e->data.scalar.value, e->data.scalar.length);
        return;
    }
    start += quote;
    end -= end > start ? quote : 0;
    n->pub.text.column += quote;
    n->pub.source = y->text + start;
    n->pub.source_len = end > start ? (uint32_t)(end - start) : 0;
}

static void forget_key(struct lh_entry *entry)
{
    char *key;
    memcpy(&key, &entry->k, sizeof key);
    mem_free(key);
}

/* The keys of the table are texts, which it copies. */
static struct lh_table *new_table(void)
{
    enum { FEW = 16 };
    return lh_kchar_table_new(FEW, forget_key);
}

static void remember(struct lh_table *table, const char *key, void *value)
{
    struct lh_entry *there = lh_table_lookup_entry(table, key);
    if (there != NULL)
        there->v = value;
    else
        lh_table_insert(table, mem_strdup(key), value);
}

static void forget(struct lh_table **table)
{
    if (*table != NULL)
        lh_table_free(*table);
    *table = NULL;
}

static void remember_place(struct node *mapping, size_t index)
{
    remember(mapping->places, mapping->children[index]->key, (void *)(uintptr_t)index);
}

static void add_child(struct builder *b, struct node *parent, struct node *child)
{
    enum { FEW = 4 };
    const uint32_t n = parent->pub.n_children;
    if (n == parent->room) {
        struct yaml_node **before = parent->children;
        parent->room = n == 0 ? FEW : 2 * n;
        parent->children = pool_alloc(&b->yaml->pool, parent->room * sizeof(struct yaml_node *));
        if (n > 0)
            memcpy(parent->children, before, n * sizeof(struct yaml_node *));
    }
    parent->children[parent->pub.n_children++] = &child->pub;
    if (parent->places != NULL)
        remember_place(parent, parent->pub.n_children - 1);
}

/* The place of a member in the list of children; there must be one. */
static size_t index_of(struct node *mapping, const char *key)
{
    void *index = NULL;
    if (mapping->places == NULL) {
        mapping->places = new_table();
        for (size_t i = 0; i < mapping->pub.n_children; i++)
            remember_place(mapping, i);
    }
    lh_table_lookup_ex(mapping->places, key, &index);
    return (size_t)(uintptr_t)index;
}

/* A node that stands in another place with the same content. */
static struct node *new_alias(struct builder *b, const struct node *of)
{
    struct node *n = add_node(b->yaml, of);
    n->pub.json = json_object_get(of->pub.json);
    n->pub.key = NULL;
    n->places = NULL;
    return n;
}

/* Puts a member in; its key is already the node's. One that came by << replaces what is there, as
 * go-yaml does it; twice the same key otherwise is an error. */
static int put_member(struct builder *b, struct node *mapping, struct node *value, yaml_mark_t mark)
{
    struct lh_table *members = json_object_get_object(mapping->pub.json);
    const char *key = value->pub.key;
    const unsigned long hash = lh_get_hash(members, key);
    struct lh_entry *known = lh_table_lookup_entry_w_hash(members, key, hash);
    if (known == NULL) {
        add_child(b, mapping, value);
    } else {
        struct yaml_node **there = &mapping->children[index_of(mapping, key)];
        if (!((struct node *)*there)->is_merged && !value->is_merged) {
            mark.line = value->pub.key_start.line - 1;
            mark.column = value->pub.key_start.column - 1;
            return fail(b, ERR_INVALID, mark, "duplicate key ", key);
        }
        *there = &value->pub;
    }
    struct json_object *json = json_object_get(value->pub.json);
    if (known != NULL)
        jsonval_set(mapping->pub.json, key, json);
    else if (value->is_known)
        lh_table_insert_w_hash(members, key, json, hash, JSON_C_OBJECT_KEY_IS_CONSTANT);
    else
        lh_table_insert_w_hash(members, mem_strdup(key), json, hash, 0);
    return 0;
}

static int expand(struct builder *b, size_t bytes, yaml_mark_t mark)
{
    if (bytes > (size_t)YAML_ALIAS_CAP_BYTES - b->alias_bytes)
        return fail(b, ERR_LIMIT, mark, "aliases expand beyond 10 MB", "");
    b->alias_bytes += bytes;
    return 0;
}

/* The members are copied, so they count with the memory that this takes. */
static int merge_one(struct builder *b, struct node *mapping, const struct node *from, yaml_mark_t mark)
{
    if (!json_object_is_type(from->pub.json, json_type_object))
        return fail(b, ERR_INVALID, mark, "<< needs a mapping or a sequence of mappings", "");
    if (expand(b, from->pub.n_children * sizeof(struct node), mark) != 0)
        return -1;
    for (size_t i = 0; i < from->pub.n_children; i++) {
        struct node *copy = new_alias(b, (const struct node *)from->children[i]);
        copy->pub.key = from->children[i]->key;
        copy->is_merged = true;
        if (put_member(b, mapping, copy, mark) != 0)
            return -1;
    }
    return 0;
}

/* The first mapping of a sequence has precedence, so it is merged last. */
static int merge(struct builder *b, struct node *mapping, const struct node *value, yaml_mark_t mark)
{
    if (!json_object_is_type(value->pub.json, json_type_array))
        return merge_one(b, mapping, value, mark);
    for (size_t i = value->pub.n_children; i > 0; i--) {
        if (merge_one(b, mapping, (const struct node *)value->children[i - 1], mark) != 0)
            return -1;
    }
    return 0;
}

/* No sum overflows: the text, and the text to which its aliases expand, are capped when they are read. */
static int account(struct builder *b, struct node *parent, const struct node *child, yaml_mark_t mark)
{
    parent->expanded += child->expanded;
    if (child->depth + 1 > parent->depth)
        parent->depth = child->depth + 1;
    if (b->depth + child->depth > YAML_DEPTH)
        return fail(b, ERR_LIMIT, mark, "nested too deeply", "");
    return 0;
}

/* A complete node goes into the collection that is open, or becomes a document. */
static int attach(struct builder *b, struct node *n, yaml_mark_t mark)
{
    struct yaml *y = b->yaml;
    if (b->depth == 0) {
        y->roots = mem_grow(y->roots, y->n_roots, sizeof(struct node *));
        y->roots[y->n_roots++] = n;
        return 0;
    }
    struct node *parent = b->stack[b->depth - 1];
    if (account(b, parent, n, mark) != 0)
        return -1;
    if (!parent->is_mapping) {
        jsonval_append(parent->pub.json, json_object_get(n->pub.json));
        add_child(b, parent, n);
        return 0;
    }
    const struct pending member = b->member;
    b->member.key = NULL;
    if (member.is_merge)
        return merge(b, parent, n, mark);
    n->pub.key = member.key;
    n->pub.key_start = member.start;
    n->is_known = member.is_known;
    parent->expanded += (uint32_t)strlen(member.key) + 1;
    return put_member(b, parent, n, mark);
}

static bool awaits_key(const struct builder *b)
{
    return b->depth > 0 && !b->member.key && b->stack[b->depth - 1]->is_mapping;
}

static void set_anchor(struct builder *b, const yaml_char_t *name, struct node *n)
{
    if (!name)
        return;
    if (b->anchors == NULL)
        b->anchors = new_table();
    remember(b->anchors, (const char *)name, n);
}

static const struct node *find_anchor(const struct builder *b, const char *name)
{
    void *found = NULL;
    if (b->anchors != NULL)
        lh_table_lookup_ex(b->anchors, name, &found);
    return found;
}

static const char *text_or_empty(const yaml_char_t *text)
{
    return text ? (const char *)text : "";
}

static int on_key(struct builder *b, const yaml_event_t *e)
{
    const char *text = (const char *)e->data.scalar.value;
    const char *tag = text_or_empty(e->data.scalar.tag), *key;
    const bool is_bare = e->data.scalar.tag == NULL && e->data.scalar.anchor == NULL;
    char number[YAML_SCALAR_NUMBER_BYTES];
    struct err reason;
    b->member = (struct pending){.start = place_of(e->start_mark)};
    if (is_bare)
        b->member.key = yaml_keys_find(text, e->data.scalar.length);
    if (b->member.key != NULL) {
        b->member.is_known = true;
        return 0;
    }
    if (yaml_scalar_key(text, e->data.scalar.length, tag, !e->data.scalar.plain_implicit, number, &key,
                        &reason) != 0)
        return fail(b, ERR_INVALID, e->start_mark, "", reason.msg);
    const size_t len = strlen(key);
    if (len != e->data.scalar.length && memchr(text, '\0', e->data.scalar.length))
        return fail(b, ERR_INVALID, e->start_mark, "a key with a NUL character", "");
    b->member.key = pool_strndup(&b->yaml->pool, key, len);
    b->member.is_merge = strcmp(text, "<<") == 0 &&
                         (e->data.scalar.plain_implicit || strcmp(tag, "tag:yaml.org,2002:merge") == 0);
    if (e->data.scalar.anchor) {
        struct node *n = new_node(b, style_of(e->data.scalar.style), e->start_mark);
        n->pub.json = json_object_new_string_len(text, (int)e->data.scalar.length);
        locate_scalar(b, n, e);
        set_anchor(b, e->data.scalar.anchor, n);
    }
    return 0;
}

static int on_scalar(struct builder *b, const yaml_event_t *e)
{
    const char *text = (const char *)e->data.scalar.value;
    const char *tag = text_or_empty(e->data.scalar.tag);
    struct err reason;
    if (awaits_key(b))
        return on_key(b, e);
    /* A document of comments only is an empty plain scalar. */
    if (b->depth == 0 && e->data.scalar.length == 0 && e->data.scalar.plain_implicit &&
        !e->data.scalar.anchor)
        return 0;
    struct node *n = new_node(b, style_of(e->data.scalar.style), e->start_mark);
    n->expanded = (uint32_t)e->data.scalar.length + 1;
    if (yaml_scalar_resolve(text, e->data.scalar.length, tag, !e->data.scalar.plain_implicit, &n->pub.json,
                            &reason) != 0)
        return fail(b, ERR_INVALID, e->start_mark, "", reason.msg);
    locate_scalar(b, n, e);
    set_anchor(b, e->data.scalar.anchor, n);
    return attach(b, n, e->start_mark);
}

static int on_alias(struct builder *b, const yaml_event_t *e)
{
    const char *name = (const char *)e->data.alias.anchor;
    const struct node *of = find_anchor(b, name);
    if (!of)
        return fail(b, ERR_INVALID, e->start_mark, "unknown anchor ", name);
    if (of->is_open)
        return fail(b, ERR_INVALID, e->start_mark, "an anchor that contains itself: ", name);
    if (awaits_key(b)) {
        if (!json_object_is_type(of->pub.json, json_type_string))
            return fail(b, ERR_INVALID, e->start_mark, "a key must be a string: ", name);
        const char *key = json_object_get_string(of->pub.json);
        const size_t len = strlen(key);
        if (expand(b, len + 1, e->start_mark) != 0)
            return -1;
        b->member =
            (struct pending){.key = pool_strndup(&b->yaml->pool, key, len), .start = place_of(e->start_mark)};
        return 0;
    }
    if (expand(b, of->expanded, e->start_mark) != 0)
        return -1;
    return attach(b, new_alias(b, of), e->start_mark);
}

/* ---- objects whose trees are not needed ---- */

static bool is_among_items(const struct builder *b)
{
    return b->depth == 2 && b->stack[0]->is_mapping && !b->stack[1]->is_mapping &&
           strcmp(b->members[1].key, "items") == 0;
}

/* Returns true if a node at this depth can be an object. */
static bool is_object_place(const struct builder *b)
{
    return b->reduce != NULL && (b->depth == 0 || is_among_items(b));
}

static void begin_object(struct builder *b)
{
    if (is_object_place(b))
        b->marks[b->depth / 2] = pool_mark(&b->yaml->pool);
}

/* A node that is left of a tree. */
struct left {
    struct node node;
    char *key;
    struct left *children;
    size_t n_children;
};

/* The nodes below one that have the names of what is left of its JSON. */
static struct left *list_left(const struct yaml_node *from, struct json_object *json, size_t *count)
{
    struct left *all = mem_array(jsonval_count(json) + 1, sizeof *all);
    *count = 0;
    jsonval_each(json, name, value)
    {
        const struct yaml_node *child = yaml_member(from, name);
        if (child == NULL)
            continue;
        struct left *one = &all[(*count)++];
        *one = (struct left){.node = *(const struct node *)child, .key = mem_strdup(name)};
        one->node.pub.json = value;
        one->children = list_left(child, value, &one->n_children);
    }
    return all;
}

/* Puts them below the node, and frees the list. */
static void put_left(struct builder *b, struct node *parent, struct left *all, size_t count)
{
    struct yaml *y = b->yaml;
    parent->children = NULL;
    parent->pub.n_children = parent->room = 0;
    for (size_t i = 0; i < count; i++) {
        struct node *n = add_node(y, &all[i].node);
        n->pub.json = json_object_get(n->pub.json);
        n->pub.key = pool_strndup(&y->pool, all[i].key, strlen(all[i].key));
        add_child(b, parent, n);
        put_left(b, n, all[i].children, all[i].n_children);
        mem_free(all[i].key);
    }
    parent->pub.children = parent->children;
    mem_free(all);
}

/* Frees the nodes below the object, except those of what is left of its JSON. */
static void reduce_tree(struct builder *b, struct node *object, struct json_object *take_left)
{
    struct yaml *y = b->yaml;
    size_t count;
    struct left *left = list_left(&object->pub, take_left, &count);
    for (; y->all != object; y->all = y->all->next, y->n_nodes--)
        json_object_put(y->all->pub.json);
    pool_release(&y->pool, b->marks[b->depth / 2]);
    put_left(b, object, left, count);
    json_object_put(object->pub.json);
    object->pub.json = take_left;
}

/* An alias may stand for a node of an item before it. */
static void reduce_object(struct builder *b, struct node *n)
{
    if (!is_object_place(b) || !n->is_mapping || (b->depth != 0 && b->anchors != NULL))
        return;
    struct json_object *left = b->reduce(b->user, &n->pub);
    if (left != NULL)
        reduce_tree(b, n, left);
}

static int on_start(struct builder *b, const yaml_event_t *e, const yaml_char_t *anchor, bool is_mapping)
{
    if (b->depth == YAML_DEPTH)
        return fail(b, ERR_LIMIT, e->start_mark, "nested too deeply", "");
    if (awaits_key(b))
        return fail(b, ERR_INVALID, e->start_mark, "a key must be a string", "");
    struct node *n = new_node(b, YAML_COLLECTION, e->start_mark);
    n->pub.json = is_mapping ? json_object_new_object() : json_object_new_array();
    n->is_mapping = is_mapping;
    n->is_open = true;
    n->expanded = 2;
    begin_object(b);
    set_anchor(b, anchor, n);
    b->members[b->depth] = b->member;
    b->stack[b->depth++] = n;
    b->member.key = NULL;
    return 0;
}

static int compare_keys(const void *a, const void *b)
{
    const struct yaml_node *const *x = a, *const *y = b;
    return strcmp((*x)->key, (*y)->key);
}

/* See yaml_node.children. */
static void sort_members(struct builder *b, struct node *n)
{
    const uint32_t count = n->pub.n_children;
    if (count <= YAML_FEW_MEMBERS || !n->is_mapping)
        return;
    struct yaml_node **twice = pool_alloc(&b->yaml->pool, (size_t)2 * count * sizeof(struct yaml_node *));
    memcpy(twice, n->children, count * sizeof(struct yaml_node *));
    memcpy(twice + count, n->children, count * sizeof(struct yaml_node *));
    qsort(twice + count, count, sizeof(struct yaml_node *), compare_keys);
    n->children = twice;
}

static int on_end(struct builder *b, const yaml_event_t *e)
{
    struct node *n = b->stack[--b->depth];
    n->is_open = false;
    forget(&n->places);
    sort_members(b, n);
    n->pub.children = n->children;
    b->member = b->members[b->depth];
    reduce_object(b, n);
    return attach(b, n, e->start_mark);
}

static int on_event(struct builder *b, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return on_scalar(b, e);
    case YAML_ALIAS_EVENT:
        return on_alias(b, e);
    case YAML_SEQUENCE_START_EVENT:
        return on_start(b, e, e->data.sequence_start.anchor, false);
    case YAML_MAPPING_START_EVENT:
        return on_start(b, e, e->data.mapping_start.anchor, true);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return on_end(b, e);
    case YAML_DOCUMENT_START_EVENT:
        forget(&b->anchors);
        return 0;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return 0;
}

/* A mark of the parser's part. */
static yaml_mark_t in_text(const struct builder *b, yaml_mark_t mark)
{
    mark.column += mark.line == 0 ? b->base.column : 0;
    mark.line += b->base.line;
    return mark;
}

/* Reports a text that libyaml itself refuses: syntax, tabs, bytes that are not UTF-8. */
static int parser_failed(struct builder *b)
{
    const yaml_parser_t *p = &b->parser;
    yaml_mark_t mark = in_text(b, p->problem_mark);
    if (p->error == YAML_READER_ERROR)
        mark = advance(b->yaml, b->base, b->base.index + p->problem_offset);
    return fail(b, ERR_INVALID, mark, "", p->problem ? p->problem : "malformed YAML");
}

static int parse_events(struct builder *b)
{
    for (bool is_done = false; !is_done;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&b->parser, &event))
            return parser_failed(b);
        is_done = event.type == YAML_STREAM_END_EVENT;
        event.start_mark = in_text(b, event.start_mark);
        event.end_mark = in_text(b, event.end_mark);
        const int result = on_event(b, &event);
        yaml_event_delete(&event);
        if (result != 0)
            return -1;
    }
    return 0;
}

/* The event that libyaml has for it. */
static int on_json(struct builder *b, const struct yaml_json_event *json)
{
    const bool is_plain = json->type == YAML_JSON_PLAIN;
    const yaml_event_t e = {
        .start_mark = {.line = json->line, .column = json->column},
        .end_mark = {.line = json->line, .column = json->end_column},
        .data.scalar = {.value = (yaml_char_t *)(uintptr_t)json->text, /* it is only read */
                        .length = json->len,
                        .plain_implicit = is_plain,
                        .style = is_plain ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE}};
    switch (json->type) {
    case YAML_JSON_OBJECT:
    case YAML_JSON_ARRAY:
        return on_start(b, &e, NULL, json->type == YAML_JSON_OBJECT);
    case YAML_JSON_OBJECT_END:
    case YAML_JSON_ARRAY_END:
        return on_end(b, &e);
    case YAML_JSON_STRING:
    case YAML_JSON_PLAIN:
        break;
    }
    return on_scalar(b, &e);
}

/* A document that is plain JSON: so many bytes of the text. */
static int parse_json(struct builder *b, size_t len)
{
    struct yaml_json json;
    struct yaml_json_event event;
    int result = 0;
    yaml_json_init(&json, b->yaml->text + b->base.index, len, b->base.line, b->base.column);
    while (result == 0 && yaml_json_next(&json, &event))
        result = on_json(b, &event);
    yaml_json_deinit(&json);
    return result;
}

/* The documents of plain JSON at the begin of a part, which is moved behind them. */
static int parse_jsons(struct builder *b, size_t end)
{
    const struct yaml *y = b->yaml;
    for (size_t len; (len = yaml_json_length(y->text + b->base.index, end - b->base.index)) > 0;) {
        if (parse_json(b, len) != 0)
            return -1;
        b->base = advance(y, b->base, b->base.index + len);
    }
    return 0;
}

/* libyaml compares each %TAG directive with all others of its document, and copies a prefix for each tag. */
static int check_directives(struct builder *b, size_t end)
{
    const struct yaml_lines *lines = &b->yaml->lines;
    const size_t line = yaml_lines_directive(lines, b->base.line, b->base.index, end);
    if (line == lines->count)
        return 0;
    return fail(b, ERR_LIMIT, (yaml_mark_t){.line = line},
                "a document may have at most 100 %TAG directives of at most 1000 bytes each", "");
}

/* The bytes of the text from base.index to the end. */
static int parse_part(struct builder *b, size_t end)
{
    const struct yaml *y = b->yaml;
    if (parse_jsons(b, end) != 0)
        return -1;
    const size_t at = b->base.index;
    if (at == end)
        return 0;
    if (check_directives(b, end) != 0)
        return -1;
    if (!yaml_parser_initialize(&b->parser))
        return err_set(b->err, ERR_INTERNAL, "no YAML parser");
    yaml_parser_set_encoding(&b->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b->parser, (const unsigned char *)y->text + at, end - at);
    const int result = parse_events(b);
    yaml_parser_delete(&b->parser);
    return result;
}

static int parse_text(struct builder *b)
{
    const struct yaml *y = b->yaml;
    int result = 0;
    for (size_t at = 0, end; result == 0 && at < y->len; at = end) {
        end = yaml_text_part(y->text, y->len, &at);
        b->base = advance(y, b->base, at);
        result = parse_part(b, end);
    }
    return result;
}

static void builder_deinit(struct builder *b)
{
    for (size_t i = 0; i < b->depth; i++)
        forget(&b->stack[i]->places);
    forget(&b->anchors);
}

static const char byte_order_mark[] = "\xef\xbb\xbf";

/* Reads the text of y, which is closed if that fails. */
static int parse(struct yaml *y, yaml_reduce *reduce, void *user, struct yaml_place *where, struct err *err)
{
    struct builder b = {.yaml = y, .reduce = reduce, .user = user, .where = where, .err = err};
    yaml_lines_init(&y->lines, y->text, y->len);
    const int result = parse_text(&b);
    builder_deinit(&b);
    if (result != 0)
        yaml_close(y);
    return result;
}

static int check_length(size_t len, struct err *err)
{
    return len <= YAML_TEXT_CAP_BYTES ? 0 : err_set(err, ERR_LIMIT, "a text of %zu bytes is too long", len);
}

int yaml_parse_reduced(char **bytes, size_t len, yaml_reduce *reduce, void *user, struct yaml **out,
                       struct yaml_place *where, struct err *err)
{
    *out = NULL;
    *where = (struct yaml_place){0, 0};
    if (check_length(len, err) != 0)
        return -1;
    const size_t mark = sizeof byte_order_mark - 1,
                 skipped = len >= mark && memcmp(*bytes, byte_order_mark, mark) == 0 ? mark : 0;
    struct yaml *y = mem_zalloc(sizeof *y);
    const bool is_taken = yaml_text_is_prepared(*bytes + skipped, len - skipped);
    y->text = *bytes + skipped;
    y->len = len - skipped;
    if (!is_taken) {
        y->text = y->bytes = mem_strndup(y->text, y->len);
        y->len = yaml_text_prepare(y->text, y->len);
    }
    if (parse(y, reduce, user, where, err) != 0)
        return -1;
    if (is_taken) {
        y->bytes = *bytes;
        *bytes = NULL;
    }
    *out = y;
    return 0;
}

int yaml_parse(const char *bytes, size_t len, struct yaml **out, struct yaml_place *where, struct err *err)
{
    struct yaml_place at = {0, 0};
    *out = NULL;
    int result = check_length(len, err);
    if (result == 0) {
        cleanup_mem char *copy = mem_strndup(bytes, len);
        result = yaml_parse_reduced(&copy, len, NULL, NULL, out, &at, err);
        if (result != 0 && where == NULL)
            (void)err_prefix(err, "line %u, column %u", at.line, at.column);
    }
    if (where != NULL)
        *where = at;
    return result;
}

void yaml_forget_text(struct yaml *yaml)
{
    for (struct node *n = yaml->all; n; n = n->next)
        n->pub.source = NULL;
    yaml_lines_deinit(&yaml->lines);
    yaml->lines = (struct yaml_lines){.count = 0};
    mem_free(yaml->bytes);
    yaml->bytes = yaml->text = NULL;
    yaml->len = 0;
}

void yaml_close(struct yaml *yaml)
{
    if (!yaml)
        return;
    for (struct node *n = yaml->all; n; n = n->next)
        json_object_put(n->pub.json);
    pool_deinit(&yaml->pool);
    mem_free(yaml->roots);
    yaml_lines_deinit(&yaml->lines);
    mem_free(yaml->bytes);
    mem_free(yaml);
}

size_t yaml_text_bytes(const struct yaml *yaml)
{
    return yaml->len;
}

size_t yaml_node_count(const struct yaml *yaml)
{
    return yaml->n_nodes;
}

size_t yaml_line_count(const struct yaml *yaml)
{
    return yaml->lines.count;
}

const char *yaml_line(const struct yaml *yaml, size_t line, size_t *len)
{
    const struct yaml_lines *lines = &yaml->lines;
    *len = 0;
    if (line == 0 || line > lines->count)
        return "";
    size_t start = lines->starts[line - 1];
    size_t end = line < lines->count ? lines->starts[line] : yaml->len;
    while (end > start && (yaml->text[end - 1] == '\n' || yaml->text[end - 1] == '\r'))
        end--;
    *len = end - start;
    return yaml->text + start;
}

size_t yaml_offset(struct yaml *yaml, struct yaml_place place)
{
    size_t len;
    (void)yaml_line(yaml, place.line, &len);
    if (len == 0 || place.column == 0)
        return 0;
    const size_t start = yaml->lines.starts[place.line - 1];
    const size_t at = yaml_lines_offset(&yaml->lines, place.line - 1, place.column - 1) - start;
    return at < len ? at : len;
}

size_t yaml_count(const struct yaml *yaml)
{
    return yaml->n_roots;
}

const struct yaml_node *yaml_root(const struct yaml *yaml, size_t index)
{
    return index < yaml->n_roots ? &yaml->roots[index]->pub : NULL;
}
