#include "typecheck/cost/cost.h"

#include "typecheck/base/arena.h"
#include "typecheck/cost/call_cost.h"
#include "typecheck/syntax/source.h"
#include "typecheck/types/celgo.h"
#include "typecheck/types/decl.h"

enum { LIST_COST = 10, MAP_COST = 30, STRUCT_COST = 40 };

/* How large keys and values of a list or map are. */
struct entries {
    enum type_kind container; /* TYPE_ERROR: nothing is known */
    struct estimate key, value;
};

/* What was found out about a node, or about the variable of a comprehension. */
struct facts {
    struct sizes_path path;
    bool has_size;
    struct estimate size;
    struct entries entries;
};

struct local {
    const struct local *outer;
    struct str name;
    struct facts facts;
    const struct node *range; /* what it goes over; only where the cel-go does not track variables */
};

struct walk {
    struct arena *arena;
    const struct checked *checked;
    const struct celgo *celgo;
    const struct sizes *sizes;
    struct facts *facts; /* by node id */
    const struct local *locals;
};

static const struct entries no_entries = {.container = TYPE_ERROR};

static struct estimate cost_of(struct walk *w, const struct node *n);

static struct facts *facts_of(struct walk *w, const struct node *n)
{
    return &w->facts[n->id];
}

/* A selection can be a name, too: google.protobuf.Timestamp. */
static bool is_name(const struct walk *w, const struct node *n)
{
    return n->kind == NODE_IDENT ||
           (n->kind == NODE_SELECT && !n->select.test_only && w->checked->names[n->id].len != 0);
}

static struct str name_of(const struct walk *w, const struct node *n)
{
    return w->checked->names[n->id].len != 0 ? w->checked->names[n->id] : n->ident;
}

static const struct local *find_local(const struct walk *w, const struct node *n)
{
    if (!is_name(w, n))
        return NULL;
    struct str name = name_of(w, n);
    const struct local *l = w->locals;
    while (l != NULL && !str_eq(l->name, name))
        l = l->outer;
    return l;
}

/* ---- paths ---- */

static struct sizes_path path_of(struct walk *w, const struct node *n)
{
    const struct local *l = w->celgo->tracks_variables ? find_local(w, n) : NULL;
    return l != NULL ? l->facts.path : facts_of(w, n)->path;
}

/* Where that leads into the schema; what a loop collects is not there, though it is a variable, too. */
static struct sizes_path schema_path(struct walk *w, const struct node *n)
{
    static const struct sizes_path nowhere;
    struct sizes_path path = path_of(w, n);
    bool is_collected = !w->celgo->tracks_variables && path.len > 0 && str_eq(path.at[0], STR("@result"));
    return is_collected ? nowhere : path;
}

/* Go's append: a slice with room is written to where it is. */
static struct sizes_path append(struct walk *w, struct sizes_path path, struct str step)
{
    if (path.len == path.cap) {
        path.cap = path.cap == 0 ? 1 : 2 * path.cap;
        struct str *grown = ARENA_ARRAY(w->arena, path.cap, struct str);
        if (path.len != 0)
            memcpy(grown, path.at, path.len * sizeof *grown);
        path.at = grown;
    }
    path.at[path.len++] = step;
    return path;
}

/* ---- sizes ---- */

static bool is_scalar(const struct celgo *celgo, const struct type *t)
{
    const unsigned SCALARS = TYPE_KIND(TYPE_BOOL) | TYPE_KIND(TYPE_INT) | TYPE_KIND(TYPE_UINT) |
                             TYPE_KIND(TYPE_DOUBLE) | TYPE_KIND(TYPE_DURATION) | TYPE_KIND(TYPE_TIMESTAMP);
    if (type_is_optional(t))
        return celgo->tracks_variables && is_scalar(celgo, t->params[0]);
    return type_is(t, SCALARS);
}

static uint64_t code_points(struct str s)
{
    uint64_t count = 0;
    const char *end = s.at + s.len;
    for (const char *at = s.at; at < end; at += source_code_point_len(at, end))
        count++;
    return count;
}

