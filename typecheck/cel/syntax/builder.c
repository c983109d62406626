/*
 * builder_run() makes the node of a parse tree by the table PRODUCTIONS, and each production builds its
 * operands through builder_run() again. Here names are checked, literals get their values, and calls of
 * macros are expanded. Chains of && and || are balanced as cel-go does, so that a long chain is not a deep
 * tree. The depth is counted as cel-go counts it; at its limit one error is reported, and nothing more is
 * built (is_silent). After a syntax error parts of the parse tree are missing, and nothing() stands for
 * them.
 */
#include "typecheck/cel/syntax/builder.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/literal.h"
#include "typecheck/cel/syntax/macro.h"
#include "typecheck/cel/syntax/parse_state.h"
#include "typecheck/cel/syntax/reserved.h"
#include "typecheck/cel/syntax/source.h"

static uint32_t offset_of(const struct builder *b, uint32_t token)
{
    return b->state->tokens[token].start;
}

/* The extent from the first token to the last. */
static struct extent span_of(const struct builder *b, uint32_t first, uint32_t last)
{
    const uint32_t start = b->state->tokens[first].start;
    return (struct extent){start, start, b->state->tokens[last].end};
}

static struct str text_of(const struct builder *b, uint32_t token)
{
    return parse_state_token_text(b->state, token);
}

/* Stands for a node that was not parsed, or that is not made any more. */
static struct node *nothing(struct builder *b)
{
    return nodes_new(&b->nodes, NODE_LITERAL, SOURCE_BEFORE);
}

/* Names */

/* Returns true if the production's own sign or dot stands before the token. */
static bool has_before(const struct builder *b, const struct parse_tree *t, uint32_t token,
                       enum token_kind kind)
{
    return token > t->start && b->state->tokens[token - 1].kind == kind;
}

/* The name at `token`, with the leading dot if there is one. */
static struct str dotted_name(struct builder *b, const struct parse_tree *t, uint32_t token)
{
    struct str name = text_of(b, token);
    if (!has_before(b, t, token, TOKEN_DOT))
        return name;
    return str_join(b->nodes.arena, STR_PARTS(STR("."), name));
}

/* Returns true if the name in that token may be used. A reserved name is reported: variables and functions
 * may not have one, but fields. */
static bool is_usable(struct builder *b, const struct parse_tree *t, uint32_t token, struct node **failed)
{
    struct str name = text_of(b, token);
    if (!reserved_has(name))
        return true;
    struct str message = str_join(b->nodes.arena, STR_PARTS(STR("reserved identifier: "), name));
    *failed = nodes_fail(&b->nodes, ISSUE_RESERVED, span_of(b, t->start, token), message);
    if (!b->nodes.is_silent)
        issues_tell(b->nodes.issues, (struct issue_about){.name = name});
    return false;
}

/* The message about what is wrong with a field's name, or NULL. */
static const char *field_name(const struct builder *b, const struct parse_tree *t, struct str *name)
{
    if (t == NULL || t->kind != PARSE_TREE_ESCAPE_IDENT)
        return "unsupported ident kind";
    *name = text_of(b, t->op_token);
    if (name->at[0] != '`')
        return NULL;
    *name = (struct str){name->at + 1, name->len - 2};
    return b->dialect.has_backquotes ? NULL : "unsupported syntax: '`'";
}

/* Literals and names */

static enum literal_failure literal_value(struct builder *b, const struct parse_tree *t, struct literal *out)
{
    struct str text = text_of(b, t->op_token);
    bool is_negative = has_before(b, t, t->op_token, TOKEN_MINUS);
    enum token_kind kind = b->state->tokens[t->op_token].kind;
    switch (kind) {
    case TOKEN_INT:
        return literal_int(text, is_negative, out);
    case TOKEN_UINT:
        return literal_uint(text, out);
    case TOKEN_FLOAT:
        return literal_double(b->nodes.arena, text, is_negative, out);
    case TOKEN_STRING:
        return literal_string(b->nodes.arena, text, out);
    case TOKEN_BYTES:
        return literal_bytes(b->nodes.arena, text, out);
    default:
        out->kind = kind == TOKEN_NULL ? LITERAL_NULL : LITERAL_BOOL;
        out->boolean = kind == TOKEN_TRUE;
        return LITERAL_GOOD;
    }
}

