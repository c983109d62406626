#include "client/cache/reflectorplan.h"

#include <stddef.h>
#include <string.h>

#include "client/base/mem.h"

void reflectorplan_init(struct reflectorplan *lw, uint64_t seed)
{
    *lw = (struct reflectorplan){0};
    backoff_init(&lw->backoff, &backoff_reflector, seed);
}

void reflectorplan_deinit(struct reflectorplan *lw)
{
    mem_free(lw->version);
    mem_free(lw->continue_token);
    lw->version = NULL;
    lw->continue_token = NULL;
}

static void set_text(char **field, const char *text)
{
    char *copy = mem_strdup_or_null(text);
    mem_free(*field);
    *field = copy;
}

static unsigned watch_timeout_s(struct reflectorplan *lw)
{
    const double spread = (double)REFLECTORPLAN_WATCH_MIN_S * backoff_random(&lw->backoff.random);
    return REFLECTORPLAN_WATCH_MIN_S + (unsigned)spread;
}

/* Not older than what we know; where that is nothing, not older than now, as client-go has it. */
static struct reflectorplan_action stream_action(struct reflectorplan *lw, uint64_t delay_ms)
{
    return (struct reflectorplan_action){.verb = REFLECTORPLAN_STREAM,
                                         .delay_ms = delay_ms,
                                         .is_first_page = true,
                                         .resource_version = lw->is_unversioned ? NULL : lw->version,
                                         .timeout_s = watch_timeout_s(lw)};
}

/* At the first list "0": whatever the server's cache has. Later the version we know, so that time
 * never runs backwards. The server pages only where no version is asked for. */
static struct reflectorplan_action list_action(struct reflectorplan *lw, uint64_t delay_ms)
{
    if (!lw->cannot_stream && !lw->is_fallen_back)
        return stream_action(lw, delay_ms);
    struct reflectorplan_action a = {.verb = REFLECTORPLAN_LIST, .delay_ms = delay_ms};
    a.is_first_page = !lw->continue_token;
    a.continue_token = lw->continue_token;
    if (!lw->is_unversioned && !lw->continue_token)
        a.resource_version = lw->version ? lw->version : "0";
    if (!a.resource_version && !lw->is_whole)
        a.limit = REFLECTORPLAN_PAGE_LIMIT;
    return a;
}

static struct reflectorplan_action watch_action(struct reflectorplan *lw, uint64_t delay_ms)
{
    return (struct reflectorplan_action){.verb = REFLECTORPLAN_WATCH,
                                         .delay_ms = delay_ms,
                                         .resource_version = lw->version,
                                         .timeout_s = watch_timeout_s(lw)};
}

static void note_failed(struct reflectorplan *lw, uint64_t now_ms)
{
    if (lw->failed_ms == 0)
        lw->failed_ms = now_ms ? now_ms : 1;
}

/* The server's own wish counts where it is longer. */
static uint64_t delay_after(struct reflectorplan *lw, const struct err *err, uint64_t now_ms)
{
    const uint64_t delay = backoff_next(&lw->backoff, now_ms);
    const uint64_t wish = err && err->retry_after_ms > 0 ? (uint64_t)err->retry_after_ms : 0;
    note_failed(lw, now_ms);
    return delay > wish ? delay : wish;
}

/* What we know is forgotten there: everything is asked for. */
static struct reflectorplan_action after_gone(struct reflectorplan *lw, const struct err *err,
                                              uint64_t now_ms)
{
    lw->is_unversioned = true;
    note_failed(lw, now_ms);
    if (lw->gone_ms != 0 && now_ms - lw->gone_ms < REFLECTORPLAN_GONE_MS)
        return list_action(lw, delay_after(lw, err, now_ms));
    lw->gone_ms = now_ms ? now_ms : 1;
    return list_action(lw, 0);
}

struct reflectorplan_action reflectorplan_start(struct reflectorplan *lw)
{
    return list_action(lw, 0);
}

/* A list or stream is whole. */
static void note_complete(struct reflectorplan *lw, const char *version)
{
    set_text(&lw->version, version);
    lw->is_unversioned = false;
    lw->is_whole = false;
    lw->is_streaming = false;
    lw->is_fallen_back = false;
    lw->first_5xx_ms = 0;
}

int reflectorplan_check_page(struct reflectorplan *lw, const char *continue_token, struct err *err)
{
    lw->pages = lw->continue_token ? lw->pages + 1 : 1;
    if (*continue_token && lw->continue_token && strcmp(continue_token, lw->continue_token) == 0)
        return err_set(err, ERR_PROTOCOL, "a page of the list names itself as the next page");
    if (*continue_token && lw->pages >= REFLECTORPLAN_PAGES_MAX)
        return err_set(err, ERR_LIMIT, "a list of more than %d pages", REFLECTORPLAN_PAGES_MAX);
    return 0;
}

