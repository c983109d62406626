#include "typecheck/claims.h"

#include <string.h>

#include "typecheck/absval/absmap.h"
#include "typecheck/base/arena.h"
#include "typecheck/schema/object_type.h"

static size_t node_count(const struct claims *claims, size_t expression)
{
    const struct ast *ast = claims->plan->expressions[expression].ast;
    return ast == NULL ? 0 : (size_t)ast->max_id + 1;
}

void claims_init(struct claims *claims, struct arena *a, const struct eval_policy_plan *plan)
{
    *claims = (struct claims){.arena = a, .plan = plan};
    claims->nodes = ARENA_ARRAY(a, plan->expression_count, uint8_t *);
    for (size_t i = 0; i < plan->expression_count; i++)
        claims->nodes[i] = ARENA_ARRAY(a, node_count(claims, i), uint8_t);
}

/* Other versions of the definition of a custom resource may have a field whose name is like no other. */
static bool is_note(struct types *ts, const struct eval_policy_finding *claim)
{
    const struct absmap *map = claim->hint.map;
    const bool is_foreign = map != NULL && map->type != NULL && object_type_is_foreign(map->type);
    bool is_of_pods;
    return claim->code == ISSUE_UNDEFINED_FIELD && is_foreign &&
           hint_text(ts, &claim->hint, &is_of_pods).len == 0;
}

static unsigned claimed(struct types *ts, const struct eval_policy *evaluation, size_t expression,
                        uint32_t node)
{
    const unsigned bits = eval_policy_claimed(evaluation, expression, node);
    if ((bits & SITE_CLAIMED) == 0 || (bits & SITE_PLAIN) != 0)
        return bits;
    const struct eval_policy_finding claim = eval_policy_claim(evaluation, expression, node);
    return is_note(ts, &claim) ? bits | SITE_NOTE : bits;
}

void claims_add(struct claims *claims, struct types *ts, const struct eval_policy *evaluation)
{
    for (size_t i = 0; i < claims->plan->expression_count; i++) {
        const size_t count = node_count(claims, i);
        arena_pay(claims->arena, count / ARENA_LOOKS_PER_STEP);
        for (size_t node = 0; node < count; node++)
            claims->nodes[i][node] |= (uint8_t)claimed(ts, evaluation, i, (uint32_t)node);
    }
}

static bool is_certain(const struct claims *claims, size_t expression, size_t node)
{
    const unsigned needed = SITE_CLAIMED | SITE_SURE;
    return (claims->nodes[expression][node] & (needed | SITE_PLAIN)) == needed;
}

bool claims_settle(struct claims *claims)
{
    bool is_any = false;
    claims->is_claimed = ARENA_ARRAY(claims->arena, claims->plan->expression_count, bool);
    for (size_t i = 0; i < claims->plan->expression_count; i++) {
        const size_t count = node_count(claims, i);
        arena_pay(claims->arena, count / ARENA_LOOKS_PER_STEP);
        for (size_t node = 0; node < count && !claims->is_claimed[i]; node++)
            claims->is_claimed[i] = is_certain(claims, i, node);
        is_any = is_any || claims->is_claimed[i];
    }
    return is_any;
}

const struct eval_policy_finding *claims_list(const struct claims *claims, struct arena *a,
                                              const struct eval_policy *evaluation, size_t expression,
                                              bool wants_notes, size_t *count)
{
    const size_t nodes = node_count(claims, expression);
    struct eval_policy_finding *list = NULL;
    size_t cap = 0;
    *count = 0;
    arena_pay(a, nodes / ARENA_LOOKS_PER_STEP);
    for (size_t node = 0; node < nodes; node++) {
        const bool is_note = (claims->nodes[expression][node] & SITE_NOTE) != 0;
        if (!is_certain(claims, expression, node) || is_note != wants_notes ||
            eval_policy_claimed(evaluation, expression, (uint32_t)node) == 0)
            continue;
        ARENA_ROOM(a, list, *count, cap, 4);
        list[(*count)++] = eval_policy_claim(evaluation, expression, (uint32_t)node);
    }
    return list;
}

void claims_put(const struct claims *claims, struct arena *a, const struct eval_policy *evaluation,
                size_t expression, struct eval_policy_result *result)
{
    size_t added;
    const struct eval_policy_finding *claimed = claims_list(claims, a, evaluation, expression, false, &added);
    struct eval_policy_finding *all = ARENA_ARRAY(a, result->count + added, struct eval_policy_finding);
    if (result->count != 0)
        memcpy(all, result->findings, result->count * sizeof *all);
    if (added != 0)
        memcpy(all + result->count, claimed, added * sizeof *all);
    result->findings = all;
    result->count += added;
}
