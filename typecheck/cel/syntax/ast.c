#include "typecheck/cel/syntax/ast.h"

#include <inttypes.h>
#include <stdio.h>

#include "typecheck/base/arena.h"

struct printer {
    struct text text;
    bool with_places;
};

static void print_node(struct printer *p, const struct node *n);

static void print_quoted(struct printer *p, struct str s)
{
    text_add_char(&p->text, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        if (c == '"' || c == '\\')
            text_addf(&p->text, "\\%c", c);
        else if (c < ' ' || c >= 0x7F)
            text_addf(&p->text, "\\x%02x", c);
        else
            text_add_char(&p->text, (char)c);
    }
    text_add_char(&p->text, '"');
}

static void print_double(struct printer *p, double value)
{
    char digits[40];
    int len = snprintf(digits, sizeof digits, "%.17g", value);
    text_add(&p->text, (struct str){digits, (size_t)len});
}

static void print_literal(struct printer *p, const struct literal *l)
{
    switch (l->kind) {
    case LITERAL_NULL:
        text_add(&p->text, STR("null"));
        break;
    case LITERAL_BOOL:
        text_add(&p->text, l->boolean ? STR("true") : STR("false"));
        break;
    case LITERAL_INT:
        text_addf(&p->text, "%" PRId64, l->integer);
        break;
    case LITERAL_UINT:
        text_addf(&p->text, "%" PRIu64 "u", l->uinteger);
        break;
    case LITERAL_DOUBLE:
        print_double(p, l->floating);
        break;
    case LITERAL_BYTES:
        text_add_char(&p->text, 'b');
        print_quoted(p, l->bytes);
        break;
    case LITERAL_STRING:
        print_quoted(p, l->bytes);
        break;
    }
}

static void print_separator(struct printer *p, size_t index)
{
    if (index != 0)
        text_add(&p->text, STR(", "));
}

static void print_call(struct printer *p, const struct node *n)
{
    if (n->call.target != NULL) {
        print_node(p, n->call.target);
        text_add_char(&p->text, '.');
    }
    text_add(&p->text, n->call.function);
    text_add_char(&p->text, '(');
    for (size_t i = 0; i < n->arg_count; i++) {
        print_separator(p, i);
        print_node(p, n->call.args[i]);
    }
    text_add_char(&p->text, ')');
}

static void print_list(struct printer *p, const struct node *n)
{
    text_add_char(&p->text, '[');
    for (size_t i = 0; i < n->list.count; i++) {
        print_separator(p, i);
        if (n->list.optional != NULL && n->list.optional[i])
            text_add_char(&p->text, '?');
        print_node(p, n->list.elements[i]);
    }
    text_add_char(&p->text, ']');
}

static void print_entries(struct printer *p, const struct entry *entries, size_t count)
{
    text_add_char(&p->text, '{');
    for (size_t i = 0; i < count; i++) {
        print_separator(p, i);
        if (entries[i].optional)
            text_add_char(&p->text, '?');
        if (entries[i].key != NULL)
            print_node(p, entries[i].key);
        else
            text_add(&p->text, entries[i].name);
        text_add_char(&p->text, ':');
        if (p->with_places)
            text_addf(&p->text, "^%" PRIu32, entries[i].offset);
        text_add_char(&p->text, ' ');
        print_node(p, entries[i].value);
    }
    text_add_char(&p->text, '}');
}

/* fold(v in range; accu = init; while condition; step; result) */
static void print_comprehension(struct printer *p, const struct node *n)
{
    text_add(&p->text, STR("fold("));
    text_add(&p->text, n->comprehension->iter_var);
    if (n->comprehension->iter_var2.len != 0) {
        text_add(&p->text, STR(", "));
        text_add(&p->text, n->comprehension->iter_var2);
    }
    text_add(&p->text, STR(" in "));
    print_node(p, n->comprehension->range);
    text_add(&p->text, STR("; "));
    text_add(&p->text, n->comprehension->accu_var);
    text_add(&p->text, STR(" = "));
    print_node(p, n->comprehension->init);
    text_add(&p->text, STR("; while "));
    print_node(p, n->comprehension->condition);
    text_add(&p->text, STR("; "));
    print_node(p, n->comprehension->step);
    text_add(&p->text, STR("; "));
    print_node(p, n->comprehension->result);
    text_add_char(&p->text, ')');
}

