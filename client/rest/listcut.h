/*
 * listcut: cuts the body of a LIST into its items as it arrives, so that a
 * list is never held whole. Pure: no I/O.
 *
 * The body is one JSON object; the elements of its "items" are handed out one by
 * one, its "metadata" is read for resourceVersion and continue, the rest is
 * skipped. An item within one chunk is not copied. If an item is longer than the
 * cap, only its beginning is handed out (gathered.h).
 *
 *     listcut_init(&cut, API_FRAME_CAP_BYTES);
 *     listcut_feed(&cut, chunk, len, on_item, user, &err);
 *     listcut_end(&cut, &err);        cut.resource_version, cut.continue_token
 */
#ifndef CLIENT_REST_LISTCUT_H
#define CLIENT_REST_LISTCUT_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"
#include "client/rest/gathered.h"
#include "client/text/jsonscan.h"

enum listcut_state {
    LISTCUT_BEGIN,  /* before the { */
    LISTCUT_KEY,    /* before a key or the } */
    LISTCUT_NAME,   /* in a key */
    LISTCUT_COLON,  /* before the : */
    LISTCUT_VALUE,  /* before a member's value */
    LISTCUT_MEMBER, /* in it */
    LISTCUT_ITEMS,  /* before an item or the ] */
    LISTCUT_ITEM,   /* in it */
    LISTCUT_END,    /* after the } */
};

enum { LISTCUT_BARREN_CAP_BYTES = 1024 * 1024 }; /* this much text without an item is an error */

struct listcut {
    enum listcut_state state;
    size_t barren_bytes;
    struct jsonscan scan;
    struct gathered part;   /* the piece of an item, of metadata or of a key that came in earlier chunks */
    char name[32];          /* of the member, cut */
    char *resource_version; /* "" until metadata was read */
    char *continue_token;
};

/* One item's text, borrowed. is_cut: it is longer than the cap, and this is its beginning. -1 stops the
 * feeding with *err. */
typedef int listcut_on_item(void *user, const char *bytes, size_t len, bool is_cut, struct err *err);

void listcut_init(struct listcut *cut, size_t item_cap_bytes);
void listcut_deinit(struct listcut *cut);

/* Errors: PROTOCOL, LIMIT (metadata of the list above the cap, too much of what is not an item), on_item's.
 * Then cut must only be deinited. */
int listcut_feed(struct listcut *cut, const char *bytes, size_t len, listcut_on_item *on_item, void *user,
                 struct err *err) MUST_CHECK;

/* Call it at the end of the body. Errors: PROTOCOL (it was cut short or is not a list). */
int listcut_end(struct listcut *cut, struct err *err) MUST_CHECK;

#endif
