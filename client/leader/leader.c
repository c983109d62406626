#include "client/leader/leader.h"

#include <assert.h>
#include <string.h>

#include "client/base/backoff.h"
#include "client/base/due.h"
#include "client/base/mem.h"

static void enter(struct leader *l, enum leader_state state)
{
    assert(l->state < state && (state != LEADER_LOST || l->state == LEADER_LEADING));
    l->state = state;
}

static bool is_over(const struct leader *l)
{
    return l->state == LEADER_DONE || l->state == LEADER_LOST;
}

static bool is_write(enum leader_request request)
{
    return request == LEADER_CREATE || request == LEADER_HOLD || request == LEADER_CLEAR;
}

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A clock that went back is one that cannot be trusted: then nothing is left. */
static uint64_t held_left_ms(const struct leader *l, uint64_t now_ms)
{
    if (!l->is_holding)
        return UINT64_MAX;
    if (now_ms < l->held_ms || now_ms - l->held_ms >= l->options.renew_ms)
        return 0;
    return l->options.renew_ms - (now_ms - l->held_ms);
}

/* The record */

static void see(struct leader *l, const struct leader_record *record, uint64_t now_ms)
{
    if (l->text == NULL || strcmp(l->text, record->text) != 0) {
        mem_free(l->text);
        l->text = mem_strdup(record->text);
        l->seen_ms = now_ms;
    }
    l->seen_ms = min(l->seen_ms, now_ms);
    mem_free(l->holder);
    l->holder = mem_strdup(record->holder);
    /* one who holds it for longer than we would is believed */
    l->duration_ms = max(record->duration_ms, l->options.lease_ms);
    l->is_known = true;
}

static bool is_ours(const struct leader *l)
{
    return strcmp(leader_holder(l), l->options.identity) == 0;
}

/* Requests */

static void wait_until(struct leader *l, uint64_t next_ms)
{
    l->request = LEADER_NOTHING;
    l->next_ms = next_ms;
    l->hops = 0;
}

/* A standby looks again after a random while, but no later than when the lease runs out. */
static void wait_as_standby(struct leader *l, uint64_t now_ms)
{
    uint64_t spread_ms = l->options.retry_ms * LEADER_JITTER_PERCENT / 100;
    uint64_t next_ms =
        now_ms + l->options.retry_ms + (uint64_t)((double)spread_ms * backoff_random(&l->random));
    if (l->text != NULL && l->seen_ms + l->duration_ms > now_ms)
        next_ms = min(next_ms, l->seen_ms + l->duration_ms);
    wait_until(l, next_ms);
}

static void wait_for_retry(struct leader *l, uint64_t now_ms)
{
    if (l->state == LEADER_STANDBY)
        wait_as_standby(l, now_ms);
    else
        wait_until(l, max(l->sent_ms + l->options.retry_ms, now_ms + LEADER_REST_MS));
}

/* Half of renew_ms, so that there is time for a second one on another connection. */
static void ask(struct leader *l, struct leader_action *a, enum leader_request request, uint64_t now_ms)
{
    uint64_t left_ms = held_left_ms(l, now_ms);
    if (l->state == LEADER_RELEASING)
        left_ms = min(left_ms, l->release_until_ms - now_ms);
    if (left_ms <= 1 || l->hops >= LEADER_HOPS) {
        wait_for_retry(l, now_ms);
        return;
    }
    l->request = request;
    l->hops++;
    l->sent_ms = now_ms;
    a->request = request;
    a->timeout_ms = min(max(l->options.renew_ms / 2, 1), left_ms - 1);
    a->new_connection = l->is_silent;
    l->deadline_ms = now_ms + a->timeout_ms;
    if (is_write(request))
        l->is_known = false; /* until it is answered */
}

static void drop(struct leader *l, struct leader_action *a)
{
    a->is_dropped = l->request != LEADER_NOTHING;
    l->request = LEADER_NOTHING;
}

static void begin_try(struct leader *l, struct leader_action *a, uint64_t now_ms)
{
    if (l->state == LEADER_STANDBY || !l->is_known)
        ask(l, a, LEADER_READ, now_ms);
    else
        ask(l, a, l->state == LEADER_RELEASING ? LEADER_CLEAR : LEADER_HOLD, now_ms);
}

/* Answers */

static void on_read(struct leader *l, struct leader_action *a, uint64_t now_ms)
{
    const bool may_hold = leader_holder(l)[0] == '\0' || is_ours(l);
    if (l->state == LEADER_RELEASING && is_ours(l))
        ask(l, a, LEADER_CLEAR, now_ms);
    else if (l->state == LEADER_RELEASING)
        enter(l, LEADER_DONE);
    else if (may_hold || (l->state == LEADER_STANDBY && now_ms - l->seen_ms >= l->duration_ms))
        ask(l, a, LEADER_HOLD, now_ms);
    else if (l->state == LEADER_STANDBY)
        wait_as_standby(l, now_ms);
    else
        enter(l, LEADER_LOST);
}

static void on_held(struct leader *l, uint64_t now_ms)
{
    if (l->state == LEADER_STANDBY) {
        if (now_ms - l->sent_ms >= l->options.renew_ms) {
            /* we slept over the answer: it says nothing of today */
            wait_until(l, now_ms);
            return;
        }
        enter(l, LEADER_LEADING);
        l->is_holding = true;
    }
    l->held_ms = l->sent_ms;
    wait_for_retry(l, now_ms);
}

