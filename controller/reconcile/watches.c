#include "controller/reconcile/watches.h"

#include <string.h>
#include <uv.h>

#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/cache/reflector.h"
#include "controller/observe/metricfamilies.h"
#include "controller/status/policysample.h"

/* Says how much depends on a watch: the consequence if it cannot be opened. */
enum need {
    NEED_WORK, /* no work is done */
    NEED_HELP, /* the index of schemas is polled more slowly */
    NEED_FLAG, /* only the check for which a flag asks is not done */
};

enum { NS_PER_MS = 1000 * 1000 };

#define ADMISSION "admissionregistration.k8s.io"

static const char *const v1[] = {"v1", NULL};
static const char *const any_version[] = {"v1", "v1beta1", "v1alpha1", NULL};

static const struct row {
    const char *name, *group, *resource;
    const char *const *versions; /* the first served one is watched; a single one is always served */
    bool is_metadata_only;
    enum need need;
} rows[WATCHES_COUNT] = {
    [WATCHES_POLICIES] = {"policies", ADMISSION, "validatingadmissionpolicies", v1, false, NEED_WORK},
    [WATCHES_BINDINGS] = {"bindings", ADMISSION, "validatingadmissionpolicybindings", v1, false, NEED_WORK},
    [WATCHES_CRDS] = {"crds", "apiextensions.k8s.io", "customresourcedefinitions", v1, true, NEED_HELP},
    [WATCHES_APISERVICES] = {"apiservices", "apiregistration.k8s.io", "apiservices", v1, true, NEED_HELP},
    [WATCHES_VALIDATING_WEBHOOKS] = {"validatingwebhookconfigurations", ADMISSION,
                                     "validatingwebhookconfigurations", v1, false, NEED_FLAG},
    [WATCHES_MUTATING_WEBHOOKS] = {"mutatingwebhookconfigurations", ADMISSION,
                                   "mutatingwebhookconfigurations", v1, false, NEED_FLAG},
    [WATCHES_MUTATING_POLICIES] = {"mutatingadmissionpolicies", ADMISSION, "mutatingadmissionpolicies",
                                   any_version, false, NEED_FLAG},
};

struct entry {
    struct watches *watches;
    enum watches_id id;
    struct reflector *reflector; /* the reflector of the resource; NULL if it is not watched */
    const char *version;         /* the watched version; static */
    bool is_done_without;        /* the work began without this watch, and a log line said so */
    uint64_t refusal_said_ns;    /* uv_hrtime; 0: never */
};

struct watches {
    struct watches_options options;
    struct entry entries[WATCHES_COUNT];
    struct store_budget budget; /* the budget of all their stores */
    bool is_started, is_closing;
    unsigned to_close; /* reflectors, and one more while watches_close begins */
    void (*on_closed)(void *user);
    void *close_user;
};

struct watches *watches_new(const struct watches_options *options)
{
    struct watches *w = mem_zalloc(sizeof *w);
    w->options = *options;
    w->budget.cap_bytes = STORE_BUDGET_BYTES;
    for (size_t i = 0; i < WATCHES_COUNT; i++)
        w->entries[i] = (struct entry){.watches = w, .id = (enum watches_id)i};
    return w;
}

static bool is_wanted(const struct watches *w, enum watches_id id)
{
    if (w->options.is_policies_only)
        return id == WATCHES_POLICIES;
    return rows[id].need != NEED_FLAG || (w->options.asked & WATCHES_BIT(id)) != 0;
}

/* Reflectors */

static void on_change(void *user, const struct store_object *now, const struct store_object *before)
{
    const struct entry *e = user;
    e->watches->options.on_change(e->watches->options.user, e->id, now, before);
}

static void on_synced(void *user)
{
    const struct entry *e = user;
    e->watches->options.on_synced(e->watches->options.user);
}

/* The consequence of a missing right. */
static const char *const without_right[] = {
    [NEED_WORK] = "what is known of them grows old, and nothing new is checked",
    [NEED_HELP] = "new schemas are noticed later, within a minute",
    [NEED_FLAG] = "a flag asks for them, and they are not checked",
};

/* Logs that the right is missing. It is logged again only if the server has sent something about these
 * objects since then. */
