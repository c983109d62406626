/*
 * cost_of() adds the costs of a node's parts and its own, as an interval from the least to the most. On the
 * way it keeps what is known of the size of each node's value (facts.h), by its path in the schema or
 * computed. call_cost.h estimates a call and the size of its result for each overload that matches, and the
 * estimates are joined. The cost of a loop is that of one round times the size of its range. Two flags of
 * cel-go's release change the rules: tracks_variables, and measures_contents, since which sizes have parts;
 * therefore some functions come in two variants.
 */
#include "typecheck/cel/cost/cost.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/cost/call_cost.h"
#include "typecheck/cel/cost/facts.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"

enum { LIST_COST = 10, MAP_COST = 30, STRUCT_COST = 40 };

static struct estimate cost_of(struct facts *f, const struct node *n);

/* ---- nodes ---- */

static struct estimate cost_of_name(struct facts *f, const struct node *n)
{
    const struct facts_local *l = facts_local_of(f, n);
    struct sizes_path *path = &facts_of(f, n)->path;
    if (l == NULL) {
        *path = facts_append(f, (struct sizes_path){0}, facts_name(f, n));
    } else if (l->range == NULL) {
        *path = l->facts.path;
    } else {
        enum type_kind kind = checked_type_of(f->checked, l->range)->kind;
        if (kind == TYPE_LIST || kind == TYPE_MAP)
            *path =
                facts_append(f, facts_path(f, l->range), kind == TYPE_LIST ? STR("@items") : STR("@keys"));
    }
    return estimate_fixed(1);
}

/* c ? x : y, which selections and indexes of its result are one step with. */
static bool is_conditional(const struct node *n)
{
    return n->kind == NODE_CALL && n->op == AST_CONDITIONAL;
}

/* Returns true if the node is evaluated in one step: names, c ? x : y, and the selections and indexes of
 * these. */
static bool is_attribute(const struct facts *f, const struct node *n)
{
    bool is_index = n->kind == NODE_CALL &&
                    (n->op == AST_INDEX || n->op == AST_OPTIONAL_INDEX || n->op == AST_OPTIONAL_SELECT);
    return facts_is_name(f, n) || n->kind == NODE_SELECT || is_index || is_conditional(n);
}

/* The node at which a chain of selections and indexes begins. */
static const struct node *attribute_root(const struct facts *f, const struct node *n)
{
    while (!facts_is_name(f, n) && is_attribute(f, n) && !is_conditional(n)) {
        arena_step(f->arena);
        if (n->kind == NODE_SELECT && n->select.test_only)
            break;
        n = n->kind == NODE_SELECT ? n->select.operand : n->call.args[0];
    }
    return n;
}

/* has() of a field of c ? x : y costs a step where x or y is computed. Recurses into conditionals. */
static struct estimate cost_of_branches_tested(const struct facts *f, const struct node *operand)
{
    const struct node *root = attribute_root(f, operand);
    struct estimate costs[2] = {{1, 1}, {1, 1}};
    if (!is_conditional(root))
        return (struct estimate){0, 0};
    for (size_t i = 0; i < 2; i++) {
        const struct node *branch = root->call.args[1 + i];
        bool is_test = branch->kind == NODE_SELECT && branch->select.test_only;
        if (is_attribute(f, branch) && !is_test)
            costs[i] = cost_of_branches_tested(f, branch);
    }
    return estimate_union(costs[0], costs[1]);
}

static struct estimate cost_of_select(struct facts *f, const struct node *n)
{
    const struct node *operand = n->select.operand;
    struct estimate cost = cost_of(f, operand);
    bool is_deep = f->celgo->measures_contents;
    enum type_kind kind = checked_type_of(f->checked, operand)->kind;
    if (n->select.test_only && !is_deep)
        return cost;
    if (n->select.test_only)
        cost = estimate_add(cost, cost_of_branches_tested(f, operand));
    else if (is_deep || kind == TYPE_MAP || kind == TYPE_OBJECT || kind == TYPE_PARAM)
        cost = estimate_add(cost, estimate_fixed(1));
    struct sizes_path path = facts_path(f, operand);
    if (!is_deep || path.len > 0)
        facts_of(f, n)->path = facts_append(f, path, n->select.field);
    return cost;
}

