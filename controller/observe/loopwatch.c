#include "controller/observe/loopwatch.h"

enum { NS_PER_MS = 1000 * 1000 };

/* A turn that was too long ended shortly before. */
static bool is_recent(const struct loopwatch *watch, uint64_t now_ns)
{
    return watch->long_ended_ns > 0 &&
           now_ns - watch->long_ended_ns <= (uint64_t)LOOPWATCH_WELL_MS * NS_PER_MS;
}

void loopwatch_begin(struct loopwatch *watch, uint64_t now_ns)
{
    watch->began_ns = now_ns;
    watch->asked_ns = 0;
}

void loopwatch_note(struct loopwatch *watch, uint64_t began_ns, uint64_t ended_ns)
{
    const uint64_t ms = (ended_ns - began_ns) / NS_PER_MS;
    const double seconds = (double)(ended_ns - began_ns) / 1e9;
    if (watch->on_turn != NULL)
        watch->on_turn(watch->user, seconds);
    if (seconds > watch->longest_seconds)
        watch->longest_seconds = seconds;
    if (ms <= LOOPWATCH_LONG_MS)
        return;
    watch->was_stuck_before = is_recent(watch, began_ns);
    watch->long_ended_ns = ended_ns;
    watch->long_ms = ms;
}

/* A loop that is asked once within a turn may have been frozen; one that is asked again and again spins. */
static bool is_spinning(struct loopwatch *watch, uint64_t now_ns, uint64_t *turn_ms)
{
    const uint64_t ms = (now_ns - watch->began_ns) / NS_PER_MS;
    if (watch->began_ns == 0 || ms <= LOOPWATCH_LONG_MS)
        return false;
    if (watch->asked_ns == 0)
        watch->asked_ns = now_ns;
    *turn_ms = ms;
    return now_ns - watch->asked_ns >= (uint64_t)LOOPWATCH_WELL_MS * NS_PER_MS;
}

bool loopwatch_is_stuck_at(struct loopwatch *watch, uint64_t now_ns, uint64_t *turn_ms)
{
    *turn_ms = watch->long_ms;
    return is_spinning(watch, now_ns, turn_ms) || (watch->was_stuck_before && is_recent(watch, now_ns));
}

bool loopwatch_is_stuck(struct loopwatch *watch, uint64_t *turn_ms)
{
    return loopwatch_is_stuck_at(watch, uv_hrtime(), turn_ms);
}

double loopwatch_longest_seconds(const struct loopwatch *watch)
{
    const double seconds = (double)(uv_hrtime() - watch->began_ns) / 1e9;
    return seconds > watch->longest_seconds ? seconds : watch->longest_seconds;
}

static void on_poll_returned(uv_check_t *check)
{
    struct loopwatch *w = check->data;
    loopwatch_begin(w, uv_hrtime());
}

static void on_poll_begins(uv_prepare_t *prepare)
{
    struct loopwatch *w = prepare->data;
    loopwatch_note(w, w->began_ns, uv_hrtime());
}

void loopwatch_start(struct loopwatch *watch, uv_loop_t *loop, void (*on_turn)(void *user, double seconds),
                     void *user)
{
    *watch = (struct loopwatch){.on_turn = on_turn, .user = user, .began_ns = uv_hrtime()};
    uv_prepare_init(loop, &watch->prepare);
    uv_check_init(loop, &watch->check);
    watch->prepare.data = watch->check.data = watch;
    uv_prepare_start(&watch->prepare, on_poll_begins);
    uv_check_start(&watch->check, on_poll_returned);
    uv_unref((uv_handle_t *)&watch->prepare);
    uv_unref((uv_handle_t *)&watch->check);
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct loopwatch *w = handle->data;
    if (--w->to_close == 0)
        w->on_closed(w->user);
}

void loopwatch_close(struct loopwatch *watch, void (*on_closed)(void *user))
{
    watch->to_close = 2;
    watch->on_closed = on_closed;
    uv_close((uv_handle_t *)&watch->prepare, on_handle_closed);
    uv_close((uv_handle_t *)&watch->check, on_handle_closed);
}
