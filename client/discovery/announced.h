/*
 * announced: the API groups that will probably change, because a watch event of a
 * CustomResourceDefinition or an APIService announced it. Pure; time is an argument.
 *
 * For ANNOUNCED_MS after an announcement, a change in its group is believed at the
 * first reading, without a second one (polled.h). Until the change is read, the
 * announcement is open, and readings are more frequent. A new announcement of the
 * group replaces the old one.
 *
 *     announced_add(&a, "example.com", now_ms);
 *     if (announced_has(&a, group, now_ms)) ...
 */
#ifndef CLIENT_DISCOVERY_ANNOUNCED_H
#define CLIENT_DISCOVERY_ANNOUNCED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/keymap.h"

enum { ANNOUNCED_MS = 90 * 1000 }; /* how long an announcement is believed */

/* Embedded; zeroed is empty. */
struct announced {
    struct keymap groups; /* by name */
    uint64_t swept_ms;
};

void announced_deinit(struct announced *a);

void announced_add(struct announced *a, const char *group, uint64_t now_ms);

/* The first len bytes are the group's name. */
bool announced_has(const struct announced *a, const char *group, size_t len, uint64_t now_ms);

/* A reading that began at began_ms read a change of the group. An announcement that is newer than that stays
 * open. */
void announced_close(struct announced *a, const char *group, size_t len, uint64_t began_ms);

/* Sets *announced_ms to the time of the newest open announcement; false if none is open. */
bool announced_newest(const struct announced *a, uint64_t now_ms, uint64_t *announced_ms);

#endif