static struct call_cost_node operand(struct facts *f, const struct node *n)
{
    struct call_cost_node o = {
        .path = facts_schema_path(f, n), .type = checked_type_of(f->checked, n), .expression = n};
    o.has_size =
        f->celgo->tracks_variables ? facts_find_size(f, n, &o.size) : facts_computed_size(f, n, &o.size);
    o.found_size = facts_size_or_unknown(f, n);
    return o;
}

static void copy_size(struct facts *f, const struct node *to, const struct node *from)
{
    struct measure size;
    if (facts_find_size(f, from, &size))
        facts_set_size(f, to, size);
    facts_set_entries(f, to, facts_entries_of(f, from));
}

/* dyn(x) is x to whoever asks for its size. */
static struct estimate cost_of_dyn(struct facts *f, const struct node *n)
{
    const struct node *arg = n->call.args[0];
    struct estimate cost = estimate_add(estimate_fixed(1), cost_of(f, arg));
    copy_size(f, n, arg);
    return cost;
}

static struct facts_entries union_entries(struct facts_entries a, struct facts_entries b)
{
    if (a.container == TYPE_ERROR || b.container == TYPE_ERROR)
        return (struct facts_entries){.container = TYPE_ERROR};
    return (struct facts_entries){a.container, estimate_union(a.key, b.key),
                                  estimate_union(a.value, b.value)};
}

/* Keeps the entries of the operands that the overload's result takes over. */
static void keep_entries(struct facts *f, const struct node *n, struct str id)
{
    bool is_choice = str_eq(id, STR("conditional"));
    if (is_choice || str_eq(id, STR("add_string")) || str_eq(id, STR("add_bytes")) ||
        str_eq(id, STR("add_list")))
        facts_set_entries(f, n,
                          union_entries(facts_entries_of(f, n->call.args[is_choice]),
                                        facts_entries_of(f, n->call.args[1 + is_choice])));
}

struct result {
    bool has_size;
    struct measure size;
};

static struct str index_step(struct str id)
{
    return str_eq(id, STR("index_list"))  ? STR("@items")
           : str_eq(id, STR("index_map")) ? STR("@values")
                                          : STR("");
}

/* The path of an element is its container's and one step more. */
static void follow_index(struct facts *f, const struct node *n, struct str id, struct result *result)
{
    struct str step = index_step(id);
    if (step.len != 0) {
        struct facts_entries e = facts_entries_of(f, n->call.args[0]);
        if (f->celgo->tracks_variables)
            *result = (struct result){e.container != TYPE_ERROR, measure_plain(e.value)};
        facts_of(f, n)->path = facts_append(f, facts_path(f, n->call.args[0]), step);
    }
    if (!result->has_size && f->celgo->tracks_variables)
        result->has_size = facts_find_size(f, n, &result->size);
}

/* The same where a size has parts: an element without a path is as large as the container says. */
static void follow_deep_index(struct facts *f, const struct node *n, struct str id, struct result *result)
{
    struct str step = index_step(id);
    if (step.len != 0) {
        struct sizes_path path = facts_path(f, n->call.args[0]);
        struct measure container;
        if (path.len > 0)
            facts_of(f, n)->path = facts_append(f, path, step);
        else if (facts_find_size(f, n->call.args[0], &container) && container.element != NULL)
            *result = (struct result){true, *container.element};
    }
    if (!result->has_size)
        result->has_size = facts_find_size(f, n, &result->size);
}

static void add_result(struct facts *f, const struct node *n, struct str id, struct call_cost_answer answer,
                       struct result *all)
{
    struct result one = {answer.has_size, answer.size};
    if (f->celgo->measures_contents)
        follow_deep_index(f, n, id, &one);
    if (one.has_size)
        *all = (struct result){true, all->has_size ? measure_union(f->arena, all->size, one.size) : one.size};
    if (!f->celgo->measures_contents)
        follow_index(f, n, id, all);
}

static struct estimate cost_of_overloads(struct facts *f, const struct node *n, struct call_cost *call)
{
    const struct function *function = f->checked->overloads[n->id]->function;
    struct estimate cost = {UINT64_MAX, 0};
    struct result result = {0};
    for (size_t i = 0; i < function->count; i++) {
        if ((f->checked->matches[n->id] >> i & 1) == 0)
            continue;
        call->overload = &function->overloads[i];
        struct call_cost_answer answer = call_cost_estimate(call);
        if (!f->celgo->measures_contents)
            keep_entries(f, n, call->overload->id);
        cost = estimate_union(cost, answer.cost);
        add_result(f, n, call->overload->id, answer, &result);
    }
    if (result.has_size)
        facts_set_size(f, n, result.size);
    return cost;
}

