#include "typecheck/policy/abstract/narrowing.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/abstract/domain/bounds.h"

/* The bytes at the end of a name that are hashed: names differ there. */
#define HASHED_BYTES 16u

const struct binding *narrowing_find_local(struct arena *a, const struct binding *locals, struct str name)
{
    unsigned seen = 0;
    for (; locals != NULL && !str_eq(locals->name, name); locals = locals->outer) {
        if (++seen % ARENA_LOOKS_PER_STEP == 0)
            arena_step(a);
    }
    return locals;
}

static bool calls(const struct node *n, enum ast_operator op)
{
    return n->kind == NODE_CALL && n->op == op;
}

static bool is_null(const struct node *n)
{
    return n->kind == NODE_LITERAL && n->literal.kind == LITERAL_NULL;
}

bool narrowing_is_path(const struct node *n)
{
    if (n->kind == NODE_SELECT && !n->select.test_only)
        return narrowing_is_path(n->select.operand);
    if (calls(n, AST_INDEX))
        return n->call.args[1]->kind == NODE_LITERAL && narrowing_is_path(n->call.args[0]);
    return n->kind == NODE_IDENT;
}

/* The node whose size is asked; NULL if `n` is no such call. */
static const struct node *sized(const struct node *n)
{
    const bool is_size = n->kind == NODE_CALL && n->op == AST_FUNCTION &&
                         str_eq(n->call.function, STR("size")) &&
                         n->arg_count == (n->call.target == NULL ? 1 : 0);
    return !is_size ? NULL : n->call.target != NULL ? n->call.target : n->call.args[0];
}

/* Equal paths have equal ones. */
static uint32_t hash_path(const struct node *n)
{
    struct str last = STR("");
    if (n->kind == NODE_IDENT)
        last = n->ident;
    else if (n->kind == NODE_SELECT)
        last = n->select.field;
    else if (n->kind == NODE_CALL && n->arg_count == 2 && n->call.args[1]->kind == NODE_LITERAL &&
             n->call.args[1]->literal.kind == LITERAL_STRING)
        last = n->call.args[1]->literal.bytes;
    else if (n->kind == NODE_CALL && n->op == AST_FUNCTION)
        last = n->call.function;
    uint32_t hash = (uint32_t)last.len * 2 + (n->kind == NODE_CALL);
    for (size_t i = 0; i < last.len && i < HASHED_BYTES; i++)
        hash = hash * 31 + (unsigned char)last.at[last.len - 1 - i];
    return hash;
}

static struct narrowing *add(struct arena *a, const struct narrowing *known, const struct binding *locals,
                             enum narrowing_kind kind, const struct node *path)
{
    struct narrowing *f = ARENA_NEW(a, struct narrowing);
    arena_step(a);
    *f = (struct narrowing){
        .next = known, .kind = kind, .path = path, .locals = locals, .hash = hash_path(path)};
    f->compared = (known == NULL ? 0 : known->compared) + (kind == NARROWING_COMPARED);
    return f;
}

/* The operator with its operands changed; AST_FUNCTION: it says nothing that is kept. */
static enum ast_operator turned(enum ast_operator op)
{
    return op == AST_LESS             ? AST_GREATER
           : op == AST_LESS_EQUALS    ? AST_GREATER_EQUALS
           : op == AST_GREATER        ? AST_LESS
           : op == AST_GREATER_EQUALS ? AST_LESS_EQUALS
                                      : op;
}

static enum ast_operator denied(enum ast_operator op)
{
    return op == AST_LESS             ? AST_GREATER_EQUALS
           : op == AST_LESS_EQUALS    ? AST_GREATER
           : op == AST_GREATER        ? AST_LESS_EQUALS
           : op == AST_GREATER_EQUALS ? AST_LESS
           : op == AST_NOT_EQUALS     ? AST_EQUALS
           : op == AST_EQUALS         ? AST_NOT_EQUALS
                                      : op;
}

static bool is_repeatable_within(struct arena *a, const struct node *n, size_t *left)
{
    bool is = n->kind == NODE_LITERAL || n->kind == NODE_IDENT;
    arena_step(a);
    if (*left == 0)
        return false;
    --*left;
    if (n->kind == NODE_SELECT)
        return is_repeatable_within(a, n->select.operand, left);
    if (n->kind == NODE_LIST) {
        is = n->list.optional == NULL;
        for (size_t i = 0; is && i < n->list.count; i++)
            is = is_repeatable_within(a, n->list.elements[i], left);
    } else if (n->kind == NODE_CALL) {
        is = n->op != AST_AND && n->op != AST_OR && n->op != AST_CONDITIONAL &&
             n->op != AST_NOT_STRICTLY_FALSE &&
             (n->call.target == NULL || is_repeatable_within(a, n->call.target, left));
        for (size_t i = 0; is && i < n->arg_count; i++)
            is = is_repeatable_within(a, n->call.args[i], left);
    }
    return is;
}

