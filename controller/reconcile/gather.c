#include "controller/reconcile/gather.h"

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

/* Returns true if this document was neither read nor asked for. */
static bool is_missing(const struct gather *g, const struct openapi *openapi, const char *path)
{
    return !is_read(openapi, path) && keymap_get(&g->asked, path) == NULL;
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
    static char asked;
    const char *const *paths = check_paths(check);
    size_t count = check_path_count(check);
    bool has_missing = false;
    for (size_t i = 0; i < count; i++) {
        if (is_missing(gather, openapi, paths[i])) {
            has_missing = true;
            keymap_put(&gather->asked, paths[i], &asked);
        }
    }
    if (!has_missing)
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
    keymap_deinit(&gather->asked, NULL);
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
