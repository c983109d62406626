#include "typecheck/policy/check/claims.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/issue_about.h"
#include "typecheck/cel/schema/object_type.h"
#include "typecheck/cel/types/reads.h"
#include "typecheck/policy/abstract/domain/absmap.h"

static size_t node_count(const struct claims *claims, size_t expression)
{
    const struct ast *ast = claims->plan->expressions[expression].ast;
    return ast == NULL ? 0 : (size_t)ast->max_id + 1;
}

/* The sum of all types and the part of one lie in flat memory: what all match conditions pass, the outcome of
 * each expression, and the nodes of each expression. */
static size_t place_nodes(struct claims *claims)
{
    const struct eval_policy_plan *plan = claims->plan;
    size_t at = 1 + plan->expression_count;
    for (size_t i = 0; i < plan->expression_count; i++) {
        claims->starts[i] = at;
        at += node_count(claims, i);
    }
    return at;
}

void claims_init(struct claims *claims, struct arena *a, const struct eval_policy_plan *plan)
{
    *claims = (struct claims){.arena = a, .plan = plan};
    claims->starts = ARENA_ARRAY(a, plan->expression_count, size_t);
    claims->bytes = place_nodes(claims);
    claims->sum = ARENA_ARRAY(a, claims->bytes, uint8_t);
    claims->part = ARENA_ARRAY(a, claims->bytes, uint8_t);
    claims->outcomes = claims->sum + 1;
    claims->nodes = ARENA_ARRAY(a, plan->expression_count, uint8_t *);
    for (size_t i = 0; i < plan->expression_count; i++)
        claims->nodes[i] = claims->sum + claims->starts[i];
}

/* Makes the lists that rounds fill; most policies have no second round. */
static void init_rounds(struct claims *claims)
{
    struct arena *a = claims->arena;
    const size_t count = claims->plan->expression_count;
    claims->certain = ARENA_ARRAY(a, count, uint8_t *);
    claims->is_claimed = ARENA_ARRAY(a, count, bool);
    claims->ended = ARENA_ARRAY(a, count, unsigned);
    claims->verdicts = ARENA_ARRAY(a, count, struct claims_verdict);
    claims->doubted = ARENA_ARRAY(a, count, bool *);
    claims->doubted_whole = ARENA_ARRAY(a, count, bool);
    claims->conditions = claims->sum[0];
    claims->doubts = (struct eval_doubts){(const bool *const *)claims->doubted, claims->doubted_whole};
    for (size_t i = 0; i < count; i++) {
        claims->certain[i] = ARENA_ARRAY(a, node_count(claims, i), uint8_t);
        claims->doubted[i] = ARENA_ARRAY(a, node_count(claims, i), bool);
    }
}

bool claims_wants_note(const struct claims *claims, size_t expression, uint32_t node)
{
    return (claims->nodes[expression][node] & (SITE_NOTE | SITE_PLAIN)) == 0;
}

void claims_add_note(struct claims *claims, size_t expression, uint32_t node)
{
    claims->nodes[expression][node] |= SITE_NOTE;
}

/* Returns true if the claim is about a field that a map of one custom type lacks. */
static bool is_of_names(const struct eval_policy_finding *claim)
{
    const struct absmap *map = claim->hint.map;
    bool is_foreign = false;
    for (const struct absmap *m = map; m != NULL; m = m->next)
        is_foreign = is_foreign || (m->type != NULL && object_type_is_foreign(m->type));
    return !claim->is_note && claim->code == ISSUE_UNDEFINED_FIELD && is_foreign;
}

/* Other versions of the definition of a custom resource may have a field whose name is like no other. A fact
 * that a class does not share is not noted: classes.c asks it for each type. */
static unsigned note_of(struct claims *claims, struct types *ts, size_t expression, uint32_t node,
                        const struct eval_policy_finding *claim)
{
    bool is_of_pods;
    if (!is_of_names(claim))
        return claim->is_note ? SITE_NOTE : 0;
    if (claim->hint.map->next != NULL) /* of several sorts: which one was meant nobody knows */
        return SITE_NOTE;
    reads_pause(types_reads(ts));
    const struct hint_change change = hint_change_find(ts, &claim->hint, &is_of_pods);
    reads_resume(types_reads(ts));
    if (!hint_change_is_near(&change))
        return SITE_HINTED | SITE_NOTE;
    ARENA_ROOM(types_arena(ts), claims->open, claims->open_count, claims->open_cap, 4);
    claims->open[claims->open_count++] = (struct claims_open){expression, node, claim->hint};
    return SITE_HINTED;
}