static struct node *build_literal(struct builder *b, const struct parse_tree *t)
{
    static const struct {
        struct str message;
        enum issue_code code;
    } failures[] = {
        [LITERAL_BAD_INT] = {STR_INIT("invalid int literal"), ISSUE_WRONG_CONSTANT},
        [LITERAL_BAD_UINT] = {STR_INIT("invalid uint literal"), ISSUE_WRONG_CONSTANT},
        [LITERAL_BAD_DOUBLE] = {STR_INIT("invalid double literal"), ISSUE_WRONG_CONSTANT},
        [LITERAL_BAD_ESCAPE] = {STR_INIT("unable to unescape string"), ISSUE_OTHER},
        [LITERAL_BAD_CODE_POINT] = {STR_INIT("invalid unicode code point"), ISSUE_WRONG_CONSTANT},
    };
    struct node *n = nodes_new(&b->nodes, NODE_LITERAL, offset_of(b, t->start));
    const enum literal_failure wrong = literal_value(b, t, &n->literal);
    return wrong == LITERAL_GOOD ? n
                                 : nodes_fail(&b->nodes, failures[wrong].code,
                                              span_of(b, t->start, t->op_token), failures[wrong].message);
}

static struct node *build_ident(struct builder *b, const struct parse_tree *t)
{
    struct node *failed;
    if (!is_usable(b, t, t->op_token, &failed))
        return failed;
    struct node *n = nodes_new(&b->nodes, NODE_IDENT, offset_of(b, t->op_token));
    n->ident = dotted_name(b, t, t->op_token);
    return n;
}

/* Calls and operators */

static struct node *binary(struct builder *b, enum ast_operator op, uint32_t offset, struct node *left,
                           struct node *right)
{
    return nodes_operation(&b->nodes, offset, op, left, right, NULL);
}

/* A call's arguments in order: `items` is NULL if there are none. */
static struct node **build_items(struct builder *b, const struct parse_tree *items, size_t *count)
{
    *count = items == NULL ? 0 : items->count;
    struct node **nodes = ARENA_ARRAY(b->nodes.arena, *count, struct node *);
    if (items == NULL)
        return nodes;
    size_t i = 0;
    for (const struct parse_tree *item = items->first; item != NULL; item = item->next)
        nodes[i++] = builder_run(b, item);
    return nodes;
}

static struct node *call_or_macro(struct builder *b, struct macro_call *c, const struct parse_tree *items)
{
    c->args = build_items(b, items, &c->arg_count);
    struct node *expanded = macro_expand(&b->nodes, b->dialect.level, b->dialect.has_bind, c);
    if (expanded != NULL)
        return expanded;
    struct node *n = nodes_new(&b->nodes, NODE_CALL, c->offset);
    n->call.function = c->function;
    n->call.target = c->target;
    n->call.args = c->args;
    n->arg_count = (uint32_t)c->arg_count;
    return n;
}

static struct node *build_global_call(struct builder *b, const struct parse_tree *t)
{
    struct node *failed;
    if (!is_usable(b, t, t->name, &failed))
        return failed;
    struct macro_call c = {.function = dotted_name(b, t, t->name), .offset = offset_of(b, t->op_token)};
    return call_or_macro(b, &c, t->first);
}

static struct node *build_member_call(struct builder *b, const struct parse_tree *t)
{
    struct macro_call c = {.target = builder_run(b, t->first)};
    c.function = text_of(b, t->name);
    c.offset = offset_of(b, t->op_token);
    return call_or_macro(b, &c, t->first->next);
}

static struct node *build_select(struct builder *b, const struct parse_tree *t)
{
    struct node *operand = builder_run(b, t->first);
    const struct parse_tree *field = t->first->next;
    if (field == NULL)
        return operand;
    struct str name = STR("");
    const char *wrong = field_name(b, field, &name);
    uint32_t field_offset = offset_of(b, field->start), offset = offset_of(b, t->op_token);
    if (wrong != NULL)
        nodes_fail(&b->nodes, ISSUE_OTHER, span_of(b, field->start, field->start), str_of(wrong));
    if (t->is_optional) {
        struct literal literal = {.kind = LITERAL_STRING, .bytes = name};
        return binary(b, AST_OPTIONAL_SELECT, offset, operand,
                      nodes_literal(&b->nodes, field_offset, literal));
    }
    struct node *n = nodes_new(&b->nodes, NODE_SELECT, offset);
    n->select.operand = operand;
    n->select.field = name;
    return n;
}