/* What a literal says of its size. */
static bool literal_size(const struct node *n, uint64_t *size)
{
    if (n->kind == NODE_LITERAL)
        *size = n->literal.kind == LITERAL_STRING  ? code_points(n->literal.bytes)
                : n->literal.kind == LITERAL_BYTES ? n->literal.bytes.len
                                                   : 1;
    else if (n->kind == NODE_LIST)
        *size = n->list.count;
    else if (n->kind == NODE_MAP)
        *size = n->map.count;
    else
        return false;
    return true;
}

static void set_size(struct walk *w, const struct node *n, struct estimate size)
{
    facts_of(w, n)->has_size = true;
    facts_of(w, n)->size = size;
}

/* What the expression itself says. */
static bool computed_size(struct walk *w, const struct node *n, struct estimate *out)
{
    const struct facts *f = facts_of(w, n);
    uint64_t exact;
    if (f->has_size) {
        *out = f->size;
        return true;
    }
    if (!literal_size(n, &exact))
        return false;
    *out = estimate_fixed(exact);
    return true;
}

/* That, or what the schema says, or the type, or what is behind a variable. */
static bool find_size(struct walk *w, const struct node *n, struct estimate *out)
{
    if (computed_size(w, n, out))
        return true;
    if (sizes_of_path(w->sizes, schema_path(w, n), out)) {
        if (w->celgo->tracks_variables)
            set_size(w, n, *out);
        return true;
    }
    if (is_scalar(w->celgo, checked_type_of(w->checked, n))) {
        *out = estimate_fixed(1);
        return true;
    }
    if (!w->celgo->tracks_variables)
        return false;
    const struct local *l = find_local(w, n);
    if (l != NULL)
        *out = l->facts.size;
    return l != NULL && l->facts.has_size;
}

static struct estimate size_or_unknown(struct walk *w, const struct node *n)
{
    struct estimate size;
    return find_size(w, n, &size) ? size : ESTIMATE_UNKNOWN;
}

static struct entries entries_of(struct walk *w, const struct node *n)
{
    const struct facts *f = facts_of(w, n);
    if (!w->celgo->tracks_variables)
        return no_entries;
    if (f->entries.container != TYPE_ERROR)
        return f->entries;
    const struct local *l = find_local(w, n);
    return l != NULL ? l->facts.entries : no_entries;
}

static void set_entries(struct walk *w, const struct node *n, struct entries e)
{
    if (e.container != TYPE_ERROR)
        facts_of(w, n)->entries = e;
}

static struct entries union_entries(struct entries a, struct entries b)
{
    if (a.container == TYPE_ERROR || b.container == TYPE_ERROR)
        return no_entries;
    return (struct entries){a.container, estimate_union(a.key, b.key), estimate_union(a.value, b.value)};
}

/* ---- nodes ---- */

static struct estimate cost_of_name(struct walk *w, const struct node *n)
{
    const struct local *l = find_local(w, n);
    struct sizes_path *path = &facts_of(w, n)->path;
    if (l == NULL) {
        *path = append(w, (struct sizes_path){0}, name_of(w, n));
    } else if (l->range == NULL) {
        *path = l->facts.path;
    } else {
        enum type_kind kind = checked_type_of(w->checked, l->range)->kind;
        if (kind == TYPE_LIST || kind == TYPE_MAP)
            *path = append(w, path_of(w, l->range), kind == TYPE_LIST ? STR("@items") : STR("@keys"));
    }
    return estimate_fixed(1);
}

static struct estimate cost_of_select(struct walk *w, const struct node *n)
{
    const struct node *operand = n->select.operand;
    struct estimate cost = cost_of(w, operand);
    if (n->select.test_only)
        return cost;
    enum type_kind kind = checked_type_of(w->checked, operand)->kind;
    if (kind == TYPE_MAP || kind == TYPE_OBJECT || kind == TYPE_PARAM)
        cost = estimate_add(cost, estimate_fixed(1));
    facts_of(w, n)->path = append(w, path_of(w, operand), n->select.field);
    return cost;
}