/* The costs of a call's operands, and what is known of these. If sizes have parts, all costs come first: a
 * step that one operand appends to a path can overwrite the end of another's. */
static struct estimate cost_of_operands(struct facts *f, const struct node *n, struct call_cost *call,
                                        struct call_cost_node *args, struct estimate *costs,
                                        struct call_cost_node *target)
{
    bool is_deep = f->celgo->measures_contents;
    struct estimate cost = {0, 0};
    for (size_t i = 0; i < n->arg_count; i++) {
        costs[i] = cost_of(f, n->call.args[i]);
        if (!is_deep)
            args[i] = operand(f, n->call.args[i]);
    }
    if (f->checked->overloads[n->id] == NULL)
        return cost;
    bool has_target = f->checked->overloads[n->id]->receiver;
    if (has_target)
        cost = cost_of(f, n->call.target);
    for (size_t i = 0; is_deep && i < n->arg_count; i++)
        args[i] = operand(f, n->call.args[i]);
    if (has_target) {
        *target = operand(f, n->call.target);
        call->target = target;
    }
    return cost;
}

static struct estimate cost_of_call(struct facts *f, const struct node *n)
{
    if (f->celgo->tracks_variables && str_eq(n->call.function, STR("dyn")))
        return cost_of_dyn(f, n);
    size_t count = n->arg_count;
    struct call_cost_node *args = ARENA_ARRAY(f->arena, count, struct call_cost_node), target;
    struct estimate *costs = ARENA_ARRAY(f->arena, count, struct estimate);
    struct call_cost call = {.arena = f->arena,
                             .args = args,
                             .arg_costs = costs,
                             .arg_count = count,
                             .sizes = f->sizes,
                             .celgo = f->celgo};
    struct estimate cost = cost_of_operands(f, n, &call, args, costs, &target);
    if (f->checked->overloads[n->id] == NULL)
        return cost;
    return estimate_add(cost, cost_of_overloads(f, n, &call));
}

static struct estimate cost_of_list(struct facts *f, const struct node *n)
{
    struct estimate cost = {0, 0}, size = {n->list.count == 0 ? 0 : UINT64_MAX, 0};
    for (size_t i = 0; i < n->list.count; i++) {
        cost = estimate_add(cost, cost_of(f, n->list.elements[i]));
        if (!f->celgo->measures_contents)
            size = estimate_union(size, facts_size_or_unknown(f, n->list.elements[i]).range);
    }
    facts_set_entries(f, n, (struct facts_entries){TYPE_LIST, estimate_fixed(1), size});
    return estimate_add(cost, estimate_fixed(LIST_COST));
}

static struct estimate cost_of_map(struct facts *f, const struct node *n)
{
    struct estimate cost = {0, 0}, none = {n->map.count == 0 ? 0 : UINT64_MAX, 0}, key = none, value = none;
    for (size_t i = 0; i < n->map.count; i++) {
        const struct entry *e = &n->map.entries[i];
        cost = estimate_add(cost, cost_of(f, e->key));
        cost = estimate_add(cost, cost_of(f, e->value));
        if (f->celgo->measures_contents)
            continue;
        key = estimate_union(key, facts_size_or_unknown(f, e->key).range);
        value = estimate_union(value, facts_size_or_unknown(f, e->value).range);
    }
    facts_set_entries(f, n, (struct facts_entries){TYPE_MAP, key, value});
    return estimate_add(cost, estimate_fixed(MAP_COST));
}

static struct estimate cost_of_struct(struct facts *f, const struct node *n)
{
    struct estimate cost = {0, 0};
    for (size_t i = 0; i < n->structure.count; i++)
        cost = estimate_add(cost, cost_of(f, n->structure.fields[i].value));
    return estimate_add(cost, estimate_fixed(STRUCT_COST));
}

/* ---- comprehensions ---- */

static struct facts_local accumulator(struct facts *f, const struct node *n)
{
    const struct node *init = n->comprehension->init;
    struct facts_item facts = {.path = facts_path(f, init), .entries = facts_entries_of(f, init)};
    facts.has_size = facts_find_size(f, init, &facts.size);
    return (struct facts_local){f->locals, n->comprehension->accu_var, facts, NULL};
}

