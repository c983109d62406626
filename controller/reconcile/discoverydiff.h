/*
 * discoverydiff: which API groups differ between two readings of discovery. Pure.
 */
#ifndef CONTROLLER_RECONCILE_DISCOVERYDIFF_H
#define CONTROLLER_RECONCILE_DISCOVERYDIFF_H

#include "client/discovery/discovery.h"

/* Calls visit once for each group that differs, appeared or vanished. */
void discoverydiff_each(const struct discovery *before, const struct discovery *now,
                        void (*visit)(void *user, const char *group), void *user);

#endif
