/*
 * conditions: the findings of a check, as the conditions of a policy's status.
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
#ifndef CONTROLLER_FINDINGS_CONDITIONS_H
#define CONTROLLER_FINDINGS_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/findings/boundedtext.h"
#include "controller/findings/check.h"
#include "controller/match/policyview.h"

enum { CONDITIONS_MESSAGE_BYTES = BOUNDEDTEXT_BYTES };

/* Their types: CONDITIONS_CHECKED, ... */
#define CONDITION(name, type, object, event, findings, column) extern const char CONDITIONS_##name[];
#include "controller/findings/conditions.def"

/* The most conditions that a policy can have; other objects have fewer. */
#define CONDITIONS_AT_POLICY(name) CONDITIONS_AT_##name,
#define CONDITIONS_AT_DEFINITION(name)
#define CONDITIONS_AT_BINDING(name)
enum {
#define CONDITION(name, type, object, event, findings, column) CONDITIONS_AT_##object(name)
#include "controller/findings/conditions.def"
    CONDITIONS_MAX
};

/* Says if a binding names the policy. With UNKNOWN, the condition is left out. */
enum conditions_binding { CONDITIONS_BINDING_UNKNOWN, CONDITIONS_BINDING_NONE, CONDITIONS_BINDING_FOUND };

struct condition {
    const char *type, *status, *reason; /* static */
    char *message;
};

struct conditions {
    struct condition items[CONDITIONS_MAX]; /* in the order of conditions.def */
    size_t count;
};

struct conditions_input {
    const struct policyview *policy;
    const struct check_result *result;
    const char *const *hints; /* by warning; NULL: those of the check */
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

/* Returns the condition of this type, or NULL if there is none. */
const struct condition *conditions_find(const struct conditions *conditions, const char *type);

/* The type of a policy's condition: i is less than CONDITIONS_MAX. */
const char *conditions_policy_type(size_t i);

/* "ResourceNotFound", ...: static. */
const char *conditions_reason_name(enum types_reason reason);

/* Returns true if a condition is Unknown only because a group that the policy needs was never read. */
bool conditions_is_waiting(const struct check_result *result);

#endif