static unsigned claimed(struct claims *claims, struct types *ts, const struct eval_policy *evaluation,
                        size_t expression, uint32_t node)
{
    const unsigned bits = eval_policy_claimed(evaluation, expression, node);
    const bool is_asked = claims->is_kept || claims_wants_note(claims, expression, node);
    if ((bits & SITE_CLAIMED) == 0 || (bits & SITE_PLAIN) != 0 || !is_asked)
        return bits;
    const struct eval_policy_finding claim = eval_policy_claim(evaluation, expression, node);
    return bits | note_of(claims, ts, expression, node, &claim);
}

void claims_add(struct claims *claims, struct types *ts, const struct eval_policy *evaluation)
{
    uint8_t *part = claims->part;
    memset(part, 0, claims->bytes);
    part[0] = (uint8_t)eval_policy_conditions(evaluation);
    claims->open = NULL;
    claims->open_count = claims->open_cap = 0;
    for (size_t i = 0; i < claims->plan->expression_count; i++) {
        const size_t count = node_count(claims, i);
        part[1 + i] = (uint8_t)eval_policy_outcomes(evaluation, i);
        arena_pay(claims->arena, count / ARENA_LOOKS_PER_STEP);
        for (size_t node = 0; node < count; node++)
            part[claims->starts[i] + node] = (uint8_t)claimed(claims, ts, evaluation, i, (uint32_t)node);
    }
    claims_add_part(claims, part);
}

void claims_add_part(struct claims *claims, const uint8_t *part)
{
    for (size_t i = 0; i < claims->bytes; i++)
        claims->sum[i] |= part[i];
}

bool claims_can_add(const struct claims *claims, const uint8_t *part)
{
    bool can = true;
    for (size_t i = 0; can && i < claims->bytes; i++)
        can = (part[i] & SITE_OPEN) == 0 || (claims->sum[i] & (SITE_NOTE | SITE_PLAIN)) != 0;
    return can;
}

void claims_open_notes(const struct claims *claims, uint8_t *part)
{
    for (size_t i = claims->plan->expression_count + 1; i < claims->bytes; i++) {
        if ((part[i] & SITE_HINTED) != 0)
            part[i] = (uint8_t)((part[i] & ~(unsigned)SITE_NOTE) | SITE_OPEN);
    }
}

static bool is_certain(const struct claims *claims, size_t expression, size_t node)
{
    const unsigned needed = SITE_CLAIMED | SITE_SURE, both = SITE_TRUE | SITE_FALSE;
    const unsigned bits = claims->nodes[expression][node];
    return (bits & (needed | SITE_PLAIN)) == needed && (bits & both) != both;
}

/* ---- verdicts ---- */

static struct claims_verdict judge_validation(unsigned outcomes)
{
    const unsigned known = outcomes & ~(unsigned)(OUTCOME_SURE | OUTCOME_TRUE_BY_AUTHOR);
    if ((outcomes & OUTCOME_SURE) != 0 && known == OUTCOME_TRUE)
        return (struct claims_verdict){.code = ISSUE_ALWAYS_TRUE, .outcomes = OUTCOME_TRUE};
    const unsigned never = OUTCOME_FALSE_BY_NAMES | OUTCOME_FALSE_BY_LITERALS | OUTCOME_SURE;
    if ((outcomes & OUTCOME_SURE) != 0 && (outcomes & ~never) == OUTCOME_FALSE)
        return (struct claims_verdict){.code = ISSUE_ALWAYS_FALSE, .outcomes = OUTCOME_FALSE};
    return (struct claims_verdict){.code = ISSUE_OTHER};
}

/* The condition that no request passes; else the last of those that exclude each other. */
static size_t find_condition(const struct claims *claims)
{
    size_t last = claims->plan->expression_count;
    for (size_t i = 0; i < claims->plan->expression_count; i++) {
        const unsigned outcomes = claims->ended[i] & ~(unsigned)OUTCOME_SURE;
        if (claims->plan->expressions[i].place != POLICY_MATCH_CONDITION)
            continue;
        if (outcomes != 0 && (outcomes & ~(unsigned)OUTCOME_NEVER_TRUE) == 0)
            return i;
        if ((outcomes & OUTCOME_NEVER_TRUE) != 0)
            last = i;
    }
    return last;
}

static void judge_conditions(struct claims *claims)
{
    const size_t i = find_condition(claims);
    const bool is_never = claims->conditions != 0 && (claims->conditions & OUTCOME_OPEN) == 0;
    if (!is_never || i == claims->plan->expression_count)
        return;
    /* real names in one condition, as a version that is no longer served, are the author's word */
    const unsigned outcomes = claims->ended[i];
    const bool is_single = (outcomes & ~(unsigned)(OUTCOME_SURE | OUTCOME_NEVER_TRUE)) == 0;
    claims->verdicts[i] =
        (struct claims_verdict){.code = ISSUE_NEVER_APPLIES,
                                .is_note = (claims->conditions & OUTCOME_FALSE_BY_LITERALS) != 0 ||
                                           (is_single && (outcomes & OUTCOME_FALSE) == 0),
                                .outcomes = OUTCOME_NEVER_TRUE};
}

