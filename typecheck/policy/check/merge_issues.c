#include "typecheck/policy/check/merge_issues.h"

#include "typecheck/base/arena.h"

static bool has_issue(const struct issues *is, uint32_t offset)
{
    for (size_t i = 0; is != NULL && i < issues_shown(is); i++) {
        if (is->list[i].at.offset == offset)
            return true;
    }
    return false;
}

/* The finding of the evaluation at the place of the issue; NULL: none. */
static const struct eval_policy_finding *find(const struct eval_policy_result *r, const struct issue *issue)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->findings[i].span.offset == issue->at.offset &&
            r->findings[i].is_of_operand == issue->is_of_operand &&
            (!r->findings[i].is_ours || str_eq(r->findings[i].message, issue->message)))
            return &r->findings[i];
    }
    return NULL;
}

static void add_one(struct issues *out, const struct eval_policy_finding *finding)
{
    issues_take(out, &(struct issue){.at = finding->span,
                                     .code = finding->code,
                                     .is_of_operand = finding->is_of_operand,
                                     .message = finding->message,
                                     .about = finding->about});
}

/* Adds a finding of the evaluation, and those about other requests. */
static void add_finding(struct issues *out, const struct eval_policy_result *evaluated,
                        const struct eval_policy_finding *finding)
{
    const struct eval_policy_finding *end = evaluated->findings + evaluated->count;
    add_one(out, finding);
    for (finding++; finding < end && finding->is_further; finding++)
        add_one(out, finding);
}

bool merge_issues_needs_created(const struct issues *checked, const struct eval_policy_result *evaluated)
{
    for (size_t i = 0; i < issues_shown(checked); i++) {
        if (find(evaluated, &checked->list[i]) == NULL)
            return true;
    }
    return false;
}

void merge_issues_make(struct issues *out, const struct issues *checked,
                       const struct eval_policy_result *evaluated, const struct issues *created)
{
    for (size_t i = 0; i < issues_shown(checked); i++) {
        const struct issue *issue = &checked->list[i];
        arena_pay(out->arena, 1 + (evaluated->count + issues_shown(out)) / ARENA_LOOKS_PER_STEP);
        const struct eval_policy_finding *finding = find(evaluated, issue);
        bool is_of_some = finding != NULL && finding->where.len != 0; /* of what upstream knows nothing */
        if (has_issue(created, issue->at.offset) || (finding != NULL && !is_of_some))
            issues_take(out, issue);
        else if (is_of_some)
            add_finding(out, evaluated, finding);
    }
    for (size_t i = 0; i < evaluated->count; i++) {
        const struct eval_policy_finding *finding = &evaluated->findings[i];
        arena_pay(out->arena, 1 + issues_shown(out) / ARENA_LOOKS_PER_STEP);
        if (!finding->is_further && !has_issue(out, finding->span.offset))
            add_finding(out, evaluated, finding);
    }
    for (size_t i = 0; created != NULL && i < issues_shown(created); i++) {
        if (!has_issue(out, created->list[i].at.offset))
            issues_take(out, &created->list[i]);
    }
}

bool merge_issues_is_claim(const struct eval_policy_result *evaluated, const struct issue *issue)
{
    const struct eval_policy_finding *finding = find(evaluated, issue);
    return finding != NULL && finding->is_claim;
}

bool merge_issues_is_unequal(const struct eval_policy_result *evaluated, const struct issue *issue)
{
    const struct eval_policy_finding *finding = find(evaluated, issue);
    return finding != NULL && finding->is_unequal;
}

struct policy_site merge_issues_site(const struct eval_policy_result *evaluated, const struct issue *issue)
{
    const struct eval_policy_finding *finding = find(evaluated, issue);
    if (finding == NULL)
        return (struct policy_site){.node = 0};
    return finding->site;
}

struct hint_change merge_issues_change(struct types *ts, const struct eval_policy_result *evaluated,
                                       const struct issue *issue, bool *is_of_pods)
{
    const struct eval_policy_finding *finding = find(evaluated, issue);
    *is_of_pods = false;
    return finding == NULL ? HINT_CHANGE_NOTHING : hint_change_find(ts, &finding->hint, is_of_pods);
}
