/*
 * findingcount: how often a check found each thing of finding.def. Pure.
 *
 * It is derived from the conditions, so that what is counted and what is said
 * are the same.
 *
 *     struct findingcount count = findingcount_of(&conditions, &(struct findingcount_source){.result =
 * result}); print("%u undefined fields", count.of[FINDING_UNDEFINED_FIELD]);
 */
#ifndef CONTROLLER_CHECK_FINDINGCOUNT_H
#define CONTROLLER_CHECK_FINDINGCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "controller/check/conditions.h"
#include "controller/check/finding.h"

struct findingcount {
    uint32_t of[FINDING_COUNT];
};

/* What conditions were made of. */
struct findingcount_source {
    const struct check_result *result; /* NULL: of a CustomResourceDefinition, or a binding */
    size_t refusals;                   /* of rules */
};

/* What stands behind one condition, and behind all. */
struct findingcount findingcount_of_one(const struct condition *condition,
                                        const struct findingcount_source *source);
struct findingcount findingcount_of(const struct conditions *conditions,
                                    const struct findingcount_source *source);

/* "[undefined-field, never-equal] MESSAGE": the identifiers in the order of the table. The caller frees it.
 */
char *findingcount_note(const struct findingcount *count, const char *message);

#endif