/* Returns true if the node has the same value wherever it is written in a scope: it has no macro, and no
 * operator that absorbs errors. */
static bool is_repeatable(struct arena *a, const struct node *n)
{
    size_t left = BOUNDS_REPEATED;
    return is_repeatable_within(a, n, &left);
}

static const struct narrowing *add_compared(struct arena *a, const struct narrowing *known,
                                            const struct binding *locals, const struct node *path,
                                            enum ast_operator is, const struct node *literal)
{
    struct narrowing *f = add(a, known, locals, NARROWING_COMPARED, path);
    f->is = is;
    f->literal = literal;
    return f;
}

/* The literal that says of a condition what it is. */
static const struct node *truth_literal(bool truth)
{
    static const struct node literals[] = {
        {.kind = NODE_LITERAL, .literal = {.kind = LITERAL_BOOL, .boolean = false}},
        {.kind = NODE_LITERAL, .literal = {.kind = LITERAL_BOOL, .boolean = true}}};
    return &literals[truth];
}

static bool are_strings(struct arena *a, const struct node *list)
{
    bool are = list->kind == NODE_LIST && list->list.count != 0 && list->list.count <= BOUNDS_REPEATED &&
               list->list.optional == NULL;
    for (size_t i = 0; are && i < list->list.count; i++) {
        const struct node *element = list->list.elements[i];
        arena_step(a);
        are = element->kind == NODE_LITERAL && element->literal.kind == LITERAL_STRING;
    }
    return are;
}

/* x, has(x.y), x.f(y), 'a' in x: what says the same again where it is written again. */
static const struct narrowing *assume_truth(struct arena *a, const struct narrowing *known,
                                            const struct binding *locals, const struct node *n, bool truth)
{
    const bool is_asked = n->kind == NODE_SELECT || n->kind == NODE_IDENT || calls(n, AST_INDEX) ||
                          calls(n, AST_FUNCTION) || calls(n, AST_IN);
    return is_asked && is_repeatable(a, n)
               ? add_compared(a, known, locals, n, AST_EQUALS, truth_literal(truth))
               : known;
}

/* x in ['a', 'b'] */
static const struct narrowing *assume_in(struct arena *a, const struct narrowing *known,
                                         const struct binding *locals, const struct node *n, bool truth)
{
    const struct node *x = n->call.args[0], *list = n->call.args[1];
    if (!are_strings(a, list) || x->kind == NODE_LITERAL || !is_repeatable(a, x))
        return assume_truth(a, known, locals, n, truth);
    struct narrowing *f = add(a, known, locals, NARROWING_COMPARED, x);
    f->is = AST_IN;
    f->is_denied = !truth;
    f->literal = list;
    return f;
}

/* x == 'a', x < 5: the comparison with a literal. */
static const struct narrowing *assume_compared(struct arena *a, const struct narrowing *known,
                                               const struct binding *locals, const struct node *n, bool truth)
{
    if (known != NULL && known->compared >= BOUNDS_COMPARED)
        return known;
    if (calls(n, AST_IN))
        return assume_in(a, known, locals, n, truth);
    if (n->kind != NODE_CALL || n->arg_count != 2 || n->op == AST_FUNCTION || n->op == AST_INDEX)
        return assume_truth(a, known, locals, n, truth);
    const bool is_turned = n->call.args[0]->kind == NODE_LITERAL;
    const struct node *path = n->call.args[is_turned], *literal = n->call.args[!is_turned];
    const enum ast_operator op = is_turned ? turned(n->op) : n->op, is = truth ? op : denied(op);
    const bool is_equal = is == AST_EQUALS || is == AST_NOT_EQUALS;
    const bool is_literal = literal->kind == NODE_LITERAL && path->kind != NODE_LITERAL;
    const bool is_int = is_literal && literal->literal.kind == LITERAL_INT;
    const bool is_string = is_literal && literal->literal.kind == LITERAL_STRING;
    const bool is_bool = is_literal && literal->literal.kind == LITERAL_BOOL;
    if (!(is_equal && (is_string || is_bool)) && !((is == AST_EQUALS || ast_is_order(is)) && is_int))
        return known;
    if (!is_repeatable(a, path))
        return known;
    return is_bool ? add_compared(a, known, locals, path, AST_EQUALS,
                                  truth_literal(literal->literal.boolean == (is == AST_EQUALS)))
                   : add_compared(a, known, locals, path, is, literal);
}