/* Returns true if a verdict is new. In a later round the doubts may be the cause of a verdict. */
static bool judge_all(struct claims *claims)
{
    bool is_new = false;
    for (size_t i = 0; i < claims->plan->expression_count; i++)
        claims->ended[i] = claims->ended[i] == 0 ? claims->outcomes[i] : claims->ended[i];
    if (claims->rounds == 0)
        judge_conditions(claims);
    for (size_t i = 0; i < claims->plan->expression_count; i++) {
        struct claims_verdict *verdict = &claims->verdicts[i];
        const bool was_told = claims->rounds != 0 && verdict->code != ISSUE_OTHER;
        if (claims->plan->expressions[i].place == POLICY_VALIDATION)
            *verdict = judge_validation(claims->ended[i]);
        is_new = is_new || (!was_told && verdict->code != ISSUE_OTHER);
        claims->doubted_whole[i] = verdict->code != ISSUE_OTHER && !verdict->is_note;
    }
    return is_new;
}

/* Returns true if the expression has a certain claim that it had not before. */
static bool settle_nodes(struct claims *claims, size_t expression)
{
    const size_t count = node_count(claims, expression);
    bool is_new = false;
    arena_pay(claims->arena, count / ARENA_LOOKS_PER_STEP);
    for (size_t node = 0; node < count; node++) {
        uint8_t *certain = &claims->certain[expression][node];
        if (*certain != 0 || !is_certain(claims, expression, node))
            continue;
        *certain = claims->nodes[expression][node] & (SITE_CLAIMED | SITE_NOTE);
        claims->doubted[expression][node] = (*certain & SITE_NOTE) == 0;
        is_new = true;
    }
    return is_new;
}

bool claims_settle(struct claims *claims)
{
    if (claims->rounds == CLAIMS_ROUNDS - 1)
        return false;
    if (claims->rounds == 0)
        init_rounds(claims);
    bool is_new = judge_all(claims);
    for (size_t i = 0; i < claims->plan->expression_count; i++) {
        const bool has_new = settle_nodes(claims, i);
        claims->is_claimed[i] = claims->is_claimed[i] || has_new;
        is_new = is_new || has_new;
    }
    claims->rounds++;
    memset(claims->sum, 0, claims->bytes);
    return is_new;
}

/* The subject of the claim, if its span is not the name itself: an operator, or brackets. */
static const struct issue_packed *find_about(struct arena *a, struct str text,
                                             const struct eval_policy_finding *claim)
{
    const struct str name = claim->hint.map == NULL ? STR("") : claim->hint.field;
    const struct str spanned = {text.at + claim->span.begin, claim->span.end - claim->span.begin};
    if (claim->about != NULL || name.len == 0 || str_eq(name, spanned))
        return claim->about;
    return issue_about_pack(a, &(struct issue_about){.name = name});
}

/* ---- the two evaluations of a type ---- */

static bool is_of_site(const struct eval_policy_finding *one, const struct eval_policy_finding *two)
{
    return one->site.node == two->site.node && one->site.is_operand == two->site.is_operand;
}

/* Returns true if one of the first `count` findings, which have the order of the tree, is at the site. */
static bool has_site(struct arena *a, const struct eval_policy_result *result,
                     const struct eval_policy_finding *found)
{
    size_t i = 0;
    arena_pay(a, result->count / ARENA_LOOKS_PER_STEP);
    while (i < result->count && !is_of_site(&result->findings[i], found))
        i++;
    return i < result->count;
}

struct eval_policy_result claims_result(struct arena *a, const struct claims_evaluated *evaluated,
                                        size_t expression)
{
    struct eval_policy_result all = eval_policy_result(evaluated->plain, expression, a);
    if (all.limit != ARENA_OK || evaluated->doubted == NULL)
        return all;
    const struct eval_policy_result plain = all,
                                    doubted = eval_policy_result(evaluated->doubted, expression, a);
    struct eval_policy_finding *list =
        ARENA_ARRAY(a, plain.count + doubted.count, struct eval_policy_finding);
    if (plain.count != 0)
        memcpy(list, plain.findings, plain.count * sizeof *list);
    for (size_t i = 0; i < doubted.count; i++) {
        if (!has_site(a, &plain, &doubted.findings[i]))
            list[all.count++] = doubted.findings[i];
    }
    all.findings = list;
    all.truths |= doubted.truths;
    all.is_used = all.is_used || doubted.is_used;
    all.limit = doubted.limit;
    return all;
}

static bool claims_node(const struct eval_policy *evaluation, size_t expression, size_t node)
{
    return evaluation != NULL && (eval_policy_claimed(evaluation, expression, (uint32_t)node) &
                                  (SITE_CLAIMED | SITE_PLAIN)) == SITE_CLAIMED;
}

