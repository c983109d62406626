#include "client/cache/reflectorplan.h"

#include <stddef.h>
#include <string.h>

#include "client/base/mem.h"

void reflectorplan_init(struct reflectorplan *plan, uint64_t seed)
{
    *plan = (struct reflectorplan){0};
    backoff_init(&plan->backoff, &backoff_reflector, seed);
}

void reflectorplan_deinit(struct reflectorplan *plan)
{
    mem_free(plan->version);
    mem_free(plan->continue_token);
    plan->version = NULL;
    plan->continue_token = NULL;
}

static void set_text(char **field, const char *text)
{
    char *copy = mem_strdup_or_null(text);
    mem_free(*field);
    *field = copy;
}

static unsigned watch_timeout_s(struct reflectorplan *plan)
{
    const double spread = (double)REFLECTORPLAN_WATCH_MIN_S * backoff_random(&plan->backoff.random);
    return REFLECTORPLAN_WATCH_MIN_S + (unsigned)spread;
}

/* Asks for a state that is not older than the version we know; if we know none, not older than now, as
 * client-go has it. */
static struct reflectorplan_action stream_action(struct reflectorplan *plan, uint64_t delay_ms)
{
    return (struct reflectorplan_action){.verb = REFLECTORPLAN_STREAM,
                                         .delay_ms = delay_ms,
                                         .is_first_page = true,
                                         .resource_version = plan->is_unversioned ? NULL : plan->version,
                                         .timeout_s = watch_timeout_s(plan)};
}

/* The first list asks for version "0", that is, for any state of the server's cache. Later lists ask for the
 * version that we know, so that time never runs backwards. The server pages only lists that ask for no
 * version. */
static struct reflectorplan_action list_action(struct reflectorplan *plan, uint64_t delay_ms)
{
    if (!plan->cannot_stream && !plan->is_fallen_back)
        return stream_action(plan, delay_ms);
    struct reflectorplan_action a = {.verb = REFLECTORPLAN_LIST, .delay_ms = delay_ms};
    a.is_first_page = !plan->continue_token;
    a.continue_token = plan->continue_token;
    if (!plan->is_unversioned && !plan->continue_token)
        a.resource_version = plan->version ? plan->version : "0";
    if (!a.resource_version && !plan->is_whole)
        a.limit = REFLECTORPLAN_PAGE_LIMIT;
    return a;
}

static struct reflectorplan_action watch_action(struct reflectorplan *plan, uint64_t delay_ms)
{
    return (struct reflectorplan_action){.verb = REFLECTORPLAN_WATCH,
                                         .delay_ms = delay_ms,
                                         .resource_version = plan->version,
                                         .timeout_s = watch_timeout_s(plan)};
}

static void note_failed(struct reflectorplan *plan, uint64_t now_ms)
{
    if (plan->failed_ms == 0)
        plan->failed_ms = now_ms ? now_ms : 1;
}

/* The server's own wish counts where it is longer. */
static uint64_t delay_after(struct reflectorplan *plan, const struct err *err, uint64_t now_ms)
{
    const uint64_t delay = backoff_next(&plan->backoff, now_ms);
    const uint64_t wish = err && err->retry_after_ms > 0 ? (uint64_t)err->retry_after_ms : 0;
    note_failed(plan, now_ms);
    return delay > wish ? delay : wish;
}

/* The server has forgotten the version that we know: all is read again. */
static struct reflectorplan_action after_gone(struct reflectorplan *plan, const struct err *err,
                                              uint64_t now_ms)
{
    plan->is_unversioned = true;
    note_failed(plan, now_ms);
    if (plan->gone_ms != 0 && now_ms - plan->gone_ms < REFLECTORPLAN_GONE_MS)
        return list_action(plan, delay_after(plan, err, now_ms));
    plan->gone_ms = now_ms ? now_ms : 1;
    return list_action(plan, 0);
}

struct reflectorplan_action reflectorplan_start(struct reflectorplan *plan)
{
    return list_action(plan, 0);
}

/* A list or stream is whole. */
static void note_complete(struct reflectorplan *plan, const char *version)
{
    set_text(&plan->version, version);
    plan->is_unversioned = false;
    plan->is_whole = false;
    plan->is_streaming = false;
    plan->is_fallen_back = false;
    plan->first_5xx_ms = 0;
}

int reflectorplan_check_page(struct reflectorplan *plan, const char *continue_token, struct err *err)
{
    plan->pages = plan->continue_token ? plan->pages + 1 : 1;
    if (*continue_token && plan->continue_token && strcmp(continue_token, plan->continue_token) == 0)
        return err_set(err, ERR_PROTOCOL, "a page of the list names itself as the next page");
    if (*continue_token && plan->pages >= REFLECTORPLAN_PAGES_MAX)
        return err_set(err, ERR_LIMIT, "a list of more than %d pages", REFLECTORPLAN_PAGES_MAX);
    return 0;
}

