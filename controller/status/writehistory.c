#include "controller/status/writehistory.h"

#include <string.h>

#include "client/base/mem.h"

struct writehistory *writehistory_new(void)
{
    return mem_zalloc(sizeof(struct writehistory));
}

static void clear(struct writehistory *m)
{
    mem_free(m->uid);
    mem_free(m->written_on);
    mem_free(m->expected);
    *m = (struct writehistory){0};
}

void writehistory_free(void *memo)
{
    if (memo == NULL)
        return;
    clear(memo);
    mem_free(memo);
}

void writehistory_expect(struct writehistory *memo, const char *version)
{
    mem_free(memo->expected);
    memo->expected = version == NULL ? NULL : mem_strdup(version);
}

void writehistory_see(struct writehistory *memo, const struct policyview *policy)
{
    if (memo->uid == NULL || strcmp(memo->uid, policy->uid) != 0) {
        clear(memo);
        memo->uid = mem_strdup(policy->uid);
        memo->generation = policy->generation;
    }
    if (memo->generation != policy->generation) {
        memo->generation = policy->generation;
        memo->text_cap_bytes = 0;
        memo->n_shortened = 0;
    }
}

/* Drops the re-asserts that left the window. */
static void age_reasserts(struct writehistory *m, uint64_t now_ms)
{
    uint8_t kept = 0;
    for (uint8_t i = 0; i < m->n_reasserts; i++) {
        if (now_ms - m->reasserts_ms[i] < WRITEHISTORY_REASSERT_WINDOW_MS)
            m->reasserts_ms[kept++] = m->reasserts_ms[i];
    }
    m->n_reasserts = kept;
}

static enum writehistory_answer may_reassert(struct writehistory *m, uint64_t now_ms, uint64_t *delay_ms)
{
    /* the last try held for an hour: peace */
    if (m->quiet_until_ms > 0 && now_ms >= m->quiet_until_ms + WRITEHISTORY_QUIET_MS)
        m->quiet_until_ms = 0;
    if (m->quiet_until_ms > now_ms) {
        *delay_ms = m->quiet_until_ms - now_ms;
        return WRITEHISTORY_LATER;
    }
    if (m->quiet_until_ms > 0) {
        m->quiet_until_ms = now_ms + WRITEHISTORY_QUIET_MS;
        return WRITEHISTORY_WRITE_AGAIN;
    }
    age_reasserts(m, now_ms);
    if (m->n_reasserts == WRITEHISTORY_REASSERTS) {
        m->quiet_until_ms = now_ms + WRITEHISTORY_QUIET_MS;
        *delay_ms = WRITEHISTORY_QUIET_MS;
        return WRITEHISTORY_QUIET;
    }
    m->reasserts_ms[m->n_reasserts++] = now_ms;
    return WRITEHISTORY_WRITE_AGAIN;
}

enum writehistory_answer writehistory_may_write(struct writehistory *memo, const char *resource_version,
                                                uint64_t digest, uint64_t now_ms, uint64_t *delay_ms)
{
    if (memo->written_on != NULL && strcmp(memo->written_on, resource_version) == 0)
        return WRITEHISTORY_AWAIT;
    if (memo->refused_until_ms > now_ms && memo->refused == digest) {
        *delay_ms = memo->refused_until_ms - now_ms;
        return WRITEHISTORY_LATER;
    }
    if (memo->has_applied && memo->applied == digest)
        return may_reassert(memo, now_ms, delay_ms);
    return WRITEHISTORY_WRITE;
}

void writehistory_wrote(struct writehistory *memo, const char *before, const char *after, uint64_t digest)
{
    mem_free(memo->written_on);
    /* an apply that changed nothing leaves the version, and no event follows; nor may one of an answer that
     * cannot be read */
    const bool has_event = after[0] != '\0' && strcmp(before, after) != 0;
    memo->written_on = has_event ? mem_strdup(before) : NULL;
    memo->has_applied = true;
    memo->applied = digest;
    memo->refused_until_ms = 0;
}

void writehistory_refused(struct writehistory *memo, uint64_t digest, uint64_t now_ms)
{
    memo->refused = digest;
    memo->refused_until_ms = now_ms + WRITEHISTORY_REFUSED_MS;
}

bool writehistory_shorten(struct writehistory *memo, size_t text_bytes)
{
    if (memo->n_shortened == WRITEHISTORY_SHORTEN_MAX)
        return false;
    memo->n_shortened++;
    memo->text_cap_bytes = text_bytes / 2 + 1;
    return true;
}