const struct eval_policy_finding *claims_list(const struct claims *claims, struct arena *a,
                                              const struct claims_evaluated *evaluated, size_t expression,
                                              bool wants_notes, size_t *count)
{
    const size_t nodes = node_count(claims, expression);
    struct eval_policy_finding *list = NULL;
    size_t cap = 0;
    *count = 0;
    arena_pay(a, nodes / ARENA_LOOKS_PER_STEP);
    for (size_t node = 0; node < nodes; node++) {
        const uint8_t certain = claims->certain[expression][node];
        if (certain == 0 || ((certain & SITE_NOTE) != 0) != wants_notes)
            continue;
        const struct eval_policy *of =
            claims_node(evaluated->plain, expression, node) ? evaluated->plain : evaluated->doubted;
        if (!claims_node(of, expression, node))
            continue;
        ARENA_ROOM(a, list, *count, cap, 4);
        struct eval_policy_finding *claim = &list[(*count)++];
        *claim = eval_policy_claim(of, expression, (uint32_t)node);
        claim->about = find_about(a, claims->plan->expressions[expression].ast->text, claim);
    }
    return list;
}

/* ---- the whole expression ---- */

/* The extent from the first to the last letter. */
static struct extent whole(struct str text)
{
    uint32_t offset = 0, end = (uint32_t)text.len;
    while (offset < end && strchr(" \t\n\r\f", text.at[offset]) != NULL)
        offset++;
    while (end > offset && strchr(" \t\n\r\f", text.at[end - 1]) != NULL)
        end--;
    return (struct extent){offset, offset, end};
}

/* Returns true if the verdict follows from another mistake that is reported: a field that is undefined in it
 * or in a variable. */
static bool has_cause(const struct claims *claims, size_t expression)
{
    bool has = claims->is_claimed[expression];
    for (size_t i = 0; i < claims->plan->expression_count; i++)
        has = has || (claims->plan->expressions[i].place == POLICY_VARIABLE && claims->is_claimed[i]);
    return has;
}

static unsigned outcomes_of(const struct claims_evaluated *evaluated, size_t expression)
{
    const unsigned doubted =
        evaluated->doubted == NULL ? 0 : eval_policy_outcomes(evaluated->doubted, expression);
    return eval_policy_outcomes(evaluated->plain, expression) | doubted;
}

/* "...: it checks nothing, since the API server sets 'replicas'" */
static struct str with_given(struct arena *a, struct str message, struct str given)
{
    return given.len == 0
               ? message
               : str_join(a, STR_PARTS(message, STR(", since the API server sets '"), given, STR("'")));
}

bool claims_judge(const struct claims *claims, struct arena *a, const struct claims_evaluated *evaluated,
                  size_t expression, struct eval_policy_finding *out)
{
    static const struct {
        enum issue_code code;
        struct str message;
    } said[] = {
        {ISSUE_ALWAYS_TRUE, STR_INIT("the validation is always true: it checks nothing")},
        {ISSUE_ALWAYS_FALSE, STR_INIT("the validation is always false: it refuses every request")},
        {ISSUE_NEVER_APPLIES, STR_INIT("no request passes the match conditions: the policy never applies")},
    };
    const struct claims_verdict verdict = claims_verdict_of(claims, expression);
    const bool is_of_type = (outcomes_of(evaluated, expression) & verdict.outcomes) != 0;
    if (verdict.code == ISSUE_OTHER || !is_of_type || has_cause(claims, expression))
        return false;
    size_t i = 0;
    while (said[i].code != verdict.code)
        i++;
    *out = (struct eval_policy_finding){
        .span = whole(claims->plan->expressions[expression].ast->text),
        .code = verdict.code,
        .is_claim = true,
        .is_ours = true,
        .is_note = verdict.is_note,
        .message = with_given(a, said[i].message, eval_policy_given(evaluated->plain, a, expression))};
    return true;
}

void claims_put(const struct claims *claims, struct arena *a, const struct claims_evaluated *evaluated,
                size_t expression, struct eval_policy_result *result)
{
    size_t added;
    const struct eval_policy_finding *claimed = claims_list(claims, a, evaluated, expression, false, &added);
    struct eval_policy_finding *all = ARENA_ARRAY(a, result->count + added + 1, struct eval_policy_finding);
    const bool is_alone = result->count == 0;
    if (result->count != 0)
        memcpy(all, result->findings, result->count * sizeof *all);
    if (added != 0)
        memcpy(all + result->count, claimed, added * sizeof *all);
    result->findings = all;
    result->count += added;
    if (is_alone && claims_judge(claims, a, evaluated, expression, &all[result->count]) &&
        !all[result->count].is_note)
        result->count++;
}
