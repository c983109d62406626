#include "controller/memo.h"

#include <string.h>

#include "client/mem.h"

struct memo *memo_new(void)
{
    return mem_zalloc(sizeof(struct memo));
}

static void clear(struct memo *m)
{
    mem_free(m->uid);
    mem_free(m->written_on);
    mem_free(m->own);
    mem_free(m->refused);
    *m = (struct memo){0};
}

void memo_free(void *memo)
{
    if (memo == NULL)
        return;
    clear(memo);
    mem_free(memo);
}

void memo_see(struct memo *memo, const struct policy *policy)
{
    if (memo->uid == NULL || strcmp(memo->uid, policy->uid) != 0) {
        clear(memo);
        memo->uid = mem_strdup(policy->uid);
        memo->generation = policy->generation;
    }
    if (memo->generation != policy->generation) {
        memo->generation = policy->generation;
        memo->text_cap_bytes = 0;
    }
}

static bool equal_or_null(const char *a, const char *b)
{
    return a != NULL && strcmp(a, b) == 0;
}

/* Drops the re-asserts that left the window. */
static void age_reasserts(struct memo *m, uint64_t now_ms)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->n_reasserts; i++) {
        if (now_ms - m->reasserts_ms[i] < MEMO_REASSERT_WINDOW_MS)
            m->reasserts_ms[kept++] = m->reasserts_ms[i];
    }
    m->n_reasserts = kept;
}

static enum memo_answer may_reassert(struct memo *m, uint64_t now_ms, uint64_t *delay_ms)
{
    /* the last try held for an hour: peace */
    if (m->quiet_until_ms > 0 && now_ms >= m->quiet_until_ms + MEMO_QUIET_MS)
        m->quiet_until_ms = 0;
    if (m->quiet_until_ms > now_ms) {
        *delay_ms = m->quiet_until_ms - now_ms;
        return MEMO_LATER;
    }
    if (m->quiet_until_ms > 0) {
        m->quiet_until_ms = now_ms + MEMO_QUIET_MS;
        return MEMO_WRITE_AGAIN;
    }
    age_reasserts(m, now_ms);
    if (m->n_reasserts == MEMO_REASSERTS) {
        m->quiet_until_ms = now_ms + MEMO_QUIET_MS;
        *delay_ms = MEMO_QUIET_MS;
        return MEMO_QUIET;
    }
    m->reasserts_ms[m->n_reasserts++] = now_ms;
    return MEMO_WRITE_AGAIN;
}

static void forget_own(struct memo *m)
{
    mem_free(m->own);
    m->own = NULL;
}

enum memo_answer memo_may_write(struct memo *memo, const char *resource_version, uint64_t digest,
                                uint64_t now_ms, uint64_t *delay_ms)
{
    if (equal_or_null(memo->written_on, resource_version)) {
        forget_own(memo); /* its event decides on what is found now */
        return MEMO_AWAIT;
    }
    if (equal_or_null(memo->refused, resource_version))
        return MEMO_AWAIT;
    if (memo->has_applied && memo->applied == digest)
        return may_reassert(memo, now_ms, delay_ms);
    return MEMO_WRITE;
}

void memo_wrote(struct memo *memo, const char *before, const char *after, uint64_t digest)
{
    mem_free(memo->written_on);
    /* an apply that changed nothing leaves the version, and no event follows */
    memo->written_on = strcmp(before, after) == 0 ? NULL : mem_strdup(before);
    forget_own(memo);
    if (memo->written_on != NULL && after[0] != '\0')
        memo->own = mem_strdup(after);
    memo->has_applied = true;
    memo->applied = digest;
}

bool memo_is_own(const struct memo *memo, const char *resource_version)
{
    return equal_or_null(memo->own, resource_version);
}

void memo_refused(struct memo *memo, const char *resource_version)
{
    mem_free(memo->refused);
    memo->refused = mem_strdup(resource_version);
}

bool memo_shorten(struct memo *memo, size_t text_bytes)
{
    if (memo->text_cap_bytes > 0)
        return false;
    memo->text_cap_bytes = text_bytes / 2 + 1;
    return true;
}

uint64_t memo_wait(struct memo *memo, bool is_waiting, uint64_t now_ms)
{
    if (is_waiting && !memo->is_waiting)
        memo->waiting_since_ms = now_ms;
    memo->is_waiting = is_waiting;
    if (!is_waiting || now_ms - memo->waiting_since_ms >= MEMO_UNAVAILABLE_MS)
        return 0;
    return memo->waiting_since_ms + MEMO_UNAVAILABLE_MS - now_ms;
}
