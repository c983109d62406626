#include "typecheck/cel/checker/validators.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/format_validator.h"
#include "typecheck/cel/regexp/regexp.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/golang/duration.h"
#include "typecheck/golang/timestamp.h"

/* A node that some validator looks at, in post-order. */
struct candidate {
    const struct node *node;
    bool in_format; /* inside a call of format(), whose arguments may be of any types */
};

struct walk {
    struct arena *arena;
    struct str text; /* the expression's */
    const struct checked *checked;
    const struct celgo *celgo;
    struct issues *issues;
    struct candidate *list;
    size_t count, cap;
};

/* The function's name without the dot of ".matches(...)". */
static bool calls(const struct node *n, struct str function)
{
    if (n->kind != NODE_CALL)
        return false;
    return str_eq(n->call.target == NULL ? ast_without_dot(n->call.function) : n->call.function, function);
}

static void add(struct walk *w, const struct node *n, bool in_format)
{
    ARENA_ROOM(w->arena, w->list, w->count, w->cap, 16);
    w->list[w->count++] = (struct candidate){n, in_format};
}

/* Children first, in the order in which upstream visits them. */
static void visit(struct walk *w, const struct node *n, bool in_format)
{
    const struct node *child;
    bool is_inside = in_format || calls(n, STR("format"));
    arena_step(w->arena);
    for (size_t i = 0; (child = ast_child(n, i)) != NULL; i++)
        visit(w, child, is_inside);
    if (n->kind == NODE_CALL || n->kind == NODE_LIST || n->kind == NODE_MAP)
        add(w, n, in_format);
}

/* This is cel-go's Type.IsEquivalentType: a wrapper type is equivalent to the type that it wraps, and any
 * type parameter to any other. */
static bool equivalent(struct arena *payer, const struct type *a, const struct type *b)
{
    arena_step(payer);
    if (a == b)
        return true;
    if (a->kind != b->kind || a->param_count != b->param_count)
        return false;
    if (a->kind == TYPE_OBJECT)
        return type_is_exact(a, b);
    if (a->kind == TYPE_OPAQUE && !str_eq(a->name, b->name))
        return false;
    for (size_t i = 0; i < a->param_count; i++) {
        if (!equivalent(payer, a->params[i], b->params[i]))
            return false;
    }
    return true;
}

/*
 * The type of an element or value. If it is optional, this is the type of the value that it may hold. cel-go
 * takes for granted that there is such a type, and panics if there is none, as for [?e] with an e of type
 * dyn: the API server then closes the connection, and stores nothing. Here that is an issue, though no other
 * program reports one, and the result is NULL.
 */
static const struct type *element_type(struct walk *w, const struct node *n, bool optional)
{
    const struct type *t = checked_type_of(w->checked, n);
    if (!optional)
        return t;
    if (t->param_count > 0)
        return t->params[0];
    issues_join(
        w->issues, ISSUE_TYPE_MISMATCH, extent_of_place(w->arena, w->text, n),
        STR_PARTS(
            STR("the API server panics and gives no answer: an optional element or entry has the type '"),
            type_text(w->arena, t), STR("', and not 'optional_type("), type_text(w->arena, t), STR(")'")));
    issues_blame_operand(w->issues);
    return NULL;
}

/* Returns true if `t` is equivalent to the types before it: to *first, which is NULL before the first one. If
 * not, it adds an issue. */
static bool homogeneous(struct walk *w, const struct type **first, const struct type *t, const struct node *n)
{
    if (t == NULL)
        return true;
    if (*first == NULL)
        *first = t;
    if (equivalent(w->arena, *first, t))
        return true;
    struct str wanted = type_text(w->arena, *first), found = type_text(w->arena, t);
    issues_join(w->issues, ISSUE_TYPE_MISMATCH, extent_of_place(w->arena, w->text, n),
                STR_PARTS(STR("expected type '"), wanted, STR("' but found '"), found, STR("'")));
    issues_tell(w->issues, (struct issue_about){.wanted = wanted, .given = found});
    issues_blame_operand(w->issues);
    return false;
}

/* A list has one issue at most, a map one for each key and value. */
static void validate_aggregates(struct walk *w)
{
    for (size_t i = 0; i < w->count; i++) {
        const struct node *n = w->list[i].node;
        if (n->kind != NODE_LIST || w->list[i].in_format)
            continue;
        const struct type *first = NULL;
        for (size_t e = 0; e < n->list.count; e++) {
            const struct node *element = n->list.elements[e];
            bool optional = n->list.optional != NULL && n->list.optional[e];
            if (!homogeneous(w, &first, element_type(w, element, optional), element))
                break;
        }
    }
    for (size_t i = 0; i < w->count; i++) {
        const struct node *n = w->list[i].node;
        if (n->kind != NODE_MAP || w->list[i].in_format)
            continue;
        const struct type *first_key = NULL, *first_value = NULL;
        for (size_t e = 0; e < n->map.count; e++) {
            const struct entry *entry = &n->map.entries[e];
            homogeneous(w, &first_key, element_type(w, entry->key, false), entry->key);
            homogeneous(w, &first_value, element_type(w, entry->value, entry->optional), entry->value);
        }
    }
}

static bool is_duration(const struct walk *w, const struct literal *l)
{
    (void)w;
    /* No other literal becomes one, though duration(int) and duration(null) are declared. */
    return l->kind == LITERAL_STRING && duration_valid(l->bytes);
}

static bool is_timestamp(const struct walk *w, const struct literal *l)
{
    (void)w;
    if (l->kind == LITERAL_INT)
        return timestamp_in_range(l->integer);
    return l->kind == LITERAL_STRING && timestamp_valid(l->bytes);
}

static bool is_regexp(const struct walk *w, const struct literal *l)
{
    struct str message;
    return l->kind != LITERAL_STRING || regexp_valid(w->arena, l->bytes, celgo_unicode(w->celgo), &message);
}

/* Calls of `function` whose first argument is a literal; in matches(text, pattern) that is the text. */
static void validate_calls(struct walk *w, struct str function,
                           bool (*valid)(const struct walk *w, const struct literal *l))
{
    arena_pay(w->arena, w->count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < w->count; i++) {
        const struct node *n = w->list[i].node;
        if (!calls(n, function) || n->arg_count == 0 || n->call.args[0]->kind != NODE_LITERAL)
            continue;
        if (valid(w, &n->call.args[0]->literal))
            continue;
        issues_join(w->issues, ISSUE_WRONG_CONSTANT, extent_of_place(w->arena, w->text, n->call.args[0]),
                    STR_PARTS(STR("invalid "), function, STR(" argument")));
        issues_tell(w->issues, (struct issue_about){.name = function});
    }
}

void validators_run(struct types *ts, const struct ast *ast, const struct checked *checked,
                    const struct celgo *celgo, struct issues *issues)
{
    struct walk w = {
        .arena = types_scratch(ts), .text = ast->text, .checked = checked, .celgo = celgo, .issues = issues};
    visit(&w, ast->root, false);
    validate_aggregates(&w);
    validate_calls(&w, STR("duration"), is_duration);
    validate_calls(&w, STR("timestamp"), is_timestamp);
    validate_calls(&w, STR("matches"), is_regexp);
    for (size_t i = 0; celgo->validates_formats && i < w.count; i++) {
        if (format_validator_is_literal_call(w.list[i].node))
            format_validator_validate(ast->text, w.list[i].node, checked, issues);
    }
}