/* The node that is null where the operands are equal: x of "x == null" and of "type(x) == null_type"; NULL if
 * there is none. */
static const struct node *null_if_equal(struct arena *a, const struct binding *locals,
                                        const struct node *value, const struct node *other)
{
    static const struct str null_type = STR_INIT("null_type");
    bool is_typeof = value->kind == NODE_CALL && value->call.target == NULL && value->arg_count == 1 &&
                     str_eq(value->call.function, STR("type"));
    if (is_typeof && other->kind == NODE_IDENT && str_eq(other->ident, null_type) &&
        narrowing_find_local(a, locals, null_type) == NULL)
        return value->call.args[0];
    return is_null(other) ? value : NULL;
}

static const struct narrowing *assume_null(struct arena *a, const struct narrowing *known,
                                           const struct binding *locals, const struct node *comparison)
{
    const struct node *left = comparison->call.args[0], *right = comparison->call.args[1];
    const struct node *of_left = null_if_equal(a, locals, left, right);
    const struct node *path = of_left != NULL ? of_left : null_if_equal(a, locals, right, left);
    if (path != NULL && narrowing_is_path(path))
        return add(a, known, locals, NARROWING_NULL, path);
    return known;
}

const struct narrowing *narrowing_assume(struct arena *a, const struct narrowing *known,
                                         const struct binding *locals, const struct node *condition,
                                         bool truth, const bool *doubted)
{
    arena_step(a);
    if (doubted != NULL && doubted[condition->id])
        return known;
    if (calls(condition, AST_NOT))
        return narrowing_assume(a, known, locals, condition->call.args[0], !truth, doubted);
    if (calls(condition, truth ? AST_AND : AST_OR)) {
        known = narrowing_assume(a, known, locals, condition->call.args[0], truth, doubted);
        return narrowing_assume(a, known, locals, condition->call.args[1], truth, doubted);
    }
    if (calls(condition, truth ? AST_EQUALS : AST_NOT_EQUALS))
        known = assume_null(a, known, locals, condition);
    if (!truth && condition->kind == NODE_SELECT && condition->select.test_only &&
        narrowing_is_path(condition->select.operand))
        known = add(a, known, locals, NARROWING_ABSENT, condition);
    return assume_compared(a, known, locals, condition, truth);
}

static bool is_same_name(struct arena *a, struct str one, struct str two)
{
    if (one.len == two.len)
        arena_pay_bytes(a, one.len);
    return str_eq(one, two);
}

static bool is_same_key(struct arena *a, const struct node *one, const struct node *two)
{
    if (one->kind != NODE_LITERAL || two->kind != NODE_LITERAL || one->literal.kind != two->literal.kind)
        return false;
    return (one->literal.kind == LITERAL_STRING && is_same_name(a, one->literal.bytes, two->literal.bytes)) ||
           (one->literal.kind == LITERAL_INT && one->literal.integer == two->literal.integer);
}

static bool is_same_path(struct arena *a, const struct node *one, const struct binding *locals_one,
                         const struct node *two, const struct binding *locals_two);

static bool is_test(const struct node *n)
{
    return n->kind == NODE_SELECT && n->select.test_only;
}

static bool is_same_part(struct arena *a, const struct node *one, const struct binding *locals_one,
                         const struct node *two, const struct binding *locals_two)
{
    return is_test(one) == is_test(two) && is_same_path(a, one, locals_one, two, locals_two);
}

static bool are_same(struct arena *a, const struct node *one, const struct binding *locals_one,
                     const struct node *two, const struct binding *locals_two)
{
    const bool are_lists = one->kind == NODE_LIST;
    struct node *const *of_one = are_lists ? one->list.elements : one->call.args;
    struct node *const *of_two = are_lists ? two->list.elements : two->call.args;
    const size_t count = are_lists ? one->list.count : one->arg_count;
    bool are = count == (are_lists ? two->list.count : two->arg_count);
    for (size_t i = 0; are && i < count; i++)
        are = is_same_part(a, of_one[i], locals_one, of_two[i], locals_two);
    return are;
}