static struct node *build_index(struct builder *b, const struct parse_tree *t)
{
    struct node *operand = builder_run(b, t->first);
    struct node *index = builder_run(b, t->first->next);
    enum ast_operator op = t->is_optional ? AST_OPTIONAL_INDEX : AST_INDEX;
    return binary(b, op, offset_of(b, t->op_token), operand, index);
}

static const enum ast_operator BINARY_OPERATORS[TOKEN_KINDS] = {
    [TOKEN_EQUALS] = AST_EQUALS,
    [TOKEN_NOT_EQUALS] = AST_NOT_EQUALS,
    [TOKEN_IN] = AST_IN,
    [TOKEN_LESS] = AST_LESS,
    [TOKEN_LESS_EQUALS] = AST_LESS_EQUALS,
    [TOKEN_GREATER_EQUALS] = AST_GREATER_EQUALS,
    [TOKEN_GREATER] = AST_GREATER,
    [TOKEN_PLUS] = AST_ADD,
    [TOKEN_MINUS] = AST_SUBTRACT,
    [TOKEN_STAR] = AST_MULTIPLY,
    [TOKEN_SLASH] = AST_DIVIDE,
    [TOKEN_PERCENT] = AST_MODULO,
};

static struct node *build_binary(struct builder *b, const struct parse_tree *t)
{
    struct node *left = builder_run(b, t->first);
    struct node *right = builder_run(b, t->first->next);
    struct token op = b->state->tokens[t->op_token];
    return binary(b, BINARY_OPERATORS[op.kind], op.start, left, right);
}

static struct node *build_ternary(struct builder *b, const struct parse_tree *t)
{
    struct node *condition = builder_run(b, t->first);
    const struct parse_tree *then = t->first->next;
    struct node *if_true = builder_run(b, then);
    struct node *if_false = builder_run(b, then == NULL ? NULL : then->next);
    return nodes_operation(&b->nodes, offset_of(b, t->op_token), AST_CONDITIONAL, condition, if_true,
                           if_false);
}

/* !!x is x */
static struct node *build_unary(struct builder *b, const struct parse_tree *t)
{
    struct node *operand = builder_run(b, t->first);
    if (t->count % 2 == 0)
        return operand;
    enum ast_operator op = t->kind == PARSE_TREE_NOT ? AST_NOT : AST_NEGATE;
    return nodes_operation(&b->nodes, offset_of(b, t->op_token), op, operand, NULL, NULL);
}

/* The operands of a chain of && or ||, and where each operator stands. */
struct chain {
    enum ast_operator op;
    struct node **terms;
    uint32_t *offsets;
};

/* Builds a balanced tree of the operators low to high with the middle one on top, as cel-go does. */
static struct node *balance(struct builder *b, const struct chain *c, size_t low, size_t high)
{
    size_t middle = (low + high + 1) / 2;
    struct node *left = middle == low ? c->terms[middle] : balance(b, c, low, middle - 1);
    struct node *right = middle == high ? c->terms[middle + 1] : balance(b, c, middle + 1, high);
    return binary(b, c->op, c->offsets[middle], left, right);
}

static struct node *build_chain(struct builder *b, const struct parse_tree *t)
{
    size_t count = 0;
    for (const struct parse_tree *term = t->first; term != NULL; term = term->next)
        count++;
    struct chain c = {
        .op = t->kind == PARSE_TREE_OR ? AST_OR : AST_AND,
        .terms = ARENA_ARRAY(b->nodes.arena, count, struct node *),
        .offsets = ARENA_ARRAY(b->nodes.arena, count, uint32_t),
    };
    size_t i = 0;
    for (const struct parse_tree *term = t->first; term != NULL; term = term->next, i++) {
        c.terms[i] = builder_run(b, term);
        if (term->behind != PARSE_TREE_NO_TOKEN)
            c.offsets[i] = offset_of(b, term->behind);
    }
    return balance(b, &c, 0, count - 2);
}

/* Aggregates */

static struct node *build_list(struct builder *b, const struct parse_tree *t)
{
    struct node *n = nodes_new(&b->nodes, NODE_LIST, offset_of(b, t->op_token));
    const struct parse_tree *items = t->first;
    n->list.elements = build_items(b, items, &n->list.count);
    if (items == NULL)
        return n;
    size_t i = 0;
    for (const struct parse_tree *item = items->first; item != NULL; item = item->next, i++) {
        if (!item->is_flagged)
            continue;
        if (n->list.optional == NULL)
            n->list.optional = ARENA_ARRAY(b->nodes.arena, items->count, bool);
        n->list.optional[i] = true;
    }
    return n;
}

