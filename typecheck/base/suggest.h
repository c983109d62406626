/*
 * suggest: finds the known name nearest to a misspelled one (edit distance).
 */
#ifndef TYPECHECK_BASE_SUGGEST_H
#define TYPECHECK_BASE_SUGGEST_H

#include <stddef.h>

struct suggest {
    const char *asked;
    const char *best; /* NULL: no name is near */
    size_t distance;  /* of best */
};

/* A name is near if its distance is at most a third of the length of `asked`. */
void suggest_init(struct suggest *n, const char *asked);

/* Offers a name, borrowed until the last use of `best`; the first of equally near ones wins. */
void suggest_offer(struct suggest *n, const char *name);

#endif
