#include "typecheck/base/arena.h"
#include "typecheck/eval/bounds.h"
#include "typecheck/eval/context.h"
#include "typecheck/eval/eval_policy.h"
#include "typecheck/eval/patch.h"

/* Names */

static const struct absval *find_root(const struct eval_context *e, struct str name)
{
    const struct activation *s = e->scenario;
    const struct {
        struct str name;
        const struct absval *value;
    } roots[] = {
        {STR_INIT("object"), s->object},
        {STR_INIT("oldObject"), s->old_object},
        {STR_INIT("request"), s->request},
        {STR_INIT("params"), s->params},
        {STR_INIT("namespaceObject"),
         e->is_match_condition ? s->match_namespace_object : s->namespace_object},
        {STR_INIT("authorizer"), s->authorizer},
    };
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        if (str_eq(roots[i].name, name))
            return roots[i].value;
    }
    return NULL;
}

/* The name of a type is a value, too. */
static const struct absval *type_value(struct eval_context *e, struct str name)
{
    static const struct {
        struct str name;
        uint32_t kinds;
    } types[] = {
        {STR_INIT("bool"), ABS_BOOL},
        {STR_INIT("bytes"), ABS_BYTES},
        {STR_INIT("double"), ABS_DOUBLE},
        {STR_INIT("int"), ABS_INT},
        {STR_INIT("list"), ABS_LIST},
        {STR_INIT("map"), ABS_MAP},
        {STR_INIT("null_type"), ABS_NULL},
        {STR_INIT("string"), ABS_STRING},
        {STR_INIT("type"), ABS_TYPE},
        {STR_INIT("uint"), ABS_UINT},
        {STR_INIT("optional_type"), ABS_OPTIONAL},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!str_eq(types[i].name, name))
            continue;
        struct absval *v = ARENA_NEW(e->arena, struct absval);
        v->kinds = ABS_TYPE;
        v->type_kinds = types[i].kinds;
        return v;
    }
    return NULL;
}

const struct absval *walk_unknown(struct eval_context *e)
{
    return absval_failing(e->arena, &absval_any);
}

static const struct absval *walk_ident(struct eval_context *e, const struct node *n)
{
    struct str name = ast_name(n);
    const struct binding *local =
        name.len == n->ident.len ? narrowing_find_local(e->arena, e->locals, name) : NULL;
    const struct absval *v = local != NULL ? local->value : find_root(e, name);
    if (v == NULL)
        v = type_value(e, name);
    return v == NULL ? walk_unknown(e) : v;
}

bool walk_is_root(const struct eval_context *e, const struct node *n, struct str name)
{
    return n->kind == NODE_IDENT && str_eq(ast_name(n), name) &&
           (n->ident.len != name.len || narrowing_find_local(e->arena, e->locals, name) == NULL);
}

/* Variables */

/* The slot of the name, or the free one where it belongs. */
static uint32_t *find_slot(const struct eval_context *e, struct arena *a, struct str name)
{
    arena_pay_hash(a, name.len);
    size_t i = str_hash(name) & (e->variable_cap - 1);
    for (; e->variable_slots[i] != 0; i = (i + 1) & (e->variable_cap - 1)) {
        if (str_eq(e->expressions[e->variables[e->variable_slots[i] - 1].expression].name, name))
            break;
    }
    return &e->variable_slots[i];
}

/* The last of equal names wins. */
void walk_index_variables(struct eval_context *e, struct arena *a)
{
    e->variable_cap = 2;
    while (e->variable_cap < 2 * e->variable_count)
        e->variable_cap *= 2;
    e->variable_slots = ARENA_ARRAY(a, e->variable_cap, uint32_t);
    for (size_t i = 0; i < e->variable_count; i++)
        *find_slot(e, a, e->expressions[e->variables[i].expression].name) = (uint32_t)i + 1;
}

static struct composited *find_variable(const struct eval_context *e, struct str name)
{
    uint32_t slot = *find_slot(e, e->arena, name);
    return slot == 0 ? NULL : &e->variables[slot - 1];
}

/* What it makes outlives the expression at hand. */
void walk_run_variable(struct eval_context *e, struct composited *v)
{
    struct eval_context outside = *e;
    size_t mark = findings_mark(e->places);
    e->arena = e->of_way;
    e->expression = v->expression;
    e->locals = NULL;
    e->facts = e->policy_facts;
    e->doubts = e->imagining = 0;
    e->running = v;
    v->around = outside.running;
    v->is_running = true;
    v->value = walk_node(e, e->expressions[v->expression].ast->root);
    v->is_running = false;
    v->is_done = true;
    v->notes = findings_take(e->places, e->of_way, mark, &v->note_count);
    outside.variables_run = e->variables_run + 1;
    *e = outside;
}

/* "Variables are evaluated when they are used"; an error in one is an error at each use, and absorbed there.
 */
