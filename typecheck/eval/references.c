#include "typecheck/eval/references.h"

#include "typecheck/base/arena.h"

struct walk {
    struct references *looks;
    struct arena *arena;
};

static void look_at_name(struct references *l, struct str name)
{
    bool is_all = str_eq(name, STR("request"));
    l->at_objects |= str_eq(name, STR("object")) || str_eq(name, STR("oldObject"));
    l->at_operation |= is_all;
    l->at_resource |= is_all;
    l->at_subresource |= is_all;
    l->at_namespace |= is_all || str_eq(name, STR("namespaceObject"));
}

/* The fields of a request that requests for one type differ in, and those that they do not. */
static const struct {
    struct str name;
    struct references looks;
} FIELDS[] = {
    {STR_INIT("operation"), {.at_operation = true}},
    {STR_INIT("resource"), {.at_resource = true}},
    {STR_INIT("requestResource"), {.at_resource = true}},
    {STR_INIT("subResource"), {.at_subresource = true}},
    {STR_INIT("requestSubResource"), {.at_subresource = true}},
    {STR_INIT("namespace"), {.at_namespace = true}},
    {STR_INIT("kind"), {.at_objects = false}},
    {STR_INIT("requestKind"), {.at_objects = false}},
    {STR_INIT("name"), {.at_objects = false}},
    {STR_INIT("uid"), {.at_objects = false}},
    {STR_INIT("userInfo"), {.at_objects = false}},
    {STR_INIT("dryRun"), {.at_objects = false}},
    {STR_INIT("options"), {.at_objects = false}},
};

/* False: it is no field of the request that is known to be one of those. */
static bool look_at_field(struct references *l, const struct node *n)
{
    const struct node *operand = n->select.operand;
    if (operand->kind != NODE_IDENT || !str_eq(ast_name(operand), STR("request")))
        return false;
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        if (!str_eq(FIELDS[i].name, n->select.field))
            continue;
        l->at_operation |= FIELDS[i].looks.at_operation;
        l->at_resource |= FIELDS[i].looks.at_resource;
        l->at_subresource |= FIELDS[i].looks.at_subresource;
        l->at_namespace |= FIELDS[i].looks.at_namespace;
        return true;
    }
    return false;
}

static void look_at(struct walk *w, const struct node *n);

static void look_entries(struct walk *w, const struct entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (entries[i].key != NULL)
            look_at(w, entries[i].key);
        look_at(w, entries[i].value);
    }
}

static void look_call(struct walk *w, const struct node *n)
{
    if (n->call.target != NULL)
        look_at(w, n->call.target);
    for (size_t i = 0; i < n->arg_count; i++)
        look_at(w, n->call.args[i]);
}

static void look_comprehension(struct walk *w, const struct node *n)
{
    look_at(w, n->comprehension->range);
    look_at(w, n->comprehension->init);
    look_at(w, n->comprehension->step);
    look_at(w, n->comprehension->result);
}

static void look_at(struct walk *w, const struct node *n)
{
    arena_step(w->arena);
    switch (n->kind) {
    case NODE_LITERAL:
        break;
    case NODE_IDENT:
        look_at_name(w->looks, ast_name(n));
        break;
    case NODE_SELECT:
        if (!look_at_field(w->looks, n))
            look_at(w, n->select.operand);
        break;
    case NODE_CALL:
        look_call(w, n);
        break;
    case NODE_LIST:
        for (size_t i = 0; i < n->list.count; i++)
            look_at(w, n->list.elements[i]);
        break;
    case NODE_MAP:
        look_entries(w, n->map.entries, n->map.count);
        break;
    case NODE_STRUCT:
        look_entries(w, n->structure.fields, n->structure.count);
        break;
    case NODE_COMPREHENSION:
        look_comprehension(w, n);
        break;
    }
}

void references_add(struct references *l, struct arena *a, const struct ast *ast)
{
    struct walk w = {l, a};
    look_at(&w, ast->root);
}
