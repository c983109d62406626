#include "typecheck/eval/references.h"

#include "typecheck/base/arena.h"

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

static void look_at(struct references *l, struct arena *a, const struct node *n)
{
    const struct node *child;
    arena_step(a);
    if (n->kind == NODE_IDENT)
        look_at_name(l, ast_name(n));
    if (n->kind == NODE_SELECT && look_at_field(l, n))
        return;
    for (size_t i = 0; (child = ast_child(n, i)) != NULL; i++)
        look_at(l, a, child);
}

void references_add(struct references *l, struct arena *a, const struct ast *ast)
{
    look_at(l, a, ast->root);
}
