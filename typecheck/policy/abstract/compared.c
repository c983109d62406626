#include "typecheck/policy/abstract/compared.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/reads.h"
#include "typecheck/policy/abstract/domain/call_range.h"
#include "typecheck/policy/abstract/narrowing.h"

/* Says why x never equals the constant; NULL: it may. */
static const struct failure *never_is(struct arena *a, const struct absval *x, const struct absval *constant)
{
    return x->words != NULL ? transfer_no_word(a, x, constant) : call_range_excludes(a, x, constant);
}

/* Returns true if it is known what x can be. */
static bool is_limited(const struct absval *x)
{
    return x->words != NULL || (x->range != NULL && x->range->numbers != NULL);
}

void compared_claim_elements(struct eval_context *e, const struct node *n, const struct absval *x,
                             const struct absval *range)
{
    const struct node *list = n->call.args[1];
    const bool is_literal = n->op == AST_IN && list->kind == NODE_LIST && !e->scope.hypothetical;
    const bool is_known =
        is_limited(x) && absval_is_exact_list(range) && range->list->count == list->list.count;
    for (size_t i = 0; is_literal && i < list->list.count; i++) {
        const struct failure *claim = is_known ? never_is(e->arena, x, range->list->items[i]) : NULL;
        findings_claim(e->findings, eval_context_site(e, list->list.elements[i]), claim, !e->scope.unknown);
    }
}

void compared_claim_list(struct eval_context *e, const struct node *n, const struct absval *x,
                         const struct absval *range, struct transfer *t)
{
    const bool is_asked = t->failure == NULL && t->claim == NULL && is_limited(x) &&
                          n->call.args[1]->kind != NODE_LIST && absval_is_exact_list(range);
    for (size_t i = 0; is_asked && t->claim == NULL && i < range->list->count; i++)
        t->claim = never_is(e->arena, x, range->list->items[i]);
}

/*
 * The value that a comparison with the name of the type has with the name that was meant. The type has one
 * name: with it the comparison says of this type what its author meant. NULL: the name is not known, or none
 * is near.
 */
static const struct absval *corrected(struct eval_context *e, const struct absval *name,
                                      const struct failure *claim, bool is_equal)
{
    const struct str *own = absval_constant_string(name);
    if (own == NULL || name->words == NULL || name->words->judge == NULL || claim == NULL ||
        claim->hint.value.at == NULL)
        return NULL;
    reads_value(types_reads(e->ts), name->values);
    return absval_by(e->arena, str_eq(*own, claim->hint.value) == is_equal ? &absval_true : &absval_false,
                     ABS_BY_NAMES);
}

const struct absval *compared_doubt(struct eval_context *e, const struct node *n,
                                    const struct absval *const *values, const struct transfer *t,
                                    const struct absval *v)
{
    const bool is_equality = n->op == AST_EQUALS || n->op == AST_NOT_EQUALS;
    const struct absval *meant = NULL;
    for (size_t i = 0; is_equality && meant == NULL && i < 2; i++)
        meant = corrected(e, values[i], t->claim, n->op == AST_EQUALS);
    return meant == NULL ? v : absval_derive(e->arena, meant, t->value);
}

const struct absval *compared_doubt_elements(struct eval_context *e, const struct node *n,
                                             const struct absval *const *values, const struct absval *v)
{
    const struct node *list = n->call.args[1];
    const struct absval *found = v;
    if (list->kind != NODE_LIST || e->doubts == NULL)
        return v;
    for (size_t i = 0; i < list->list.count; i++) {
        if (!eval_context_is_doubted(e, list->list.elements[i]))
            continue;
        const bool is_known = absval_is_exact_list(values[1]) && values[1]->list->count == list->list.count;
        const struct absval *item = is_known ? values[1]->list->items[i] : NULL;
        const struct failure *claim = item == NULL ? NULL : never_is(e->arena, values[0], item);
        const struct absval *meant = corrected(e, values[0], claim, true);
        if (meant == NULL)
            return eval_context_doubt(e, list->list.elements[i], v);
        if (absval_can_be(meant, true))
            found = absval_derive(e->arena, meant, v);
    }
    return found;
}

/* A field of what a request has: it is JSON, in which every value is equal to itself. */
static bool is_plain_path(const struct eval_context *e, const struct node *n)
{
    while (n->kind == NODE_SELECT || (n->kind == NODE_CALL && n->op == AST_INDEX))
        n = n->kind == NODE_SELECT ? n->select.operand : n->call.args[0];
    return n->kind == NODE_IDENT && !str_eq(n->ident, STR("variables")) &&
           narrowing_find_local(e->arena, e->scope.locals, n->ident) == NULL;
}

void compared_claim_same(struct eval_context *e, const struct node *n, const struct absval *const *values,
                         struct transfer *t)
{
    const uint32_t scalars =
        ABS_NULL | ABS_BOOL | ABS_INT | ABS_UINT | ABS_STRING | ABS_BYTES | ABS_TIMESTAMP | ABS_DURATION;
    const struct absval *v = values[0];
    if ((!ast_is_order(n->op) && n->op != AST_EQUALS && n->op != AST_NOT_EQUALS) || t->failure != NULL ||
        t->claim != NULL || v->author != ABS_OF_REQUEST || absval_is_input_independent(v) ||
        !narrowing_are_same(e->arena, n->call.args[0], n->call.args[1], e->scope.locals) ||
        ((v->kinds & ~scalars) != 0 && !is_plain_path(e, n->call.args[0])))
        return;
    const bool truth = ast_is_reflexive(n->op);
    struct failure *why = ARENA_NEW(e->arena, struct failure);
    *why = (struct failure){.code = truth ? ISSUE_ALWAYS_TRUE : ISSUE_ALWAYS_FALSE,
                            .is_ours = true,
                            .message = truth ? STR("both sides are the same: this is always true")
                                             : STR("both sides are the same: this is always false")};
    t->claim = why;
    t->value = absval_derive(e->arena, truth ? &absval_true : &absval_false, t->value);
}

/* The key of `m.key` or `m['key']`; empty: it is neither. */
static struct str key_of(const struct node *n)
{
    if (n->kind == NODE_SELECT && !n->select.test_only)
        return n->select.field;
    const struct node *key = n->kind == NODE_CALL && n->op == AST_INDEX ? n->call.args[1] : NULL;
    return key != NULL && key->kind == NODE_LITERAL && key->literal.kind == LITERAL_STRING
               ? key->literal.bytes
               : STR("");
}

void compared_claim_entry(struct eval_context *e, const struct node *n, const struct absval *const *values,
                          struct transfer *t)
{
    const bool is_comparison = n->op == AST_EQUALS || n->op == AST_NOT_EQUALS;
    for (size_t i = 0; is_comparison && i < 2; i++) {
        const struct str key = values[i]->is_entry ? key_of(n->call.args[i]) : STR("");
        if (key.len == 0 || values[1 - i]->kinds != ABS_NULL || t->failure != NULL ||
            references_tests_key(e->references, e->arena, key))
            continue;
        struct failure *why = ARENA_NEW(e->arena, struct failure);
        *why = (struct failure){
            .code = ISSUE_NEVER_EQUAL,
            .is_ours = true,
            .message =
                STR("no value of this map is null, and reading a missing key is an error: ask with 'in'")};
        t->claim = why;
    }
}
