/*
 * conditions: what a check found, as the conditions of a policy's status.
 * Pure; used by both programs.
 *
 * Messages hold at most 1,024 bytes and name the first faults. A message does not
 * change as long as the findings are the same, for example when the cluster gets
 * one more type. Each change is a write, and each write makes every API server
 * compile the policy again. Numbers that change are metrics instead. status.h adds
 * the times and the generation.
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
/* Types of conditions of a CustomResourceDefinition. */
#define CONDITIONS_RULES_CHECKED "RulesChecked"
#define CONDITIONS_RULES_VALID   "RulesValid"
/* Types of conditions of a binding. */
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
    int newer_minor;       /* the server is 1.newer_minor, for which there is no table yet; 0: there is one */
    int table_minor;       /* the one used instead */
    size_t text_cap_bytes; /* the server takes no more text, so warnings are cut to this; 0: not cut */
};

/* The messages belong to out. */
void conditions_init(struct conditions *out, const struct conditions_input *input);
/* Adds a condition at the end; there can be CONDITIONS_MAX. The names are static; out takes the message. */
void conditions_add(struct conditions *out, const char *type, const char *status, const char *reason,
                    char *message);
void conditions_deinit(struct conditions *conditions);

/* NULL if there is none of this type. */
const struct condition *conditions_find(const struct conditions *conditions, const char *type);

/* "ResourceNotFound", ...: static. */
const char *conditions_reason_name(enum types_reason reason);

/* Whether a condition is Unknown only because a group that the policy needs was never read. */
bool conditions_is_waiting(const struct check_result *result);

#endif
