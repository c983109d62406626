#include "typecheck/facts.h"

#include "typecheck/arena.h"

const struct binding *facts_find_local(const struct binding *locals, struct str name)
{
    while (locals != NULL && !str_eq(locals->name, name))
        locals = locals->outer;
    return locals;
}

static bool calls(const struct node *n, struct str function)
{
    return n->kind == NODE_CALL && str_eq(n->call.function, function);
}

static bool is_null(const struct node *n)
{
    return n->kind == NODE_LITERAL && n->literal.kind == LITERAL_NULL;
}

bool facts_is_path(const struct node *n)
{
    if (n->kind == NODE_SELECT && !n->select.test_only)
        return facts_is_path(n->select.operand);
    if (calls(n, STR("_[_]")))
        return n->call.args[1]->kind == NODE_LITERAL && facts_is_path(n->call.args[0]);
    return n->kind == NODE_IDENT;
}

static const struct fact *add(struct arena *a, const struct fact *facts, const struct binding *locals,
                              enum fact_kind kind, const struct node *path)
{
    struct fact *f = ARENA_NEW(a, struct fact);
    *f = (struct fact){.next = facts, .kind = kind, .path = path, .locals = locals};
    return f;
}

/* x == null, null == x */
static const struct fact *assume_null(struct arena *a, const struct fact *facts, const struct binding *locals,
                                      const struct node *comparison)
{
    const struct node *left = comparison->call.args[0], *right = comparison->call.args[1];
    const struct node *path = is_null(right) ? left : right;
    if ((is_null(left) || is_null(right)) && facts_is_path(path))
        return add(a, facts, locals, FACT_NULL, path);
    return facts;
}

const struct fact *facts_assume(struct arena *a, const struct fact *facts, const struct binding *locals,
                                const struct node *condition, bool truth)
{
    if (calls(condition, STR("!_")))
        return facts_assume(a, facts, locals, condition->call.args[0], !truth);
    if (calls(condition, truth ? STR("_&&_") : STR("_||_"))) {
        facts = facts_assume(a, facts, locals, condition->call.args[0], truth);
        return facts_assume(a, facts, locals, condition->call.args[1], truth);
    }
    if (calls(condition, truth ? STR("_==_") : STR("_!=_")))
        return assume_null(a, facts, locals, condition);
    if (!truth && condition->kind == NODE_SELECT && condition->select.test_only &&
        facts_is_path(condition->select.operand))
        return add(a, facts, locals, FACT_ABSENT, condition);
    return facts;
}

static bool is_same_key(const struct node *one, const struct node *two)
{
    if (one->kind != NODE_LITERAL || two->kind != NODE_LITERAL || one->literal.kind != two->literal.kind)
        return false;
    return (one->literal.kind == LITERAL_STRING && str_eq(one->literal.bytes, two->literal.bytes)) ||
           (one->literal.kind == LITERAL_INT && one->literal.integer == two->literal.integer);
}

static bool is_same_path(const struct node *one, const struct binding *locals_one, const struct node *two,
                         const struct binding *locals_two)
{
    if (one->kind != two->kind)
        return false;
    if (one->kind == NODE_IDENT)
        return str_eq(one->ident, two->ident) &&
               facts_find_local(locals_one, one->ident) == facts_find_local(locals_two, two->ident);
    if (one->kind == NODE_SELECT)
        return str_eq(one->select.field, two->select.field) &&
               is_same_path(one->select.operand, locals_one, two->select.operand, locals_two);
    return calls(one, STR("_[_]")) && calls(two, STR("_[_]")) &&
           is_same_key(one->call.args[1], two->call.args[1]) &&
           is_same_path(one->call.args[0], locals_one, two->call.args[0], locals_two);
}

bool facts_has(const struct fact *facts, enum fact_kind kind, const struct node *path,
               const struct binding *locals)
{
    for (const struct fact *f = facts; f != NULL; f = f->next) {
        if (f->kind == kind && is_same_path(f->path, f->locals, path, locals))
            return true;
    }
    return false;
}

struct str facts_root(const struct fact *fact)
{
    const struct node *n = fact->path;
    while (n->kind != NODE_IDENT)
        n = n->kind == NODE_SELECT ? n->select.operand : n->call.args[0];
    return n->ident;
}
