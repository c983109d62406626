#include "typecheck/policy/abstract/context.h"

#include "typecheck/base/arena.h"

struct site eval_context_site(const struct eval_context *e, const struct node *n)
{
    return (struct site){.expression = e->expression, .node = n, .offset = n->offset};
}

struct site eval_context_operand(const struct eval_context *e, const struct node *n,
                                 const struct node *around)
{
    return (struct site){
        .expression = e->expression, .node = n, .is_operand = true, .offset = around->offset};
}

struct site eval_context_entry(const struct eval_context *e, const struct entry *field)
{
    return (struct site){
        .expression = e->expression, .node = field->value, .is_operand = true, .offset = field->offset};
}

const struct absval *eval_context_fail(struct eval_context *e, struct site site,
                                       const struct failure *failure)
{
    if (!e->scope.unknown)
        findings_fail(e->findings, site, e->scope.behind, failure);
    return &absval_error;
}

const struct absval *eval_context_error(struct eval_context *e, struct site site, enum issue_code code,
                                        struct issue_about about, const struct str *message, size_t parts)
{
    return eval_context_fail(e, site,
                             &(struct failure){.code = code,
                                               .message = str_join(e->arena, message, parts),
                                               .about = issue_about_pack(e->arena, &about)});
}

void eval_context_pass(struct eval_context *e, struct site site)
{
    if (!e->scope.hypothetical)
        findings_pass(e->findings, site);
}

const struct narrowing *eval_context_assume(struct eval_context *e, struct arena *a,
                                            const struct narrowing *known, const struct binding *locals,
                                            const struct node *condition, bool truth)
{
    return narrowing_assume(a, known, locals, condition, truth,
                            e->doubts == NULL ? NULL : e->doubts->nodes[e->expression]);
}

static const struct absval *doubt(struct arena *a, const struct absval *v)
{
    const struct absval *any = v->kinds == ABS_BOOL       ? &absval_bool
                               : v->kinds == ABS_OPTIONAL ? absval_optional(a, &absval_any, true)
                                                          : &absval_any;
    return v->may_fail ? absval_failing(a, any) : any;
}

bool eval_context_is_doubted(const struct eval_context *e, const struct node *n)
{
    return e->doubts != NULL && e->doubts->nodes[e->expression][n->id];
}

const struct absval *eval_context_doubt(struct eval_context *e, const struct node *n, const struct absval *v)
{
    return eval_context_is_doubted(e, n) && !v->is_error ? doubt(e->arena, v) : v;
}

/*
 * A test for a field that no type has is reported. A read of the field after the test is the same mistake,
 * and does not fail: it is never evaluated before the name is corrected.
 */
static bool is_told(struct eval_context *e, const struct failure *failure)
{
    return failure != NULL && e->doubts != NULL && failure->code == ISSUE_UNDEFINED_FIELD &&
           references_names_key(e->references, e->arena, failure->hint.field);
}

/* Notes the value that the claim gives a bool, or that is known without one. */
static void note_value(struct eval_context *e, const struct node *n, struct site site,
                       const struct transfer *t)
{
    if (t->claim != NULL && (t->value->kinds & ABS_BOOL) != 0) {
        const bool is_unequal =
            t->claim->code == ISSUE_NEVER_EQUAL && n->kind == NODE_CALL && n->op == AST_NOT_EQUALS;
        findings_value(e->findings, site, t->claim->code == ISSUE_ALWAYS_TRUE || is_unequal);
    } else if (t->claim == NULL && t->is_as_claimed &&
               absval_can_be(t->value, true) != absval_can_be(t->value, false)) {
        findings_value(e->findings, site, absval_can_be(t->value, true));
    }
}

const struct absval *eval_context_end(struct eval_context *e, const struct node *n, struct transfer t)
{
    struct site site = eval_context_site(e, n);
    if (is_told(e, t.failure))
        t = (struct transfer){.value = absval_failing(e->arena, &absval_any), .is_as_claimed = true};
    if (t.failure == NULL)
        eval_context_pass(e, site);
    else
        eval_context_fail(e, site, t.failure);
    if (!e->scope.hypothetical && (t.claim != NULL || !t.is_as_claimed))
        findings_claim(e->findings, site, t.claim, !e->scope.unknown);
    if (!e->scope.hypothetical)
        note_value(e, n, site, &t);
    if (t.is_given)
        findings_given(e->findings, site);
    return eval_context_doubt(e, n, t.value);
}

void eval_context_go_past(struct eval_context *e, const struct absval *v, size_t mark)
{
    if (!v->is_error)
        return;
    const struct site *failed = findings_failed(e->findings, mark);
    if (failed != NULL)
        e->scope.behind = failed;
    else
        e->scope.unknown = true; /* the error is known to pass elsewhere */
}
