#include "typecheck/syntax/macro.h"

#include "typecheck/base/arena.h"
#include "typecheck/syntax/builder.h"
#include "typecheck/syntax/issue.h"

/* Names that no expression can spell. */
#define RESULT     STR("@result")
#define SORT_INPUT STR("@__sortBy_input__")
#define UNUSED     STR("#unused")

/* What a macro is made of: the call, and where new nodes go. */
struct expansion {
    struct builder *b;
    const struct macro_call *call;
};

static struct node *new_node(struct expansion *x, enum node_kind kind)
{
    return builder_node(x->b, kind, x->call->offset);
}

static struct node *fail(struct expansion *x, const struct node *where, const char *message)
{
    return builder_fail(x->b, where->offset, message);
}

static struct node *ident(struct expansion *x, struct str name)
{
    struct node *n = new_node(x, NODE_IDENT);
    n->ident = name;
    return n;
}

static struct node *result(struct expansion *x)
{
    return ident(x, RESULT);
}

static struct node *boolean(struct expansion *x, bool value)
{
    struct node *n = new_node(x, NODE_LITERAL);
    n->literal = (struct literal){.kind = LITERAL_BOOL, .boolean = value};
    return n;
}

static struct node *integer(struct expansion *x, int64_t value)
{
    struct node *n = new_node(x, NODE_LITERAL);
    n->literal = (struct literal){.kind = LITERAL_INT, .integer = value};
    return n;
}

/* A list of one element, or of none for NULL. */
static struct node *list(struct expansion *x, struct node *element)
{
    struct node *n = new_node(x, NODE_LIST);
    if (element != NULL) {
        n->list.elements = ARENA_NEW(x->b->arena, struct node *);
        n->list.elements[0] = element;
        n->list.count = 1;
    }
    return n;
}

/* As many arguments as there are before the first NULL. */
static struct node *call(struct expansion *x, struct str function, struct node *one, struct node *two,
                         struct node *three)
{
    struct node *n = new_node(x, NODE_CALL);
    n->call.function = function;
    n->call.args = ARENA_ARRAY(x->b->arena, 3, struct node *);
    n->call.args[0] = one;
    n->call.args[1] = two;
    n->call.args[2] = three;
    n->arg_count = one == NULL ? 0 : two == NULL ? 1 : three == NULL ? 2 : 3;
    return n;
}

static struct node *operation(struct expansion *x, enum ast_operator op, struct node *one, struct node *two,
                              struct node *three)
{
    struct node *n = call(x, ast_operator_function(op), one, two, three);
    n->op = op;
    return n;
}

static struct node *method(struct expansion *x, struct str function, struct node *target, struct node *arg)
{
    struct node *n = call(x, function, arg, NULL, NULL);
    n->call.target = target;
    return n;
}

/* The variables of a comprehension; two is empty if there is one. */
struct variables {
    struct str one, two;
};

/* The parts that differ; what goes over the range and into @result is the same for all. */
struct fold {
    struct node *init, *condition, *step, *result;
};

static struct node *new_comprehension(struct expansion *x)
{
    struct node *n = new_node(x, NODE_COMPREHENSION);
    n->comprehension = ARENA_NEW(x->b->arena, struct comprehension);
    return n;
}

static struct node *comprehension(struct expansion *x, struct variables v, struct fold f)
{
    struct node *n = new_comprehension(x);
    n->comprehension->range = x->call->target;
    n->comprehension->iter_var = v.one;
    n->comprehension->iter_var2 = v.two;
    n->comprehension->accu_var = RESULT;
    n->comprehension->init = f.init;
    n->comprehension->condition = f.condition;
    n->comprehension->step = f.step;
    n->comprehension->result = f.result;
    return n;
}

/* A variable that is bound once: a fold over nothing. */
static struct node *bind(struct expansion *x, struct str name, struct node *value, struct node *read,
                         struct node *body)
{
    struct node *n = new_comprehension(x);
    n->comprehension->range = list(x, NULL);
    n->comprehension->iter_var = UNUSED;
    n->comprehension->accu_var = name;
    n->comprehension->init = value;
    n->comprehension->condition = boolean(x, false);
    n->comprehension->step = read;
    n->comprehension->result = body;
    return n;
}

/* Copies: a part that is needed twice has nodes of its own in each place */

static struct node *copy(struct expansion *x, struct node *n);

static struct node **copy_nodes(struct expansion *x, struct node **nodes, size_t count)
{
    struct node **copies = ARENA_ARRAY(x->b->arena, count, struct node *);
    for (size_t i = 0; i < count; i++)
        copies[i] = copy(x, nodes[i]);
    return copies;
}