static struct call_cost_node operand(struct walk *w, const struct node *n)
{
    struct call_cost_node o = {
        .path = schema_path(w, n), .type = checked_type_of(w->checked, n), .expression = n};
    o.has_size = w->celgo->tracks_variables ? find_size(w, n, &o.size) : computed_size(w, n, &o.size);
    o.found_size = size_or_unknown(w, n);
    return o;
}

/* dyn(x) is x to whoever asks for its size. */
static struct estimate cost_of_dyn(struct walk *w, const struct node *n)
{
    const struct node *arg = n->call.args[0];
    struct estimate cost = estimate_add(estimate_fixed(1), cost_of(w, arg)), size;
    if (find_size(w, arg, &size))
        set_size(w, n, size);
    set_entries(w, n, entries_of(w, arg));
    return cost;
}

/* What the overload's result takes over of its operands' entries. */
static void keep_entries(struct walk *w, const struct node *n, struct str id)
{
    bool is_conditional = str_eq(id, STR("conditional"));
    if (is_conditional || str_eq(id, STR("add_string")) || str_eq(id, STR("add_bytes")) ||
        str_eq(id, STR("add_list")))
        set_entries(w, n,
                    union_entries(entries_of(w, n->call.args[is_conditional]),
                                  entries_of(w, n->call.args[1 + is_conditional])));
}

struct result {
    bool has_size;
    struct estimate size;
};

/* The path of an element is its container's and one step more. */
static void follow_index(struct walk *w, const struct node *n, struct str id, struct result *result)
{
    struct str step = str_eq(id, STR("index_list"))  ? STR("@items")
                      : str_eq(id, STR("index_map")) ? STR("@values")
                                                     : STR("");
    if (step.len != 0) {
        struct entries e = entries_of(w, n->call.args[0]);
        if (w->celgo->tracks_variables)
            *result = (struct result){e.container != TYPE_ERROR, e.value};
        facts_of(w, n)->path = append(w, path_of(w, n->call.args[0]), step);
    }
    if (!result->has_size && w->celgo->tracks_variables)
        result->has_size = find_size(w, n, &result->size);
}

static struct estimate cost_of_overloads(struct walk *w, const struct node *n, struct call_cost *call)
{
    const struct function *f = w->checked->overloads[n->id]->function;
    struct estimate cost = {UINT64_MAX, 0};
    struct result result = {0};
    for (size_t i = 0; i < f->count; i++) {
        if ((w->checked->matches[n->id] >> i & 1) == 0)
            continue;
        call->overload = &f->overloads[i];
        struct call_cost_answer answer = call_cost_estimate(call);
        keep_entries(w, n, call->overload->id);
        cost = estimate_union(cost, answer.cost);
        if (answer.has_size)
            result = (struct result){true, result.has_size ? estimate_union(result.size, answer.size)
                                                           : answer.size};
        follow_index(w, n, call->overload->id, &result);
    }
    if (result.has_size)
        set_size(w, n, result.size);
    return cost;
}

static struct estimate cost_of_call(struct walk *w, const struct node *n)
{
    if (w->celgo->tracks_variables && str_eq(n->call.function, STR("dyn")))
        return cost_of_dyn(w, n);
    size_t count = n->arg_count;
    struct call_cost_node *args = ARENA_ARRAY(w->arena, count, struct call_cost_node), target;
    struct estimate *costs = ARENA_ARRAY(w->arena, count, struct estimate), cost = {0, 0};
    struct call_cost call = {
        .args = args, .arg_costs = costs, .arg_count = count, .sizes = w->sizes, .celgo = w->celgo};
    for (size_t i = 0; i < count; i++) {
        costs[i] = cost_of(w, n->call.args[i]);
        args[i] = operand(w, n->call.args[i]);
    }
    if (w->checked->overloads[n->id] == NULL)
        return cost;
    if (w->checked->overloads[n->id]->receiver) {
        cost = cost_of(w, n->call.target);
        target = operand(w, n->call.target);
        call.target = &target;
    }
    return estimate_add(cost, cost_of_overloads(w, n, &call));
}