enum loop_part {
    LOOP_ONE,   /* the only variable: elements, or keys */
    LOOP_KEY,   /* the first of two: indices, or keys */
    LOOP_VALUE, /* the second */
};

static const struct {
    struct str of_list, of_map;
} steps[] = {
    [LOOP_ONE] = {STR_INIT("@items"), STR_INIT("@keys")},
    [LOOP_KEY] = {STR_INIT("@indices"), STR_INIT("@keys")},
    [LOOP_VALUE] = {STR_INIT("@items"), STR_INIT("@values")},
};

static struct facts_local loop_variable(struct facts *f, const struct node *range, struct str name,
                                        enum loop_part part)
{
    struct facts_entries e = facts_entries_of(f, range);
    struct sizes_path path = facts_path(f, range);
    bool is_known = e.container != TYPE_ERROR;
    bool is_list = (is_known ? e.container : checked_type_of(f->checked, range)->kind) == TYPE_LIST;
    bool has_value = part == LOOP_VALUE || (part == LOOP_ONE && is_list);
    struct facts_item facts = {
        .path = facts_append(f, path, is_list ? steps[part].of_list : steps[part].of_map),
        .has_size = is_known,
        .size = measure_plain(has_value ? e.value : e.key),
        .entries = {.container = TYPE_ERROR},
    };
    return (struct facts_local){f->locals, name, facts, NULL};
}

/* The same where a size has parts. */
static struct facts_local deep_loop_variable(struct facts *f, const struct node *range, struct str name,
                                             enum loop_part part)
{
    struct measure size = facts_size_or_unknown(f, range), one = measure_plain(estimate_fixed(1));
    enum type_kind kind = checked_type_of(f->checked, range)->kind;
    bool is_list = kind == TYPE_LIST ||
                   (part == LOOP_ONE && kind == TYPE_DYN && size.key == NULL && size.element != NULL);
    bool has_value = part == LOOP_VALUE || (part == LOOP_ONE && is_list);
    const struct measure *known = has_value ? size.element : is_list ? &one : size.key;
    struct facts_item facts = {
        .path = facts_append(f, facts_path(f, range), is_list ? steps[part].of_list : steps[part].of_map),
        .has_size = known != NULL,
        .size = known != NULL ? *known : one,
        .entries = {.container = TYPE_ERROR},
    };
    return (struct facts_local){f->locals, name, facts, NULL};
}

/* A binding of a name (optMap and the like) is a loop over nothing. */
static bool is_binding(const struct node *n)
{
    const struct node *range = n->comprehension->range, *condition = n->comprehension->condition;
    return range->kind == NODE_LIST && range->list.count == 0 && condition->kind == NODE_LITERAL &&
           condition->literal.kind == LITERAL_BOOL && !condition->literal.boolean;
}

static struct estimate cost_of_binding(struct facts *f, const struct node *n)
{
    const struct node *result = n->comprehension->result;
    struct estimate cost =
        estimate_add(cost_of(f, n->comprehension->range), cost_of(f, n->comprehension->init));
    const struct facts_local *outside = f->locals;
    struct facts_local variable = accumulator(f, n);
    f->locals = &variable;
    cost = estimate_add(cost, cost_of(f, result));
    if (f->celgo->measures_contents) {
        facts_of(f, n)->path = facts_path(f, result);
        copy_size(f, n, result);
    }
    f->locals = outside;
    if (!f->celgo->measures_contents)
        copy_size(f, n, result);
    return cost;
}

/* The cost of one round of a loop: its condition and its step. */
static struct estimate cost_of_round(struct facts *f, const struct node *n, struct result *step_size)
{
    const struct node *range = n->comprehension->range;
    const struct facts_local *outside = f->locals;
    struct str name = n->comprehension->iter_var, name2 = n->comprehension->iter_var2;
    struct facts_local first, second;
    bool is_deep = f->celgo->measures_contents;
    struct facts_local (*variable)(struct facts *, const struct node *, struct str, enum loop_part) =
        is_deep ? deep_loop_variable : loop_variable;
    first = variable(f, range, name, name2.len == 0 ? LOOP_ONE : LOOP_KEY);
    f->locals = &first;
    if (name2.len != 0) {
        second = variable(f, range, name2, LOOP_VALUE);
        f->locals = &second;
    }
    struct estimate condition = cost_of(f, n->comprehension->condition);
    struct estimate round = estimate_add(cost_of(f, n->comprehension->step), condition);
    if (is_deep)
        step_size->has_size = facts_find_size(f, n->comprehension->step, &step_size->size);
    f->locals = outside;
    return round;
}

