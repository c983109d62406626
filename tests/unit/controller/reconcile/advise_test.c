#include "controller/reconcile/advise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/due.h"
#include "client/base/mem.h"
#include "controller/observe/metricfamilies.h"
#include "controller/reconcile/forbidden.h"
#include "controller/reconcile/gather.h"
#include "controller/reconcile/worker.h"
#include "tests/unit/controller/fakeapi.h"
#include "tests/unit/controller/scriptedcluster.h"

static struct store *stores[WATCHES_COUNT];
static const char *mutating_version;

const struct store *watches_store(const struct watches *watches, enum watches_id id)
{
    (void)watches;
    return stores[id];
}

const char *watches_version(const struct watches *watches, enum watches_id id)
{
    (void)watches;
    return id == WATCHES_MUTATING_POLICIES ? mutating_version : "v1";
}

/* What is tested, and what it works on */

static struct metrics *metrics;
static struct advise *r;
static unsigned n_wakes;

static void on_wake(void *user)
{
    (void)user;
    n_wakes++;
}

enum { ALL_KINDS = (1u << ADVISEDKIND_COUNT) - 1 };

static void begin(unsigned kinds)
{
    begin_cluster();
    n_wakes = 0;
    fakeapi_begin();
    mutating_version = "v1beta1";
    for (size_t i = 0; i < WATCHES_COUNT; i++)
        stores[i] = store_new(NULL, NULL);
    metrics = metricfamilies_new();
    r = advise_new(&(struct advise_options){.kinds = kinds,
                                            .has_find_params = true,
                                            .types = {.scope = TYPES_FULL, .max_types = 10},
                                            .metrics = metrics,
                                            .on_wake = on_wake});
}

static void end(void)
{
    advise_free(r);
    assert_int_equal(n_holds, 0);
    metrics_free(metrics);
    fakeapi_end();
    for (size_t i = 0; i < n_requires; i++)
        assert_false(requires[i].is_open);
    for (size_t i = 0; i < WATCHES_COUNT; i++)
        store_free(stores[i]);
}

static void drain(void)
{
    for (int i = 0; worker_step(advise_worker(r)) || worker_resume(advise_worker(r)); i++)
        assert_true(i < 1000);
}

static void put(enum advisedkind_id kind, const char *name, const char *text)
{
    struct err err = {0};
    struct store *store = stores[advisedkind_row(kind)->watch];
    assert_int_equal(store_put(store, text, strlen(text), NULL, &err), 0);
    advise_change(r, kind, store_get(store, name), NULL);
}

static void drop(enum advisedkind_id kind, const char *name)
{
    struct err err = {0};
    struct store *store = stores[advisedkind_row(kind)->watch];
    cleanup_mem char *text = mem_printf("{\"metadata\":{\"name\":\"%s\"}}", name);
    const struct store_object before = {.key = name};
    assert_int_equal(store_delete(store, text, strlen(text), NULL, &err), 0);
    advise_change(r, kind, NULL, &before);
}

#define RULES                                                                                                \
    "[{\"apiGroups\":[\"apps\"],\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\"],\"resources\":["        \
    "\"deployments\"]}]"
#define GOOD "object.spec.replicas > 1"
#define BAD  "object.nope > 1"

static void put_webhook(const char *name, const char *uid, const char *version, const char *expression)
{
    cleanup_mem char *text =
        mem_printf("{\"metadata\":{\"name\":\"%s\",\"uid\":\"%s\",\"resourceVersion\":\"%s\"},\"webhooks\":[{"
                   "\"name\":\"w\","
                   "\"rules\":" RULES ",\"matchConditions\":[{\"name\":\"c\",\"expression\":\"%s\"}]}]}",
                   name, uid, version, expression);
    put(ADVISEDKIND_VALIDATING_WEBHOOKS, name, text);
}

