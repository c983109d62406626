/*
 * forbidden: decides how to go on after the API server answers 403: which objects
 * of a resource were refused, and which one is tried next. Pure: time is an
 * argument.
 *
 * Usually one right covers all objects. The right is UNSURE at first, and requests
 * should be sent one at a time: one that is granted makes it GRANTED; the refusal
 * of a second object makes it MISSING. While it is missing, one object a minute is
 * tried on behalf of all, and the others wait. Once the server grants one, all are
 * tried. If it refuses single objects for another reason (an admission webhook,
 * say), each is tried again a minute after its own refusal at the earliest.
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

/* Returns true if a request may be sent for the key. If not, a copy of the key waits for forbidden_take, and
 * forbidden_count counts it. */
bool forbidden_may_try(struct forbidden *forbidden, const char *key);

/* The news in a refusal: nothing new; this object is refused; no object is allowed. */
enum forbidden_news { FORBIDDEN_KNOWN, FORBIDDEN_ONE, FORBIDDEN_ALL };

/* Notes that the server refused it: it goes to the end of the line. The key is copied. */
enum forbidden_news forbidden_put(struct forbidden *forbidden, const char *key, uint64_t now_ms);
/* Notes that the server allowed it. */
void forbidden_grant(struct forbidden *forbidden, const char *key);
/* Removes a key: the object was deleted, or needs no request. */
void forbidden_remove(struct forbidden *forbidden, const char *key);

/* The next key to be tried; NULL if there is none now. It is counted until it is granted or removed, and the
 * string is good until then. */
const char *forbidden_take(struct forbidden *forbidden, uint64_t now_ms);
/* Returns when forbidden_take gives the next key; DUE_NEVER: no key waits. */
uint64_t forbidden_next_ms(const struct forbidden *forbidden);

/* The number of keys that were refused or wait. */
size_t forbidden_count(const struct forbidden *forbidden);

#endif
