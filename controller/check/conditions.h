/*
 * conditions: what a check found, as the conditions of a policy's status.
 * Pure; used by both programs.
 *
 * Messages hold at most 1,024 bytes and name the first offenders. Nothing in
 * one changes while the finding stays the same, from run to run or because the
 * cluster has one type more: each change is a write, and each write makes every
 * API server compile the policy again. Numbers of that kind are metrics. status.h
 * adds the times and the generation.
 *
 *     struct conditions c;
 *     conditions_init(&c, &(struct conditions_input){.policy = policy, .result = result});
 *     for (size_t i = 0; i < c.count; i++) print(c.items[i].type, c.items[i].status);
 *     conditions_deinit(&c);
 */
#ifndef CONTROLLER_CHECK_CONDITIONS_H
#define CONTROLLER_CHECK_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/check/boundedtext.h"
#include "controller/check/check.h"
#include "controller/policy/policyview.h"

enum { CONDITIONS_MAX = 5, CONDITIONS_MESSAGE_BYTES = BOUNDEDTEXT_BYTES };

#define CONDITIONS_CHECKED    "TypeChecked"
#define CONDITIONS_VALID      "ExpressionsValid"
#define CONDITIONS_PARAM_KIND "ParamKindFound"
#define CONDITIONS_BOUND      "Bound"
#define CONDITIONS_NEXT       "ValidOnNextVersion" /* nextversion.h */
/* Of a CustomResourceDefinition. */
#define CONDITIONS_RULES_CHECKED "RulesChecked"
#define CONDITIONS_RULES_VALID   "RulesValid"
/* Of a binding. */
#define CONDITIONS_POLICY    "PolicyFound"
#define CONDITIONS_PARAM_REF "ParamRefValid"
#define CONDITIONS_PARAMS    "ParamsFound" /* paramref.h */

/* Whether a binding names the policy; UNKNOWN leaves the condition out. */
enum conditions_binding { CONDITIONS_BINDING_UNKNOWN, CONDITIONS_BINDING_NONE, CONDITIONS_BINDING_FOUND };

struct condition {
    const char *type, *status, *reason; /* static */
    char *message;
};

struct conditions {
    struct condition items[CONDITIONS_MAX]; /* in the order of their names above */
    size_t count;
};

struct conditions_input {
    const struct policyview *policy;
    const struct check_result *result;
    enum conditions_binding binding;
    int newer_minor; /* the server is 1.newer_minor, for which there is no table yet; 0: there is one */
    int table_minor; /* the one used instead */
    size_t
        text_cap_bytes; /* what the texts of warnings are cut to, as the server takes no more; 0: nothing */
};

/* The messages are out's own. */
void conditions_init(struct conditions *out, const struct conditions_input *input);
/* One more, at the end: at most CONDITIONS_MAX. The names are static; the message becomes out's own. */
void conditions_add(struct conditions *out, const char *type, const char *status, const char *reason,
                    char *message);
void conditions_deinit(struct conditions *conditions);

/* NULL if there is none of this type. */
const struct condition *conditions_find(const struct conditions *conditions, const char *type);

/* "ResourceNotFound", ...: static. */
const char *conditions_reason_name(enum types_reason reason);

/* A group that the policy needs was never read: a condition is Unknown for that alone. */
bool conditions_is_waiting(const struct check_result *result);

#endif
