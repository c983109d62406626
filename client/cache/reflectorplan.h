/*
 * reflectorplan: the decisions of a reflector. Pure: no I/O, no loop, no clock.
 *
 * Each function takes what happened, and returns what to do next: list, watch, or
 * wait. reflector.c does it. The constants are client-go's.
 *
 *     struct reflectorplan_action a = reflectorplan_start(&plan, now_ms);
 *     a = reflectorplan_on_list_done(&plan, err, version, continue_token, now_ms);
 */
#ifndef CLIENT_CACHE_REFLECTORPLAN_H
#define CLIENT_CACHE_REFLECTORPLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/backoff.h"
#include "client/base/err.h"

enum {
    REFLECTORPLAN_PAGE_LIMIT = 500,
    REFLECTORPLAN_PAGES_MAX = 2000,  /* of a list; if there are more, we assume that the list never ends */
    REFLECTORPLAN_WATCH_MIN_S = 300, /* timeoutSeconds is random in MIN..2*MIN */
    REFLECTORPLAN_SHORT_WATCH_MS = 1000,
    REFLECTORPLAN_GONE_MS = 10000,      /* after a 410 that comes sooner after another there is a backoff */
    REFLECTORPLAN_RETRY_5XX_MS = 30000, /* how long 5xx inside a watch are retried before a list */
    REFLECTORPLAN_STREAM_MS = 60000,    /* how long a streaming list may take */
    REFLECTORPLAN_SILENCE_MS = 90000,   /* a watch without a byte for so long is probed */
    REFLECTORPLAN_PROBE_MS = 10000,
};

/* The states of a reflector:
 *
 *   state      event                      next
 *   STREAMING  the initial events' end    WATCHING, on the same connection
 *              410                        STREAMING, without a version
 *              lost, 429                  WAITING, then STREAMING
 *              other refusal, too slow,   LISTING, at once
 *              a clean end
 *   LISTING    page, continue             LISTING (next page)
 *              last page                  WATCHING
 *              410 on a continue          LISTING, whole, at once
 *              410 otherwise              LISTING, without a version, after backoff
 *              other error                WAITING, then LISTING
 *   WATCHING   clean end, lost            WATCHING
 *              either < 1 s, no news      WAITING, then WATCHING
 *              410                        STREAMING, without a version
 *              refused, 429               WAITING, then WATCHING
 *              5xx                        WAITING, then WATCHING; after a while STREAMING
 *              other error                WAITING, then STREAMING
 *
 * A server that answers 410 works, for example it has just started and its cache has no older version. The
 * next request is sent at once, but if another 410 follows soon, after a backoff.
 *
 * A server that has no streaming lists (400, 404) is not asked for one again. After another failure of a
 * stream, the next list is a plain one; once that succeeded, lists are STREAMING again.
 */
enum reflectorplan_verb { REFLECTORPLAN_LIST, REFLECTORPLAN_STREAM, REFLECTORPLAN_WATCH };

struct reflectorplan_action {
    enum reflectorplan_verb verb;
    uint64_t delay_ms;  /* wait first */
    bool is_first_page; /* LIST, STREAM: forget what was gathered */
    /* The version that the request asks for, borrowed until the next call; NULL if it asks for none. */
    const char *resource_version;
    const char *continue_token; /* the page that the request asks for; NULL if it asks for the first one */
    unsigned limit;
    unsigned timeout_s; /* STREAM, WATCH */
};

struct reflectorplan {
    struct backoff backoff;
    char *version;        /* of the last list or event; NULL: never listed */
    char *continue_token; /* of the page that comes next; NULL: none */
    unsigned pages;       /* of the list so far */
    bool is_unversioned;  /* lists ask for no version: "" reads from etcd, and may be paged */
    bool is_whole;        /* lists are not paged: a continue token expired */
    bool is_streaming;    /* the initial events are arriving */
    bool cannot_stream;   /* the server has no streaming lists */
    bool is_fallen_back;  /* lists are plain until one succeeded */
    bool is_open;         /* the server accepted the watch */
    bool has_event;       /* since the watch began, and it was news */
    uint64_t gone_ms;     /* the last 410 that was answered at once; 0: none */
    uint64_t watch_began_ms;
    uint64_t working_ms;   /* since the watch was accepted, and its initial events were complete */
    uint64_t failed_ms;    /* the first failure since a watch worked; 0: none */
    uint64_t first_5xx_ms; /* 0: none since the last success */
};

void reflectorplan_init(struct reflectorplan *plan, uint64_t seed);
void reflectorplan_deinit(struct reflectorplan *plan);

struct reflectorplan_action reflectorplan_start(struct reflectorplan *plan);

/* Checks that the list can end: the page that arrived must bring it further. Errors: PROTOCOL (the page
 * continues with the token that it was asked with), LIMIT (too many pages). Pass the error to
 * reflectorplan_on_list_done. */
int reflectorplan_check_page(struct reflectorplan *plan, const char *continue_token,
                             struct err *err) MUST_CHECK;

/* err NULL: success. continue_token "" ends the list; then version is the list's. */
struct reflectorplan_action reflectorplan_on_list_done(struct reflectorplan *plan, const struct err *err,
                                                       const char *version, const char *continue_token,
                                                       uint64_t now_ms);

/* A stream or watch was started; the server accepted it; an event or a bookmark arrived. on_event returns
 * true for the bookmark that ends the initial events: the list is complete. */
void reflectorplan_on_watch_start(struct reflectorplan *plan, bool is_stream, uint64_t now_ms);
void reflectorplan_on_watch_open(struct reflectorplan *plan, uint64_t now_ms);
bool reflectorplan_on_event(struct reflectorplan *plan, const char *version, bool is_initial_end,
                            uint64_t now_ms);

/* Returns how long no watch has worked: since the first failure, however many followed. A watch works when it
 * brings news, or stays open for REFLECTORPLAN_SHORT_WATCH_MS. A list that succeeds does not make it work.
 * Returns 0 if it works, or did not fail yet. */
uint64_t reflectorplan_failing_ms(const struct reflectorplan *plan, uint64_t now_ms);

/* The initial events take longer than a list may. */
bool reflectorplan_is_too_slow(const struct reflectorplan *plan, uint64_t now_ms);

/* The stream or watch ended: by itself (err NULL), by an error of the connection, by an ERROR event,
 * or because it is too slow (a TIMEOUT). */
struct reflectorplan_action reflectorplan_on_watch_done(struct reflectorplan *plan, const struct err *err,
                                                        uint64_t now_ms);

#endif