static void print_node(struct printer *p, const struct node *n)
{
    switch (n->kind) {
    case NODE_LITERAL:
        print_literal(p, &n->literal);
        break;
    case NODE_IDENT:
        text_add(&p->text, n->ident);
        break;
    case NODE_SELECT:
        print_node(p, n->select.operand);
        text_add_char(&p->text, '.');
        text_add(&p->text, n->select.field);
        if (n->select.test_only)
            text_add(&p->text, STR("~test-only~"));
        break;
    case NODE_CALL:
        print_call(p, n);
        break;
    case NODE_LIST:
        print_list(p, n);
        break;
    case NODE_MAP:
        print_entries(p, n->map.entries, n->map.count);
        break;
    case NODE_STRUCT:
        text_add(&p->text, n->structure.type_name);
        print_entries(p, n->structure.fields, n->structure.count);
        break;
    case NODE_COMPREHENSION:
        print_comprehension(p, n);
        break;
    }
    if (p->with_places)
        text_addf(&p->text, "^%" PRIu32, n->offset);
}

struct str ast_text(struct arena *a, const struct node *n, bool with_places)
{
    struct printer p = {.text = {.arena = a}, .with_places = with_places};
    print_node(&p, n);
    return text_str(&p.text);
}

struct str ast_operator_function(enum ast_operator op)
{
    static const struct str functions[] = {
        [AST_FUNCTION] = STR_INIT(""),
        [AST_NOT] = STR_INIT("!_"),
        [AST_NEGATE] = STR_INIT("-_"),
        [AST_AND] = STR_INIT("_&&_"),
        [AST_OR] = STR_INIT("_||_"),
        [AST_CONDITIONAL] = STR_INIT("_?_:_"),
        [AST_EQUALS] = STR_INIT("_==_"),
        [AST_NOT_EQUALS] = STR_INIT("_!=_"),
        [AST_LESS] = STR_INIT("_<_"),
        [AST_LESS_EQUALS] = STR_INIT("_<=_"),
        [AST_GREATER] = STR_INIT("_>_"),
        [AST_GREATER_EQUALS] = STR_INIT("_>=_"),
        [AST_IN] = STR_INIT("@in"),
        [AST_ADD] = STR_INIT("_+_"),
        [AST_SUBTRACT] = STR_INIT("_-_"),
        [AST_MULTIPLY] = STR_INIT("_*_"),
        [AST_DIVIDE] = STR_INIT("_/_"),
        [AST_MODULO] = STR_INIT("_%_"),
        [AST_INDEX] = STR_INIT("_[_]"),
        [AST_OPTIONAL_INDEX] = STR_INIT("_[?_]"),
        [AST_OPTIONAL_SELECT] = STR_INIT("_?._"),
        [AST_NOT_STRICTLY_FALSE] = STR_INIT("@not_strictly_false"),
    };
    return functions[op];
}

static const struct node *child_of_comprehension(const struct comprehension *c, size_t i)
{
    enum { PARTS = 5 };
    const struct node *const parts[PARTS] = {c->range, c->init, c->condition, c->step, c->result};
    return i < PARTS ? parts[i] : NULL;
}

static const struct node *child_of_call(const struct node *n, size_t i)
{
    size_t before = n->call.target != NULL;
    if (i < before)
        return n->call.target;
    return i - before < n->arg_count ? n->call.args[i - before] : NULL;
}

const struct node *ast_child(const struct node *n, size_t i)
{
    switch (n->kind) {
    case NODE_LITERAL:
    case NODE_IDENT:
        return NULL;
    case NODE_SELECT:
        return i == 0 ? n->select.operand : NULL;
    case NODE_CALL:
        return child_of_call(n, i);
    case NODE_LIST:
        return i < n->list.count ? n->list.elements[i] : NULL;
    case NODE_MAP:
        if (i / 2 >= n->map.count)
            return NULL;
        return i % 2 == 0 ? n->map.entries[i / 2].key : n->map.entries[i / 2].value;
    case NODE_STRUCT:
        return i < n->structure.count ? n->structure.fields[i].value : NULL;
    case NODE_COMPREHENSION:
        return child_of_comprehension(n->comprehension, i);
    }
    return NULL;
}

struct str ast_without_dot(struct str name)
{
    return name.len != 0 && name.at[0] == '.' ? str_skip(name, 1) : name;
}

struct str ast_name(const struct node *ident)
{
    return ast_without_dot(ident->ident);
}