static struct entry *copy_entries(struct expansion *x, const struct entry *entries, size_t count)
{
    struct entry *copies = ARENA_ARRAY(x->b->arena, count, struct entry);
    for (size_t i = 0; i < count; i++) {
        copies[i] = entries[i];
        copies[i].id = builder_next_id(x->b);
        copies[i].offset = x->call->offset;
        if (entries[i].key != NULL)
            copies[i].key = copy(x, entries[i].key);
        copies[i].value = copy(x, entries[i].value);
    }
    return copies;
}

static struct comprehension *copy_comprehension(struct expansion *x, const struct comprehension *original)
{
    struct comprehension *c = ARENA_NEW(x->b->arena, struct comprehension);
    *c = *original;
    c->range = copy(x, c->range);
    c->init = copy(x, c->init);
    c->condition = copy(x, c->condition);
    c->step = copy(x, c->step);
    c->result = copy(x, c->result);
    return c;
}

/* Of a text in error nobody reads the tree, and copies of copies grow fast: there it stays one part. */
static struct node *copy(struct expansion *x, struct node *original)
{
    if (x->b->issues->count != 0)
        return original;
    struct node *n = builder_node(x->b, original->kind, original->offset);
    uint32_t id = n->id;
    *n = *original;
    n->id = id;
    switch (n->kind) {
    case NODE_LITERAL:
    case NODE_IDENT:
        break;
    case NODE_SELECT:
        n->select.operand = copy(x, n->select.operand);
        break;
    case NODE_CALL:
        n->call.args = copy_nodes(x, n->call.args, n->arg_count);
        if (n->call.target != NULL)
            n->call.target = copy(x, n->call.target);
        break;
    case NODE_LIST:
        n->list.elements = copy_nodes(x, n->list.elements, n->list.count);
        break;
    case NODE_MAP:
        n->map.entries = copy_entries(x, n->map.entries, n->map.count);
        break;
    case NODE_STRUCT:
        n->structure.fields = copy_entries(x, n->structure.fields, n->structure.count);
        break;
    case NODE_COMPREHENSION:
        n->comprehension = copy_comprehension(x, n->comprehension);
        break;
    }
    return n;
}

/* Variables' names */

static bool is_accumulator(struct str name)
{
    return str_eq(name, RESULT) || str_eq(name, STR("__result__"));
}

static const char OVERWRITES[] = "iteration variable overwrites accumulator variable";
static const char NOT_SIMPLE[] = "argument must be a simple name";

/* The first argument as a variable; false with *failed if it is none. */
static bool one_variable(struct expansion *x, const char *otherwise, struct variables *v,
                         struct node **failed)
{
    const struct node *arg = x->call->args[0];
    *failed = NULL;
    if (arg->kind != NODE_IDENT)
        *failed = fail(x, arg, otherwise);
    else if (is_accumulator(arg->ident))
        *failed = fail(x, arg, OVERWRITES);
    else
        *v = (struct variables){.one = arg->ident};
    return *failed == NULL;
}

static bool two_variables(struct expansion *x, struct variables *v, struct node **failed)
{
    const struct node *first = x->call->args[0], *second = x->call->args[1];
    *failed = NULL;
    if (first->kind != NODE_IDENT)
        *failed = fail(x, first, NOT_SIMPLE);
    else if (second->kind != NODE_IDENT)
        *failed = fail(x, second, NOT_SIMPLE);
    else if (str_eq(first->ident, second->ident))
        *failed = fail(x, second,
                       str_join(x->b->arena, STR_PARTS(STR("duplicate variable name: "), first->ident)).at);
    else if (is_accumulator(first->ident))
        *failed = fail(x, first, OVERWRITES);
    else if (is_accumulator(second->ident))
        *failed = fail(x, second, OVERWRITES);
    else
        *v = (struct variables){first->ident, second->ident};
    return *failed == NULL;
}

/* Whether the variables of a quantifier are one or two shows in the number of its arguments. */
static bool quantifier_variables(struct expansion *x, struct variables *v, struct node **failed)
{
    return x->call->arg_count == 3 ? two_variables(x, v, failed) : one_variable(x, NOT_SIMPLE, v, failed);
}

static struct node *last_arg(const struct expansion *x)
{
    return x->call->args[x->call->arg_count - 1];
}

/* Expanders */

/* has(a.b) */
static struct node *expand_has(struct expansion *x)
{
    const struct node *arg = x->call->args[0];
    if (arg->kind != NODE_SELECT)
        return fail(x, arg, "invalid argument to has() macro");
    struct node *n = new_node(x, NODE_SELECT);
    n->select.operand = arg->select.operand;
    n->select.field = arg->select.field;
    n->select.test_only = true;
    return n;
}