const struct absval *walk_variable(struct eval_context *e, struct str name)
{
    struct composited *v = find_variable(e, name);
    if (v == NULL)
        return NULL;
    if (v->is_running || v->is_awaited || e->expressions[v->expression].ast == NULL)
        return walk_unknown(e); /* it would need itself */
    v->is_used = v->is_used || e->doubts == 0;
    if (!v->is_done)
        walk_run_variable(e, v);
    if (e->doubts == 0)
        findings_add(e->places, v->notes, v->note_count);
    return v->value;
}

/* Facts */

/* Behind "x != null ||" x is null. */
static const struct absval *apply_facts(struct eval_context *e, const struct node *n, const struct absval *v)
{
    if (e->facts == NULL || v->is_broken || (v->kinds & ABS_NULL) == 0 || v->kinds == ABS_NULL ||
        !narrowing_has(e->arena, e->facts, NARROWING_NULL, n, e->locals))
        return v;
    return eval_context_derive(e, &absval_null, v);
}

/* Logic */

/* One of the operands that `condition` guards, and the doubt whether evaluation comes to it. */
static const struct absval *walk_guarded(struct eval_context *e, const struct node *n,
                                         const struct node *condition_node, const struct absval *condition,
                                         bool truth)
{
    const struct narrowing *facts = e->facts;
    bool is_doubtful = eval_context_is_doubtful(condition, truth);
    e->facts = narrowing_assume(e->arena, facts, e->locals, condition_node, truth);
    e->doubts += is_doubtful;
    const struct absval *v = walk_node(e, n);
    e->doubts -= is_doubtful;
    e->facts = facts;
    return v;
}

/*
 * The right operand where the left one decides, unless it fails: it passes as
 * it does, but what fails in it is nothing that is certain to be come to.
 */
static const struct absval *walk_decided(struct eval_context *e, const struct node *right,
                                         const struct absval *left)
{
    if (left->may_fail) {
        e->doubts++;
        walk_node(e, right);
        e->doubts--;
    }
    return left;
}

static const struct absval *walk_logical(struct eval_context *e, const struct node *n, bool is_or)
{
    size_t mark = findings_mark(e->places);
    const struct node *left_node = n->call.args[0], *right_node = n->call.args[1];
    const struct absval *left = eval_context_bool(e, left_node, left_node, walk_node(e, left_node));
    if (!left->is_broken && !eval_context_can_be(left, !is_or))
        return walk_decided(e, right_node, left);
    struct past past = eval_context_go_past(e, left, mark);
    const struct absval *right = walk_guarded(e, right_node, left_node, left, !is_or);
    const struct absval *v =
        eval_context_logic(e, is_or, left, eval_context_bool(e, right_node, right_node, right));
    eval_context_return(e, past);
    if (!v->may_fail)
        findings_absorb(e->places, mark);
    return v;
}

/* "?: does not absorb its condition's error, and does not evaluate the branch that is not taken." */
static const struct absval *walk_conditional(struct eval_context *e, const struct node *n)
{
    size_t mark = findings_mark(e->places);
    const struct node *condition_node = n->call.args[0];
    const struct absval *v = NULL;
    const struct absval *condition = eval_context_bool(e, condition_node, n, walk_node(e, condition_node));
    struct past past = eval_context_go_past(e, condition, mark);
    e->imagining += condition->is_broken;
    for (int truth = 1; truth >= 0; truth--) {
        if (!condition->is_broken && !eval_context_can_be(condition, truth))
            continue;
        const struct absval *branch =
            walk_guarded(e, n->call.args[truth ? 1 : 2], condition_node, condition, truth);
        v = v == NULL ? branch : absval_join(e->arena, v, branch);
    }
    e->imagining -= condition->is_broken;
    eval_context_return(e, past);
    return eval_context_derive(e, v, condition);
}

/* Literals */

/* What an entry adds, if it adds anything: of [?x] and {?k: x} that is what x has. */
struct addition {
    enum absval_presence presence;
    const struct absval *value; /* NULL: ABS_ABSENT */
};

static struct addition addition(const struct absval *v, bool is_optional)
{
    if (!is_optional)
        return (struct addition){ABS_PRESENT, v};
    if ((v->kinds & ABS_OPTIONAL) == 0)
        return (struct addition){ABS_MAYBE, &absval_any};
    if (!v->may_have)
        return (struct addition){ABS_ABSENT, NULL};
    bool is_sure = v->kinds == ABS_OPTIONAL && !v->may_be_none;
    return (struct addition){is_sure ? ABS_PRESENT : ABS_MAYBE, v->inner};
}

static const struct absval *walk_list(struct eval_context *e, const struct node *n)
{
    const struct absval **items = ARENA_ARRAY(e->arena, n->list.count, const struct absval *);
    const struct absval *element = NULL;
    struct absval made = {0};
    size_t count = 0;
    bool is_exact = true;
    for (size_t i = 0; i < n->list.count; i++) {
        const struct absval *v = walk_node(e, n->list.elements[i]);
        made.may_fail = made.may_fail || v->may_fail;
        made.is_broken = made.is_broken || v->is_broken;
        struct addition item = addition(v, n->list.optional != NULL && n->list.optional[i]);
        if (item.presence == ABS_ABSENT)
            continue;
        is_exact = is_exact && item.presence == ABS_PRESENT;
        items[count++] = item.value;
        element = element == NULL ? item.value : absval_join(e->arena, element, item.value);
    }
    const struct absval *list =
        is_exact ? absval_of_items(e->arena, items, count) : absval_of_elements(e->arena, element);
    return eval_context_derive(e, list, &made);
}

