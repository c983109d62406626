/*
 * policystats: the result of every policy's last check, and their sums. Pure.
 *
 *     policystats_note(t, "my-policy", &entry);
 *     struct policystats_sums sums = policystats_sums(t);
 */
#ifndef CONTROLLER_OBSERVE_POLICYSTATS_H
#define CONTROLLER_OBSERVE_POLICYSTATS_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/findings/conditions.h"
#include "controller/findings/findingcount.h"

/* The result of a policy, from its conditions. VALID and WARNINGS: as ExpressionsValid says. PARAM_KIND: the
 * expressions are valid, but the cluster does not serve the paramKind. LIMIT and PARTLY: there is no warning,
 * but a part was not checked, because of a limit on work or memory (LIMIT) or for another reason (PARTLY).
 * SKIPPED: the policy's annotation or labels ask not to check it. */
enum policystats_result {
    POLICYSTATS_VALID,
    POLICYSTATS_PARAM_KIND,
    POLICYSTATS_WARNINGS,
    POLICYSTATS_LIMIT,
    POLICYSTATS_PARTLY,
    POLICYSTATS_SKIPPED,
    POLICYSTATS_N_RESULTS,
};

/* The status of a condition; NONE: there is no such condition. */
enum policystats_answer {
    POLICYSTATS_NONE,
    POLICYSTATS_TRUE,
    POLICYSTATS_FALSE,
    POLICYSTATS_UNKNOWN,
    POLICYSTATS_N_ANSWERS,
};

struct policystats_entry {
    enum policystats_result result;
    size_t warnings;
    size_t types;                                    /* checked */
    size_t skipped[TYPES_N_REASONS];                 /* parts of the rules that gave no type, by reason */
    enum policystats_answer answers[CONDITIONS_MAX]; /* [i]: of the type conditions_policy_type(i) */
    struct findingcount findings;
};

struct policystats_sums {
    size_t policies[POLICYSTATS_N_RESULTS];
    size_t types;
    size_t skipped[TYPES_N_REASONS];
    size_t answers[CONDITIONS_MAX][POLICYSTATS_N_ANSWERS];
    size_t findings[FINDING_COUNT];
};

struct policystats;

struct policystats *policystats_new(void);
void policystats_free(struct policystats *stats);

/* "valid", "warnings", ... Static. */
const char *policystats_result_name(enum policystats_result result);
/* "True", "False", "Unknown". Static. */
const char *policystats_answer_name(enum policystats_answer answer);

/* The entry for the result of a check. conditions NULL: SKIPPED, and result may be NULL. */
struct policystats_entry policystats_read(const struct check_result *result,
                                          const struct conditions *conditions);
/* The entry for a CustomResourceDefinition. */
struct policystats_entry policystats_read_rules(size_t refusals, const struct conditions *conditions);
/* The entry for a binding. */
struct policystats_entry policystats_read_binding(size_t faults, const struct conditions *conditions);

/* Sets the policy's entry, in place of an earlier one. The name and the entry are copied. */
void policystats_note(struct policystats *stats, const char *policy, const struct policystats_entry *entry);
/* Removes a policy that was deleted. */
void policystats_remove(struct policystats *stats, const char *policy);

struct policystats_sums policystats_sums(const struct policystats *stats);

/* Calls visit for each policy with warnings, in the order of the names. A caller that stops at a limit then
 * leaves out the same policies each time. The name is borrowed for the call. */
void policystats_each_warned(const struct policystats *stats,
                             void (*visit)(void *user, const char *policy, size_t warnings), void *user);

#endif