static bool is_same_call(struct arena *a, const struct node *one, const struct binding *locals_one,
                         const struct node *two, const struct binding *locals_two)
{
    const struct node *target = one->call.target, *other = two->call.target;
    return one->op == two->op && (target == NULL) == (other == NULL) &&
           is_same_name(a, one->call.function, two->call.function) &&
           (target == NULL || is_same_part(a, target, locals_one, other, locals_two)) &&
           are_same(a, one, locals_one, two, locals_two);
}

static bool is_same_literal(struct arena *a, const struct node *one, const struct node *two)
{
    return is_same_key(a, one, two) ||
           (one->literal.kind == LITERAL_BOOL && two->literal.kind == LITERAL_BOOL &&
            one->literal.boolean == two->literal.boolean);
}

/* Nothing is known of other kinds of nodes. has(x.y) and x.y count as the same. */
static bool is_same_path(struct arena *a, const struct node *one, const struct binding *locals_one,
                         const struct node *two, const struct binding *locals_two)
{
    arena_step(a);
    if (one->kind != two->kind)
        return false;
    if (one->kind == NODE_IDENT)
        return str_eq(one->ident, two->ident) && narrowing_find_local(a, locals_one, one->ident) ==
                                                     narrowing_find_local(a, locals_two, two->ident);
    if (one->kind == NODE_SELECT)
        return is_same_name(a, one->select.field, two->select.field) &&
               is_same_path(a, one->select.operand, locals_one, two->select.operand, locals_two);
    if (one->kind == NODE_LITERAL)
        return is_same_literal(a, one, two);
    if (one->kind == NODE_LIST)
        return are_same(a, one, locals_one, two, locals_two);
    if (one->kind != NODE_CALL)
        return false;
    if (sized(one) != NULL && sized(two) != NULL)
        return is_same_path(a, sized(one), locals_one, sized(two), locals_two);
    return is_same_call(a, one, locals_one, two, locals_two);
}

bool narrowing_are_same(struct arena *a, const struct node *one, const struct node *two,
                        const struct binding *locals)
{
    return one->kind == two->kind && is_repeatable(a, one) && is_same_part(a, one, locals, two, locals);
}

bool narrowing_has(struct arena *a, const struct narrowing *known, enum narrowing_kind kind,
                   const struct node *path, const struct binding *locals)
{
    unsigned seen = 0;
    uint32_t hash = known == NULL ? 0 : hash_path(path);
    for (const struct narrowing *f = known; f != NULL; f = f->next) {
        if (++seen % ARENA_LOOKS_PER_STEP == 0)
            arena_step(a);
        if (f->kind == kind && f->hash == hash && is_same_path(a, f->path, f->locals, path, locals))
            return true;
    }
    return false;
}

const struct narrowing *narrowing_compared(struct arena *a, const struct narrowing *known,
                                           const struct node *n, const struct binding *locals)
{
    const bool is_asked = known != NULL && known->compared != 0;
    const uint32_t hash = is_asked ? hash_path(n) : 0;
    const struct narrowing *f = is_asked ? known : NULL;
    for (unsigned seen = 0; f != NULL && f->compared != 0; f = f->next) {
        if (++seen % ARENA_LOOKS_PER_STEP == 0)
            arena_step(a);
        if (f->kind == NARROWING_COMPARED && f->hash == hash &&
            is_same_part(a, f->path, f->locals, n, locals))
            return f;
    }
    return NULL;
}

const struct narrowing *narrowing_of_target(struct arena *a, const struct narrowing *known,
                                            const struct node *n, const struct binding *locals)
{
    const struct narrowing *f = known;
    for (unsigned seen = 0; f != NULL && f->compared != 0; f = f->next) {
        if (++seen % ARENA_LOOKS_PER_STEP == 0)
            arena_step(a);
        if (f->kind == NARROWING_COMPARED && calls(f->path, AST_FUNCTION) && f->path->call.target != NULL &&
            is_same_part(a, f->path->call.target, f->locals, n, locals))
            return f;
    }
    return NULL;
}

struct str narrowing_root(const struct narrowing *narrowing)
{
    const struct node *of_size = sized(narrowing->path), *n = of_size == NULL ? narrowing->path : of_size;
    while (n->kind == NODE_SELECT || calls(n, AST_INDEX))
        n = n->kind == NODE_SELECT ? n->select.operand : n->call.args[0];
    return n->kind == NODE_IDENT ? n->ident : STR("");
}