static void on_error(void *user, const struct err *err)
{
    struct entry *e = user;
    const struct row *row = &rows[e->id];
    const uint64_t now_ns = uv_hrtime(), silent_ns = reflector_silent_ms(e->reflector) * NS_PER_MS;
    const bool is_said = e->refusal_said_ns > 0 && now_ns - e->refusal_said_ns <= silent_ns;
    if (err->code != ERR_FORBIDDEN || is_said)
        return;
    e->refusal_said_ns = now_ns;
    log_error(row->name, "the account needs the rights to get, list and watch %s of %s: %s: %s",
              row->resource, row->group, without_right[row->need], err->msg);
}

static void begin(struct entry *e, const char *version)
{
    const struct row *row = &rows[e->id];
    cleanup_mem char *path = mem_printf("/apis/%s/%s/%s", row->group, version, row->resource);
    e->version = version;
    e->reflector = reflector_start(e->watches->options.api, &(struct reflector_options){
                                                                .name = row->name,
                                                                .path = path,
                                                                .metadata_only = row->is_metadata_only,
                                                                .budget = &e->watches->budget,
                                                                .sample = policysample,
                                                                .on_change = on_change,
                                                                .on_synced = on_synced,
                                                                .on_error = on_error,
                                                                .user = e,
                                                            });
}

static void closed_one(struct watches *w)
{
    if (--w->to_close > 0 || !w->is_closing)
        return;
    void (*on_closed)(void *user) = w->on_closed;
    void *user = w->close_user;
    mem_free(w);
    on_closed(user);
}

static void on_reflector_closed(void *user)
{
    closed_one(user);
}

static void end(struct entry *e)
{
    if (e->reflector == NULL)
        return;
    e->watches->to_close++;
    reflector_close(e->reflector, on_reflector_closed, e->watches);
    e->reflector = NULL;
    e->version = NULL;
}

void watches_close(struct watches *watches, void (*on_closed)(void *user), void *user)
{
    watches->is_closing = true;
    watches->on_closed = on_closed;
    watches->close_user = user;
    watches->to_close++;
    for (size_t i = 0; i < WATCHES_COUNT; i++)
        end(&watches->entries[i]);
    closed_one(watches);
}

/* Versions */

/* The first of the row's versions that is served; NULL if none is served, as far as is known. */
static const char *find_version(const struct row *row, const struct discovery *discovery)
{
    if (row->versions[1] == NULL)
        return row->versions[0];
    for (const char *const *v = row->versions; *v != NULL; v++) {
        const struct discovery_version *found = discovery_find_version(discovery, row->group, *v);
        if (found != NULL && discovery_find_resource(found, row->resource, NULL) != NULL)
            return *v;
    }
    return NULL;
}

static void follow(struct entry *e, const struct discovery *discovery, bool is_start)
{
    const struct row *row = &rows[e->id];
    const char *version = find_version(row, discovery);
    if (version == e->version && !is_start)
        return;
    if (version == NULL)
        log_warn(row->name, "the server does not serve %s: none is checked until it does", row->name);
    else if (!is_start)
        log_info(row->name, "the server serves %s %s now", row->name, version);
    if (e->reflector != NULL) {
        end(e);
        e->watches->options.on_dropped(e->watches->options.user, e->id);
    }
    if (version != NULL)
        begin(e, version);
}

void watches_start(struct watches *watches, const struct discovery *discovery)
{
    watches->is_started = true;
    for (size_t i = 0; i < WATCHES_COUNT; i++) {
        if (is_wanted(watches, (enum watches_id)i))
            follow(&watches->entries[i], discovery, true);
    }
}

void watches_serve(struct watches *watches, const struct discovery *discovery)
{
    for (size_t i = 0; i < WATCHES_COUNT; i++) {
        if (is_wanted(watches, (enum watches_id)i))
            follow(&watches->entries[i], discovery, false);
    }
}

/* The state of the watches */

static bool has_synced(const struct entry *e)
{
    return e->reflector != NULL && reflector_has_synced(e->reflector);
}

/* Returns true if the reflector recovers from this failure by itself. After ERR_GONE it lists the objects
 * again. */
