#include "typecheck/policy/abstract/domain/compare_call.h"

#include <math.h>

#include "typecheck/policy/abstract/domain/absequal.h"
#include "typecheck/policy/abstract/domain/abslogic.h"
#include "typecheck/policy/abstract/domain/call_range.h"

/*
 * "no such overload": a typed list or map on the left of == compares with one
 * of its own kind and with null alone. != takes everything, and is true.
 */
static bool is_equal_of_typed(const struct absval *left, const struct absval *right)
{
    const uint32_t others = (ABS_JSON & ~(uint32_t)ABS_NULL) | ABS_UINT | ABS_BYTES;
    return (left->kinds & ~(uint32_t)(ABS_LIST | ABS_MAP)) == 0 && absval_is_typed(left) &&
           (right->kinds & ~others) == 0 && !kinds_meet(left->kinds, right->kinds);
}

static bool have_values(const struct absval *one, const struct absval *two)
{
    return one->kinds == ABS_OPTIONAL && two->kinds == ABS_OPTIONAL && one->may_have && two->may_have &&
           !one->may_be_none && !two->may_be_none;
}

/* Returns true if == of two such values always fails. Then *why is the reason. */
static bool is_never_compared(const struct abscall *c, struct failure *why)
{
    const struct absval *left = c->args[0], *right = c->args[1];
    bool takes_null = true; /* which == asks for before it asks the left one, but not within optionals */
    for (; have_values(left, right); left = left->inner, right = right->inner) {
        arena_step(c->arena);
        takes_null = false;
    }
    const bool is_of_sum = absequal_is_to_sum(left, right);
    if (!is_of_sum && !is_equal_of_typed(left, right) && !absequal_has_none(left, right, takes_null))
        return false;
    *why = abscall_mismatch_of(c, c->args[0], c->args[1]);
    if (is_of_sum)
        why->message =
            str_join(c->arena, STR_PARTS(why->message, STR(": no quantity equals what add() or sub() "
                                                           "returns, write it on the left")));
    return true;
}

static bool is_null_of_optional(const struct absval *one, const struct absval *two)
{
    return (one->kinds == ABS_OPTIONAL && absval_is_null(two)) ||
           (two->kinds == ABS_OPTIONAL && absval_is_null(one));
}

static const struct failure *never_null(const struct abscall *c)
{
    struct failure *why = ARENA_NEW(c->arena, struct failure);
    *why = (struct failure){.code = ISSUE_NEVER_EQUAL,
                            .is_ours = true,
                            .message = STR("an optional is never null: ask it with .hasValue()")};
    return why;
}

/* The truths that `one < other`, or `one <= other`, can have. */
static struct absequal_outcome compare_ranges(struct absrange one, struct absrange other, bool or_equal)
{
    return (struct absequal_outcome){{[true] = or_equal ? one.min <= other.max : one.min < other.max,
                                      [false] = or_equal ? one.max > other.min : one.max >= other.min}};
}

/* a < b, and the other three, of what is known of the two; both, where not enough is. */
static struct absequal_outcome order(enum ast_operator op, struct absrange a, struct absrange b)
{
    const bool is_less = op == AST_LESS || op == AST_LESS_EQUALS;
    const bool or_equal = op == AST_LESS_EQUALS || op == AST_GREATER_EQUALS;
    return is_less ? compare_ranges(a, b, or_equal) : compare_ranges(b, a, or_equal);
}

static bool is_decided(struct absequal_outcome o)
{
    return o.can_be[true] != o.can_be[false];
}

/* All that the call can return that made the range. */
static struct absrange whole_range(struct absrange range)
{
    return range.numbers == NULL ? range : (struct absrange){range.numbers->min, range.numbers->max, NULL};
}

/* Returns true if the comparison says just that the call returns what it can: hour >= 0, hour < 24. */
static bool is_of_edge(const struct abscall *c, const struct absnumbers *numbers, struct absrange other,
                       bool is_other_second)
{
    if (!numbers->is_often_written)
        return false;
    const struct absrange wider = {numbers->min == INT64_MIN ? INT64_MIN : numbers->min - 1,
                                   numbers->max == INT64_MAX ? INT64_MAX : numbers->max + 1, NULL};
    return !is_decided(is_other_second ? order(c->op, wider, other) : order(c->op, other, wider));
}

