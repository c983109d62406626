#include "controller/status/writehistory.h"

#include <string.h>

#include "client/base/mem.h"

struct writehistory *writehistory_new(void)
{
    return mem_zalloc(sizeof(struct writehistory));
}

static void clear(struct writehistory *history)
{
    mem_free(history->uid);
    mem_free(history->written_on);
    mem_free(history->expected);
    *history = (struct writehistory){0};
}

void writehistory_free(void *history)
{
    if (history == NULL)
        return;
    clear(history);
    mem_free(history);
}

void writehistory_expect(struct writehistory *history, const char *version)
{
    mem_free(history->expected);
    history->expected = version == NULL ? NULL : mem_strdup(version);
}

void writehistory_see(struct writehistory *history, const struct policyview *policy)
{
    if (history->uid == NULL || strcmp(history->uid, policy->uid) != 0) {
        clear(history);
        history->uid = mem_strdup(policy->uid);
        history->generation = policy->generation;
    }
    if (history->generation != policy->generation) {
        history->generation = policy->generation;
        history->text_cap_bytes = 0;
        history->n_shortened = 0;
    }
}

/* Drops the re-asserts that left the window. */
static void age_reasserts(struct writehistory *history, uint64_t now_ms)
{
    uint8_t kept = 0;
    for (uint8_t i = 0; i < history->n_reasserts; i++) {
        if (now_ms - history->reasserts_ms[i] < WRITEHISTORY_REASSERT_WINDOW_MS)
            history->reasserts_ms[kept++] = history->reasserts_ms[i];
    }
    history->n_reasserts = kept;
}

static enum writehistory_answer may_reassert(struct writehistory *history, uint64_t now_ms,
                                             uint64_t *delay_ms)
{
    /* The last write was not overwritten for an hour: the other writer has stopped. */
    if (history->quiet_until_ms > 0 && now_ms >= history->quiet_until_ms + WRITEHISTORY_QUIET_MS)
        history->quiet_until_ms = 0;
    if (history->quiet_until_ms > now_ms) {
        *delay_ms = history->quiet_until_ms - now_ms;
        return WRITEHISTORY_LATER;
    }
    if (history->quiet_until_ms > 0) {
        history->quiet_until_ms = now_ms + WRITEHISTORY_QUIET_MS;
        return WRITEHISTORY_WRITE_AGAIN;
    }
    age_reasserts(history, now_ms);
    if (history->n_reasserts == WRITEHISTORY_REASSERTS) {
        history->quiet_until_ms = now_ms + WRITEHISTORY_QUIET_MS;
        *delay_ms = WRITEHISTORY_QUIET_MS;
        return WRITEHISTORY_QUIET;
    }
    history->reasserts_ms[history->n_reasserts++] = now_ms;
    return WRITEHISTORY_WRITE_AGAIN;
}

enum writehistory_answer writehistory_may_write(struct writehistory *history, const char *resource_version,
                                                uint64_t digest, uint64_t now_ms, uint64_t *delay_ms)
{
    if (history->written_on != NULL && strcmp(history->written_on, resource_version) == 0)
        return WRITEHISTORY_AWAIT;
    if (history->refused_until_ms > now_ms && history->refused == digest) {
        *delay_ms = history->refused_until_ms - now_ms;
        return WRITEHISTORY_LATER;
    }
    if (writehistory_has_applied(history, digest))
        return may_reassert(history, now_ms, delay_ms);
    return WRITEHISTORY_WRITE;
}

bool writehistory_has_applied(const struct writehistory *history, uint64_t digest)
{
    return history->has_applied && history->applied == digest;
}

void writehistory_wrote(struct writehistory *history, const char *before, const char *after, uint64_t digest)
{
    mem_free(history->written_on);
    /* After an apply that changed nothing, the version stays, and no event follows. If the answer could not
     * be read, the version is not known, and the event could not be recognized. */
    const bool has_event = after[0] != '\0' && strcmp(before, after) != 0;
    history->written_on = has_event ? mem_strdup(before) : NULL;
    history->has_applied = true;
    history->applied = digest;
    history->refused_until_ms = 0;
}

void writehistory_refused(struct writehistory *history, uint64_t digest, uint64_t now_ms)
{
    history->refused = digest;
    history->refused_until_ms = now_ms + WRITEHISTORY_REFUSED_MS;
}

bool writehistory_shorten(struct writehistory *history, size_t text_bytes)
{
    if (history->n_shortened == WRITEHISTORY_SHORTEN_MAX)
        return false;
    history->n_shortened++;
    history->text_cap_bytes = text_bytes / 2 + 1;
    return true;
}