static void put_mutating_policy(const char *name, const char *version, const char *expression)
{
    cleanup_mem char *text = mem_printf("{\"metadata\":{\"name\":\"%s\",\"uid\":\"u\",\"resourceVersion\":\"%"
                                        "s\"},\"spec\":{\"matchConstraints\":{"
                                        "\"resourceRules\":" RULES
                                        "},\"matchConditions\":[{\"name\":\"c\",\"expression\":\"%s\"}]}}",
                                        name, version, expression);
    put(ADVISEDKIND_MUTATING_POLICIES, name, text);
}

static bool has(const char *line)
{
    cleanup_mem char *wanted = mem_printf("\n%s\n", line);
    struct buf text;
    buf_init(&text, METRICS_TEXT_CAP_BYTES);
    advise_scrape(r, metrics);
    metrics_render(metrics, &text);
    bool found = strstr(text.data, wanted) != NULL;
    if (!found)
        print_message("no line %s\n", line);
    buf_deinit(&text);
    return found;
}

#define OF_WEBHOOKS(result) "vapcheck_objects{kind=\"ValidatingWebhookConfiguration\",result=\"" result "\"}"

static void test_a_webhook_is_checked(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_webhook("a", "u", "1", BAD);
    put_webhook("b", "u", "1", GOOD);
    drain();
    assert_int_equal(advise_count(r), 2);
    assert_true(has(OF_WEBHOOKS("warnings") " 1"));
    assert_true(has(OF_WEBHOOKS("valid") " 1"));
    assert_true(has("vapcheck_object_warnings{kind=\"ValidatingWebhookConfiguration\",name=\"a\"} 1"));
    assert_true(
        has("vapcheck_object_checks_total{kind=\"ValidatingWebhookConfiguration\",trigger=\"object\"} 2"));
    assert_true(has("workqueue_adds_total{name=\"objects\"} 2"));
    put_webhook("a", "u", "2", GOOD);
    drop(ADVISEDKIND_VALIDATING_WEBHOOKS, "b");
    drain();
    assert_true(has(OF_WEBHOOKS("warnings") " 0"));
    assert_true(has(OF_WEBHOOKS("valid") " 1"));
    end();
}

/* Its documents are asked for once; a change in that turn finds it. */
static void test_documents_are_gathered(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    document_state = OPENAPI_UNKNOWN;
    put_webhook("a", "u", "1", BAD);
    drain();
    assert_int_equal(n_requires, 1);
    assert_true(advise_needs_document(r, "apis/apps/v1"));
    assert_int_equal(advise_count(r), 0);
    document_state = OPENAPI_FRESH;
    gathered(0);
    drain();
    assert_int_equal(advise_count(r), 1);
    assert_true(has(OF_WEBHOOKS("warnings") " 1"));
    /* deleted while it is gathered for */
    document_state = OPENAPI_UNKNOWN;
    put_webhook("b", "u", "1", BAD);
    drain();
    drop(ADVISEDKIND_VALIDATING_WEBHOOKS, "b");
    drain();
    assert_false(requires[1].is_open);
    assert_int_equal(advise_count(r), 1);
    put_webhook("c", "u", "1", BAD);
    drain();
    assert_true(requires[2].is_open);
    end(); /* cancels it */
}

static void test_what_depends_is_checked_again(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_webhook("a", "u", "1", GOOD);
    put_mutating_policy("m", "1", GOOD);
    drain();
    assert_int_equal(advise_count(r), 2);
    advise_on_document(r, "apis/batch/v1");
    advise_on_group(r, "batch");
    drain();
    assert_int_equal(advise_count(r), 2);
    advise_on_document(r, "apis/apps/v1");
    drain();
    assert_int_equal(advise_count(r), 4);
    advise_on_group(r, "apps");
    drain();
    assert_int_equal(advise_count(r), 6);
    advise_on_version(r);
    drain();
    assert_int_equal(advise_count(r), 8);
    assert_true(has("vapcheck_object_checks_total{kind=\"MutatingAdmissionPolicy\",trigger=\"schema\"} 1"));
    assert_true(
        has("vapcheck_object_checks_total{kind=\"MutatingAdmissionPolicy\",trigger=\"resources\"} 1"));
    assert_true(has("vapcheck_object_checks_total{kind=\"MutatingAdmissionPolicy\",trigger=\"version\"} 1"));
    drop(ADVISEDKIND_MUTATING_POLICIES, "m");
    drop(ADVISEDKIND_VALIDATING_WEBHOOKS, "a");
    drain();
    assert_false(advise_needs_document(r, "apis/apps/v1"));
    end();
}

