/*
 * findingcount: how often a check had each finding of finding.def. Pure.
 *
 * It is computed from the conditions, so that counts and messages agree.
 *
 *     struct findingcount_source source = {.result = result};
 *     struct findingcount count = findingcount_of(&conditions, &source);
 *     print("%u undefined fields", count.of[FINDING_UNDEFINED_FIELD]);
 */
#ifndef CONTROLLER_FINDINGS_FINDINGCOUNT_H
#define CONTROLLER_FINDINGS_FINDINGCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "controller/findings/conditions.h"
#include "controller/findings/finding.h"

struct findingcount {
    uint32_t of[FINDING_COUNT];
};

/* The findings from which conditions were made. */
struct findingcount_source {
    /* The result of a policy's check; NULL for a CustomResourceDefinition, or a binding. */
    const struct check_result *result;
    size_t refusals; /* of rules */
};

/* The findings that caused one condition, and those of all conditions. */
struct findingcount findingcount_of_one(const struct condition *condition,
                                        const struct findingcount_source *source);
struct findingcount findingcount_of(const struct conditions *conditions,
                                    const struct findingcount_source *source);

/* "[undefined-field, never-equal] MESSAGE": the identifiers in the order of the table. The caller frees
 * it. */
char *findingcount_note(const struct findingcount *count, const char *message);

#endif
