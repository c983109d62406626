#include "typecheck/policy/author/advice/patch_parent.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/json_pointer.h"
#include "typecheck/base/unicode.h"
#include "typecheck/cel/syntax/lexer.h"
#include "typecheck/policy/author/advice/correction.h"
#include "typecheck/policy/author/advice/guards.h"

/* A longer path is not followed. */
enum { PARTS_MAX = 16, INDEX_DIGITS_MAX = 4 };

struct path {
    struct str parts[PARTS_MAX], pointers[PARTS_MAX]; /* labels, /metadata/labels as the path writes it */
    size_t count, needed; /* needed: how many of the parts must lead to something */
    bool is_added;
};

/* The value that a path leads to, as an expression reads it. */
struct place {
    const struct type *type;
    const struct node *node;
    struct str way; /* object.metadata.labels */
};

/* The literal text of a field of JSONPatch{}, or that with which a sum begins; *is_whole: which of the two.
 * Empty: it has none. */
static struct str field_text(const struct node *n, struct str name, bool *is_whole)
{
    const struct node *value = NULL;
    for (size_t i = 0; i < n->structure.count; i++) {
        if (str_eq(n->structure.fields[i].name, name))
            value = n->structure.fields[i].value;
    }
    *is_whole = true;
    while (value != NULL && value->kind == NODE_CALL && value->op == AST_ADD) {
        *is_whole = false;
        value = value->call.args[0];
    }
    const bool is_text =
        value != NULL && value->kind == NODE_LITERAL && value->literal.kind == LITERAL_STRING;
    return is_text ? value->literal.bytes : STR("");
}

/* Returns false if the patch has no path that can be followed. */
static bool read_path(struct arena *a, const struct node *n, struct path *out)
{
    bool is_op = false, is_whole = false;
    const struct str op = field_text(n, STR("op"), &is_op), path = field_text(n, STR("path"), &is_whole);
    *out = (struct path){.is_added = str_eq(op, STR("add"))};
    const bool is_used = str_eq(op, STR("replace")) || str_eq(op, STR("remove")) || str_eq(op, STR("test"));
    if (!is_op || (!out->is_added && !is_used) || path.len == 0 || path.at[0] != '/')
        return false;
    struct str rest = json_pointer_parts(path);
    while (out->count < PARTS_MAX && json_pointer_next(a, &rest, &out->parts[out->count])) {
        const size_t end = rest.at == NULL ? path.len : (size_t)(rest.at - path.at) - 1;
        out->pointers[out->count++] = (struct str){path.at, end};
    }
    out->needed = out->count - (out->is_added || !is_whole ? 1 : 0);
    return out->count > 0 && out->count < PARTS_MAX;
}

static struct node *new_node(struct arena *a, enum node_kind kind)
{
    struct node *n = ARENA_NEW(a, struct node);
    n->kind = kind;
    return n;
}

static const struct node *select(struct arena *a, const struct node *operand, struct str field)
{
    struct node *n = new_node(a, NODE_SELECT);
    n->select.operand = (struct node *)(uintptr_t)operand;
    n->select.field = field;
    return n;
}

/* An index, as a JSON pointer writes it: 0, or 12. */
static bool is_index(struct str part)
{
    bool is_number = part.len > 0 && part.len <= INDEX_DIGITS_MAX && (part.at[0] != '0' || part.len == 1);
    for (size_t i = 0; i < part.len && is_number; i++)
        is_number = part.at[i] >= '0' && part.at[i] <= '9';
    return is_number;
}

/* The item of a list at the part. */
static bool enter_list(struct advice_look *l, const struct place *from, struct str part, struct place *out)
{
    struct arena *a = l->arena;
    if (!is_index(part))
        return false;
    struct node *n = new_node(a, NODE_CALL), *index = new_node(a, NODE_LITERAL);
    index->literal.kind = LITERAL_INT;
    for (size_t i = 0; i < part.len; i++)
        index->literal.integer = index->literal.integer * 10 + (part.at[i] - '0');
    n->op = AST_INDEX;
    n->arg_count = 2;
    n->call.args = ARENA_ARRAY(a, 2, struct node *);
    n->call.args[0] = (struct node *)(uintptr_t)from->node;
    n->call.args[1] = index;
    *out = (struct place){advice_types_element(from->type), n,
                          str_join(a, STR_PARTS(from->way, STR("["), part, STR("]")))};
    return true;
}

