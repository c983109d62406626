#include "typecheck/policy/abstract/references.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/abstract/cleared.h"

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

/* Returns false if the node is not known to be one of those fields. */
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

/* Returns NULL if it is not a test for a key. */
static const struct node *tested_key(const struct node *n)
{
    if (n->kind != NODE_CALL)
        return NULL;
    if (n->op == AST_OPTIONAL_SELECT || n->op == AST_OPTIONAL_INDEX)
        return n->call.args[1];
    return n->op == AST_IN ? n->call.args[0] : NULL;
}

static void add_key(struct references *r, struct arena *a, struct str name)
{
    struct references_key *key = ARENA_NEW(a, struct references_key);
    *key = (struct references_key){r->keys, name};
    r->keys = key;
}

static void add_tested(struct references *r, struct arena *a, const struct node *n)
{
    const struct node *key = tested_key(n);
    if (n->kind == NODE_SELECT && n->select.test_only)
        add_key(r, a, n->select.field);
    else if (key != NULL && key->kind == NODE_LITERAL && key->literal.kind == LITERAL_STRING)
        add_key(r, a, key->literal.bytes);
    else
        r->tests_keys |= key != NULL;
}

bool references_names_key(const struct references *r, struct arena *a, struct str name)
{
    bool is_tested = false;
    for (const struct references_key *k = r->keys; !is_tested && k != NULL; k = k->next) {
        arena_step(a);
        is_tested = str_eq(k->name, name);
    }
    return is_tested;
}

bool references_tests_key(const struct references *r, struct arena *a, struct str name)
{
    return r->tests_keys || references_names_key(r, a, name);
}

static void add_node(struct references *r, struct arena *a, const struct node *n)
{
    const struct node *child;
    arena_step(a);
    r->created |= cleared_is_named(n);
    add_tested(r, a, n);
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
