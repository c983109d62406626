/*
 * evaluation: evaluates policies on the two requests that would bring an object as
 * it is: an UPDATE that changes nothing, and a CREATE (trial.h).
 *
 * Mutating policies are asked before the validating ones, which see the object
 * that those make. If a mutating policy lets a request fail, validating policies are
 * not asked about it, as in a server. If it is not known what the mutating policies
 * make, a finding (AUDIT_UNKNOWN) says so, and the validating ones are not asked either.
 *
 *     struct evaluation e = {.setting = {&book, &surroundings, user_info}};
 *     struct evaluation_findings found = {0};
 *     evaluation_run(&e, &object, &found);
 *     evaluation_findings_deinit(&found);
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_EVALUATION_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_EVALUATION_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "cmd/kubectl-vapcheck/audit/auditobject.h"
#include "cmd/kubectl-vapcheck/audit/rulebook.h"
#include "cmd/kubectl-vapcheck/audit/trial.h"

struct evaluation_finding {
    enum audit_effect effect;
    size_t policy;     /* in the book */
    size_t binding;    /* of the policy; DISPATCH_NO_BINDING: none in particular */
    size_t validation; /* or that of a mutation; POLICY_RUN_NO_VALIDATION: none of them */
    unsigned operations;
    bool is_after_change; /* the policy sees what mutating policies made of the object */
    enum issue_code code; /* FAILED, IGNORED: of the expression's error */
    char *message, *reason;
    size_t step;               /* of a change: which one of its request, from 1 */
    struct json_object *patch; /* RFC 6902, of a change; NULL: none */
};

struct evaluation_findings {
    struct evaluation_finding *items;
    size_t count;
    size_t n_passed; /* policies that match and find nothing */
};

struct evaluation {
    struct trial_setting setting;
    const bool *is_asked; /* by policy: which of them are asked; NULL: all */
};

/* Also counts in the book. The caller deinits the findings. */
void evaluation_run(const struct evaluation *e, const struct auditobject *object,
                    struct evaluation_findings *out);
void evaluation_findings_deinit(struct evaluation_findings *found);

#endif
