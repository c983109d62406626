#include "controller/reconcile/gather.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/hash.h"
#include "client/base/mem.h"
#include "controller/findings/conditions.h"
#include "controller/reconcile/checkedobject.h"

static bool is_read(const struct openapi *openapi, const char *path)
{
    enum openapi_state state;
    openapi_lookup(openapi, path, &state);
    return state == OPENAPI_FRESH || state == OPENAPI_ABSENT || state == OPENAPI_TOO_LARGE;
}

bool gather_is_complete(const struct openapi *openapi, const struct check *check)
{
    for (size_t i = 0; i < check_path_count(check); i++) {
        if (!is_read(openapi, check_paths(check)[i]))
            return false;
    }
    return true;
}

/* Many policies of `*` wait for a thousand documents each, so the paths themselves would take megabytes. If
 * two of them have one hash, which nobody can prepare, a document is not asked for, and the check waits for
 * it. */
static uint64_t hash_of(const char *path)
{
    return hash_text(path, strlen(path));
}

static int compare_hashes(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
    return (one > two) - (one < two);
}

static bool was_asked(const struct gather *g, uint64_t hash)
{
    return g->n_asked != 0 && bsearch(&hash, g->asked, g->n_asked, sizeof hash, compare_hashes) != NULL;
}

/* Notes the documents that were neither read nor asked for. Returns false if there are none. */
static bool note_missing(struct gather *g, const struct openapi *openapi, const char *const *paths,
                         size_t count)
{
    size_t n = g->n_asked;
    for (size_t i = 0; i < count; i++) {
        const uint64_t hash = hash_of(paths[i]);
        if (is_read(openapi, paths[i]) || was_asked(g, hash))
            continue;
        if (n == g->n_asked)
            g->asked = mem_realloc(g->asked, n + count, sizeof *g->asked);
        g->asked[n++] = hash;
    }
    const bool has_missing = n > g->n_asked;
    if (has_missing)
        qsort(g->asked, n, sizeof *g->asked, compare_hashes);
    g->n_asked = n;
    return has_missing;
}

static void on_gathered(void *user)
{
    struct gather *g = user;
    g->call = NULL;
    g->on_done(g->user);
}

bool gather_start(struct gather *gather, struct openapi *openapi, const struct check *check,
                  void (*on_done)(void *user), void *user)
{
    const char *const *paths = check_paths(check);
    const size_t count = check_path_count(check);
    if (!note_missing(gather, openapi, paths, count))
        return false;
    gather->on_done = on_done;
    gather->user = user;
    gather->call = openapi_require(openapi, paths, count, on_gathered, gather);
    return true;
}

void gather_deinit(struct gather *gather)
{
    openapi_cancel(gather->call);
    gather->call = NULL;
    mem_free(gather->asked);
    gather->asked = NULL;
    gather->n_asked = 0;
}

const struct schema *gather_lookup(void *openapi, const char *path, enum openapi_state *state)
{
    return openapi_lookup(openapi, path, state);
}

/* Returns how long to wait before the answer of a check that waits for a group (or does not) counts; 0 if it
 * counts now. */
static uint64_t wait_ms(struct gather_patience *p, bool is_waiting, uint64_t now_ms)
{
    if (is_waiting && !p->is_waiting)
        p->since_ms = now_ms;
    p->is_waiting = is_waiting;
    if (!is_waiting || now_ms - p->since_ms >= GATHER_PATIENCE_MS)
        return 0;
    return p->since_ms + GATHER_PATIENCE_MS - now_ms;
}

uint64_t gather_wait_ms(struct cluster *cluster, struct gather_patience *patience,
                        const struct check_result *result, uint64_t now_ms)
{
    /* the schema of a new CRD is published after its discovery */
    for (size_t i = 0; i < result->n_missing; i++)
        cluster_miss(cluster, result->missing[i]);
    const bool is_settling =
        cluster_is_settling(cluster) && checkedobject_has_problem(result, TYPES_SCHEMA_NOT_FOUND);
    const uint64_t ms = wait_ms(patience, is_settling || conditions_is_waiting(result), now_ms);
    return is_settling && ms > GATHER_SETTLING_MS ? GATHER_SETTLING_MS : ms;
}