static void on_answered(struct leader *l, const struct leader_record *record, struct leader_action *a,
                        uint64_t now_ms)
{
    enum leader_request request = l->request;
    l->request = LEADER_NOTHING;
    a->is_reset = l->is_silent;
    l->is_silent = false;
    see(l, record, now_ms);
    if (request == LEADER_READ)
        on_read(l, a, now_ms);
    else if (request == LEADER_CREATE || request == LEADER_HOLD)
        on_held(l, now_ms);
    else if (request == LEADER_CLEAR)
        enter(l, LEADER_DONE);
}

static void on_failed(struct leader *l, enum err_code code, struct leader_action *a, uint64_t now_ms)
{
    enum leader_request request = l->request;
    l->request = LEADER_NOTHING;
    l->is_silent = code == ERR_TIMEOUT;
    if (code == ERR_CONFLICT && is_write(request))
        ask(l, a, LEADER_READ, now_ms);
    else if (code == ERR_NOT_FOUND && l->state == LEADER_RELEASING)
        enter(l, LEADER_DONE);
    else if (code == ERR_NOT_FOUND && (request == LEADER_READ || request == LEADER_HOLD))
        ask(l, a, LEADER_CREATE, now_ms);
    else
        wait_for_retry(l, now_ms);
}

/* A write under way may succeed all the same, so the Lease is read first. */
static void on_release(struct leader *l, struct leader_action *a, uint64_t now_ms)
{
    bool has_claimed = l->request == LEADER_CREATE || l->request == LEADER_HOLD;
    if (l->state == LEADER_RELEASING)
        return;
    drop(l, a);
    enter(l, l->is_holding || has_claimed ? LEADER_RELEASING : LEADER_DONE);
    l->hops = 0;
    l->release_until_ms = now_ms + LEADER_RELEASE_MS;
    if (l->state == LEADER_RELEASING)
        begin_try(l, a, now_ms);
}

static void on_tick(struct leader *l, struct leader_action *a, uint64_t now_ms)
{
    if (l->request != LEADER_NOTHING && now_ms >= l->deadline_ms) {
        a->is_dropped = true;
        on_failed(l, ERR_TIMEOUT, a, now_ms);
    } else if (l->request == LEADER_NOTHING && now_ms >= l->next_ms) {
        begin_try(l, a, now_ms);
    }
}

/* Returns true if time has ended it, whatever happened. */
static bool has_run_out(const struct leader *l, uint64_t now_ms)
{
    return held_left_ms(l, now_ms) == 0 || (l->state == LEADER_RELEASING && now_ms >= l->release_until_ms);
}

static uint64_t tick_at_ms(const struct leader *l)
{
    uint64_t at_ms = l->request != LEADER_NOTHING ? l->deadline_ms : l->next_ms;
    if (is_over(l))
        return DUE_NEVER;
    if (l->is_holding)
        at_ms = min(at_ms, l->held_ms + l->options.renew_ms);
    return l->state == LEADER_RELEASING ? min(at_ms, l->release_until_ms) : at_ms;
}

struct leader_action leader_step(struct leader *l, const struct leader_event *event, uint64_t now_ms)
{
    struct leader_action a = {0};
    if (!is_over(l) && has_run_out(l, now_ms)) {
        enter(l, l->state == LEADER_LEADING ? LEADER_LOST : LEADER_DONE);
    } else if (!is_over(l)) {
        switch (event->kind) {
        case LEADER_TICK:
            on_tick(l, &a, now_ms);
            break;
        case LEADER_ANSWERED:
            on_answered(l, &event->record, &a, now_ms);
            break;
        case LEADER_FAILED:
            on_failed(l, event->code, &a, now_ms);
            break;
        case LEADER_RELEASE:
            on_release(l, &a, now_ms);
            break;
        }
    }
    if (is_over(l) && l->request != LEADER_NOTHING)
        drop(l, &a);
    a.at_ms = tick_at_ms(l);
    return a;
}

/* The whole */

int leader_check_options(const struct leader_options *o, struct err *err)
{
    const struct {
        const char *flag;
        uint64_t value;
    } flags[] = {
        {"lease-duration", o->lease_ms}, {"renew-deadline", o->renew_ms}, {"retry-period", o->retry_ms}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (flags[i].value == 0)
            return err_set(err, ERR_INVALID, "--leader-elect-%s must be greater than zero", flags[i].flag);
    }
    if (o->lease_ms <= o->renew_ms)
        return err_set(err, ERR_INVALID,
                       "--leader-elect-lease-duration must be greater than --leader-elect-renew-deadline");
    if (o->renew_ms * 100 <= o->retry_ms * LEADER_JITTER_PERCENT)
        return err_set(
            err, ERR_INVALID,
            "--leader-elect-renew-deadline must be greater than --leader-elect-retry-period * 1.2");
    return 0;
}

void leader_init(struct leader *leader, const struct leader_options *options, uint64_t seed)
{
    *leader = (struct leader){.options = *options, .random = seed};
}

void leader_deinit(struct leader *leader)
{
    mem_free(leader->text);
    mem_free(leader->holder);
    *leader = (struct leader){0};
}

uint64_t leader_left_ms(const struct leader *leader, uint64_t now_ms)
{
    return leader->state == LEADER_LOST ? 0 : held_left_ms(leader, now_ms);
}

bool leader_is_leader(const struct leader *leader, uint64_t now_ms)
{
    return leader->state == LEADER_LEADING && held_left_ms(leader, now_ms) > 0;
}

bool leader_is_healthy(const struct leader *leader, uint64_t now_ms)
{
    return leader_left_ms(leader, now_ms) > 0;
}

const char *leader_holder(const struct leader *leader)
{
    return leader->holder != NULL ? leader->holder : "";
}