/* range.all(v, predicate) */
static struct node *expand_all(struct expansion *x)
{
    struct variables v;
    struct node *failed;
    if (!quantifier_variables(x, &v, &failed))
        return failed;
    struct fold f = {
        .init = boolean(x, true),
        .condition = operation(x, AST_NOT_STRICTLY_FALSE, result(x), NULL, NULL),
        .step = operation(x, AST_AND, result(x), last_arg(x), NULL),
        .result = result(x),
    };
    return comprehension(x, v, f);
}

/* range.exists(v, predicate) */
static struct node *expand_exists(struct expansion *x)
{
    struct variables v;
    struct node *failed;
    if (!quantifier_variables(x, &v, &failed))
        return failed;
    struct node *is_not_found = operation(x, AST_NOT, result(x), NULL, NULL);
    struct fold f = {
        .init = boolean(x, false),
        .condition = operation(x, AST_NOT_STRICTLY_FALSE, is_not_found, NULL, NULL),
        .step = operation(x, AST_OR, result(x), last_arg(x), NULL),
        .result = result(x),
    };
    return comprehension(x, v, f);
}

/* range.existsOne(v, predicate) */
static struct node *expand_exists_one(struct expansion *x)
{
    struct variables v;
    struct node *failed;
    if (!quantifier_variables(x, &v, &failed))
        return failed;
    struct node *one_more = operation(x, AST_ADD, result(x), integer(x, 1), NULL);
    struct fold f = {
        .init = integer(x, 0),
        .condition = boolean(x, true),
        .step = operation(x, AST_CONDITIONAL, last_arg(x), one_more, result(x)),
        .result = operation(x, AST_EQUALS, result(x), integer(x, 1), NULL),
    };
    return comprehension(x, v, f);
}

/* `step` for those elements for which `filter` holds; for all of them if it is NULL. */
static struct node *only_if(struct expansion *x, struct node *filter, struct node *step)
{
    return filter == NULL ? step : operation(x, AST_CONDITIONAL, filter, step, result(x));
}

/* A fold that collects: from `init` on, by `step`. */
static struct node *collect(struct expansion *x, struct variables v, struct node *init, struct node *step)
{
    return comprehension(
        x, v, (struct fold){.init = init, .condition = boolean(x, true), .step = step, .result = result(x)});
}

static struct node *append(struct expansion *x, struct node *element)
{
    return operation(x, AST_ADD, result(x), list(x, element), NULL);
}

/* range.map(v, transform), range.map(v, filter, transform) */
static struct node *expand_map(struct expansion *x)
{
    struct variables v;
    struct node *failed;
    if (!one_variable(x, "argument is not an identifier", &v, &failed))
        return failed;
    struct node *filter = x->call->arg_count == 3 ? x->call->args[1] : NULL;
    return collect(x, v, list(x, NULL), only_if(x, filter, append(x, last_arg(x))));
}

/* range.filter(v, predicate) */
static struct node *expand_filter(struct expansion *x)
{
    struct variables v;
    struct node *failed;
    if (!one_variable(x, "argument is not an identifier", &v, &failed))
        return failed;
    return collect(x, v, list(x, NULL), only_if(x, last_arg(x), append(x, x->call->args[0])));
}

/* The filter of range.transform...(k, v, filter, transform), if there is one. */
static struct node *transform_filter(const struct expansion *x)
{
    return x->call->arg_count == 4 ? x->call->args[2] : NULL;
}

/* range.transformList(k, v, transform) */
static struct node *expand_transform_list(struct expansion *x)
{
    struct variables v;
    struct node *failed;
    if (!two_variables(x, &v, &failed))
        return failed;
    return collect(x, v, list(x, NULL), only_if(x, transform_filter(x), append(x, last_arg(x))));
}

/* range.transformMap(k, v, transform): the transform is the value at k */
static struct node *expand_transform_map(struct expansion *x)
{
    struct variables v;
    struct node *failed;
    if (!two_variables(x, &v, &failed))
        return failed;
    struct node *step = call(x, STR("cel.@mapInsert"), result(x), ident(x, v.one), last_arg(x));
    return collect(x, v, new_node(x, NODE_MAP), only_if(x, transform_filter(x), step));
}

