/*
 * macro_expand() finds a macro in the table MACROS by its name, the form of the call and the number of
 * arguments, checks its variables, and calls its expander. Most macros become a comprehension: a range, one
 * or two loop variables, an accumulator with its initial value, and a condition and a step for each turn. A
 * binding (cel.bind, optMap) is a comprehension over nothing, whose accumulator is the bound variable. A
 * part of the call that the result needs twice is copied, so that each place has nodes of its own.
 */
#include "typecheck/cel/syntax/macro.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/nodes.h"

/* Names that no expression can spell. */
#define RESULT     STR("@result")
#define SORT_INPUT STR("@__sortBy_input__")
#define UNUSED     STR("#unused")

/* The variables of a comprehension; two is empty if there is one. */
struct variables {
    struct str one, two;
};

/* The expansion of one macro: its call, and the pool that new nodes come from. */
struct expansion {
    struct nodes *nodes;
    const struct macro_call *call;
    struct variables variables;
};

static struct node *new_node(struct expansion *x, enum node_kind kind)
{
    return nodes_new(x->nodes, kind, x->call->offset);
}

static struct node *fail(struct expansion *x, const struct node *where, enum issue_code code,
                         const char *message)
{
    return nodes_fail(x->nodes, code, extent_of_place(x->nodes->arena, x->nodes->text, where),
                      str_of(message));
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
    return nodes_literal(x->nodes, x->call->offset, (struct literal){.kind = LITERAL_BOOL, .boolean = value});
}

static struct node *integer(struct expansion *x, int64_t value)
{
    return nodes_literal(x->nodes, x->call->offset, (struct literal){.kind = LITERAL_INT, .integer = value});
}

/* A list of one element, or of none for NULL. */
static struct node *list(struct expansion *x, struct node *element)
{
    struct node *n = new_node(x, NODE_LIST);
    if (element != NULL) {
        n->list.elements = ARENA_NEW(x->nodes->arena, struct node *);
        n->list.elements[0] = element;
        n->list.count = 1;
    }
    return n;
}

/* Makes a call with as many arguments as there are before the first NULL. */
static struct node *call(struct expansion *x, struct str function, struct node *one, struct node *two,
                         struct node *three)
{
    return nodes_call(x->nodes, x->call->offset, function, one, two, three);
}

static struct node *operation(struct expansion *x, enum ast_operator op, struct node *one, struct node *two,
                              struct node *three)
{
    return nodes_operation(x->nodes, x->call->offset, op, one, two, three);
}

static struct node *method(struct expansion *x, struct str function, struct node *target, struct node *arg)
{
    struct node *n = call(x, function, arg, NULL, NULL);
    n->call.target = target;
    return n;
}

static struct node *new_comprehension(struct expansion *x, struct comprehension c)
{
    struct node *n = new_node(x, NODE_COMPREHENSION);
    n->comprehension = ARENA_NEW(x->nodes->arena, struct comprehension);
    *n->comprehension = c;
    return n;
}

/* Over the range that the macro is called on, with the variables that it names. */
static struct node *fold(struct expansion *x, struct comprehension c)
{
    c.range = x->call->target;
    c.iter_var = x->variables.one;
    c.iter_var2 = x->variables.two;
    c.accu_var = RESULT;
    return new_comprehension(x, c);
}

/* A variable that is bound once: a fold over nothing. */
static struct node *bind(struct expansion *x, struct str name, struct node *value, struct node *read,
                         struct node *body)
{
    struct comprehension c = {.range = list(x, NULL),
                              .iter_var = UNUSED,
                              .accu_var = name,
                              .init = value,
                              .condition = boolean(x, false),
                              .step = read,
                              .result = body};
    return new_comprehension(x, c);
}

/* Copies: a part that is needed twice has nodes of its own in each place */

static struct node *copy(struct expansion *x, struct node *n);

static struct node **copy_nodes(struct expansion *x, struct node **nodes, size_t count)
{
    struct node **copies = ARENA_ARRAY(x->nodes->arena, count, struct node *);
    for (size_t i = 0; i < count; i++)
        copies[i] = copy(x, nodes[i]);
    return copies;
}

