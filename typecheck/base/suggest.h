/*
 * suggest: finds the known name nearest to a misspelled one (edit distance).
 */
#ifndef TYPECHECK_BASE_SUGGEST_H
#define TYPECHECK_BASE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

/* Longer names are not compared: no resource or field has one. */
#define SUGGEST_NAME_BYTES ((size_t)128)
#define SUGGEST_FAR        SIZE_MAX
#define SUGGEST_LETTERS    32

struct suggest {
    const char *asked;
    const char *best;                 /* the nearest name so far; NULL if no name is near */
    size_t distance;                  /* of best */
    size_t len;                       /* of asked */
    uint32_t set;                     /* of asked, suggest_set */
    int16_t letters[SUGGEST_LETTERS]; /* how many of each asked has, without case */
};

/* A name is near if its distance, without case, is at most a third of the length of `asked`. */
void suggest_init(struct suggest *n, const char *asked);

/* The letters that a name has, without case: a bit for each. 0: it has none, or they are not known. */
uint32_t suggest_set(struct str name);
/* Returns false if the letters alone show that a name with this set is not nearer than the best so far. */
bool suggest_may_offer(const struct suggest *n, uint32_t set);

/* Offers a name, borrowed until the last use of `best`; the first of equally near ones wins. */
void suggest_offer(struct suggest *n, const char *name);
/* The same of a name whose length is known. `best` is its first byte. */
void suggest_offer_str(struct suggest *n, struct str name);

/*
 * The edit distance (Damerau-Levenshtein: neighbours that changed places count as one). SUGGEST_FAR: every
 * beginning of `a` of some length is farther than `most` from every beginning of `b`. b has at most
 * SUGGEST_NAME_BYTES.
 */
size_t suggest_distance(struct str a, struct str b, size_t most);

#endif