static struct estimate cost_of_list(struct walk *w, const struct node *n)
{
    struct estimate cost = {0, 0}, size = {n->list.count == 0 ? 0 : UINT64_MAX, 0};
    for (size_t i = 0; i < n->list.count; i++) {
        cost = estimate_add(cost, cost_of(w, n->list.elements[i]));
        size = estimate_union(size, size_or_unknown(w, n->list.elements[i]));
    }
    set_entries(w, n, (struct entries){TYPE_LIST, estimate_fixed(1), size});
    return estimate_add(cost, estimate_fixed(LIST_COST));
}

static struct estimate cost_of_map(struct walk *w, const struct node *n)
{
    struct estimate cost = {0, 0}, none = {n->map.count == 0 ? 0 : UINT64_MAX, 0}, key = none, value = none;
    for (size_t i = 0; i < n->map.count; i++) {
        const struct entry *e = &n->map.entries[i];
        cost = estimate_add(cost, cost_of(w, e->key));
        cost = estimate_add(cost, cost_of(w, e->value));
        key = estimate_union(key, size_or_unknown(w, e->key));
        value = estimate_union(value, size_or_unknown(w, e->value));
    }
    set_entries(w, n, (struct entries){TYPE_MAP, key, value});
    return estimate_add(cost, estimate_fixed(MAP_COST));
}

static struct estimate cost_of_struct(struct walk *w, const struct node *n)
{
    struct estimate cost = {0, 0};
    for (size_t i = 0; i < n->structure.count; i++)
        cost = estimate_add(cost, cost_of(w, n->structure.fields[i].value));
    return estimate_add(cost, estimate_fixed(STRUCT_COST));
}

/* ---- comprehensions ---- */

