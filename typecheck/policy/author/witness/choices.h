/*
 * choices: tries one path after the other through a search that has several alternatives at many points.
 *
 * A try asks at each point which alternative to take. The first try takes the first alternative everywhere.
 * The tries after it change the last choice first. The last tries choose at random, but the same in each run.
 *
 *     struct choices c;
 *     choices_init(&c);
 *     do
 *         ... choices_take(&c, 3) ...
 *     while (choices_next(&c));
 */
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_CHOICES_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHOICES_MAX = 64 };

struct choices {
    unsigned taken[CHOICES_MAX], ways[CHOICES_MAX];
    size_t count, at; /* fixed for this try; asked so far */
    size_t tries;
    bool is_by_lot;
    uint64_t seed;
};

void choices_init(struct choices *c);
/* Returns a number below `ways`; 0 if ways is 1. */
unsigned choices_take(struct choices *c, size_t ways);
/* Begins another try; false if there is no other. */
bool choices_next(struct choices *c);

#endif
