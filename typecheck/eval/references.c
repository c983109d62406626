#include "typecheck/eval/references.h"

#include "typecheck/base/arena.h"
#include "typecheck/eval/cleared.h"

static void add_name(struct references *r, struct str name)
{
    bool is_all = str_eq(name, STR("request"));
    r->object |= str_eq(name, STR("object"));
    r->old_object |= str_eq(name, STR("oldObject"));
    r->params |= str_eq(name, STR("params"));
    r->operation |= is_all;
    r->resource |= is_all;
    r->subresource |= is_all;
    r->namespace |= is_all || str_eq(name, STR("namespaceObject"));
}

/* The fields of a request that requests for one type differ in, and those that they do not differ in. */
static const struct {
    struct str name;
    struct references references;
} FIELDS[] = {
    {STR_INIT("operation"), {.operation = true}},
    {STR_INIT("resource"), {.resource = true}},
    {STR_INIT("requestResource"), {.resource = true}},
    {STR_INIT("subResource"), {.subresource = true}},
    {STR_INIT("requestSubResource"), {.subresource = true}},
    {STR_INIT("namespace"), {.namespace = true}},
    {STR_INIT("kind"), {.object = false}},
    {STR_INIT("requestKind"), {.object = false}},
    {STR_INIT("name"), {.object = false}},
    {STR_INIT("uid"), {.object = false}},
    {STR_INIT("userInfo"), {.object = false}},
    {STR_INIT("dryRun"), {.object = false}},
    {STR_INIT("options"), {.object = false}},
};

/* False: it is not known to be one of those fields. */
static bool add_field(struct references *r, const struct node *n)
{
    const struct node *operand = n->select.operand;
    if (operand->kind != NODE_IDENT || !str_eq(ast_name(operand), STR("request")))
        return false;
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        if (!str_eq(FIELDS[i].name, n->select.field))
            continue;
        r->operation |= FIELDS[i].references.operation;
        r->resource |= FIELDS[i].references.resource;
        r->subresource |= FIELDS[i].references.subresource;
        r->namespace |= FIELDS[i].references.namespace;
        return true;
    }
    return false;
}

static void add_node(struct references *r, struct arena *a, const struct node *n)
{
    const struct node *child;
    arena_step(a);
    r->created |= cleared_is_named(n);
    if (n->kind == NODE_IDENT)
        add_name(r, ast_name(n));
    if (n->kind == NODE_SELECT && add_field(r, n))
        return;
    for (size_t i = 0; (child = ast_child(n, i)) != NULL; i++)
        add_node(r, a, child);
}

void references_add(struct references *r, struct arena *a, const struct ast *ast)
{
    add_node(r, a, ast->root);
}