static struct entry *copy_entries(struct expansion *x, const struct entry *entries, size_t count)
{
    struct entry *copies = ARENA_ARRAY(x->nodes->arena, count, struct entry);
    for (size_t i = 0; i < count; i++) {
        copies[i] = entries[i];
        if (!x->nodes->copies_keep_ids) {
            copies[i].id = nodes_next_id(x->nodes);
            copies[i].offset = x->call->offset;
        }
        if (entries[i].key != NULL)
            copies[i].key = copy(x, entries[i].key);
        copies[i].value = copy(x, entries[i].value);
    }
    return copies;
}

static struct comprehension *copy_comprehension(struct expansion *x, const struct comprehension *original)
{
    struct comprehension *c = ARENA_NEW(x->nodes->arena, struct comprehension);
    *c = *original;
    c->range = copy(x, c->range);
    c->init = copy(x, c->init);
    c->condition = copy(x, c->condition);
    c->step = copy(x, c->step);
    c->result = copy(x, c->result);
    return c;
}

/* Copies a tree. Nobody reads the tree of a text in error, and copies of copies grow fast: there the original
 * is shared. */
static struct node *copy(struct expansion *x, struct node *original)
{
    if (x->nodes->issues->count != 0)
        return original;
    struct node *n = ARENA_NEW(x->nodes->arena, struct node);
    *n = *original;
    if (!x->nodes->copies_keep_ids)
        n->id = nodes_next_id(x->nodes);
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

/* Variables' names: these functions return NULL, or what stands for the macro where a name does not fit */

static bool is_accumulator(struct str name)
{
    return str_eq(name, RESULT) || str_eq(name, STR("__result__"));
}

static const char OVERWRITES[] = "iteration variable overwrites accumulator variable";
static const char NOT_SIMPLE[] = "argument must be a simple name";

/* The first argument is the variable. */
static struct node *one_variable(struct expansion *x, const char *otherwise)
{
    const struct node *arg = x->call->args[0];
    if (arg->kind != NODE_IDENT)
        return fail(x, arg, ISSUE_OTHER, otherwise);
    if (is_accumulator(arg->ident))
        return fail(x, arg, ISSUE_OTHER, OVERWRITES);
    x->variables = (struct variables){.one = arg->ident};
    return NULL;
}

static struct node *element_variable(struct expansion *x)
{
    return one_variable(x, "argument is not an identifier");
}

static struct node *two_variables(struct expansion *x)
{
    const struct node *first = x->call->args[0], *second = x->call->args[1];
    if (first->kind != NODE_IDENT)
        return fail(x, first, ISSUE_OTHER, NOT_SIMPLE);
    if (second->kind != NODE_IDENT)
        return fail(x, second, ISSUE_OTHER, NOT_SIMPLE);
    if (str_eq(first->ident, second->ident))
        return fail(x, second, ISSUE_OTHER,
                    str_join(x->nodes->arena, STR_PARTS(STR("duplicate variable name: "), first->ident)).at);
    if (is_accumulator(first->ident))
        return fail(x, first, ISSUE_OTHER, OVERWRITES);
    if (is_accumulator(second->ident))
        return fail(x, second, ISSUE_OTHER, OVERWRITES);
    x->variables = (struct variables){first->ident, second->ident};
    return NULL;
}

/* Reads the variables of a quantifier. With three arguments it has two variables, else one. */
static struct node *quantifier_variables(struct expansion *x)
{
    return x->call->arg_count == 3 ? two_variables(x) : one_variable(x, NOT_SIMPLE);
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
        return fail(x, arg, ISSUE_WRONG_CONSTANT, "invalid argument to has() macro");
    struct node *n = new_node(x, NODE_SELECT);
    n->select.operand = arg->select.operand;
    n->select.field = arg->select.field;
    n->select.test_only = true;
    return n;
}

/* range.all(v, predicate) */
static struct node *expand_all(struct expansion *x)
{
    return fold(x, (struct comprehension){
                       .init = boolean(x, true),
                       .condition = operation(x, AST_NOT_STRICTLY_FALSE, result(x), NULL, NULL),
                       .step = operation(x, AST_AND, result(x), last_arg(x), NULL),
                       .result = result(x),
                   });
}

/* range.exists(v, predicate) */
static struct node *expand_exists(struct expansion *x)
{
    struct node *is_not_found = operation(x, AST_NOT, result(x), NULL, NULL);
    return fold(x, (struct comprehension){
                       .init = boolean(x, false),
                       .condition = operation(x, AST_NOT_STRICTLY_FALSE, is_not_found, NULL, NULL),
                       .step = operation(x, AST_OR, result(x), last_arg(x), NULL),
                       .result = result(x),
                   });
}

/* range.existsOne(v, predicate) */
static struct node *expand_exists_one(struct expansion *x)
{
    struct node *one_more = operation(x, AST_ADD, result(x), integer(x, 1), NULL);
    return fold(x, (struct comprehension){
                       .init = integer(x, 0),
                       .condition = boolean(x, true),
                       .step = operation(x, AST_CONDITIONAL, last_arg(x), one_more, result(x)),
                       .result = operation(x, AST_EQUALS, result(x), integer(x, 1), NULL),
                   });
}

/* A fold that collects: from `init` on, by `step`, those elements for which `filter` holds (NULL: all). */
static struct node *collect(struct expansion *x, struct node *init, struct node *filter, struct node *step)
{
    if (filter != NULL)
        step = operation(x, AST_CONDITIONAL, filter, step, result(x));
    return fold(x, (struct comprehension){
                       .init = init, .condition = boolean(x, true), .step = step, .result = result(x)});
}

static struct node *append(struct expansion *x, struct node *element)
{
    return operation(x, AST_ADD, result(x), list(x, element), NULL);
}

/* The argument between the variables and the transform, if there is one. */
static struct node *transform_filter(const struct expansion *x)
{
    const size_t variables = x->variables.two.len == 0 ? 1 : 2;
    return x->call->arg_count == variables + 2 ? x->call->args[variables] : NULL;
}

/* range.map(v, transform), range.map(v, filter, transform), range.transformList(k, v, filter, transform) */
static struct node *expand_map(struct expansion *x)
{
    return collect(x, list(x, NULL), transform_filter(x), append(x, last_arg(x)));
}

/* range.filter(v, predicate) */
static struct node *expand_filter(struct expansion *x)
{
    return collect(x, list(x, NULL), last_arg(x), append(x, x->call->args[0]));
}

/* range.transformMap(k, v, transform): the transform is the value at k */
static struct node *expand_transform_map(struct expansion *x)
{
    struct node *step = call(x, STR("cel.@mapInsert"), result(x), ident(x, x->variables.one), last_arg(x));
    return collect(x, new_node(x, NODE_MAP), transform_filter(x), step);
}

/* range.transformMapEntry(k, v, transform): the transform is a map itself */
static struct node *expand_transform_map_entry(struct expansion *x)
{
    struct node *step = call(x, STR("cel.@mapInsert"), result(x), last_arg(x), NULL);
    return collect(x, new_node(x, NODE_MAP), transform_filter(x), step);
}

/* target.hasValue() ? [optional.of](bind v = target.value() in transform) : optional.none() */
static struct node *map_optional(struct expansion *x, const char *otherwise, bool wraps)
{
    const struct node *variable = x->call->args[0];
    if (variable->kind != NODE_IDENT)
        return fail(x, variable, ISSUE_OTHER, otherwise);
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
            x, range, ISSUE_OTHER,
            "sortBy can only be applied to a list, identifier, comprehension, call or select expression");
    struct node *failed = element_variable(x);
    if (failed != NULL)
        return failed;
    struct node *keys = expand_map(x);
    keys->comprehension->range = ident(x, SORT_INPUT);
    struct node *sorted = method(x, STR("@sortByAssociatedKeys"), ident(x, SORT_INPUT), keys);
    return bind(x, SORT_INPUT, range, ident(x, SORT_INPUT), sorted);
}

