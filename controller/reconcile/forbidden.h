/*
 * forbidden: how to go on when the API server answers 403: which objects of a
 * resource were refused, and which one is tried next. Pure: time is an argument.
 *
 * Mostly one right stands for all objects. At first the right is UNSURE, and
 * requests should be sent one at a time: one that is granted makes it GRANTED;
 * the refusal of a second object makes it MISSING. While it is missing, one
 * object a minute is tried on behalf of all, and the others wait. Once the
 * server grants one, all are tried. If it refuses single objects for another
 * reason (an admission webhook, say), each is tried again a minute after its own
 * refusal at the earliest.
 *
 *     if (!forbidden_may_try(f, key)) return;            it waits, and will be taken
 *     case ERR_FORBIDDEN: forbidden_put(f, key, now_ms);
 *     ... forbidden_grant(f, key);                       it was allowed
 *     while ((key = forbidden_take(f, now_ms)) != NULL)
 *         try_again(key);
 */
#ifndef CONTROLLER_RECONCILE_FORBIDDEN_H
#define CONTROLLER_RECONCILE_FORBIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORBIDDEN_MS = 60 * 1000 }; /* from one try to the next */

enum forbidden_right { FORBIDDEN_UNSURE, FORBIDDEN_GRANTED, FORBIDDEN_MISSING };

struct forbidden;

struct forbidden *forbidden_new(void);
void forbidden_free(struct forbidden *forbidden);

enum forbidden_right forbidden_right(const struct forbidden *forbidden);

/* Whether a request may be sent for the key. If not it waits, and counts, until it is taken. Copied. */
bool forbidden_may_try(struct forbidden *forbidden, const char *key);

/* What a refusal shows: nothing new, that this object is refused, that none is allowed. */
enum forbidden_news { FORBIDDEN_KNOWN, FORBIDDEN_ONE, FORBIDDEN_ALL };

/* The server refused it: it goes to the end of the line. Copied. */
enum forbidden_news forbidden_put(struct forbidden *forbidden, const char *key, uint64_t now_ms);
/* The server allowed it. */
void forbidden_grant(struct forbidden *forbidden, const char *key);
/* The object is gone, or nothing is to be asked for it. */
void forbidden_remove(struct forbidden *forbidden, const char *key);

/* The next key to be tried; NULL: none is now. It counts until it is granted or removed. The string
 * is good until then. */
const char *forbidden_take(struct forbidden *forbidden, uint64_t now_ms);
/* When that may be; DUE_NEVER: none waits. */
uint64_t forbidden_next_ms(const struct forbidden *forbidden);

/* Those that were refused, and those that wait. */
size_t forbidden_count(const struct forbidden *forbidden);

#endif
