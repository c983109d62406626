/*
 * suggest: the known name nearest to a misspelled one (edit distance).
 */
#ifndef TYPECHECK_BASE_SUGGEST_H
#define TYPECHECK_BASE_SUGGEST_H

#include <stddef.h>

struct suggest {
    const char *asked;
    const char *best; /* NULL: nothing is near */
    size_t distance;  /* of best */
};

/* Names further away than a third of the asked one's length are not near. */
void suggest_init(struct suggest *n, const char *asked);

/* Offers a name, borrowed until the last use of `best`; the first of equally near ones wins. */
void suggest_offer(struct suggest *n, const char *name);

#endif