struct reflectorplan_action reflectorplan_on_list_done(struct reflectorplan *lw, const struct err *err,
                                                       const char *version, const char *continue_token,
                                                       uint64_t now_ms)
{
    if (!err && *continue_token) {
        set_text(&lw->continue_token, continue_token);
        return list_action(lw, 0);
    }
    const bool was_page = lw->continue_token != NULL;
    set_text(&lw->continue_token, NULL);
    if (!err) {
        note_complete(lw, version);
        return watch_action(lw, 0);
    }
    if (err->code == ERR_GONE) {
        /* Once at once; a server that says so again and again is backed off from. */
        const bool is_first = was_page ? !lw->is_whole : !lw->is_unversioned;
        lw->is_unversioned = true;
        lw->is_whole = lw->is_whole || was_page;
        return list_action(lw, is_first ? 0 : delay_after(lw, err, now_ms));
    }
    return list_action(lw, delay_after(lw, err, now_ms));
}

void reflectorplan_on_watch_start(struct reflectorplan *lw, bool is_stream, uint64_t now_ms)
{
    lw->watch_began_ms = now_ms;
    lw->is_open = false;
    lw->has_event = false;
    lw->is_streaming = is_stream;
}

void reflectorplan_on_watch_open(struct reflectorplan *lw, uint64_t now_ms)
{
    lw->is_open = true;
    lw->working_ms = now_ms;
}

bool reflectorplan_on_event(struct reflectorplan *lw, const char *version, bool is_initial_end,
                            uint64_t now_ms)
{
    /* The version that is known already tells nothing new. */
    const bool is_news = !lw->version || strcmp(version, lw->version) != 0;
    lw->has_event = lw->has_event || is_news;
    if (!lw->is_streaming) {
        if (is_news)
            set_text(&lw->version, version);
        lw->first_5xx_ms = 0;
        lw->failed_ms = is_news ? 0 : lw->failed_ms;
        return false;
    }
    /* A version counts once everything up to it is there. */
    if (is_initial_end) {
        note_complete(lw, version);
        lw->working_ms = now_ms;
    }
    return is_initial_end;
}

uint64_t reflectorplan_failing_ms(const struct reflectorplan *lw, uint64_t now_ms)
{
    const bool works =
        lw->is_open && !lw->is_streaming && now_ms - lw->working_ms >= REFLECTORPLAN_SHORT_WATCH_MS;
    return lw->failed_ms == 0 || works ? 0 : now_ms - lw->failed_ms;
}

bool reflectorplan_is_too_slow(const struct reflectorplan *lw, uint64_t now_ms)
{
    return lw->is_streaming && now_ms - lw->watch_began_ms >= REFLECTORPLAN_STREAM_MS;
}

static struct reflectorplan_action after_5xx(struct reflectorplan *lw, const struct err *err, uint64_t now_ms)
{
    const uint64_t delay = delay_after(lw, err, now_ms);
    if (lw->first_5xx_ms == 0)
        lw->first_5xx_ms = now_ms ? now_ms : 1;
    if (now_ms - lw->first_5xx_ms < REFLECTORPLAN_RETRY_5XX_MS)
        return watch_action(lw, delay);
    lw->first_5xx_ms = 0;
    return list_action(lw, delay);
}

/* A list says more clearly than a stream what the server has against us, and some have no streams. */
static struct reflectorplan_action after_stream(struct reflectorplan *lw, const struct err *err,
                                                uint64_t now_ms)
{
    const bool is_too_slow = reflectorplan_is_too_slow(lw, now_ms);
    lw->is_streaming = false;
    const enum err_code code = err ? err->code : ERR_NONE;
    if (code == ERR_GONE)
        return after_gone(lw, err, now_ms);
    if (code == ERR_TIMEOUT || code == ERR_NETWORK || code == ERR_TLS || code == ERR_THROTTLED) {
        lw->is_fallen_back = is_too_slow;
        return list_action(lw, is_too_slow ? 0 : delay_after(lw, err, now_ms));
    }
    if (code == ERR_INVALID || code == ERR_NOT_FOUND)
        lw->cannot_stream = true;
    else
        lw->is_fallen_back = true;
    return list_action(lw, 0);
}

/* It was accepted, and the server or the network ended it. */
static struct reflectorplan_action after_end(struct reflectorplan *lw, const struct err *err, uint64_t now_ms)
{
    const bool is_too_short = !lw->has_event && now_ms - lw->watch_began_ms < REFLECTORPLAN_SHORT_WATCH_MS;
    return watch_action(lw, is_too_short ? delay_after(lw, err, now_ms) : 0);
}

struct reflectorplan_action reflectorplan_on_watch_done(struct reflectorplan *lw, const struct err *err,
                                                        uint64_t now_ms)
{
    const bool was_open = lw->is_open;
    if (reflectorplan_failing_ms(lw, now_ms) == 0)
        lw->failed_ms = 0;
    lw->is_open = false;
    if (lw->is_streaming)
        return after_stream(lw, err, now_ms);
    const enum err_code code = err ? err->code : ERR_NONE;
    if (code == ERR_NONE || (code == ERR_NETWORK && was_open))
        return after_end(lw, err, now_ms);
    if (code == ERR_GONE)
        return after_gone(lw, err, now_ms);
    if (code == ERR_NETWORK || code == ERR_THROTTLED || code == ERR_TIMEOUT)
        return watch_action(lw, delay_after(lw, err, now_ms));
    if (code == ERR_UNAVAILABLE)
        return after_5xx(lw, err, now_ms);
    return list_action(lw, delay_after(lw, err, now_ms));
}
