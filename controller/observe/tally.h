/*
 * tally: how every policy stands after its last check, and the sums of that.
 * Pure.
 *
 *     tally_note(t, "my-policy", &(struct tally_entry){.result = TALLY_WARNINGS, .warnings = 2});
 *     struct tally_sums sums = tally_sums(t);
 */
#ifndef CONTROLLER_OBSERVE_TALLY_H
#define CONTROLLER_OBSERVE_TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/check/conditions.h"

/* ORDER TALLY_RESULTS. As ExpressionsValid says; of those without a warning that were not checked to the end,
 * LIMIT are the ones that reached a bound on work or memory; SKIPPED are left alone. */
enum tally_result {
    TALLY_VALID,
    TALLY_WARNINGS,
    TALLY_LIMIT,
    TALLY_PARTLY,
    TALLY_SKIPPED,
    TALLY_N_RESULTS,
};

struct tally_entry {
    enum tally_result result;
    size_t warnings;
    size_t types;                    /* checked */
    size_t skipped[TYPES_N_REASONS]; /* parts of the rules that gave no type, by reason */
};

struct tally_sums {
    size_t policies[TALLY_N_RESULTS];
    size_t types;
    size_t skipped[TYPES_N_REASONS];
};

struct tally;

struct tally *tally_new(void);
void tally_free(struct tally *tally);

/* "valid", "warnings", ... Static. */
const char *tally_result_name(enum tally_result result);

/* An entry of what a check found. conditions NULL: the policy is left alone. */
struct tally_entry tally_read(const struct check_result *result, const struct conditions *conditions);
/* The same of a CustomResourceDefinition. */
struct tally_entry tally_read_rules(const struct crdrules *found, const struct conditions *conditions);

void tally_note(struct tally *tally, const char *policy, const struct tally_entry *entry);
/* The policy is gone. */
void tally_remove(struct tally *tally, const char *policy);

struct tally_sums tally_sums(const struct tally *tally);

/* Each policy with warnings, in the order of names: a bound then leaves out the same ones each time. */
void tally_each_warned(const struct tally *tally,
                       void (*visit)(void *user, const char *policy, size_t warnings), void *user);

#endif