/* Keys or names, each with its value after it; one without a colon is what a syntax error left. */
static struct entry *build_entries(struct builder *b, const struct parse_tree *items, bool is_message,
                                   size_t *count)
{
    *count = 0;
    if (items == NULL)
        return NULL;
    struct entry *entries = ARENA_ARRAY(b->nodes.arena, items->count, struct entry);
    const struct parse_tree *key = items->first;
    while (key != NULL && key->behind != PARSE_TREE_NO_TOKEN) {
        struct entry *e = &entries[(*count)++];
        e->id = nodes_next_id(&b->nodes);
        e->offset = offset_of(b, key->behind);
        e->optional = key->is_flagged;
        const struct parse_tree *value = key->next;
        const char *wrong = NULL;
        if (is_message)
            wrong = field_name(b, key, &e->name);
        else
            e->key = builder_run(b, key);
        if (wrong == NULL)
            e->value = builder_run(b, value);
        else
            e->value =
                nodes_fail(&b->nodes, ISSUE_OTHER, span_of(b, items->start, items->start), str_of(wrong));
        key = value == NULL ? NULL : value->next;
    }
    return entries;
}

static struct node *build_map(struct builder *b, const struct parse_tree *t)
{
    struct node *n = nodes_new(&b->nodes, NODE_MAP, offset_of(b, t->op_token));
    n->map.entries = build_entries(b, t->first, false, &n->map.count);
    return n;
}

static struct str message_name(struct builder *b, const struct parse_tree *t)
{
    struct text name = {.arena = b->nodes.arena};
    text_add(&name, dotted_name(b, t, t->name));
    for (uint32_t token = t->name + 1; token < t->op_token; token++)
        text_add(&name, text_of(b, token));
    return text_str(&name);
}

static struct node *build_message(struct builder *b, const struct parse_tree *t)
{
    struct node *n = nodes_new(&b->nodes, NODE_STRUCT, offset_of(b, t->op_token));
    n->structure.type_name = message_name(b, t);
    n->structure.fields = build_entries(b, t->first, true, &n->structure.count);
    return n;
}

static struct node *build_no_unary(struct builder *b, const struct parse_tree *t)
{
    struct literal error = {.kind = LITERAL_STRING, .bytes = STR("<<error>>")};
    return nodes_literal(&b->nodes, offset_of(b, t->start), error);
}

/* The productions by the tree's kind; a kind without a row makes no node. */
static const struct production {
    struct node *(*build)(struct builder *b, const struct parse_tree *t);
    bool is_counted; /* cel-go counts its depth */
} PRODUCTIONS[] = {
    [PARSE_TREE_LITERAL] = {build_literal, false},
    [PARSE_TREE_IDENT] = {build_ident, false},
    [PARSE_TREE_GLOBAL_CALL] = {build_global_call, false},
    [PARSE_TREE_LIST] = {build_list, false},
    [PARSE_TREE_MAP] = {build_map, false},
    [PARSE_TREE_MESSAGE] = {build_message, false},
    [PARSE_TREE_NOT] = {build_unary, false},
    [PARSE_TREE_NEGATE] = {build_unary, false},
    [PARSE_TREE_OR] = {build_chain, false},
    [PARSE_TREE_AND] = {build_chain, false},
    [PARSE_TREE_NO_UNARY] = {build_no_unary, false},
    [PARSE_TREE_TERNARY] = {build_ternary, true},
    [PARSE_TREE_BINARY] = {build_binary, true},
    [PARSE_TREE_SELECT] = {build_select, true},
    [PARSE_TREE_MEMBER_CALL] = {build_member_call, true},
    [PARSE_TREE_INDEX] = {build_index, true},
};

struct node *builder_run(struct builder *b, const struct parse_tree *t)
{
    if (t == NULL || b->nodes.is_silent || PRODUCTIONS[t->kind].build == NULL)
        return nothing(b);
    const struct production *p = &PRODUCTIONS[t->kind];
    b->depth += p->is_counted;
    if (b->depth > BUILDER_MAX_DEPTH) {
        issues_add(b->nodes.issues, ISSUE_OTHER, EXTENT_NOWHERE, STR("max recursion depth exceeded"));
        b->nodes.is_silent = true;
    }
    struct node *n = b->nodes.is_silent ? nothing(b) : p->build(b, t);
    b->depth -= p->is_counted;
    return n;
}
