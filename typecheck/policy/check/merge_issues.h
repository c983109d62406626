/*
 * merge_issues: chooses the issues of an expression that are reported in scope full.
 *
 * There are three sources of issues. The static checker knows the types, and
 * its texts are upstream's. The evaluation knows what fails for every object. The API server's own check at
 * create knows no type of an object; its issues are always reported, since the server refuses the policy. An
 * issue of the static checker is reported if another source has an issue at the same offset. Issues that only
 * the others have, and issues that are true for some kinds of request only, are reported with the text of
 * their source.
 */
#ifndef TYPECHECK_POLICY_CHECK_MERGE_ISSUES_H
#define TYPECHECK_POLICY_CHECK_MERGE_ISSUES_H

#include <stdbool.h>

#include "typecheck/cel/syntax/issue.h"
#include "typecheck/policy/abstract/eval_policy.h"

/* Returns true if an issue of the checker has no finding at its offset; then `created` is needed. */
bool merge_issues_needs_created(const struct issues *checked, const struct eval_policy_result *evaluated);

/* Adds the issues to report to `out`. created NULL: the create-time check did not run. */
void merge_issues_make(struct issues *out, const struct issues *checked,
                       const struct eval_policy_result *evaluated, const struct issues *created);

/* Returns true if the issue is a comparison of values that are never equal, after which evaluation goes
 * on. */
bool merge_issues_is_unequal(const struct eval_policy_result *evaluated, const struct issue *issue);

/* Returns true if the issue is a claim (claims.h): nothing fails there. */
bool merge_issues_is_claim(const struct eval_policy_result *evaluated, const struct issue *issue);

/* The site at which evaluation fails or compares; its node is 0 if the issue is not from evaluation. */
struct policy_site merge_issues_site(const struct eval_policy_result *evaluated, const struct issue *issue);

/* The change that was probably meant at the issue. It lies in the scratch of `ts`. *is_of_pods: as
 * hint_change_find. */
struct hint_change merge_issues_change(struct types *ts, const struct eval_policy_result *evaluated,
                                       const struct issue *issue, bool *is_of_pods);

#endif
