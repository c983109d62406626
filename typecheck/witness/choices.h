/*
 * choices: the ways through a search that can go on in several ways at many points, one after the other.
 *
 * A try asks at each point which way to go. The first try goes the first way everywhere; those that follow
 * change the last choice first, and in the end choices are taken by lot, always the same ones.
 *
 *     struct choices c;
 *     choices_init(&c);
 *     do
 *         ... choices_take(&c, 3) ...
 *     while (choices_next(&c));
 */
#ifndef TYPECHECK_WITNESS_CHOICES_H
#define TYPECHECK_WITNESS_CHOICES_H

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
/* Below `ways`; 0 where there is but one. */
unsigned choices_take(struct choices *c, size_t ways);
/* Another try; false: there is no other. */
bool choices_next(struct choices *c);

#endif