/* A comparison of what a call returns that is decided by all that it can return; NULL: it is none. */
static const struct failure *claim_numbers(const struct abscall *c)
{
    struct absrange a, b;
    if (!absval_range(c->args[0], &a) || !absval_range(c->args[1], &b) ||
        (a.numbers == NULL) == (b.numbers == NULL))
        return NULL;
    const bool is_first = a.numbers != NULL;
    const struct absnumbers *numbers = is_first ? a.numbers : b.numbers;
    a = whole_range(a);
    b = whole_range(b);
    const bool is_order = c->op != AST_EQUALS && c->op != AST_NOT_EQUALS;
    const bool is_apart = !is_order && (a.max < b.min || b.max < a.min);
    const struct absequal_outcome outcome =
        is_order ? order(c->op, a, b) : (struct absequal_outcome){{!is_apart, true}};
    if (!is_apart && !(is_order && is_decided(outcome)))
        return NULL;
    const bool is_true = is_order ? outcome.can_be[true] : c->op == AST_NOT_EQUALS;
    if (is_true && is_order && is_of_edge(c, numbers, is_first ? b : a, is_first))
        return NULL;
    struct failure *why = ARENA_NEW(c->arena, struct failure);
    *why =
        (struct failure){.code = is_true ? ISSUE_ALWAYS_TRUE : ISSUE_ALWAYS_FALSE,
                         .is_ours = true,
                         .message = str_join(c->arena, STR_PARTS(call_range_text(c->arena, numbers),
                                                                 is_true ? STR(": this is always true")
                                                                         : STR(": this is always false")))};
    return why;
}

static bool may_be_nan(const struct absval *v)
{
    bool is_found = (v->kinds & ABS_DOUBLE) != 0 && v->values == NULL;
    for (size_t i = 0; !is_found && v->kinds == ABS_DOUBLE && i < v->value_count; i++)
        is_found = isnan(v->values[i].floating);
    return is_found;
}

/* A comparison that fails, unless one of the two is NaN: where the first is of an ordered type, it is false
 * then. */
static struct transfer unless_nan(const struct abscall *c, struct transfer t)
{
    static const uint32_t ordered =
        ABS_BOOL | ABS_INT | ABS_UINT | ABS_DOUBLE | ABS_STRING | ABS_BYTES | ABS_TIMESTAMP | ABS_DURATION;
    const bool may_pass = t.failure != NULL && c->compares_nan && (c->args[0]->kinds & ordered) != 0 &&
                          (may_be_nan(c->args[0]) || may_be_nan(c->args[1]));
    return may_pass ? abscall_result(c, &absval_false, true) : t;
}

struct transfer compare_call_order(const struct abscall *c)
{
    struct absrange a, b;
    const bool are_known = absval_range(c->args[0], &a) && absval_range(c->args[1], &b);
    const struct absequal_outcome outcome =
        are_known ? order(c->op, a, b) : (struct absequal_outcome){{true, true}};
    if (!is_decided(outcome) || (c->args[0]->range == NULL && c->args[1]->range == NULL))
        return unless_nan(c, abscall_constants(c));
    struct transfer t = abscall_result(c, absequal_value(c->arena, outcome),
                                       c->args[0]->kinds != ABS_INT || c->args[1]->kinds != ABS_INT);
    t.claim = claim_numbers(c);
    return t;
}

/* Says that any int, or uint, never is the fraction; NULL: it is no such comparison. */
static const struct failure *never_fraction(const struct abscall *c, const struct absval *any,
                                            const struct absval *constant)
{
    const bool is_int = (any->kinds == ABS_INT || any->kinds == ABS_UINT) && any->values == NULL;
    if (!is_int || any->is_error || constant->kinds != ABS_DOUBLE || !absval_is_constant(constant))
        return NULL;
    const double number = constant->values[0].floating;
    if (!isfinite(number) || floor(number) == number)
        return NULL;
    struct failure *why = ARENA_NEW(c->arena, struct failure);
    *why = (struct failure){.code = ISSUE_NEVER_EQUAL,
                            .is_ours = true,
                            .message = str_format(c->arena, "a whole number is never %g", number)};
    return why;
}

struct transfer compare_call_equal(const struct abscall *c)
{
    const struct absval *a = c->args[0], *b = c->args[1];
    struct failure why;
    if (c->op == AST_EQUALS && is_never_compared(c, &why))
        return transfer_fails(c->arena, why);
    struct absequal comparison = {.arena = c->arena};
    const struct failure *fraction = never_fraction(c, a, b);
    if (fraction == NULL)
        fraction = never_fraction(c, b, a);
    const struct absval *v =
        fraction != NULL ? &absval_false : absequal_value(c->arena, absequal_compare(&comparison, a, b));
    bool may_fail = c->op == AST_EQUALS && absequal_may_lack(a, b);
    struct transfer t = abscall_result(c, c->op == AST_NOT_EQUALS ? abslogic_not(c->arena, v) : v, may_fail);
    bool is_fine = kinds_meet(a->kinds, b->kinds) || absval_is_null(a) || absval_is_null(b);
    if (!is_fine)
        return abscall_unequal(c, a, b, t);
    t.claim = fraction != NULL            ? fraction
              : is_null_of_optional(a, b) ? never_null(c)
                                          : transfer_no_word(c->arena, a, b);
    if (t.claim == NULL)
        t.claim = claim_numbers(c);
    t.is_as_claimed = !may_fail && !absval_can_be(v, true);
    return t;
}
