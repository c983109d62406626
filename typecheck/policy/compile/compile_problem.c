#include "typecheck/policy/compile/compile_problem.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/types/type.h"

struct typecheck_issue compile_problem_issue(const struct issue *issue, const struct source *source)
{
    struct location at = source_location(source, issue->at.offset);
    return (struct typecheck_issue){.code = issue->code,
                                    .message = issue->message,
                                    .about = issue->about,
                                    .at = issue->at,
                                    .line = at.line,
                                    .column = at.column + 1};
}

/* The change that is probably meant; NULL: it is not known. */
static const struct hint_change *find_change(struct arena *a, const struct issue *issue)
{
    const struct issue_about about = issue_about_read(issue->about);
    if (about.near.len == 0)
        return NULL;
    struct hint_change *change = ARENA_NEW(a, struct hint_change);
    *change = (struct hint_change){HINT_NAME, about.name, about.near};
    return change;
}

void compile_problem_init(struct compile_problem *problem, struct arena *a, const struct expression *x,
                          struct str text)
{
    const struct issue **sorted = issues_sorted(&x->issues, &x->source, &problem->issue_count);
    struct typecheck_issue *list = ARENA_ARRAY(a, problem->issue_count, struct typecheck_issue);
    for (size_t i = 0; i < problem->issue_count; i++) {
        arena_pay_bytes(a, x->source.text.len); /* the column is counted */
        list[i] = compile_problem_issue(sorted[i], &x->source);
        list[i].change = find_change(a, sorted[i]);
    }
    problem->issues = list;
    problem->text = text;
    problem->brief_len = text.len;
    problem->is_internal = false;
    problem->result = NULL;
}

void compile_problem_result(struct compile_problem *problem, struct arena *a, const struct type *wanted,
                            const struct type *given)
{
    const struct issue_about about = {.wanted = type_text(a, wanted), .given = type_text(a, given)};
    problem->result = issue_about_pack(a, &about);
}
