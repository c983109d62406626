/*
 * nearest: which known name somebody probably meant.
 */
#ifndef TYPECHECK_BASE_NEAREST_H
#define TYPECHECK_BASE_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *asked;
    const char *best; /* NULL: nothing is near */
    size_t distance;  /* of best */
};

/* Names further away than a third of the asked one's length are not near. */
void nearest_init(struct nearest *n, const char *asked);

/* Offers a name, borrowed until the last use of `best`; the first of equally near ones wins. */
void nearest_offer(struct nearest *n, const char *name);

#endif