static bool is_passing(const struct err *err)
{
    return err_is_retriable(err) || err->code == ERR_GONE;
}

/* Returns true if the start need not wait for this watch any longer. A failure that lasts WATCHES_SYNC_MS and
 * does not pass ends the start; if the watch only helps, the work begins without it. */
static bool is_settled(struct entry *e, struct err *err)
{
    const struct row *row = &rows[e->id];
    bool is_needed = row->need == NEED_WORK;
    const struct err *problem = e->reflector == NULL ? NULL : reflector_error(e->reflector);
    if (e->reflector == NULL || row->need == NEED_FLAG || has_synced(e))
        return true;
    if (problem == NULL || reflector_failing_ms(e->reflector) < WATCHES_SYNC_MS)
        return false;
    if (is_needed && (e->watches->options.is_policies_only || !is_passing(problem))) {
        *err = *problem;
        err_prefix(err, "cannot list %s", row->name);
        return false;
    }
    if (!is_needed && !e->is_done_without)
        log_warn(NULL, "continuing without a watch of %s: %s", row->name, problem->msg);
    e->is_done_without = !is_needed;
    return !is_needed;
}

bool watches_are_settled(struct watches *watches, struct err *err)
{
    bool are_settled = true;
    for (size_t i = 0; i < WATCHES_COUNT && err->code == ERR_NONE; i++)
        are_settled = is_settled(&watches->entries[i], err) && are_settled;
    return are_settled && err->code == ERR_NONE;
}

const struct store *watches_store(const struct watches *watches, enum watches_id id)
{
    const struct reflector *r = watches->entries[id].reflector;
    return r == NULL ? NULL : reflector_store(r);
}

const char *watches_version(const struct watches *watches, enum watches_id id)
{
    return watches->entries[id].version;
}

const char *watches_problem(const struct watches *watches, enum watches_id id)
{
    const struct reflector *r = watches->entries[id].reflector;
    const struct err *err = r == NULL ? NULL : reflector_error(r);
    if (r == NULL)
        return watches->is_started ? NULL : "not listed yet";
    if (err != NULL && !is_passing(err))
        return err->msg;
    if (!reflector_has_synced(r))
        return "not listed yet";
    if (reflector_failing_ms(r) >= WATCHES_FAILING_MS)
        return err != NULL ? err->msg : "the API server ends each watch of them at once";
    return reflector_silent_ms(r) > WATCHES_SILENT_MS
               ? "the API server has said nothing of them for more than two minutes"
               : NULL;
}

const char *watches_needed_problem(const struct watches *watches, const char **name)
{
    for (size_t i = 0; i < WATCHES_COUNT; i++) {
        const char *problem = watches_problem(watches, (enum watches_id)i);
        *name = rows[i].name;
        if (rows[i].need == NEED_WORK && is_wanted(watches, (enum watches_id)i) && problem != NULL)
            return problem;
    }
    return NULL;
}

void watches_scrape(const struct watches *watches, struct metrics *metrics)
{
    for (size_t i = 0; i < WATCHES_COUNT; i++) {
        const struct entry *e = &watches->entries[i];
        const char *const *labels = METRICS_LABELS(rows[i].name);
        if (!is_wanted(watches, e->id))
            continue;
        metrics_set(metrics, METRICFAMILIES_STORE_SYNCED, labels, has_synced(e));
        metrics_set(metrics, METRICFAMILIES_STORE_OBJECTS, labels,
                    e->reflector == NULL ? 0 : (double)store_count(reflector_store(e->reflector)));
        if (e->reflector == NULL)
            continue;
        metrics_set(metrics, METRICFAMILIES_STORE_LEFT_OUT, labels,
                    (double)store_left_out(reflector_store(e->reflector)));
        metrics_set(metrics, METRICFAMILIES_STORE_UNREADABLE, labels,
                    (double)reflector_unreadable(e->reflector));
        metrics_set(metrics, METRICFAMILIES_WATCH_SILENT, labels,
                    (double)reflector_silent_ms(e->reflector) / 1000);
        metrics_set(metrics, METRICFAMILIES_WATCH_FAILING, labels,
                    (double)reflector_failing_ms(e->reflector) / 1000);
    }
}