static void test_kinds_that_nobody_asked_for(void **state)
{
    (void)state;
    begin(ADVISEDKIND_BIT(ADVISEDKIND_MUTATING_POLICIES));
    put_webhook("a", "u", "1", BAD);
    put_mutating_policy("m", "1", BAD);
    advise_start(r);
    drain();
    assert_int_equal(advise_count(r), 1);
    assert_true(has("vapcheck_objects{kind=\"MutatingAdmissionPolicy\",result=\"warnings\"} 1"));
    end();
}

/* The schema of a new CRD is on its way. */
static void test_a_schema_to_come_is_waited_for(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    document_state = OPENAPI_ABSENT;
    is_settling = true;
    put_webhook("a", "u", "1", GOOD);
    drain();
    assert_int_equal(n_misses, 1);
    assert_true(has(OF_WEBHOOKS("partly_checked") " 0"));
    assert_int_equal(worker_next_ms(advise_worker(r)) - loop.time, GATHER_SETTLING_MS);
    is_settling = false;
    loop.time += GATHER_SETTLING_MS;
    drain();
    assert_true(has(OF_WEBHOOKS("partly_checked") " 1"));
    end();
}

static void test_kinds_that_go(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_mutating_policy("m", "1", BAD);
    put_webhook("a", "u", "1", BAD);
    drain();
    store_free(stores[WATCHES_MUTATING_POLICIES]);
    stores[WATCHES_MUTATING_POLICIES] = NULL;
    advise_drop(r, ADVISEDKIND_MUTATING_POLICIES);
    drain();
    assert_true(has("vapcheck_objects{kind=\"MutatingAdmissionPolicy\",result=\"warnings\"} 0"));
    assert_true(has(OF_WEBHOOKS("warnings") " 1"));
    end();
}

/* What is read alone */

