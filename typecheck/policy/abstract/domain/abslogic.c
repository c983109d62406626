#include "typecheck/policy/abstract/domain/abslogic.h"

#include "typecheck/base/arena.h"

const struct absval *abslogic_not(struct arena *a, const struct absval *v)
{
    struct absval *not = ARENA_NEW(a, struct absval);
    *not = absval_bool;
    not ->may_fail = v->may_fail;
    not ->author = v->author;
    not ->is_type_determined = v->is_type_determined;
    for (size_t truth = 0; truth < 2; truth++) {
        not ->can_be[truth] = v->can_be[!truth];
        not ->surely[truth] = v->surely[!truth];
    }
    return not ;
}

/*
 * The author of the result. If several operands each decide alone, one that the author decided counts, since
 * the others were never asked. If all of them decide together, the author decided only if this is so of each.
 */
static enum absval_author author_of(const struct absval *v, bool stop, const struct absval *left,
                                    const struct absval *right)
{
    const bool is_each = left->author != ABS_OF_REQUEST && right->author != ABS_OF_REQUEST;
    const enum absval_author most = left->author > right->author ? left->author : right->author;
    if (!absval_is_always(v, stop))
        return is_each ? most : ABS_OF_REQUEST;
    if (left->author != ABS_OF_REQUEST && absval_is_always(left, stop))
        return left->author;
    return absval_is_always(right, stop) ? right->author : ABS_OF_REQUEST;
}

const struct absval *abslogic_and_or(struct arena *a, bool is_or, const struct absval *left,
                                     const struct absval *right)
{
    bool stop = is_or, go = !is_or;
    bool stops = absval_can_be(left, stop) || absval_can_be(right, stop);
    bool goes = absval_can_be(left, go) && absval_can_be(right, go);
    bool right_always_stops = absval_can_be(right, stop) && !absval_can_be(right, go) && !right->may_fail;
    if (!stops && !goes)
        return &absval_error;
    struct absval *v = ARENA_NEW(a, struct absval);
    v->kinds = ABS_BOOL;
    v->can_be[stop] = stops;
    v->can_be[go] = goes;
    v->may_fail = !right_always_stops && (left->may_fail || right->may_fail);
    v->is_type_determined = stops && goes && (left->is_type_determined || right->is_type_determined);
    v->surely[stop] = absval_is_surely(left, stop) || absval_is_surely(right, stop);
    v->surely[go] = absval_is_surely(left, go) && absval_is_surely(right, go);
    v->author = author_of(v, stop, left, right);
    return v;
}

const struct absval *abslogic_not_strictly_false(struct arena *a, const struct absval *v)
{
    bool is_bool = !v->is_error && v->kinds == ABS_BOOL;
    struct absval *goes_on = ARENA_NEW(a, struct absval);
    *goes_on = absval_bool;
    goes_on->can_be[true] = !is_bool || v->may_fail || v->can_be[true];
    goes_on->can_be[false] = absval_can_be(v, false);
    goes_on->is_type_determined = v->is_type_determined;
    goes_on->surely[true] = v->may_fail || absval_is_surely(v, true);
    goes_on->surely[false] = absval_is_surely(v, false);
    return goes_on;
}
