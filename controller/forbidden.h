/*
 * forbidden: the objects of a resource for which the API server answered 403.
 * Pure: time is an argument.
 *
 * The right is mostly one for all of them: one a minute is tried again, in
 * turn, and once the server grants one all are. Where it is not (the rules of
 * an admission webhook, say) no object comes sooner than a minute after its
 * own refusal.
 *
 *     case ERR_FORBIDDEN: forbidden_put(f, key, now_ms);
 *     ... forbidden_grant(f, key);                       it was allowed
 *     while ((key = forbidden_take(f, now_ms)) != NULL)
 *         try_again(key);
 */
#ifndef CONTROLLER_FORBIDDEN_H
#define CONTROLLER_FORBIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORBIDDEN_MS = 60 * 1000 }; /* from one try to the next */

struct forbidden;

struct forbidden *forbidden_new(void);
void forbidden_free(struct forbidden *forbidden);

/* The key goes to the end of the line. Copied. */
void forbidden_put(struct forbidden *forbidden, const char *key, uint64_t now_ms);
/* The server allowed it. */
void forbidden_grant(struct forbidden *forbidden, const char *key);
/* The object is gone, or nothing is to be asked for it. */
void forbidden_remove(struct forbidden *forbidden, const char *key);

/* The next key to be tried; NULL: none is now. It counts until it is granted or removed. The string
 * is good until then. */
const char *forbidden_take(struct forbidden *forbidden, uint64_t now_ms);
/* When that may be; DUE_NEVER: none waits. */
uint64_t forbidden_next_ms(const struct forbidden *forbidden);

size_t forbidden_count(const struct forbidden *forbidden);

#endif