struct reflectorplan_action reflectorplan_on_list_done(struct reflectorplan *plan, const struct err *err,
                                                       const char *version, const char *continue_token,
                                                       uint64_t now_ms)
{
    if (!err && *continue_token) {
        set_text(&plan->continue_token, continue_token);
        return list_action(plan, 0);
    }
    const bool was_page = plan->continue_token != NULL;
    set_text(&plan->continue_token, NULL);
    if (!err) {
        note_complete(plan, version);
        return watch_action(plan, 0);
    }
    if (err->code == ERR_GONE) {
        /* Once at once; a server that says so again and again is backed off from. */
        const bool is_first = was_page ? !plan->is_whole : !plan->is_unversioned;
        plan->is_unversioned = true;
        plan->is_whole = plan->is_whole || was_page;
        return list_action(plan, is_first ? 0 : delay_after(plan, err, now_ms));
    }
    return list_action(plan, delay_after(plan, err, now_ms));
}

void reflectorplan_on_watch_start(struct reflectorplan *plan, bool is_stream, uint64_t now_ms)
{
    plan->watch_began_ms = now_ms;
    plan->is_open = false;
    plan->has_event = false;
    plan->is_streaming = is_stream;
}

void reflectorplan_on_watch_open(struct reflectorplan *plan, uint64_t now_ms)
{
    plan->is_open = true;
    plan->working_ms = now_ms;
}

bool reflectorplan_on_event(struct reflectorplan *plan, const char *version, bool is_initial_end,
                            uint64_t now_ms)
{
    /* The version that is known already tells nothing new. */
    const bool is_news = !plan->version || strcmp(version, plan->version) != 0;
    plan->has_event = plan->has_event || is_news;
    if (!plan->is_streaming) {
        if (is_news)
            set_text(&plan->version, version);
        plan->first_5xx_ms = 0;
        plan->failed_ms = is_news ? 0 : plan->failed_ms;
        return false;
    }
    /* A version counts once everything up to it is there. */
    if (is_initial_end) {
        note_complete(plan, version);
        plan->working_ms = now_ms;
    }
    return is_initial_end;
}

uint64_t reflectorplan_failing_ms(const struct reflectorplan *plan, uint64_t now_ms)
{
    const bool works =
        plan->is_open && !plan->is_streaming && now_ms - plan->working_ms >= REFLECTORPLAN_SHORT_WATCH_MS;
    return plan->failed_ms == 0 || works ? 0 : now_ms - plan->failed_ms;
}

bool reflectorplan_is_too_slow(const struct reflectorplan *plan, uint64_t now_ms)
{
    return plan->is_streaming && now_ms - plan->watch_began_ms >= REFLECTORPLAN_STREAM_MS;
}

static struct reflectorplan_action after_5xx(struct reflectorplan *plan, const struct err *err,
                                             uint64_t now_ms)
{
    const uint64_t delay = delay_after(plan, err, now_ms);
    if (plan->first_5xx_ms == 0)
        plan->first_5xx_ms = now_ms ? now_ms : 1;
    if (now_ms - plan->first_5xx_ms < REFLECTORPLAN_RETRY_5XX_MS)
        return watch_action(plan, delay);
    plan->first_5xx_ms = 0;
    return list_action(plan, delay);
}

/* A list says more clearly than a stream what the server has against us, and some have no streams. */
static struct reflectorplan_action after_stream(struct reflectorplan *plan, const struct err *err,
                                                uint64_t now_ms)
{
    const bool is_too_slow = reflectorplan_is_too_slow(plan, now_ms);
    plan->is_streaming = false;
    const enum err_code code = err ? err->code : ERR_NONE;
    if (code == ERR_GONE)
        return after_gone(plan, err, now_ms);
    if (code == ERR_TIMEOUT || code == ERR_NETWORK || code == ERR_TLS || code == ERR_THROTTLED) {
        plan->is_fallen_back = is_too_slow;
        return list_action(plan, is_too_slow ? 0 : delay_after(plan, err, now_ms));
    }
    if (code == ERR_INVALID || code == ERR_NOT_FOUND)
        plan->cannot_stream = true;
    else
        plan->is_fallen_back = true;
    return list_action(plan, 0);
}

/* It was accepted, and the server or the network ended it. */
static struct reflectorplan_action after_end(struct reflectorplan *plan, const struct err *err,
                                             uint64_t now_ms)
{
    const bool is_too_short =
        !plan->has_event && now_ms - plan->watch_began_ms < REFLECTORPLAN_SHORT_WATCH_MS;
    return watch_action(plan, is_too_short ? delay_after(plan, err, now_ms) : 0);
}

struct reflectorplan_action reflectorplan_on_watch_done(struct reflectorplan *plan, const struct err *err,
                                                        uint64_t now_ms)
{
    const bool was_open = plan->is_open;
    if (reflectorplan_failing_ms(plan, now_ms) == 0)
        plan->failed_ms = 0;
    plan->is_open = false;
    if (plan->is_streaming)
        return after_stream(plan, err, now_ms);
    const enum err_code code = err ? err->code : ERR_NONE;
    if (code == ERR_NONE || (code == ERR_NETWORK && was_open))
        return after_end(plan, err, now_ms);
    if (code == ERR_GONE)
        return after_gone(plan, err, now_ms);
    if (code == ERR_NETWORK || code == ERR_THROTTLED || code == ERR_TIMEOUT)
        return watch_action(plan, delay_after(plan, err, now_ms));
    if (code == ERR_UNAVAILABLE)
        return after_5xx(plan, err, now_ms);
    return list_action(plan, delay_after(plan, err, now_ms));
}
