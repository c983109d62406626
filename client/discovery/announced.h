/*
 * announced: the API groups of which an event said that something changes.
 * Pure; time is an argument.
 *
 * An announcement is believed for a while: what changes in its group meanwhile
 * counts at the first reading. Until the change came it is open, and asks for
 * readings (polled.h). It ages by itself, and is forgotten with the next call
 * that adds one; a group that is announced again begins anew.
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

/* What was announced of the group has come. */
void announced_close(struct announced *a, const char *group, size_t len);

/* When the newest that is open was announced; false: none is. */
bool announced_newest(const struct announced *a, uint64_t now_ms, uint64_t *announced_ms);

#endif