/* Whether the key is that of an entry that may be missing, so that it may come from either. */
static bool is_repeated(struct eval_context *e, const struct absfield *fields, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++) {
        arena_step(e->arena);
        arena_pay_bytes(e->arena, name.len);
        if (fields[i].presence == ABS_MAYBE && str_eq(fields[i].name, name))
            return true;
    }
    return false;
}

/* A map whose keys are all known has fields; any other has keys and values of some sort. */
static const struct absval *walk_map(struct eval_context *e, const struct node *n)
{
    struct absfield *fields = ARENA_ARRAY(e->arena, n->map.count, struct absfield);
    const struct absval *keys = NULL, *values = NULL;
    struct absval made = {0};
    size_t count = 0;
    bool is_known = true, may_repeat = false;
    for (size_t i = 0; i < n->map.count; i++) {
        const struct entry *entry = &n->map.entries[i];
        const struct absval *key = walk_node(e, entry->key), *value = walk_node(e, entry->value);
        const struct str *name = absval_constant_string(key);
        made.may_fail = made.may_fail || key->may_fail || value->may_fail;
        made.is_broken = made.is_broken || key->is_broken || value->is_broken;
        struct addition added = addition(value, entry->optional);
        if (added.presence == ABS_ABSENT)
            continue;
        keys = keys == NULL ? key : absval_join(e->arena, keys, key);
        values = values == NULL ? added.value : absval_join(e->arena, values, added.value);
        is_known = is_known && name != NULL && !(may_repeat && is_repeated(e, fields, count, *name));
        may_repeat = may_repeat || added.presence == ABS_MAYBE;
        if (is_known)
            fields[count++] = (struct absfield){*name, added.presence, added.value};
    }
    struct absmap map = {.key = values == NULL ? NULL : keys, .value = values};
    if (is_known)
        map = (struct absmap){.fields = fields,
                              .field_count = count,
                              .field_keys = keys == NULL || keys->may_fail ? NULL : keys,
                              .field_values = values};
    return eval_context_derive(e, absmap_value(e->arena, map), &made);
}

static const struct absval *walk_structure(struct eval_context *e, const struct node *n)
{
    const struct absval **values = ARENA_ARRAY(e->arena, n->structure.count, const struct absval *);
    for (size_t i = 0; i < n->structure.count; i++)
        values[i] = walk_node(e, n->structure.fields[i].value);
    patch_judge(e, n, values);
    return walk_unknown(e);
}

/* The tree */

/* Operators that do not just evaluate their operands; calls.c has all other calls. */
static const struct {
    struct str function;
    const struct absval *(*walk)(struct eval_context *e, const struct node *n);
} OPERATORS[] = {
    {STR_INIT("_[_]"), qualifiers_index},
    {STR_INIT("_?._"), qualifiers_optional},
    {STR_INIT("_[?_]"), qualifiers_optional},
    {STR_INIT("_?_:_"), walk_conditional},
};

static const struct absval *walk_call(struct eval_context *e, const struct node *n)
{
    struct str name = n->call.function;
    if (name.at[0] != '_')
        return calls_call(e, n);
    if (str_eq(name, STR("_&&_")) || str_eq(name, STR("_||_")))
        return walk_logical(e, n, name.at[1] == '|');
    for (size_t i = 0; i < sizeof OPERATORS / sizeof *OPERATORS; i++) {
        if (str_eq(name, OPERATORS[i].function))
            return OPERATORS[i].walk(e, n);
    }
    return calls_call(e, n);
}

static const struct absval *walk_kind(struct eval_context *e, const struct node *n)
{
    switch (n->kind) {
    case NODE_LITERAL:
        return absval_of_literal(e->arena, n->literal);
    case NODE_IDENT:
        return apply_facts(e, n, walk_ident(e, n));
    case NODE_SELECT:
        return n->select.test_only ? qualifiers_select(e, n) : apply_facts(e, n, qualifiers_select(e, n));
    case NODE_CALL:
        return apply_facts(e, n, walk_call(e, n));
    case NODE_LIST:
        return walk_list(e, n);
    case NODE_MAP:
        return walk_map(e, n);
    case NODE_STRUCT:
        return walk_structure(e, n);
    case NODE_COMPREHENSION:
        return fold_comprehension(e, n);
    }
    return walk_unknown(e);
}

/* One expression is never so deep: the innermost variable is evaluated by itself first. */
static _Noreturn void leave(struct eval_context *e)
{
    arena_fail(e->arena, e->running != NULL && e->running != e->unit ? ARENA_LATER : ARENA_STEPS);
}

const struct absval *walk_node(struct eval_context *e, const struct node *n)
{
    arena_step(e->arena);
    if (e->depth >= BOUNDS_WALK_DEPTH)
        leave(e);
    e->depth++;
    const struct absval *v = walk_kind(e, n);
    e->depth--;
    return v;
}
