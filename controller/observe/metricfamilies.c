#include "controller/observe/metricfamilies.h"

#include <stdio.h>

#include "controller/observe/process.h"

/* The first two are the bounds that Kubernetes has, for its queues and its clients. */
static const double queue_bounds[] = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000};
static const double request_bounds[] = {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
static const double check_bounds[] = {1e-4,  2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01,
                                      0.025, 0.05,   0.1,  0.25, 0.5,    1,    2.5};
static const double turn_bounds[] = {1e-4, 1e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};

#define BOUNDS(b) .kind = METRICS_HISTOGRAM, .bounds = (b), .n_bounds = sizeof(b) / sizeof((b)[0])
#define COUNTER   .kind = METRICS_COUNTER
#define GAUGE     .kind = METRICS_GAUGE

#define POLICY_KIND "ValidatingAdmissionPolicy"

enum { KINDS_MAX = 8 }; /* that have findings */

static const struct metrics_family families[METRICFAMILIES_COUNT] = {
    [METRICFAMILIES_QUEUE_ADDS] = {"workqueue_adds_total",
                                   "Policies or other objects that were queued to be checked.", COUNTER,
                                   .labels = {"name"}},
    [METRICFAMILIES_QUEUE_DEPTH] = {"workqueue_depth", "Policies or other objects that wait to be checked.",
                                    GAUGE, .labels = {"name"}},
    [METRICFAMILIES_QUEUE_WAIT] = {"workqueue_queue_duration_seconds",
                                   "How long a key stays in the queue before work on it begins.",
                                   BOUNDS(queue_bounds), .labels = {"name"}},
    [METRICFAMILIES_QUEUE_WORK] = {"workqueue_work_duration_seconds",
                                   "How long the work on a key takes: gathering, checking, writing.",
                                   BOUNDS(queue_bounds), .labels = {"name"}},
    [METRICFAMILIES_QUEUE_UNFINISHED] = {"workqueue_unfinished_work_seconds",
                                         "Seconds of work in progress that work_duration does not count yet; "
                                         "a value that grows steadily means stuck work.",
                                         GAUGE, .labels = {"name"}},
    [METRICFAMILIES_QUEUE_LONGEST] = {"workqueue_longest_running_processor_seconds",
                                      "Seconds since the oldest work in progress began.", GAUGE,
                                      .labels = {"name"}},
    [METRICFAMILIES_QUEUE_RETRIES] = {"workqueue_retries_total",
                                      "Keys whose work was put off to a later time.", COUNTER,
                                      .labels = {"name"}},
    [METRICFAMILIES_REQUESTS] = {"rest_client_requests_total",
                                 "Requests to the API server by status code, method and host; the code is "
                                 "<error> if there was no answer.",
                                 COUNTER, .labels = {"code", "method", "host"}},
    [METRICFAMILIES_REQUEST_TIME] =
        {"rest_client_request_duration_seconds",
         "How long requests to the API server take; the time of a watch ends when it is accepted.",
         BOUNDS(request_bounds), .labels = {"verb", "host"}},
    [METRICFAMILIES_LEADER] = {"leader_election_master_status",
                               "1 while this process holds the Lease of that name, 0 while it stands by.",
                               GAUGE, .labels = {"name"}},
    [METRICFAMILIES_BUILD] = {"vapcheck_build_info", "Always 1; the labels say what is running.", GAUGE,
                              .labels = {"version", "commit"}},
    [METRICFAMILIES_POLICIES] = {"vapcheck_policies", "Policies by the result of their last check.", GAUGE,
                                 .labels = {"result"}},
    [METRICFAMILIES_CONDITIONS] = {"vapcheck_policy_conditions",
                                   "Policies by the status of a condition, as of their last check.", GAUGE,
                                   .labels = {"condition", "status"}},
    [METRICFAMILIES_FINDINGS] =
        {"vapcheck_findings",
         "Findings of the last checks by identifier, as \"kubectl vapcheck explain\" lists them.", GAUGE,
         .labels = {"kind", "id"}, .max_series = (size_t)KINDS_MAX * FINDING_COUNT},
    [METRICFAMILIES_WARNINGS] =
        {"vapcheck_policy_warnings",
         "Expressions with a warning, by policy; a policy without warnings has no series.", GAUGE,
         .labels = {"policy"}, .max_series = 500},
    [METRICFAMILIES_TYPES_CHECKED] = {"vapcheck_types_checked",
                                      "Types that policies were checked against, summed over the policies.",
                                      GAUGE},
    [METRICFAMILIES_TYPES_SKIPPED] = {"vapcheck_types_skipped",
                                      "Parts of policies that could not be checked, by reason: parts of "
                                      "rules and, for LimitReached, expressions for one type.",
                                      GAUGE, .labels = {"reason"}},
    [METRICFAMILIES_CHECKS] =
        {"vapcheck_checks_total",
         "Checks of policies by trigger: a change of the policy, of a binding, of the resources that the "
         "cluster serves, of a schema or of the server's version, or a retry.",
         COUNTER, .labels = {"trigger"}},
    [METRICFAMILIES_CHECK_TIME] = {"vapcheck_check_duration_seconds", "How long the check of a policy takes.",
                                   BOUNDS(check_bounds)},
    [METRICFAMILIES_DISCOVERY_WHOLE] = {"vapcheck_discovery_complete",
                                        "1 if all that the API server serves is known; 0 if a part could not "
                                        "be read, is too large, or is old.",
                                        GAUGE},
    [METRICFAMILIES_SCHEMA_AGE] =
        {"vapcheck_schema_age_seconds",
         "Seconds since the cluster's index of schemas was read, normally up to 60; -1 if it was never read.",
         GAUGE},
    [METRICFAMILIES_WRITES] = {"vapcheck_status_writes_total", "Status writes by the API server's answer.",
                               COUNTER, .labels = {"result"}},
    [METRICFAMILIES_REASSERTS] = {"vapcheck_status_reasserts_total",
                                  "Statuses that somebody else changed, by result: written again "
                                  "(set_right), or left alone for an hour after too many changes (given_up).",
                                  COUNTER, .labels = {"result"}},
    [METRICFAMILIES_LEFT] = {"vapcheck_conditions_left_total",
                             "Checks that left a condition to another manager, which owns it.", COUNTER,
                             .labels = {"condition"}},
    [METRICFAMILIES_FORBIDDEN] = {"vapcheck_status_forbidden",
                                  "Policies whose status the API server forbids to write.", GAUGE},
    [METRICFAMILIES_OBJECTS] = {"vapcheck_objects",
                                "Objects of the kinds that flags ask for, by the result of their last check.",
                                GAUGE, .labels = {"kind", "result"}},
    [METRICFAMILIES_OBJECT_WARNINGS] =
        {"vapcheck_object_warnings",
         "Warnings about objects of the kinds that flags ask for; an object without warnings has no series.",
         GAUGE, .labels = {"kind", "name"}, .max_series = 500},
    [METRICFAMILIES_OBJECT_CHECKS] =
        {"vapcheck_object_checks_total",
         "Checks of objects of the kinds that flags ask for, by trigger: a change of the object, of the "
         "resources that the cluster serves, of a schema or of the server's version, or a retry.",
         COUNTER, .labels = {"kind", "trigger"}},
    [METRICFAMILIES_OBJECT_CHECK_TIME] =
        {"vapcheck_object_check_duration_seconds",
         "How long the check of an object of a kind that a flag asks for takes.", BOUNDS(check_bounds),
         .labels = {"kind"}},
    [METRICFAMILIES_KIND_READABLE] = {"vapcheck_kind_readable",
                                      "1 if the objects of a kind that a flag asks for were read; 0 if they "
                                      "were not read yet, or the API server forbids it.",
                                      GAUGE, .labels = {"kind"}},
    [METRICFAMILIES_EVENTS] =
        {"vapcheck_events_total",
         "Kubernetes Events by result; known ones existed already, limited and dropped ones were not sent.",
         COUNTER, .labels = {"result"}},
    [METRICFAMILIES_STORE_SYNCED] = {"vapcheck_store_synced",
                                     "1 if the resource was listed since the start of the process.", GAUGE,
                                     .labels = {"resource"}},
    [METRICFAMILIES_STORE_OBJECTS] = {"vapcheck_store_objects", "Objects of the resource in the store.",
                                      GAUGE, .labels = {"resource"}},
    [METRICFAMILIES_STORE_LEFT_OUT] =
        {"vapcheck_store_objects_left_out",
         "Objects of the resource that do not fit into the store's memory or are too large: they are "
         "LimitReached.",
         GAUGE, .labels = {"resource"}},
    [METRICFAMILIES_STORE_UNREADABLE] =
        {"vapcheck_store_objects_unreadable_total",
         "How often an object of the resource was left out without its name: too long, or no memory for it.",
         COUNTER, .labels = {"resource"}},
    [METRICFAMILIES_WATCH_SILENT] = {"vapcheck_watch_silent_seconds",
                                     "Seconds since the API server last sent something about the resource: a "
                                     "list, an event, or a bookmark, which it sends about every minute.",
                                     GAUGE, .labels = {"resource"}},
    [METRICFAMILIES_WATCH_FAILING] = {"vapcheck_watch_failing_seconds",
                                      "Seconds since the first failure after which no watch of the resource "
                                      "has worked; 0 if the watch works.",
                                      GAUGE, .labels = {"resource"}},
    [METRICFAMILIES_TURN_TIME] =
        {"vapcheck_loop_turn_duration_seconds",
         "How long the turns of the event loop take; during a turn the process does nothing else.",
         BOUNDS(turn_bounds)},
    [METRICFAMILIES_LONGEST_TURN] = {"vapcheck_loop_longest_turn_seconds",
                                     "How long the longest turn of the event loop since the start took.",
                                     GAUGE},
    [METRICFAMILIES_CPU] = {"process_cpu_seconds_total", "User and system CPU time spent, in seconds.",
                            COUNTER},
    [METRICFAMILIES_RESIDENT] = {"process_resident_memory_bytes", "Resident memory in bytes.", GAUGE},
    [METRICFAMILIES_HEAP] =
        {"vapcheck_heap_bytes",
         "Heap memory in use, in bytes: it grows with policies and schemas, not with time.", GAUGE},
    [METRICFAMILIES_VIRTUAL] = {"process_virtual_memory_bytes", "Virtual memory in bytes.", GAUGE},
    [METRICFAMILIES_VIRTUAL_MAX] = {"process_virtual_memory_max_bytes",
                                    "Limit of virtual memory in bytes; -1 if there is no limit.", GAUGE},
    [METRICFAMILIES_OPEN_FDS] = {"process_open_fds", "Open file descriptors.", GAUGE},
    [METRICFAMILIES_MAX_FDS] = {"process_max_fds", "Limit of open file descriptors.", GAUGE},
    [METRICFAMILIES_START_TIME] = {"process_start_time_seconds",
                                   "Start of the process, in seconds since 1970.", GAUGE},
};

/* The name of a write's result, by its error; errors that all requests have in common (the network, the
 * server) are "failed". */
static const struct {
    enum err_code code;
    const char *name;
} write_results[] = {
    {ERR_NONE, "applied"},        {ERR_NOT_FOUND, "not_found"}, {ERR_CONFLICT, "conflict"},
    {ERR_FORBIDDEN, "forbidden"}, {ERR_THROTTLED, "throttled"}, {ERR_LIMIT, "too_large"},
    {ERR_INVALID, "invalid"},     {ERR_INTERNAL, "failed"},
};

enum { N_WRITE_RESULTS = sizeof write_results / sizeof write_results[0] };

/* A counter that is there before it counts: else its first increase is lost to those who ask for rates. */
static void show(struct metrics *m, enum metricfamilies family, const char *label)
{
    metrics_add(m, family, METRICS_LABELS(label), 0);
}

struct metrics *metricfamilies_new(void)
{
    struct metrics *m = metrics_new(families, METRICFAMILIES_COUNT);
    metrics_set(m, METRICFAMILIES_BUILD, METRICS_LABELS(VAPCHECK_VERSION, VAPCHECK_COMMIT), 1);
    for (size_t i = 0; i < N_WRITE_RESULTS; i++)
        show(m, METRICFAMILIES_WRITES, write_results[i].name);
    for (size_t i = 0; i < CONDITIONS_MAX; i++)
        show(m, METRICFAMILIES_LEFT, conditions_policy_type(i));
    show(m, METRICFAMILIES_REASSERTS, METRICFAMILIES_SET_RIGHT);
    show(m, METRICFAMILIES_REASSERTS, METRICFAMILIES_GIVEN_UP);
    return m;
}

void metricfamilies_read_process(struct metrics *metrics)
{
    struct process_usage usage;
    process_read(&usage);
    const struct {
        enum metricfamilies family;
        double value;
    } rows[] = {
        {METRICFAMILIES_CPU, usage.cpu_seconds},
        {METRICFAMILIES_RESIDENT, usage.resident_bytes},
        {METRICFAMILIES_HEAP, usage.heap_bytes},
        {METRICFAMILIES_VIRTUAL, usage.virtual_bytes},
        {METRICFAMILIES_VIRTUAL_MAX, usage.virtual_max_bytes},
        {METRICFAMILIES_OPEN_FDS, usage.open_fds},
        {METRICFAMILIES_MAX_FDS, usage.max_fds},
        {METRICFAMILIES_START_TIME, usage.start_time_seconds},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        metrics_set(metrics, rows[i].family, NULL, rows[i].value);
}

void metricfamilies_read_queue(const struct metricfamilies_queue *observed, uint64_t now_ms)
{
    struct metrics *metrics = observed->metrics;
    const struct workqueue *queue = observed->queue;
    const char *const *labels = METRICS_LABELS(observed->name);
    uint64_t longest_ms;
    uint64_t unfinished_ms = workqueue_unfinished_ms(queue, now_ms, &longest_ms);
    metrics_set(metrics, METRICFAMILIES_QUEUE_DEPTH, labels, (double)workqueue_depth(queue));
    metrics_set(metrics, METRICFAMILIES_QUEUE_UNFINISHED, labels, (double)unfinished_ms / 1e3);
    metrics_set(metrics, METRICFAMILIES_QUEUE_LONGEST, labels, (double)longest_ms / 1e3);
}

static void add_warned(void *user, const char *policy, size_t warnings)
{
    metrics_add(user, METRICFAMILIES_WARNINGS, METRICS_LABELS(policy), (double)warnings);
}

/* All there can be: one that is not found is 0. */
static void read_findings(struct metrics *metrics, const char *kind, const struct policystats_sums *sums)
{
    for (size_t i = 0; i < FINDING_COUNT; i++)
        metrics_set(metrics, METRICFAMILIES_FINDINGS, METRICS_LABELS(kind, finding_pages[i].id),
                    (double)sums->findings[i]);
}

static void read_conditions(struct metrics *metrics, const struct policystats_sums *sums)
{
    for (size_t i = 0; i < CONDITIONS_MAX; i++) {
        for (int answer = POLICYSTATS_TRUE; answer < POLICYSTATS_N_ANSWERS; answer++)
            metrics_set(metrics, METRICFAMILIES_CONDITIONS,
                        METRICS_LABELS(conditions_policy_type(i),
                                       policystats_answer_name((enum policystats_answer)answer)),
                        (double)sums->answers[i][answer]);
    }
}

void metricfamilies_read_tally(struct metrics *metrics, const struct policystats *tally)
{
    struct policystats_sums sums = policystats_sums(tally);
    for (int i = 0; i < POLICYSTATS_N_RESULTS; i++)
        metrics_set(metrics, METRICFAMILIES_POLICIES,
                    METRICS_LABELS(policystats_result_name((enum policystats_result)i)),
                    (double)sums.policies[i]);
    for (int i = 0; i < TYPES_N_REASONS; i++)
        metrics_set(metrics, METRICFAMILIES_TYPES_SKIPPED,
                    METRICS_LABELS(conditions_reason_name((enum types_reason)i)), (double)sums.skipped[i]);
    metrics_set(metrics, METRICFAMILIES_TYPES_CHECKED, NULL, (double)sums.types);
    read_conditions(metrics, &sums);
    read_findings(metrics, POLICY_KIND, &sums);
    metrics_clear(metrics, METRICFAMILIES_WARNINGS);
    policystats_each_warned(tally, add_warned, metrics);
}

/* The object's kind, and where it is counted. */
struct warned_kind {
    struct metrics *metrics;
    const char *kind;
};

static void add_warned_object(void *user, const char *name, size_t warnings)
{
    const struct warned_kind *w = user;
    metrics_add(w->metrics, METRICFAMILIES_OBJECT_WARNINGS, METRICS_LABELS(w->kind, name), (double)warnings);
}

void metricfamilies_begin_objects(struct metrics *metrics)
{
    metrics_clear(metrics, METRICFAMILIES_OBJECT_WARNINGS);
}

void metricfamilies_read_objects(struct metrics *metrics, const char *kind, const struct policystats *tally)
{
    struct policystats_sums sums = policystats_sums(tally);
    struct warned_kind warned = {metrics, kind};
    for (int i = 0; i < POLICYSTATS_N_RESULTS; i++)
        metrics_set(metrics, METRICFAMILIES_OBJECTS,
                    METRICS_LABELS(kind, policystats_result_name((enum policystats_result)i)),
                    (double)sums.policies[i]);
    read_findings(metrics, kind, &sums);
    policystats_each_warned(tally, add_warned_object, &warned);
}

static void on_add(void *user)
{
    const struct metricfamilies_queue *q = user;
    metrics_add(q->metrics, METRICFAMILIES_QUEUE_ADDS, METRICS_LABELS(q->name), 1);
}

static void on_retry(void *user)
{
    const struct metricfamilies_queue *q = user;
    metrics_add(q->metrics, METRICFAMILIES_QUEUE_RETRIES, METRICS_LABELS(q->name), 1);
}

static void on_take(void *user, uint64_t waited_ms)
{
    const struct metricfamilies_queue *q = user;
    metrics_observe(q->metrics, METRICFAMILIES_QUEUE_WAIT, METRICS_LABELS(q->name), (double)waited_ms / 1e3);
}

static void on_done(void *user, uint64_t worked_ms)
{
    const struct metricfamilies_queue *q = user;
    metrics_observe(q->metrics, METRICFAMILIES_QUEUE_WORK, METRICS_LABELS(q->name), (double)worked_ms / 1e3);
}

void metricfamilies_observe_queue(struct metricfamilies_queue *out, struct metrics *metrics,
                                  struct workqueue *queue, const char *name)
{
    *out = (struct metricfamilies_queue){metrics, queue, name};
    metrics_add(metrics, METRICFAMILIES_QUEUE_ADDS, METRICS_LABELS(name), 0);
    metrics_add(metrics, METRICFAMILIES_QUEUE_RETRIES, METRICS_LABELS(name), 0);
    workqueue_observe(queue, &(struct workqueue_observer){on_add, on_retry, on_take, on_done, out});
}

void metricfamilies_count_exchange(struct metrics *metrics, const struct api_exchange *exchange)
{
    char code[16] = "<error>";
    if (exchange->status != 0)
        snprintf(code, sizeof code, "%d", exchange->status);
    metrics_add(metrics, METRICFAMILIES_REQUESTS, METRICS_LABELS(code, exchange->method, exchange->host), 1);
    metrics_observe(metrics, METRICFAMILIES_REQUEST_TIME, METRICS_LABELS(exchange->verb, exchange->host),
                    (double)exchange->duration_ms / 1e3);
}

void metricfamilies_count_write(struct metrics *metrics, const struct err *err)
{
    enum err_code code = err == NULL ? ERR_NONE : err->code;
    size_t i = 0;
    while (i < N_WRITE_RESULTS - 1 && write_results[i].code != code)
        i++;
    metrics_add(metrics, METRICFAMILIES_WRITES, METRICS_LABELS(write_results[i].name), 1);
}
