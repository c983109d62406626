#include "controller/overview.h"

static bool is_cluster_read(const struct overview *r)
{
    return cluster_schemas_ms(r->cluster) > 0;
}

static bool is_asked(const struct overview *r, enum advisedkind_id kind)
{
    return (r->kinds & ADVISEDKIND_BIT(kind)) != 0;
}

/* Why objects of a kind that a flag asks for are not checked; NULL: they are. */
static const char *kind_problem(const struct overview *r, enum advisedkind_id kind)
{
    const char *problem = watches_problem(r->watches, advisedkind_row(kind)->watch);
    if (problem != NULL)
        return problem;
    return r->advise != NULL && advise_is_refused(r->advise, kind) ? "the API server forbids to get them"
                                                                   : NULL;
}

void overview_scrape(const struct overview *r, struct metrics *metrics)
{
    double age = -1; /* never read */
    watches_scrape(r->watches, metrics);
    if (is_cluster_read(r))
        age = (double)(r->now_ms - cluster_schemas_ms(r->cluster)) / 1e3;
    metrics_set(metrics, METRICFAMILIES_SCHEMA_AGE, NULL, age);
    metrics_set(metrics, METRICFAMILIES_DISCOVERY_WHOLE, NULL,
                is_cluster_read(r) && discovery_is_whole(cluster_discovery(r->cluster)));
    metricfamilies_read_queue(r->queue, r->now_ms);
    if (r->election != NULL)
        metrics_set(metrics, METRICFAMILIES_LEADER, METRICS_LABELS(r->lease_name),
                    election_is_leader(r->election));
    if (r->reconcile != NULL) {
        metricfamilies_read_tally(metrics, reconcile_stats(r->reconcile));
        metrics_set(metrics, METRICFAMILIES_FORBIDDEN, NULL, (double)reconcile_forbidden(r->reconcile));
    }
    for (size_t i = 0; i < ADVISEDKIND_COUNT; i++) {
        const char *name = advisedkind_row((enum advisedkind_id)i)->object->name;
        if (is_asked(r, (enum advisedkind_id)i))
            metrics_set(metrics, METRICFAMILIES_KIND_READABLE, METRICS_LABELS(name),
                        kind_problem(r, (enum advisedkind_id)i) == NULL);
    }
    if (r->advise != NULL)
        advise_scrape(r->advise, metrics);
}

/* Kinds that flags ask for must be served, too; policies are checked meanwhile. */
static void add_kinds(const struct overview *r, struct health *health)
{
    const struct advisedkind *row = NULL;
    const char *problem = NULL;
    for (size_t i = 0; i < ADVISEDKIND_COUNT && problem == NULL; i++) {
        if (is_asked(r, (enum advisedkind_id)i)) {
            row = advisedkind_row((enum advisedkind_id)i);
            problem = kind_problem(r, (enum advisedkind_id)i);
        }
    }
    if (row != NULL)
        health_add(health, "kinds", false, problem == NULL, "%s, for %s: %s", row->object->resource,
                   row->flag, problem);
}

void overview_health(const struct overview *r, struct health *health)
{
    const char *name = NULL, *unread = watches_needed_problem(r->watches, &name);
    size_t forbidden = r->reconcile == NULL ? 0 : reconcile_forbidden(r->reconcile);
    health_add(health, "cluster", false, is_cluster_read(r),
               "the server's version, resources and schemas were not all read yet");
    health_add(health, "stores", false, unread == NULL, "%s: %s", name, unread);
    health_add(health, "writes", false, forbidden == 0, "the API server forbids the status of %zu polic%s",
               forbidden, forbidden == 1 ? "y" : "ies");
    add_kinds(r, health);
    if (r->election != NULL) {
        health_add(health, "leaderElection", true, election_is_healthy(r->election),
                   "the lease was not renewed in time");
        const char *problem = election_problem(r->election);
        health_add(health, "lease", false, problem == NULL, "%s", problem);
    }
    health_add(health, "shutdown", false, !r->is_stopping, "the process is ending");
}