/* range.transformMapEntry(k, v, transform): the transform is a map itself */
static struct node *expand_transform_map_entry(struct expansion *x)
{
    struct variables v;
    struct node *failed;
    if (!two_variables(x, &v, &failed))
        return failed;
    struct node *step = call(x, STR("cel.@mapInsert"), result(x), last_arg(x), NULL);
    return collect(x, v, new_node(x, NODE_MAP), only_if(x, transform_filter(x), step));
}

/* target.hasValue() ? [optional.of](bind v = target.value() in transform) : optional.none() */
static struct node *map_optional(struct expansion *x, const char *otherwise, bool wraps)
{
    const struct node *variable = x->call->args[0];
    if (variable->kind != NODE_IDENT)
        return fail(x, variable, otherwise);
    struct node *target = x->call->target;
    struct node *has_value = method(x, STR("hasValue"), target, NULL);
    struct node *value = method(x, STR("value"), copy(x, target), NULL);
    struct node *mapped = bind(x, variable->ident, value, ident(x, variable->ident), x->call->args[1]);
    if (wraps)
        mapped = call(x, STR("optional.of"), mapped, NULL, NULL);
    return operation(x, AST_CONDITIONAL, has_value, mapped, call(x, STR("optional.none"), NULL, NULL, NULL));
}

static struct node *expand_opt_map(struct expansion *x)
{
    return map_optional(x, "optMap() variable name must be a simple identifier", true);
}

static struct node *expand_opt_flat_map(struct expansion *x)
{
    return map_optional(x, "optFlatMap() variable name must be a simple identifier", false);
}

/* range.sortBy(v, key): bind input = range in input.@sortByAssociatedKeys(input.map(v, key)) */
static struct node *expand_sort_by(struct expansion *x)
{
    struct node *range = x->call->target;
    if (range->kind == NODE_LITERAL || range->kind == NODE_MAP || range->kind == NODE_STRUCT)
        return fail(
            x, range,
            "sortBy can only be applied to a list, identifier, comprehension, call or select expression");
    struct variables v;
    struct node *failed;
    if (!one_variable(x, "argument is not an identifier", &v, &failed))
        return failed;
    struct node *keys = expand_map(x);
    keys->comprehension->range = ident(x, SORT_INPUT);
    struct node *sorted = method(x, STR("@sortByAssociatedKeys"), ident(x, SORT_INPUT), keys);
    return bind(x, SORT_INPUT, range, ident(x, SORT_INPUT), sorted);
}

/* The table */

typedef struct node *expander(struct expansion *x);

static const struct macro {
    struct str name;
    uint8_t arg_count;
    bool is_receiver;
    uint8_t level; /* the compatibility minor that introduced it; 0: they all have it */
    expander *expand;
} MACROS[] = {
    {STR_INIT("has"), 1, false, 0, expand_has},
    {STR_INIT("all"), 2, true, 0, expand_all},
    {STR_INIT("exists"), 2, true, 0, expand_exists},
    {STR_INIT("exists_one"), 2, true, 0, expand_exists_one},
    {STR_INIT("map"), 2, true, 0, expand_map},
    {STR_INIT("map"), 3, true, 0, expand_map},
    {STR_INIT("filter"), 2, true, 0, expand_filter},
    {STR_INIT("optMap"), 2, true, 0, expand_opt_map},
    {STR_INIT("optFlatMap"), 2, true, 0, expand_opt_flat_map},
    {STR_INIT("all"), 3, true, 32, expand_all},
    {STR_INIT("exists"), 3, true, 32, expand_exists},
    {STR_INIT("existsOne"), 3, true, 32, expand_exists_one},
    {STR_INIT("exists_one"), 3, true, 32, expand_exists_one},
    {STR_INIT("transformList"), 3, true, 32, expand_transform_list},
    {STR_INIT("transformList"), 4, true, 32, expand_transform_list},
    {STR_INIT("transformMap"), 3, true, 32, expand_transform_map},
    {STR_INIT("transformMap"), 4, true, 32, expand_transform_map},
    {STR_INIT("transformMapEntry"), 3, true, 32, expand_transform_map_entry},
    {STR_INIT("transformMapEntry"), 4, true, 32, expand_transform_map_entry},
    {STR_INIT("sortBy"), 2, true, 34, expand_sort_by},
};
#define MACRO_COUNT (sizeof MACROS / sizeof *MACROS)

struct node *macro_expand(struct builder *b, const struct macro_call *c)
{
    for (size_t i = 0; i < MACRO_COUNT; i++) {
        const struct macro *m = &MACROS[i];
        if (m->arg_count == c->arg_count && m->is_receiver == (c->target != NULL) &&
            m->level <= b->dialect.level && str_eq(m->name, c->function))
            return m->expand(&(struct expansion){b, c});
    }
    return NULL;
}
