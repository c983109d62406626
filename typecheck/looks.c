#include "typecheck/looks.h"

static void look_at_name(struct looks *l, struct str name)
{
    l->at_objects |= str_eq(name, STR("object")) || str_eq(name, STR("oldObject"));
    l->at_request |= str_eq(name, STR("request")) || str_eq(name, STR("namespaceObject"));
}

static void look_at(struct looks *l, const struct node *n);

static void look_entries(struct looks *l, const struct entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (entries[i].key != NULL)
            look_at(l, entries[i].key);
        look_at(l, entries[i].value);
    }
}

static void look_call(struct looks *l, const struct node *n)
{
    if (n->call.target != NULL)
        look_at(l, n->call.target);
    for (size_t i = 0; i < n->call.arg_count; i++)
        look_at(l, n->call.args[i]);
}

static void look_comprehension(struct looks *l, const struct node *n)
{
    look_at(l, n->comprehension.range);
    look_at(l, n->comprehension.init);
    look_at(l, n->comprehension.step);
    look_at(l, n->comprehension.result);
}

static void look_at(struct looks *l, const struct node *n)
{
    switch (n->kind) {
    case NODE_LITERAL:
        break;
    case NODE_IDENT:
        look_at_name(l, ast_name(n));
        break;
    case NODE_SELECT:
        look_at(l, n->select.operand);
        break;
    case NODE_CALL:
        look_call(l, n);
        break;
    case NODE_LIST:
        for (size_t i = 0; i < n->list.count; i++)
            look_at(l, n->list.elements[i]);
        break;
    case NODE_MAP:
        look_entries(l, n->map.entries, n->map.count);
        break;
    case NODE_STRUCT:
        look_entries(l, n->structure.fields, n->structure.count);
        break;
    case NODE_COMPREHENSION:
        look_comprehension(l, n);
        break;
    }
}

void looks_add(struct looks *l, const struct ast *ast)
{
    look_at(l, ast->root);
}