/* Sets *out to what the part of the path names: a field of an object, a value of a map, or an item of a list.
 * Returns false if there is none. */
static bool enter(struct advice_look *l, const struct place *from, struct str part, struct place *out)
{
    struct arena *a = l->arena;
    struct object_entry entry;
    const struct type *t = from->type;
    const bool is_object = t->kind == TYPE_OBJECT && t->ops != NULL && t->ops->key != NULL;
    if (t->kind == TYPE_LIST)
        return enter_list(l, from, part, out);
    if (!correction_can_test(part) || memchr(part.at, '"', part.len) != NULL)
        return false; /* no expression can be written for it */
    if (!(is_object && lexer_is_name(part) && t->ops->key(t, part, l->types, &entry)) && t->kind != TYPE_MAP)
        return false;
    out->type = is_object ? entry.type : advice_types_element(t);
    out->node = select(a, from->node, part);
    out->way = str_join(a, STR_PARTS(from->way, STR("."), part));
    return true;
}

/* The parts that the path needs, and that may be missing. */
struct missing {
    struct place of;   /* of which the first part is missing */
    struct str part;   /* the first one; empty: none */
    struct str tests;  /* has(a.b) && has(a.b.c) */
    struct str adding; /* patches that add each, in the form of a sum of lists */
    bool has_items;    /* one is a list, of which the path needs an item: to add the list is not enough */
};

static void add_missing(struct advice_look *l, const struct place *from, const struct path *path,
                        size_t index, const struct type *type, struct missing *m)
{
    struct arena *a = l->arena;
    const struct str part = path->parts[index], test = correction_test(a, from->way, part);
    if (m->part.len == 0) {
        m->of = *from;
        m->part = part;
    }
    m->tests = m->tests.len == 0 ? test : str_join(a, STR_PARTS(m->tests, STR(" && "), test));
    if (type->kind == TYPE_LIST && index + 1 < path->count && is_index(path->parts[index + 1])) {
        m->has_items = true;
        m->tests = str_join(a, STR_PARTS(m->tests, STR(" && size("), from->way, STR("."), part, STR(") > "),
                                         path->parts[index + 1]));
    }
    const struct str value = type->kind == TYPE_LIST ? STR("[]") : STR("{}");
    m->adding =
        str_join(a, STR_PARTS(m->adding, STR("("), m->tests, STR(" ? [] : [JSONPatch{op: \"add\", path: \""),
                              path->pointers[index], STR("\", value: "), value, STR("}]) + ")));
}

static void find_missing(struct advice_look *l, const struct path *path, struct missing *out)
{
    struct node *root = new_node(l->arena, NODE_IDENT);
    root->ident = STR("object");
    struct place at = {l->object, root, STR("object")}, next;
    *out = (struct missing){.part = STR("")};
    for (size_t i = 0; i < path->needed && enter(l, &at, path->parts[i], &next); i++) {
        arena_step(l->arena);
        const struct str part = path->parts[i];
        if (advice_types_may_miss(at.type, part, l->types) &&
            !guards_has(l->advice->guards, l->arena, at.node, part))
            add_missing(l, &at, path, i, next.type, out);
        at = next;
    }
}

void patch_parent_look_at(struct advice_look *l, const struct node *n)
{
    struct arena *a = l->arena;
    struct path path;
    struct missing missing;
    if (n->kind != NODE_STRUCT || !str_eq(n->structure.type_name, STR("JSONPatch")) || l->object == NULL ||
        !read_path(a, n, &path))
        return;
    find_missing(l, &path, &missing);
    struct advice_item *item =
        missing.part.len == 0 ? NULL : advice_list_add(l->advice, ADVICE_PATCH_PARENT, l->expression, n);
    if (item == NULL)
        return;
    const struct str text = l->advice->asts[l->expression]->text, whole = unicode_trimmed(text);
    item->message = str_join(
        a, STR_PARTS(STR("the path leads through the field '"), missing.part, STR("' of '"), missing.of.way,
                     STR("', which may be missing, and the patch then cannot be applied")));
    item->fails = true;
    item->failure = ISSUE_WRONG_MUTATION;
    item->type = l->type;
    const struct str corrected =
        path.is_added && !missing.has_items
            ? str_join(a, STR_PARTS(missing.adding, STR("("), whole, STR(")")))
            : str_join(a, STR_PARTS(missing.tests, STR(" ? ("), whole, STR(") : []")));
    item->correction = correction_replace(a, text, whole, corrected);
    item->hint = correction_hint(a, corrected);
}