static struct local accumulator(struct walk *w, const struct node *n)
{
    const struct node *init = n->comprehension->init;
    struct facts facts = {.path = path_of(w, init), .entries = entries_of(w, init)};
    facts.has_size = find_size(w, init, &facts.size);
    return (struct local){w->locals, n->comprehension->accu_var, facts, NULL};
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

static struct local loop_variable(struct walk *w, const struct node *range, struct str name,
                                  enum loop_part part)
{
    struct entries e = entries_of(w, range);
    struct sizes_path path = path_of(w, range);
    bool is_known = e.container != TYPE_ERROR;
    bool is_list = (is_known ? e.container : checked_type_of(w->checked, range)->kind) == TYPE_LIST;
    struct facts facts = {
        .path = append(w, path, is_list ? steps[part].of_list : steps[part].of_map),
        .has_size = is_known,
        .size = part == LOOP_VALUE || (part == LOOP_ONE && is_list) ? e.value : e.key,
        .entries = no_entries,
    };
    return (struct local){w->locals, name, facts, NULL};
}

/* A binding of a name (optMap and the like) is a loop over nothing. */
static bool is_binding(const struct node *n)
{
    const struct node *range = n->comprehension->range, *condition = n->comprehension->condition;
    return range->kind == NODE_LIST && range->list.count == 0 && condition->kind == NODE_LITERAL &&
           condition->literal.kind == LITERAL_BOOL && !condition->literal.boolean;
}

static struct estimate cost_of_binding(struct walk *w, const struct node *n)
{
    struct estimate cost =
        estimate_add(cost_of(w, n->comprehension->range), cost_of(w, n->comprehension->init));
    struct estimate size;
    const struct local *outside = w->locals;
    struct local variable = accumulator(w, n);
    w->locals = &variable;
    cost = estimate_add(cost, cost_of(w, n->comprehension->result));
    w->locals = outside;
    if (find_size(w, n->comprehension->result, &size))
        set_size(w, n, size);
    set_entries(w, n, entries_of(w, n->comprehension->result));
    return cost;
}

/* What goes round: the condition and the step. */
static struct estimate cost_of_round(struct walk *w, const struct node *n)
{
    const struct node *range = n->comprehension->range;
    const struct local *outside = w->locals;
    struct str name = n->comprehension->iter_var, name2 = n->comprehension->iter_var2;
    struct local first, second;
    first = loop_variable(w, range, name, name2.len == 0 ? LOOP_ONE : LOOP_KEY);
    w->locals = &first;
    if (name2.len != 0) {
        second = loop_variable(w, range, name2, LOOP_VALUE);
        w->locals = &second;
    }
    struct estimate condition = cost_of(w, n->comprehension->condition);
    struct estimate round = estimate_add(cost_of(w, n->comprehension->step), condition);
    w->locals = outside;
    return round;
}

static void set_loop_size(struct walk *w, const struct node *n, struct estimate rounds)
{
    const struct node *init = n->comprehension->init;
    struct estimate size;
    if (init->kind == NODE_LITERAL && find_size(w, init, &size))
        set_size(w, n, size);
    if (init->kind != NODE_LIST && init->kind != NODE_MAP)
        return;
    set_size(w, n, rounds);
    set_entries(w, n, entries_of(w, n->comprehension->step));
}

/* As without variables: a loop is as large as what it goes over, whatever it makes, and so is a binding. */
static struct estimate cost_of_untracked_loop(struct walk *w, const struct node *n)
{
    const struct node *range = n->comprehension->range;
    const struct local *outside = w->locals;
    const struct local variable = {.outer = outside, .name = n->comprehension->iter_var, .range = range};
    struct estimate cost = estimate_add(cost_of(w, range), cost_of(w, n->comprehension->init));
    w->locals = &variable;
    struct estimate condition = cost_of(w, n->comprehension->condition);
    struct estimate round = estimate_add(cost_of(w, n->comprehension->step), condition);
    w->locals = outside;
    cost = estimate_add(cost, cost_of(w, n->comprehension->result));
    struct estimate rounds = size_or_unknown(w, range);
    set_size(w, n, rounds);
    return estimate_add(cost, estimate_multiply(rounds, round));
}

static struct estimate cost_of_comprehension(struct walk *w, const struct node *n)
{
    if (!w->celgo->tracks_variables)
        return cost_of_untracked_loop(w, n);
    if (is_binding(n))
        return cost_of_binding(w, n);
    struct estimate cost =
        estimate_add(cost_of(w, n->comprehension->range), cost_of(w, n->comprehension->init));
    const struct local *outside = w->locals;
    struct local accu = accumulator(w, n);
    w->locals = &accu;
    struct estimate round = cost_of_round(w, n);
    cost = estimate_add(cost, cost_of(w, n->comprehension->result));
    w->locals = outside;
    struct estimate rounds = size_or_unknown(w, n->comprehension->range);
    set_loop_size(w, n, rounds);
    return estimate_add(cost, estimate_multiply(rounds, round));
}

/* Recurses as deep as the tree is, which the parser bounds. */
static struct estimate cost_of(struct walk *w, const struct node *n)
{
    arena_step(w->arena);
    if (is_name(w, n))
        return cost_of_name(w, n);
    switch (n->kind) {
    case NODE_SELECT:
        return cost_of_select(w, n);
    case NODE_CALL:
        return cost_of_call(w, n);
    case NODE_LIST:
        return cost_of_list(w, n);
    case NODE_MAP:
        return cost_of_map(w, n);
    case NODE_STRUCT:
        return cost_of_struct(w, n);
    case NODE_COMPREHENSION:
        return cost_of_comprehension(w, n);
    case NODE_LITERAL:
    case NODE_IDENT:
        break;
    }
    return (struct estimate){0, 0};
}

struct estimate cost_estimate(struct arena *a, const struct ast *ast, const struct checked *checked,
                              const struct celgo *celgo, struct sizes sizes)
{
    struct walk w = {.arena = a, .checked = checked, .celgo = celgo, .sizes = &sizes};
    w.facts = ARENA_ARRAY(a, (size_t)ast->max_id + 1, struct facts);
    for (size_t i = 0; i <= ast->max_id; i++)
        w.facts[i].entries.container = TYPE_ERROR;
    return cost_of(&w, ast->root);
}
