#include "typecheck/eval/context.h"

#include "typecheck/base/arena.h"

/* Places */

static struct site place_of(const struct eval_context *e, const struct node *n)
{
    return (struct site){.expression = e->expression, .node = n, .offset = n->offset};
}

static struct site operand_of(const struct eval_context *e, const struct node *n, const struct node *around)
{
    return (struct site){
        .expression = e->expression, .node = n, .is_operand = true, .offset = around->offset};
}

static void note(struct eval_context *e, struct site place, enum site_failure failure, struct hint hint,
                 const struct str *message, size_t parts)
{
    if (e->doubts == 0)
        findings_fail(e->places, place, failure, &hint, message, parts);
}

const struct absval *eval_context_fail(struct eval_context *e, const struct node *n, struct hint hint,
                                       const struct str *message, size_t parts)
{
    note(e, place_of(e, n), SITE_FAILS, hint, message, parts);
    return &absval_error;
}

const struct absval *eval_context_fail_operand(struct eval_context *e, const struct node *n,
                                               const struct node *around, const struct str *message,
                                               size_t parts)
{
    note(e, operand_of(e, n, around), SITE_FAILS, HINT_NONE, message, parts);
    return &absval_error;
}

const struct absval *eval_context_fail_entry(struct eval_context *e, const struct entry *field,
                                             struct hint hint, const struct str *message, size_t parts)
{
    struct site place = {
        .expression = e->expression, .node = field->value, .is_operand = true, .offset = field->offset};
    note(e, place, SITE_FAILS, hint, message, parts);
    return &absval_error;
}

void eval_context_note_unequal(struct eval_context *e, const struct node *n, struct hint hint,
                               const struct str *message, size_t parts)
{
    note(e, place_of(e, n), SITE_UNEQUAL, hint, message, parts);
}

/* What is only imagined to be reached passes nothing. */
void eval_context_pass(struct eval_context *e, const struct node *n)
{
    if (e->imagining == 0)
        findings_pass(e->places, place_of(e, n));
}

void eval_context_pass_operand(struct eval_context *e, const struct node *n, const struct node *around)
{
    if (e->imagining == 0)
        findings_pass(e->places, operand_of(e, n, around));
}

const struct absval *eval_context_derive(struct eval_context *e, const struct absval *v,
                                         const struct absval *from)
{
    if (from->may_fail)
        v = absval_failing(e->arena, v);
    if (from->is_fixed)
        v = absval_fixed(e->arena, v);
    return from->is_broken ? &absval_error : v;
}

/* Past failures */

struct past eval_context_go_past(struct eval_context *e, const struct absval *v, size_t mark)
{
    struct past past = {e->places->behind, e->doubts};
    if (!v->is_broken)
        return past;
    const struct site *failed = findings_failed(e->places, mark);
    if (failed != NULL)
        e->places->behind = failed;
    else
        e->doubts++; /* it is known to pass elsewhere */
    return past;
}

void eval_context_return(struct eval_context *e, struct past past)
{
    e->places->behind = past.behind;
    e->doubts = past.doubts;
}

/* Logic */

bool eval_context_can_be(const struct absval *v, bool truth)
{
    return !v->is_broken && (v->kinds & ABS_BOOL) != 0 && (truth ? v->can_be_true : v->can_be_false);
}

bool eval_context_is_doubtful(const struct absval *v, bool truth)
{
    return !v->is_broken && eval_context_can_be(v, true) && eval_context_can_be(v, false) &&
           !absval_is_surely(v, truth);
}

/* "A non-bool operand of &&, !, ?: fails." */
const struct absval *eval_context_bool(struct eval_context *e, const struct node *n,
                                       const struct node *around, const struct absval *v)
{
    if (v->is_broken)
        return v;
    if ((v->kinds & ABS_BOOL) == 0) {
        struct str text = absval_text(e->arena, v);
        return eval_context_fail_operand(e, n, around,
                                         STR_PARTS(STR("expected type 'bool' but found '"), text, STR("'")));
    }
    eval_context_pass_operand(e, n, around);
    return v->kinds == ABS_BOOL ? v : absval_failing(e->arena, v);
}

/*
 * interpretable.go, evalAnd and evalOr: the operands from left to right until
 * one is false (true); an error counts only if none is, on whichever side.
 */
const struct absval *eval_context_logic(struct eval_context *e, bool is_or, const struct absval *left,
                                        const struct absval *right)
{
    bool stop = is_or;
    bool left_stops = eval_context_can_be(left, stop), left_goes = eval_context_can_be(left, !stop);
    bool right_stops = eval_context_can_be(right, stop), right_goes = eval_context_can_be(right, !stop);
    bool stops = left_stops || right_stops, goes = left_goes && right_goes;
    bool right_always_stops = right_stops && !right_goes && !right->may_fail;
    struct absval *v = ARENA_NEW(e->arena, struct absval);
    v->kinds = ABS_BOOL;
    v->can_be_true = is_or ? stops : goes;
    v->can_be_false = is_or ? goes : stops;
    v->may_fail = !right_always_stops && (left->may_fail || right->may_fail);
    v->is_fixed = stops && goes && (left->is_fixed || right->is_fixed);
    bool surely_stops = absval_is_surely(left, stop) || absval_is_surely(right, stop);
    bool surely_goes = absval_is_surely(left, !stop) && absval_is_surely(right, !stop);
    v->is_surely_true = is_or ? surely_stops : surely_goes;
    v->is_surely_false = is_or ? surely_goes : surely_stops;
    if (!stops && !goes) {
        v->is_broken = v->may_fail = true;
        v->can_be_true = v->can_be_false = true;
    }
    return v;
}