#define DEFINITION(rule)                                                                                     \
    "{\"metadata\":{\"name\":\"c\",\"uid\":\"u\"},\"spec\":{\"versions\":[{\"name\":\"v1\",\"schema\":{"     \
    "\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":" \
    "{"                                                                                                      \
    "\"size\":{\"type\":\"integer\"}}" rule "}}}}}]}}"
#define RULE(text) ",\"x-kubernetes-validations\":[{\"rule\":\"" text "\"}]"

static void put_definition(const char *name, const char *version)
{
    cleanup_mem char *text = mem_printf(
        "{\"metadata\":{\"name\":\"%s\",\"uid\":\"u\",\"resourceVersion\":\"%s\"}}", name, version);
    put(ADVISEDKIND_CRDS, name, text);
}

static void answer(size_t call, enum err_code code, const char *text)
{
    assert_true(call < n_reads);
    fakeapi_answer(&reads[call], code, 0, code == ERR_NONE ? text : "");
    drain();
}

#define OF_CRDS(result) "vapcheck_objects{kind=\"CustomResourceDefinition\",result=\"" result "\"}"

static void test_a_definition_is_read_and_dropped(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_definition("c", "1");
    drain();
    assert_int_equal(n_reads, 1);
    assert_string_equal(reads[0].path, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/c");
    answer(0, ERR_NONE, DEFINITION(RULE("self.nope > 1")));
    assert_true(has(OF_CRDS("warnings") " 1"));
    put_definition("c", "2");
    drain();
    answer(1, ERR_NONE, DEFINITION(RULE("self.size > 1")));
    assert_true(has(OF_CRDS("valid") " 1"));
    put_definition("c", "3");
    drain();
    answer(2, ERR_NONE, DEFINITION(""));
    assert_true(has(OF_CRDS("valid") " 1"));
    /* text that makes no sense is read again, an object that is gone is forgotten */
    put_definition("c", "4");
    drain();
    answer(3, ERR_NONE, "{");
    assert_true(has(OF_CRDS("valid") " 1"));
    loop.time += WORKQUEUE_BACKOFF_BASE_MS;
    drain();
    answer(4, ERR_NOT_FOUND, NULL);
    assert_true(has(OF_CRDS("valid") " 0"));
    assert_int_equal(advise_count(r), 3);
    end();
}

static void put_definitions(int count)
{
    for (int i = 0; i < count; i++) {
        cleanup_mem char *name = mem_printf("c%d", i);
        put_definition(name, "1");
    }
    drain();
}

/* A definition of many rules, which take more than a slice. */
static char *definition_of(int rules)
{
    struct buf b;
    buf_init(&b, 1024 * 1024);
    buf_puts(&b, ",\"x-kubernetes-validations\":[");
    for (int i = 0; i < rules; i++)
        buf_printf(&b, "%s{\"rule\":\"self.size > %d && [1,2,3].all(x, x + self.size != %d)\"}",
                   i == 0 ? "" : ",", i, i);
    buf_puts(&b, "]");
    char *text =
        mem_printf("{\"metadata\":{\"name\":\"c\",\"uid\":\"u\"},\"spec\":{\"versions\":[{\"name\":\"v1\","
                   "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":"
                   "\"object\",\"properties\":{\"size\":{\"type\":\"integer\"}}%s}}}}}]}}",
                   b.data);
    buf_deinit(&b);
    return text;
}

static void test_a_long_definition_is_checked_in_slices(void **state)
{
    enum { MANY = 3000 };
    (void)state;
    cleanup_mem char *text = definition_of(MANY);
    begin(ALL_KINDS);
    put_definition("c", "1");
    drain();
    fakeapi_answer(&reads[0], ERR_NONE, 0, text);
    assert_true(worker_step(advise_worker(r)));
    assert_int_equal(advise_count(r), 0);
    assert_int_equal(n_holds, 1);
    assert_true(worker_resume(advise_worker(r)));
    /* it changes: what was read is old */
    put_definition("c", "2");
    drain();
    assert_int_equal(n_reads, 2);
    assert_int_equal(n_holds, 0);
    fakeapi_answer(&reads[1], ERR_NONE, 0, text);
    assert_true(worker_step(advise_worker(r)));
    drain();
    assert_int_equal(advise_count(r), 1);
    assert_true(has(OF_CRDS("valid") " 1"));
    /* it goes while it is checked */
    put_definition("c", "3");
    drain();
    fakeapi_answer(&reads[2], ERR_NONE, 0, text);
    assert_true(worker_step(advise_worker(r)));
    drop(ADVISEDKIND_CRDS, "c");
    assert_int_equal(n_holds, 0);
    drain();
    assert_int_equal(advise_count(r), 1);
    end();
}

/* The first answer shows whether objects may be read: until then there is one request. */
static void test_reads_are_few_at_once(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_definitions(10);
    assert_int_equal(n_reads, 1);
    answer(0, ERR_NONE, DEFINITION(""));
    assert_int_equal(n_reads, 1 + ADVISE_READS_MAX);
    answer(1, ERR_NETWORK, NULL);
    assert_int_equal(n_reads, 2 + ADVISE_READS_MAX);
    drop(ADVISEDKIND_CRDS, "c2");
    drain();
    assert_false(reads[2].is_open);
    assert_int_equal(n_reads, 3 + ADVISE_READS_MAX);
    end();
}

/* Time alone brings nothing while as many are read as may be: the end of one wakes. */
static void test_what_is_due_waits_for_a_read(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_definition("c", "1");
    drain();
    answer(0, ERR_NONE, DEFINITION(""));
    put_definitions(ADVISE_READS_MAX + 1);
    answer(1, ERR_NETWORK, NULL);
    assert_int_equal(n_reads, 2 + ADVISE_READS_MAX);
    loop.time += WORKQUEUE_BACKOFF_BASE_MS;
    assert_false(worker_step(advise_worker(r)));
    assert_int_equal(worker_next_ms(advise_worker(r)), DUE_NEVER);
    n_wakes = 0;
    answer(2, ERR_NONE, DEFINITION(""));
    assert_true(n_wakes > 0);
    drain();
    assert_int_equal(n_reads, 3 + ADVISE_READS_MAX);
    assert_int_equal(worker_next_ms(advise_worker(r)), DUE_NEVER);
    end();
}

static void test_reads_that_fail(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_definition("c", "1");
    drain();
    answer(0, ERR_FORBIDDEN, NULL);
    assert_true(advise_is_refused(r, ADVISEDKIND_CRDS));
    assert_false(advise_is_refused(r, ADVISEDKIND_VALIDATING_WEBHOOKS));
    assert_int_equal(worker_next_ms(advise_worker(r)) - loop.time, FORBIDDEN_MS);
    loop.time += FORBIDDEN_MS;
    drain();
    answer(1, ERR_UNAVAILABLE, NULL);
    assert_int_equal(worker_next_ms(advise_worker(r)) - loop.time, WORKQUEUE_BACKOFF_BASE_MS);
    loop.time += WORKQUEUE_BACKOFF_BASE_MS;
    drain();
    answer(2, ERR_NONE, DEFINITION(RULE("self.size > 1")));
    assert_false(advise_is_refused(r, ADVISEDKIND_CRDS));
    assert_true(has(OF_CRDS("valid") " 1"));
    end();
}

/* Without the right one object stands for all. */
static void test_a_right_that_is_missing(void **state)
{
    enum { COUNT = 10, MINUTES = 3, TRIED = 2 };
    (void)state;
    begin(ALL_KINDS);
    put_definitions(COUNT);
    for (size_t i = 0; i < TRIED; i++)
        answer(i, ERR_FORBIDDEN, NULL);
    for (size_t minute = 0; minute < MINUTES; minute++) {
        assert_int_equal(n_reads, TRIED + minute);
        loop.time += FORBIDDEN_MS;
        drain();
        assert_int_equal(n_reads, TRIED + minute + 1);
        answer(TRIED + minute, ERR_FORBIDDEN, NULL);
    }
    loop.time += FORBIDDEN_MS;
    drain();
    for (size_t i = TRIED + MINUTES; advise_is_refused(r, ADVISEDKIND_CRDS); i++)
        answer(i, ERR_NONE, DEFINITION(""));
    assert_int_equal(n_reads, TRIED + MINUTES + COUNT);
    assert_true(has(OF_CRDS("valid") " 10"));
    end();
}

static void test_what_was_refused_and_is_gone(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_definitions(2);
    answer(0, ERR_NONE, DEFINITION(""));
    answer(1, ERR_FORBIDDEN, NULL);
    assert_true(advise_is_refused(r, ADVISEDKIND_CRDS));
    drop(ADVISEDKIND_CRDS, "c1");
    drain();
    assert_false(advise_is_refused(r, ADVISEDKIND_CRDS));
    assert_int_equal(worker_next_ms(advise_worker(r)), DUE_NEVER);
    put_definition("c2", "1");
    drain();
    answer(2, ERR_FORBIDDEN, NULL);
    advise_drop(r, ADVISEDKIND_CRDS);
    assert_false(advise_is_refused(r, ADVISEDKIND_CRDS));
    drain();
    end();
}

/* Parameters of bindings */

static void put_bound_policy(void)
{
    static const char text[] =
        "{\"metadata\":{\"name\":\"p\",\"uid\":\"u\",\"resourceVersion\":\"1\"},\"spec\":{\"paramKind\":{"
        "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\"},\"validations\":[{\"expression\":\"true\"}]}}";
    struct err err = {0};
    assert_int_equal(store_put(stores[WATCHES_POLICIES], text, strlen(text), NULL, &err), 0);
}

static void put_binding(const char *name, const char *version, const char *params)
{
    cleanup_mem char *text = mem_printf(
        "{\"metadata\":{\"name\":\"%s\",\"uid\":\"%s\",\"resourceVersion\":\"%s\"},\"spec\":{\"policyName\":"
        "\"p\",\"paramRef\":{\"name\":\"%s\",\"namespace\":\"n\"}}}",
        name, name, version, params);
    put(ADVISEDKIND_BINDINGS, name, text);
    drain();
}

#define OF_BINDINGS(result)                                                                                  \
    "vapcheck_objects{kind=\"ValidatingAdmissionPolicyBinding\",result=\"" result "\"}"

static void test_parameters_are_looked_for(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_bound_policy();
    put_binding("b", "1", "x");
    assert_int_equal(n_reads, 1);
    assert_string_equal(reads[0].path, "/apis/apps/v1/namespaces/n/deployments/x");
    answer(0, ERR_NONE, "{}");
    assert_true(has(OF_BINDINGS("valid") " 1"));
    /* nobody says when they go: they are looked for again, and what is missing twice is missing */
    assert_int_equal(worker_next_ms(advise_worker(r)) - loop.time, ADVISE_PARAMS_MS);
    loop.time += ADVISE_PARAMS_MS;
    drain();
    answer(1, ERR_NOT_FOUND, NULL);
    assert_true(has(OF_BINDINGS("valid") " 1"));
    loop.time += ADVISE_SETTLE_MS;
    drain();
    answer(2, ERR_NOT_FOUND, NULL);
    assert_true(has(OF_BINDINGS("warnings") " 1"));
    loop.time += ADVISE_PARAMS_MS;
    drain();
    answer(3, ERR_NONE, "{}");
    assert_true(has(OF_BINDINGS("valid") " 1"));
    drop(ADVISEDKIND_BINDINGS, "b");
    drain();
    assert_true(has(OF_BINDINGS("valid") " 0"));
    end();
}

/* The answer is thrown away: it is to another question. */
static void test_a_binding_that_changes_is_asked_for_again(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_bound_policy();
    put_binding("b", "1", "x");
    put_binding("b", "2", "y");
    answer(0, ERR_NOT_FOUND, NULL);
    assert_int_equal(n_reads, 2);
    assert_string_equal(reads[1].path, "/apis/apps/v1/namespaces/n/deployments/y");
    answer(1, ERR_NONE, "{}");
    assert_true(has(OF_BINDINGS("valid") " 1"));
    put_binding("b", "3", "z");
    drop(ADVISEDKIND_BINDINGS, "b");
    drain();
    assert_false(reads[2].is_open);
    end();
}

/* What may not be read is no mistake of the binding's, and holds up nobody else. */
static void test_parameters_that_may_not_be_read(void **state)
{
    (void)state;
    begin(ALL_KINDS);
    put_bound_policy();
    put_binding("b", "1", "x");
    answer(0, ERR_FORBIDDEN, NULL);
    assert_true(has(OF_BINDINGS("valid") " 1"));
    assert_false(advise_is_refused(r, ADVISEDKIND_CRDS));
    put_binding("c", "1", "x");
    answer(1, ERR_UNAVAILABLE, NULL);
    assert_true(has(OF_BINDINGS("valid") " 1"));
    loop.time += WORKQUEUE_BACKOFF_BASE_MS;
    drain();
    answer(2, ERR_NONE, "{}");
    assert_true(has(OF_BINDINGS("valid") " 2"));
    end();
}

/* What is told */

static struct events *events;

static void begin_telling(void)
{
    begin(ALL_KINDS);
    advise_free(r);
    events = events_new(&(struct events_options){.instance = "test"});
    r = advise_new(&(struct advise_options){.kinds = ALL_KINDS,
                                            .types = {.scope = TYPES_FULL, .max_types = 10},
                                            .metrics = metrics,
                                            .events = events,
                                            .on_wake = on_wake});
}

static void end_telling(void)
{
    advise_free(r);
    r = NULL;
    events_free(events);
    end();
}

static void expect_told(size_t index, const char *reason, const char *regarding)
{
    cleanup_mem char *wanted = mem_printf("\"reason\":\"%s\"", reason);
    assert_int_equal(n_creates, index + 1);
    assert_non_null(strstr(creates[index].body, wanted));
    assert_non_null(strstr(creates[index].body, regarding));
}

#define MUTATING_M                                                                                           \
    "\"regarding\":{\"apiVersion\":\"admissionregistration.k8s.io/v1beta1\",\"kind\":"                       \
    "\"MutatingAdmissionPolicy\",\"name\":\"m\",\"uid\":\"u\"}"

/* Two requests are under way at once, so no test tells more than two events. */
static void test_news_is_told(void **state)
{
    (void)state;
    begin_telling();
    put_mutating_policy("m", "1", GOOD);
    drain();
    assert_int_equal(n_creates, 0);
    put_mutating_policy("m", "2", BAD);
    drain();
    expect_told(0, "WarningsFound", MUTATING_M);
    advise_on_version(r);
    drain();
    assert_int_equal(n_creates, 1);
    put_mutating_policy("m", "3", GOOD);
    drain();
    expect_told(1, "WarningsResolved", MUTATING_M);
    end_telling();
}

/* Two objects of one name, one after the other, have nothing to do with each other. */
static void test_a_new_object_is_another(void **state)
{
    (void)state;
    begin_telling();
    put_webhook("a", "u1", "1", BAD);
    drain();
    assert_int_equal(n_creates, 1);
    put_webhook("a", "u2", "2", GOOD);
    drain();
    assert_int_equal(n_creates, 1);
    put_webhook("a", "u3", "3", BAD);
    drain();
    expect_told(1, "WarningsFound", "\"uid\":\"u3\"");
    end_telling();
}

static void test_a_definition_is_told_of(void **state)
{
    (void)state;
    begin_telling();
    put_definition("c", "1");
    drain();
    answer(0, ERR_NONE, DEFINITION(RULE("self.nope > 1")));
    expect_told(0, "WarningsFound",
                "\"note\":\"[refused] 1 finding in 1 rule: spec.validation.openAPIV3Schema.properties[spec]."
                "x-kubernetes-validations[0].rule: undefined field 'nope'\"");
    end_telling();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_webhook_is_checked),
        cmocka_unit_test(test_documents_are_gathered),
        cmocka_unit_test(test_what_depends_is_checked_again),
        cmocka_unit_test(test_kinds_that_nobody_asked_for),
        cmocka_unit_test(test_a_schema_to_come_is_waited_for),
        cmocka_unit_test(test_kinds_that_go),
        cmocka_unit_test(test_a_definition_is_read_and_dropped),
        cmocka_unit_test(test_a_long_definition_is_checked_in_slices),
        cmocka_unit_test(test_reads_are_few_at_once),
        cmocka_unit_test(test_what_is_due_waits_for_a_read),
        cmocka_unit_test(test_reads_that_fail),
        cmocka_unit_test(test_a_right_that_is_missing),
        cmocka_unit_test(test_what_was_refused_and_is_gone),
        cmocka_unit_test(test_parameters_are_looked_for),
        cmocka_unit_test(test_a_binding_that_changes_is_asked_for_again),
        cmocka_unit_test(test_parameters_that_may_not_be_read),
        cmocka_unit_test(test_news_is_told),
        cmocka_unit_test(test_a_new_object_is_another),
        cmocka_unit_test(test_a_definition_is_told_of),
    };
    return cmocka_run_group_tests(tests, make_cluster, drop_cluster);
}
