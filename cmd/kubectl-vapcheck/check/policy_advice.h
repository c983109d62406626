/*
 * policy_advice: advice about a policy as a whole, beside that about its expressions
 * (typecheck/policy/author/advice).
 *
 *     struct policy_advice advice;
 *     policy_advice_init(&advice, &place, policy, warnings, count, &options->selected);
 *     for (size_t i = 0; i < advice.count; i++) report(&advice.items[i]);
 *     policy_advice_deinit(&advice);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_POLICY_ADVICE_H
#define CMD_KUBECTL_VAPCHECK_CHECK_POLICY_ADVICE_H

#include "cmd/kubectl-vapcheck/output/output.h"

enum { POLICY_ADVICE_MAX = 2 };

struct policy_advice {
    struct output_extra items[POLICY_ADVICE_MAX];
    char *texts[POLICY_ADVICE_MAX]; /* of the items */
    size_t count;
};

/* warnings: those about its expressions. */
void policy_advice_init(struct policy_advice *advice, const struct policyview *policy,
                        const struct output_warning *warnings, size_t count,
                        const struct finding_set *selected);
void policy_advice_deinit(struct policy_advice *advice);

#endif
