#include "controller/reconcile/forbidden.h"

#include <sys/queue.h>

#include "client/base/due.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"

struct entry {
    const char *key; /* the map's */
    TAILQ_ENTRY(entry) link;
    uint64_t refused_ms;
    bool was_refused; /* by the server; others were not sent yet, since the right was missing */
    bool is_in_line;  /* else it is being tried */
};

TAILQ_HEAD(line, entry);

struct forbidden {
    struct keymap entries;
    struct line waiting;          /* never refused: they go first */
    struct line refused;          /* in the order in which they were refused */
    enum forbidden_right right;   /* by the last answers */
    const struct entry *doubtful; /* UNSURE: the key that was refused; NULL: none, or it was removed */
    const struct entry *probe;    /* MISSING: the key that is tried on behalf of all; NULL: none is */
    uint64_t try_ms;              /* MISSING: the earliest time of the next try */
};

struct forbidden *forbidden_new(void)
{
    struct forbidden *f = mem_zalloc(sizeof *f);
    TAILQ_INIT(&f->waiting);
    TAILQ_INIT(&f->refused);
    return f;
}

void forbidden_free(struct forbidden *forbidden)
{
    if (forbidden == NULL)
        return;
    keymap_deinit(&forbidden->entries, mem_free);
    mem_free(forbidden);
}

enum forbidden_right forbidden_right(const struct forbidden *forbidden)
{
    return forbidden->right;
}

static void leave_line(struct forbidden *f, struct entry *e)
{
    if (e->is_in_line)
        TAILQ_REMOVE(e->was_refused ? &f->refused : &f->waiting, e, link);
    e->is_in_line = false;
}

static void enter_line(struct forbidden *f, struct entry *e)
{
    e->is_in_line = true;
    if (e->was_refused)
        TAILQ_INSERT_TAIL(&f->refused, e, link);
    else
        TAILQ_INSERT_TAIL(&f->waiting, e, link);
    if (f->probe == e)
        f->probe = NULL;
}

static struct entry *find_or_make(struct forbidden *f, const char *key)
{
    struct entry *e = keymap_get(&f->entries, key);
    if (e != NULL)
        return e;
    e = mem_zalloc(sizeof *e);
    keymap_put(&f->entries, key, e);
    e->key = keymap_key(&f->entries, key);
    return e;
}

bool forbidden_may_try(struct forbidden *forbidden, const char *key)
{
    if (forbidden->right != FORBIDDEN_MISSING)
        return true;
    struct entry *e = find_or_make(forbidden, key);
    if (e == forbidden->probe)
        return true;
    if (!e->is_in_line)
        enter_line(forbidden, e);
    return false;
}

/* Only the refusal of a second object makes the right missing: one object may be refused many times, and the
 * others allowed. */
static enum forbidden_right after_refusal(struct forbidden *f, const struct entry *e)
{
    if (f->right == FORBIDDEN_MISSING)
        return FORBIDDEN_MISSING;
    if (f->right == FORBIDDEN_UNSURE && f->doubtful != NULL && f->doubtful != e)
        return FORBIDDEN_MISSING;
    f->doubtful = e;
    return FORBIDDEN_UNSURE;
}

enum forbidden_news forbidden_put(struct forbidden *forbidden, const char *key, uint64_t now_ms)
{
    struct entry *e = find_or_make(forbidden, key);
    const enum forbidden_right before = forbidden->right;
    const bool is_known = e->was_refused || before == FORBIDDEN_MISSING;
    leave_line(forbidden, e);
    e->was_refused = true;
    e->refused_ms = now_ms;
    enter_line(forbidden, e);
    forbidden->right = after_refusal(forbidden, e);
    if (forbidden->right == FORBIDDEN_MISSING && before != FORBIDDEN_MISSING) {
        forbidden->try_ms = now_ms + FORBIDDEN_MS;
        return FORBIDDEN_ALL;
    }
    return is_known ? FORBIDDEN_KNOWN : FORBIDDEN_ONE;
}

void forbidden_remove(struct forbidden *forbidden, const char *key)
{
    struct entry *e = keymap_get(&forbidden->entries, key);
    if (e == NULL)
        return;
    leave_line(forbidden, e);
    if (forbidden->probe == e) { /* its answer decides nothing any more, so another key may be tried now */
        forbidden->probe = NULL;
        forbidden->try_ms = 0;
    }
    if (forbidden->doubtful == e)
        forbidden->doubtful = NULL;
    keymap_remove(&forbidden->entries, key);
    mem_free(e);
}

void forbidden_grant(struct forbidden *forbidden, const char *key)
{
    forbidden_remove(forbidden, key);
    forbidden->right = FORBIDDEN_GRANTED;
    forbidden->probe = NULL;
}

static uint64_t later(uint64_t a_ms, uint64_t b_ms)
{
    return a_ms > b_ms ? a_ms : b_ms;
}

uint64_t forbidden_next_ms(const struct forbidden *forbidden)
{
    const struct entry *waiting = TAILQ_FIRST(&forbidden->waiting);
    const struct entry *refused = TAILQ_FIRST(&forbidden->refused);
    const uint64_t first_ms = forbidden->right == FORBIDDEN_MISSING ? forbidden->try_ms : 0;
    if (forbidden->right == FORBIDDEN_MISSING && forbidden->probe != NULL)
        return DUE_NEVER; /* its answer decides */
    if (waiting != NULL)
        return first_ms;
    return refused == NULL ? DUE_NEVER : later(first_ms, refused->refused_ms + FORBIDDEN_MS);
}

const char *forbidden_take(struct forbidden *forbidden, uint64_t now_ms)
{
    if (now_ms < forbidden_next_ms(forbidden))
        return NULL;
    struct entry *e = TAILQ_FIRST(&forbidden->waiting);
    if (e == NULL)
        e = TAILQ_FIRST(&forbidden->refused);
    leave_line(forbidden, e);
    if (forbidden->right == FORBIDDEN_MISSING) {
        forbidden->probe = e;
        forbidden->try_ms = now_ms + FORBIDDEN_MS;
    }
    return e->key;
}

size_t forbidden_count(const struct forbidden *forbidden)
{
    return forbidden->entries.count;
}