/* cel.bind(v, value, body) */
static struct node *expand_bind(struct expansion *x)
{
    const struct node *variable = x->call->args[0];
    if (variable->kind != NODE_IDENT)
        return fail(x, variable, ISSUE_OTHER, "cel.bind() variable names must be simple identifiers");
    return bind(x, variable->ident, x->call->args[1], ident(x, variable->ident), x->call->args[2]);
}

static bool is_bind(const struct macro_call *c)
{
    return c->arg_count == 3 && c->target != NULL && c->target->kind == NODE_IDENT &&
           str_eq(c->target->ident, STR("cel")) && str_eq(c->function, STR("bind"));
}

/* The table */

typedef struct node *part_of_expansion(struct expansion *x);

static const struct macro {
    struct str name;
    uint8_t arg_count;
    bool is_receiver;
    uint8_t level;                /* the compatibility minor that introduced it; 0: they all have it */
    part_of_expansion *variables; /* reads them; NULL: it has none, or reads them itself */
    part_of_expansion *expand;
} MACROS[] = {
    {STR_INIT("has"), 1, false, 0, NULL, expand_has},
    {STR_INIT("all"), 2, true, 0, quantifier_variables, expand_all},
    {STR_INIT("exists"), 2, true, 0, quantifier_variables, expand_exists},
    {STR_INIT("exists_one"), 2, true, 0, quantifier_variables, expand_exists_one},
    {STR_INIT("map"), 2, true, 0, element_variable, expand_map},
    {STR_INIT("map"), 3, true, 0, element_variable, expand_map},
    {STR_INIT("filter"), 2, true, 0, element_variable, expand_filter},
    {STR_INIT("optMap"), 2, true, 0, NULL, expand_opt_map},
    {STR_INIT("optFlatMap"), 2, true, 0, NULL, expand_opt_flat_map},
    {STR_INIT("all"), 3, true, 32, quantifier_variables, expand_all},
    {STR_INIT("exists"), 3, true, 32, quantifier_variables, expand_exists},
    {STR_INIT("existsOne"), 3, true, 32, quantifier_variables, expand_exists_one},
    {STR_INIT("exists_one"), 3, true, 32, quantifier_variables, expand_exists_one},
    {STR_INIT("transformList"), 3, true, 32, two_variables, expand_map},
    {STR_INIT("transformList"), 4, true, 32, two_variables, expand_map},
    {STR_INIT("transformMap"), 3, true, 32, two_variables, expand_transform_map},
    {STR_INIT("transformMap"), 4, true, 32, two_variables, expand_transform_map},
    {STR_INIT("transformMapEntry"), 3, true, 32, two_variables, expand_transform_map_entry},
    {STR_INIT("transformMapEntry"), 4, true, 32, two_variables, expand_transform_map_entry},
    {STR_INIT("sortBy"), 2, true, 34, NULL, expand_sort_by},
};
#define MACRO_COUNT (sizeof MACROS / sizeof *MACROS)

struct node *macro_expand(struct nodes *nodes, int level, bool has_bind, const struct macro_call *c)
{
    struct expansion x = {.nodes = nodes, .call = c};
    if (has_bind && is_bind(c))
        return expand_bind(&x);
    for (size_t i = 0; i < MACRO_COUNT; i++) {
        const struct macro *m = &MACROS[i];
        if (m->arg_count != c->arg_count || m->is_receiver != (c->target != NULL) || m->level > level ||
            !str_eq(m->name, c->function))
            continue;
        struct node *failed = m->variables == NULL ? NULL : m->variables(&x);
        return failed != NULL ? failed : m->expand(&x);
    }
    return NULL;
}

int macro_newest_level(int level)
{
    int newest = 0;
    for (size_t i = 0; i < MACRO_COUNT; i++) {
        if (MACROS[i].level <= level && MACROS[i].level > newest)
            newest = MACROS[i].level;
    }
    return newest;
}

bool macro_at(size_t index, struct macro_name *out)
{
    if (index >= MACRO_COUNT)
        return false;
    const struct macro *m = &MACROS[index];
    *out = (struct macro_name){m->name, m->level, m->is_receiver, m->arg_count};
    return true;
}
