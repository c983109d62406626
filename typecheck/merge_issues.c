#include "typecheck/merge_issues.h"

#include "typecheck/base/arena.h"

static size_t shown(const struct issues *is)
{
    return is->count < ISSUES_SHOWN ? is->count : ISSUES_SHOWN;
}

static bool has_issue(const struct issues *is, uint32_t offset)
{
    for (size_t i = 0; is != NULL && i < shown(is); i++) {
        if (is->list[i].offset == offset)
            return true;
    }
    return false;
}

/* What the checker says of an operand: where an operand stands there may be another issue of its own. */
static bool is_of_operand(const struct issue *issue)
{
    return str_has_prefix(issue->message, STR("expected type '")) ||
           str_has_prefix(issue->message, STR("expression of type '"));
}

static const struct eval_policy_finding *find(const struct eval_policy_result *r, const struct issue *issue)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->findings[i].offset == issue->offset && r->findings[i].is_of_operand == is_of_operand(issue))
            return &r->findings[i];
    }
    return NULL;
}

/* What the evaluation says, of other requests too. */
static void add_finding(struct issues *out, const struct eval_policy_result *evaluated,
                        const struct eval_policy_finding *finding)
{
    const struct eval_policy_finding *end = evaluated->findings + evaluated->count;
    issues_add(out, finding->offset, finding->message);
    for (finding++; finding < end && finding->is_further; finding++)
        issues_add(out, finding->offset, finding->message);
}

bool merge_issues_needs_created(const struct issues *checked, const struct eval_policy_result *evaluated)
{
    for (size_t i = 0; i < shown(checked); i++) {
        if (find(evaluated, &checked->list[i]) == NULL)
            return true;
    }
    return false;
}

void merge_issues_make(struct issues *out, const struct issues *checked,
                       const struct eval_policy_result *evaluated, const struct issues *created)
{
    for (size_t i = 0; i < shown(checked); i++) {
        const struct issue *issue = &checked->list[i];
        arena_pay(out->arena, 1 + (evaluated->count + shown(out)) / ARENA_LOOKS_PER_STEP);
        const struct eval_policy_finding *finding = find(evaluated, issue);
        bool is_of_some = finding != NULL && finding->where.len != 0; /* of what upstream knows nothing */
        if (has_issue(created, issue->offset) || (finding != NULL && !is_of_some))
            issues_add(out, issue->offset, issue->message);
        else if (is_of_some)
            add_finding(out, evaluated, finding);
    }
    for (size_t i = 0; i < evaluated->count; i++) {
        const struct eval_policy_finding *finding = &evaluated->findings[i];
        arena_pay(out->arena, 1 + shown(out) / ARENA_LOOKS_PER_STEP);
        if (!finding->is_further && !has_issue(out, finding->offset))
            add_finding(out, evaluated, finding);
    }
    for (size_t i = 0; created != NULL && i < shown(created); i++) {
        if (!has_issue(out, created->list[i].offset))
            issues_add(out, created->list[i].offset, created->list[i].message);
    }
}

/* What the evaluation has to say about an issue that is reported; NULL: nothing. */
static const struct eval_policy_finding *find_reported(const struct eval_policy_result *evaluated,
                                                       const struct issue *issue)
{
    const struct eval_policy_finding *finding = find(evaluated, issue);
    for (size_t i = 0; finding == NULL && i < evaluated->count; i++) {
        if (evaluated->findings[i].message.at == issue->message.at)
            finding = &evaluated->findings[i];
    }
    return finding;
}

bool merge_issues_is_unequal(const struct eval_policy_result *evaluated, const struct issue *issue)
{
    const struct eval_policy_finding *finding = find_reported(evaluated, issue);
    return finding != NULL && finding->is_unequal;
}

struct policy_site merge_issues_site(const struct eval_policy_result *evaluated, const struct issue *issue)
{
    const struct eval_policy_finding *finding = find_reported(evaluated, issue);
    if (finding == NULL)
        return (struct policy_site){.node = 0};
    return finding->site;
}

struct str merge_issues_hint(struct types *ts, const struct eval_policy_result *evaluated,
                             const struct issue *issue, bool *is_of_pods)
{
    const struct eval_policy_finding *finding = find_reported(evaluated, issue);
    *is_of_pods = false;
    return finding == NULL ? STR("") : hint_text(ts, &finding->hint, is_of_pods);
}
