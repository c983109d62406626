#include "controller/overview.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"

/* The parts, as the test has them. */
static uint64_t schemas_ms;
static const char *unread, *problems[WATCHES_COUNT];
static bool is_refused[ADVISEDKIND_COUNT], is_leader, is_renewed;
static const char *lease_problem;
static struct policystats *stats;
static unsigned n_reviews;

uint64_t cluster_schemas_ms(const struct cluster *cluster)
{
    (void)cluster;
    return schemas_ms;
}

static const struct discovery whole = {.n_groups = 0}, in_part = {.partial = "a part"};
static const struct discovery *served = &whole;

const struct discovery *cluster_discovery(const struct cluster *cluster)
{
    (void)cluster;
    return served;
}

void watches_scrape(const struct watches *watches, struct metrics *metrics)
{
    (void)watches, (void)metrics;
}

const char *watches_needed_problem(const struct watches *watches, const char **name)
{
    (void)watches;
    *name = "bindings";
    return unread;
}

const char *watches_problem(const struct watches *watches, enum watches_id id)
{
    (void)watches;
    return problems[id];
}

bool election_is_leader(const struct election *election)
{
    (void)election;
    return is_leader;
}

bool election_is_healthy(const struct election *election)
{
    (void)election;
    return is_renewed;
}

const char *election_problem(const struct election *election)
{
    (void)election;
    return lease_problem;
}

static size_t n_forbidden;

size_t reconcile_forbidden(const struct reconcile *reconcile)
{
    (void)reconcile;
    return n_forbidden;
}

const struct policystats *reconcile_stats(const struct reconcile *reconcile)
{
    (void)reconcile;
    return stats;
}

bool advise_is_refused(const struct advise *review, enum advisedkind_id kind)
{
    (void)review;
    return is_refused[kind];
}

void advise_scrape(const struct advise *review, struct metrics *metrics)
{
    (void)review, (void)metrics;
    n_reviews++;
}

/* Parts that only these see, which ask them nothing. */
static char part;

static struct metrics *metrics;
static struct metricfamilies_queue queue;

static struct overview begin(unsigned kinds)
{
    schemas_ms = 1000;
    unread = NULL;
    memset(problems, 0, sizeof problems);
    memset(is_refused, 0, sizeof is_refused);
    is_leader = is_renewed = true;
    lease_problem = NULL;
    n_reviews = 0;
    stats = policystats_new();
    metrics = metricfamilies_new();
    queue = (struct metricfamilies_queue){metrics, workqueue_new(), "policies"};
    return (struct overview){.now_ms = 61000,
                             .queue = &queue,
                             .election = (void *)&part,
                             .lease_name = "l",
                             .reconcile = (void *)&part,
                             .advise = (void *)&part,
                             .kinds = kinds};
}

static void end(void)
{
    workqueue_free(queue.queue);
    metrics_free(metrics);
    policystats_free(stats);
}

static void expect_line(const char *line, bool is_there)
{
    cleanup_mem char *wanted = mem_printf("\n%s\n", line);
    struct buf text;
    buf_init(&text, METRICS_TEXT_CAP_BYTES);
    metrics_render(metrics, &text);
    assert_int_equal(strstr(text.data, wanted) != NULL, is_there);
    buf_deinit(&text);
}

/* What /readyz/NAME answers; NULL: ok. */
static void expect_health(const struct overview *r, const char *name, const char *why)
{
    struct health h = {0};
    struct buf text;
    buf_init(&text, HEALTH_TEXT_BYTES);
    overview_health(r, &h);
    int status = health_render(&h, HEALTH_READY, &(struct health_query){.name = name}, &text);
    assert_int_equal(status, why == NULL ? 200 : 500);
    if (why != NULL)
        assert_non_null(strstr(text.data, why));
    buf_deinit(&text);
}

static void test_gauges(void **state)
{
    (void)state;
    struct overview r =
        begin(ADVISEDKIND_BIT(ADVISEDKIND_CRDS) | ADVISEDKIND_BIT(ADVISEDKIND_VALIDATING_WEBHOOKS));
    problems[WATCHES_VALIDATING_WEBHOOKS] = "no";
    problems[WATCHES_MUTATING_WEBHOOKS] = "nobody asked";
    overview_scrape(&r, metrics);
    expect_line("vapcheck_schema_age_seconds 60", true);
    expect_line("vapcheck_discovery_complete 1", true);
    expect_line("leader_election_master_status{name=\"l\"} 1", true);
    expect_line("vapcheck_kind_readable{kind=\"CustomResourceDefinition\"} 1", true);
    expect_line("vapcheck_kind_readable{kind=\"ValidatingWebhookConfiguration\"} 0", true);
    expect_line("vapcheck_kind_readable{kind=\"MutatingWebhookConfiguration\"} 0", false);
    served = &in_part;
    overview_scrape(&r, metrics);
    expect_line("vapcheck_discovery_complete 0", true);
    served = &whole;
    assert_int_equal(n_reviews, 2);
    is_refused[ADVISEDKIND_CRDS] = true;
    overview_scrape(&r, metrics);
    expect_line("vapcheck_kind_readable{kind=\"CustomResourceDefinition\"} 0", true);
    end();
    r = begin(0);
    schemas_ms = 0;
    r.election = NULL;
    r.reconcile = NULL;
    r.advise = NULL;
    overview_scrape(&r, metrics);
    expect_line("vapcheck_schema_age_seconds -1", true);
    expect_line("vapcheck_discovery_complete 0", true);
    assert_int_equal(n_reviews, 0);
    end();
}

static void test_health(void **state)
{
    (void)state;
    struct overview r =
        begin(ADVISEDKIND_BIT(ADVISEDKIND_CRDS) | ADVISEDKIND_BIT(ADVISEDKIND_MUTATING_POLICIES));
    expect_health(&r, "", NULL);
    schemas_ms = 0;
    expect_health(&r, "cluster", "not all read yet");
    unread = "not listed yet";
    expect_health(&r, "stores", "bindings: not listed yet");
    n_forbidden = 1;
    expect_health(&r, "writes", "the status of 1 policy");
    is_renewed = false;
    expect_health(&r, "leaderElection", "not renewed");
    lease_problem = "the namespace ns of the Lease does not exist";
    expect_health(&r, "lease", "lease failed: the namespace ns of the Lease does not exist");
    r.is_stopping = true;
    expect_health(&r, "shutdown", "ending");
    expect_health(&r, "kinds", NULL);
    problems[WATCHES_VALIDATING_WEBHOOKS] = "nobody asked";
    expect_health(&r, "kinds", NULL);
    problems[WATCHES_MUTATING_POLICIES] = "we say no";
    expect_health(&r, "kinds", "mutatingadmissionpolicies, for --watch-mutating-policies: we say no");
    problems[WATCHES_MUTATING_POLICIES] = NULL;
    is_refused[ADVISEDKIND_CRDS] = true;
    expect_health(&r, "kinds",
                  "customresourcedefinitions, for --watch-crds: the API server forbids to get them");
    end();
}

/* Without a flag there is no such check, and without an election none of the lease. */
static void test_what_is_not_there(void **state)
{
    (void)state;
    struct overview r = begin(0);
    struct health h = {0};
    r.election = NULL;
    overview_health(&r, &h);
    for (size_t i = 0; i < h.count; i++) {
        assert_string_not_equal(h.items[i].name, "kinds");
        assert_string_not_equal(h.items[i].name, "lease");
    }
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gauges),
        cmocka_unit_test(test_health),
        cmocka_unit_test(test_what_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