static void set_loop_size(struct facts *f, const struct node *n, struct measure rounds,
                          const struct result *step)
{
    const struct node *init = n->comprehension->init;
    struct measure size;
    if (init->kind == NODE_LITERAL && facts_find_size(f, init, &size))
        facts_set_size(f, n, size);
    if (init->kind != NODE_LIST && init->kind != NODE_MAP)
        return;
    bool is_map = init->kind == NODE_MAP;
    rounds.key = is_map ? rounds.key : NULL;
    if (step->has_size && step->size.element != NULL)
        rounds.element = step->size.element;
    if (step->has_size && step->size.key != NULL && is_map)
        rounds.key = step->size.key;
    if (f->celgo->measures_contents && is_conditional(n->comprehension->step))
        rounds.range.min = 0;
    facts_set_size(f, n, rounds);
    facts_set_entries(f, n, facts_entries_of(f, n->comprehension->step));
}

/* The cost where variables are not tracked: a loop, or a binding, is as large as its range, whatever it
 * makes. */
static struct estimate cost_of_untracked_loop(struct facts *f, const struct node *n)
{
    const struct node *range = n->comprehension->range;
    const struct facts_local *outside = f->locals;
    const struct facts_local variable = {
        .outer = outside, .name = n->comprehension->iter_var, .range = range};
    struct estimate cost = estimate_add(cost_of(f, range), cost_of(f, n->comprehension->init));
    f->locals = &variable;
    struct estimate condition = cost_of(f, n->comprehension->condition);
    struct estimate round = estimate_add(cost_of(f, n->comprehension->step), condition);
    f->locals = outside;
    cost = estimate_add(cost, cost_of(f, n->comprehension->result));
    struct measure rounds = facts_size_or_unknown(f, range);
    facts_set_size(f, n, rounds);
    return estimate_add(cost, estimate_multiply(rounds.range, round));
}

static struct estimate cost_of_comprehension(struct facts *f, const struct node *n)
{
    if (!f->celgo->tracks_variables)
        return cost_of_untracked_loop(f, n);
    if (is_binding(n))
        return cost_of_binding(f, n);
    struct estimate cost =
        estimate_add(cost_of(f, n->comprehension->range), cost_of(f, n->comprehension->init));
    const struct facts_local *outside = f->locals;
    const struct facts_local accu = accumulator(f, n);
    struct result step = {0};
    f->locals = &accu;
    struct estimate round = cost_of_round(f, n, &step);
    cost = estimate_add(cost, cost_of(f, n->comprehension->result));
    f->locals = outside;
    struct measure rounds = facts_size_or_unknown(f, n->comprehension->range);
    set_loop_size(f, n, rounds, &step);
    return estimate_add(cost, estimate_multiply(rounds.range, round));
}

/* Recurses as deep as the tree is, which the parser bounds. */
static struct estimate cost_of(struct facts *f, const struct node *n)
{
    arena_step(f->arena);
    if (facts_is_name(f, n))
        return cost_of_name(f, n);
    switch (n->kind) {
    case NODE_SELECT:
        return cost_of_select(f, n);
    case NODE_CALL:
        return cost_of_call(f, n);
    case NODE_LIST:
        return cost_of_list(f, n);
    case NODE_MAP:
        return cost_of_map(f, n);
    case NODE_STRUCT:
        return cost_of_struct(f, n);
    case NODE_COMPREHENSION:
        return cost_of_comprehension(f, n);
    case NODE_LITERAL:
    case NODE_IDENT:
        break;
    }
    return (struct estimate){0, 0};
}

struct estimate cost_estimate(struct arena *a, const struct ast *ast, const struct checked *checked,
                              const struct celgo *celgo, struct sizes sizes)
{
    struct facts f = {.arena = a, .checked = checked, .celgo = celgo, .sizes = &sizes};
    f.items = ARENA_ARRAY(a, (size_t)ast->max_id + 1, struct facts_item);
    for (size_t i = 0; i <= ast->max_id; i++)
        f.items[i].entries.container = TYPE_ERROR;
    return cost_of(&f, ast->root);
}
