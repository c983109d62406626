#include "controller/reconcile/reconcile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/due.h"
#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/fielderrors.h"
#include "controller/reconcile/forbidden.h"
#include "controller/reconcile/gather.h"
#include "controller/status/writehistory.h"
#include "tests/unit/controller/reconciled.h"

static struct events *events;

static void begin(size_t max_writes, bool is_release)
{
    events = events_new(&(struct events_options){.instance = "test"});
    begin_reconcile(
        &(struct reconcile_options){.is_release = is_release, .max_writes = max_writes, .events = events},
        NULL);
}

static void end(void)
{
    end_reconcile();
    events_free(events);
}

/* status: JSON text, and our managedFields with it (NULL: none). */
static void put(const char *name, const char *uid, const char *version, const char *expression,
                const char *status, const char *managed_fields)
{
    struct err err = {0};
    cleanup_mem char *text = mem_printf(
        "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":\"ValidatingAdmissionPolicy\","
        "\"metadata\":{\"name\":\"%s\",\"uid\":\"%s\",\"resourceVersion\":\"%s\",\"generation\":1,"
        "\"managedFields\":[%s]},\"spec\":{\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"apps\"]"
        ","
        "\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\"],\"resources\":[\"deployments\"]}]},"
        "\"validations\":[{\"expression\":\"%s\"}]},\"status\":%s}",
        name, uid, version, managed_fields == NULL ? "" : managed_fields, expression,
        status == NULL ? "{}" : status);
    assert_int_equal(store_put(policies, text, strlen(text), NULL, &err), 0);
    reconcile_add(r, name, RECONCILE_POLICY);
}

static void drop(const char *name)
{
    struct err err = {0};
    cleanup_mem char *text = mem_printf("{\"metadata\":{\"name\":\"%s\"}}", name);
    assert_int_equal(store_delete(policies, text, strlen(text), NULL, &err), 0);
    reconcile_cancel(r, name);
    reconcile_add(r, name, RECONCILE_POLICY);
}

static void answer(size_t call, enum err_code code, int retry_after_ms)
{
    assert_true(call < n_applies);
    fakeapi_answer(&applies[call], code, retry_after_ms, "{\"metadata\":{\"resourceVersion\":\"after\"}}");
}

/* The key comes again after delay_ms and no sooner. */
static void expect_due_after(uint64_t delay_ms)
{
    assert_int_equal(worker_next_ms(reconcile_worker(r)) - loop.time, delay_ms);
}

static void expect_nothing_due(void)
{
    drain();
    assert_int_equal(worker_next_ms(reconcile_worker(r)), DUE_NEVER);
}

#define GOOD "object.spec.replicas > 1"
#define BAD  "object.nope > 1"

static void test_a_policy_is_checked_and_written(void **state)
{
    (void)state;
    begin(8, false);
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    assert_int_equal(n_applies, 1);
    assert_string_equal(applies[0].path,
                        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/p/status");
    assert_non_null(strstr(applies[0].body, "\"uid\":\"u\",\"resourceVersion\":\"5\""));
    assert_non_null(strstr(applies[0].body, "undefined field 'nope'"));
    assert_non_null(strstr(applies[0].body, "\"NoBinding\""));
    answer(0, ERR_NONE, 0);
    assert_int_equal(reconcile_counts(r).written, 1);
    /* the version that was written on is not written on again */
    reconcile_add(r, "p", RECONCILE_POLICY);
    drain();
    assert_int_equal(n_applies, 1);
    expect_nothing_due();
    end();
}

/* What another version changes is written once, and is no reason to write again. */
static void test_the_next_version(void **state)
{
    (void)state;
    events = events_new(&(struct events_options){.instance = "test"});
    begin_reconcile(&(struct reconcile_options){.max_writes = 8, .events = events, .also_check = 37}, NULL);
    put("changes", "u", "5", "object.spec == 'a'", NULL, NULL);
    drain();
    assert_non_null(strstr(applies[0].body, "\"reason\":\"ChangesFound\""));
    assert_non_null(strstr(applies[0].body, "on Kubernetes 1.37: spec.validations[0].expression (apps/v1 "
                                            "Deployment): found no matching overload"));
    answer(0, ERR_NONE, 0);
    reconcile_add(r, "changes", RECONCILE_POLICY);
    drain();
    assert_int_equal(n_applies, 1);
    put("same", "v", "5", GOOD, NULL, NULL);
    put("refused", "w", "5", "duration(1) == duration(2)", NULL, NULL);
    drain();
    assert_int_equal(n_applies, 3);
    assert_non_null(strstr(applies[1].body, "\"reason\":\"NoChange\""));
    assert_null(strstr(applies[1].body, "managedFields: "));
    assert_non_null(strstr(applies[2].body, "spec.validations[0].expression: refused: compilation failed: "));
    answer(1, ERR_NONE, 0);
    answer(2, ERR_NONE, 0);
    expect_nothing_due();
    end();
}

/* Of a server that is as new nothing is said of the next. */
static void test_the_next_version_is_this_one(void **state)
{
    (void)state;
    events = events_new(&(struct events_options){.instance = "test"});
    begin_reconcile(&(struct reconcile_options){.max_writes = 8, .events = events, .also_check = 36}, NULL);
    put("p", "u", "5", "duration(1) == duration(2)", NULL, NULL);
    drain();
    assert_non_null(strstr(applies[0].body, "\"reason\":\"NotChecked\""));
    answer(0, ERR_NONE, 0);
    end();
}

static void test_a_changed_policy_waits_for_its_write(void **state)
{
    (void)state;
    begin(8, false);
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    put("p", "u", "6", GOOD, NULL, NULL);
    drain();
    assert_int_equal(n_applies, 1);
    answer(0, ERR_CONFLICT, 0);
    drain();
    assert_int_equal(n_applies, 2);
    assert_non_null(strstr(applies[1].body, "\"resourceVersion\":\"6\""));
    assert_non_null(strstr(applies[1].body, "\"NoWarnings\""));
    answer(1, ERR_NONE, 0);
    end();
}

static void test_documents_are_gathered_first(void **state)
{
    (void)state;
    begin(8, false);
    document_state = OPENAPI_UNKNOWN;
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    assert_int_equal(n_applies, 0);
    assert_int_equal(n_requires, 1);
    /* the policy changes meanwhile: it is checked as it is when the documents are there */
    put("p", "u", "6", GOOD, NULL, NULL);
    drain();
    document_state = OPENAPI_FRESH;
    gathered(0);
    drain();
    assert_int_equal(n_requires, 1);
    assert_int_equal(n_applies, 1);
    assert_non_null(strstr(applies[0].body, "\"resourceVersion\":\"6\""));
    answer(0, ERR_NONE, 0);
    end();
}

/* What cannot be read is waited for half a minute, then said. */
static void test_documents_that_cannot_be_read(void **state)
{
    (void)state;
    begin(8, false);
    document_state = OPENAPI_UNKNOWN;
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    gathered(0);
    drain();
    assert_int_equal(n_applies, 0);
    expect_due_after(30000);
    loop.time += 30000;
    drain();
    gathered(1);
    drain();
    assert_int_equal(n_applies, 1);
    assert_non_null(strstr(applies[0].body, "\"ClusterUnavailable\""));
    answer(0, ERR_NONE, 0);
    end();
}

/* Discovery has the new CRD already, its schema comes a moment later. */
static void test_a_schema_that_is_to_come_soon(void **state)
{
    (void)state;
    begin(8, false);
    is_settling = true;
    document_state = OPENAPI_ABSENT;
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    expect_due_after(GATHER_SETTLING_MS);
    loop.time += GATHER_SETTLING_MS;
    drain();
    assert_int_equal(n_applies, 0);
    is_settling = false;
    loop.time += GATHER_SETTLING_MS;
    drain();
    assert_int_equal(n_applies, 1);
    assert_non_null(strstr(applies[0].body, "\"SchemaNotFound\""));
    assert_int_equal(n_misses, 3); /* the cluster was told each time */
    answer(0, ERR_NONE, 0);
    end();
}

static void test_deleted_policies_are_canceled(void **state)
{
    (void)state;
    begin(8, false);
    put("writing", "u", "5", BAD, NULL, NULL);
    drain();
    document_state = OPENAPI_UNKNOWN;
    put("gathering", "v", "6", BAD, NULL, NULL);
    drain();
    document_state = OPENAPI_FRESH;
    drop("writing");
    drop("gathering");
    assert_false(applies[0].is_open);
    assert_false(requires[0].is_open);
    expect_nothing_due();
    assert_int_equal(workqueue_in_work(queue), 0);
    end();
}

static void test_recreated_policies_are_written_again(void **state)
{
    (void)state;
    begin(8, false);
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    answer(0, ERR_NONE, 0);
    drop("p");
    drain();
    put("p", "v", "5", BAD, NULL, NULL);
    drain();
    assert_int_equal(n_applies, 2);
    assert_non_null(strstr(applies[1].body, "\"uid\":\"v\""));
    answer(1, ERR_NONE, 0);
    end();
}

/* The first answer shows whether writes are allowed: until then there is one. */
static void test_writes_in_flight_are_limited(void **state)
{
    (void)state;
    char name[16];
    begin(3, false);
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "p%d", i);
        put(name, "u", "5", BAD, NULL, NULL);
    }
    drain();
    assert_int_equal(n_applies, 1);
    assert_int_equal(worker_next_ms(reconcile_worker(r)), DUE_NEVER);
    answer(0, ERR_NONE, 0);
    drain();
    assert_int_equal(n_applies, 4);
    answer(2, ERR_NONE, 0);
    drain();
    assert_int_equal(n_applies, 5);
    for (size_t i = 1; i < 10; i++) {
        if (i != 2)
            answer(i, ERR_NONE, 0);
        drain();
    }
    assert_int_equal(n_applies, 10);
    end();
}

static void test_throttling_rests_all_writes(void **state)
{
    (void)state;
    begin(8, false);
    put("a", "u", "5", BAD, NULL, NULL);
    drain();
    answer(0, ERR_THROTTLED, 7000);
    put("b", "u", "5", BAD, NULL, NULL);
    drain();
    assert_int_equal(n_applies, 1);
    expect_due_after(7000);
    loop.time += 5; /* of its own a's next try would come now */
    drain();
    assert_int_equal(n_applies, 1);
    expect_due_after(6995);
    loop.time += 6995;
    drain();
    assert_int_equal(n_applies, 2);
    answer(1, ERR_NONE, 0);
    drain();
    assert_int_equal(n_applies, 3);
    answer(2, ERR_NONE, 0);
    end();
}

/* Each failure has its way. delay_ms 0: nothing comes by itself. */
static void expect_after(enum err_code code, uint64_t delay_ms, bool is_counted)
{
    begin(8, false);
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    answer(0, code, 0);
    drain();
    assert_int_equal(n_applies, 1);
    if (delay_ms == 0) {
        expect_nothing_due();
        put("p", "u", "6", BAD, NULL, NULL);
    } else {
        expect_due_after(delay_ms);
        loop.time += delay_ms;
    }
    /* a second failure that is waited for longer shows that the first one counted */
    drain();
    answer(1, ERR_NETWORK, 0);
    expect_due_after(is_counted ? 10 : 5);
    loop.time += is_counted ? 10 : 5;
    drain();
    answer(2, ERR_NONE, 0);
    put("p", "u", "7", BAD, NULL, NULL);
    drain();
    answer(3, ERR_NETWORK, 0);
    expect_due_after(5);
    loop.time += 5;
    drain();
    answer(4, ERR_NONE, 0);
    end();
}

static void test_failures_have_their_ways(void **state)
{
    (void)state;
    expect_after(ERR_NOT_FOUND, 0, false);
    expect_after(ERR_CONFLICT, 5, true);
    expect_after(ERR_FORBIDDEN, FORBIDDEN_MS, false);
    expect_after(ERR_INVALID, WRITEHISTORY_REFUSED_MS, false);
    expect_after(ERR_NETWORK, 5, true);
    expect_after(ERR_UNAVAILABLE, 5, true);
    expect_after(ERR_UNAUTHORIZED, 5, true);
}

/* An event comes before the backoff is over. */
static void test_an_event_ends_a_backoff(void **state)
{
    (void)state;
    begin(8, false);
    put("p", "u", "5", BAD, NULL, NULL);
    for (size_t i = 0; i < 4; i++) {
        drain();
        answer(i, ERR_CONFLICT, 0);
        expect_due_after((uint64_t)5 << i);
        loop.time += (uint64_t)5 << i;
    }
    drain();
    answer(4, ERR_CONFLICT, 0);
    put("p", "u", "6", BAD, NULL, NULL);
    drain();
    assert_int_equal(n_applies, 6);
    answer(5, ERR_NONE, 0);
    end();
}

static void test_failures_back_off(void **state)
{
    (void)state;
    begin(8, false);
    put("p", "u", "5", BAD, NULL, NULL);
    for (size_t i = 0; i < 5; i++) {
        drain();
        answer(i, ERR_NETWORK, 0);
        expect_due_after((uint64_t)5 << i);
        loop.time += (uint64_t)5 << i;
    }
    end();
}

/* Another one is tried at once, the same in ten minutes, whatever else of the policy changes. */
static void test_an_invalid_status_is_tried_again(void **state)
{
    (void)state;
    begin(8, false);
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    answer(0, ERR_INVALID, 0);
    assert_int_equal(reconcile_counts(r).refused, 1);
    reconcile_add(r, "p", RECONCILE_POLICY);
    put("p", "u", "6", BAD, NULL, NULL);
    drain();
    assert_int_equal(n_applies, 1);
    assert_int_equal(reconcile_forbidden(r), 0);
    put("p", "u", "7", GOOD, NULL, NULL);
    drain();
    assert_int_equal(n_applies, 2);
    answer(1, ERR_INVALID, 0);
    drain();
    loop.time += WRITEHISTORY_REFUSED_MS - 1;
    drain();
    assert_int_equal(n_applies, 2);
    loop.time += 1;
    drain();
    assert_int_equal(n_applies, 3);
    answer(2, ERR_NONE, 0);
    end();
}

/* To half, and again; then the policy's backoff. */
static void test_too_large_is_shortened(void **state)
{
    (void)state;
    cleanup_mem char *expression = mem_printf("object.nope > 1 || '%0*d' == 'x'", 4000, 0);
    begin(8, false);
    put("p", "u", "5", expression, NULL, NULL);
    for (size_t i = 0; i <= WRITEHISTORY_SHORTEN_MAX; i++) {
        drain();
        assert_int_equal(n_applies, i + 1);
        if (i > 0) {
            assert_true(strlen(applies[i].body) < strlen(applies[i - 1].body));
            assert_non_null(strstr(applies[i].body, "...\\n\"}]"));
            assert_non_null(strstr(applies[i].body, "expressionWarnings are cut"));
        }
        answer(i, ERR_LIMIT, 0);
    }
    assert_null(strstr(applies[0].body, "expressionWarnings are cut"));
    drain();
    assert_int_equal(n_applies, 1 + WRITEHISTORY_SHORTEN_MAX);
    expect_due_after(5);
    /* the first time it is reported */
    assert_int_equal(n_creates, 1);
    end();
}

#define OURS                                                                                                 \
    "{\"manager\":\"vapcheck-controller\",\"operation\":\"Apply\",\"subresource\":\"status\","               \
    "\"fieldsV1\":{\"f:status\":{\"f:observedGeneration\":{}}}}"

/* Somebody overwrites what we wrote, each time under a new version. */
static void test_nobody_is_fought(void **state)
{
    (void)state;
    char version[24];
    begin(8, false);
    for (size_t i = 0; i < 6; i++) {
        snprintf(version, sizeof version, "%zu", i);
        put("p", "u", version, BAD, NULL, OURS);
        drain();
        assert_int_equal(n_applies, i + 1);
        answer(i, ERR_NONE, 0);
    }
    put("p", "u", "6", BAD, NULL, OURS);
    drain();
    assert_int_equal(n_applies, 6);
    expect_due_after(60 * 60 * 1000);
    loop.time += 60 * 60 * 1000;
    drain();
    assert_int_equal(n_applies, 7);
    answer(6, ERR_NONE, 0);
    end();
}

static void test_release(void **state)
{
    (void)state;
    begin(8, true);
    put("mine", "u", "5", BAD, NULL, OURS);
    put("other", "u", "5", BAD, NULL, NULL);
    drain();
    assert_int_equal(n_applies, 1);
    assert_null(strstr(applies[0].body, "\"status\""));
    answer(0, ERR_FORBIDDEN, 0);
    assert_int_equal(reconcile_counts(r).refused, 1);
    expect_nothing_due();
    end();
}

/* A controller that still runs writes again what is given up: the release ends, and says so. */
static void test_a_release_fights_nobody(void **state)
{
    (void)state;
    char version[24];
    begin(8, true);
    for (size_t i = 0; i < 1 + RECONCILE_RELEASE_REASSERTS; i++) {
        snprintf(version, sizeof version, "%zu", i);
        put("mine", "u", version, BAD, NULL, OURS);
        drain();
        assert_int_equal(n_applies, i + 1);
        answer(i, ERR_NONE, 0);
    }
    for (size_t i = 0; i < 2; i++) {
        snprintf(version, sizeof version, "again%zu", i);
        put("mine", "u", version, BAD, NULL, OURS);
        drain();
        assert_int_equal(n_applies, 1 + RECONCILE_RELEASE_REASSERTS);
        assert_int_equal(reconcile_counts(r).contested, 1);
        expect_nothing_due();
    }
    end();
}

static void note_stopped(void *user)
{
    *(bool *)user = true;
}

static void test_stopping_lets_writes_end(void **state)
{
    (void)state;
    bool is_stopped = false;
    begin(8, false);
    put("a", "u", "5", BAD, NULL, NULL);
    drain();
    put("b", "u", "5", BAD, NULL, NULL);
    assert_false(worker_stop(reconcile_worker(r), note_stopped, &is_stopped));
    drain();
    assert_int_equal(n_applies, 1);
    assert_false(is_stopped);
    answer(0, ERR_NONE, 0);
    assert_true(is_stopped);
    end();

    begin(8, false);
    assert_true(worker_stop(reconcile_worker(r), note_stopped, &is_stopped));
    end();
}

static void note_key(void *user, const char *key)
{
    *(const char **)user = key;
}

static void test_dependencies_are_known(void **state)
{
    (void)state;
    const char *key = NULL;
    begin(8, false);
    document_state = OPENAPI_UNKNOWN;
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    dependents_visit_path(dependents, "apis/apps/v1", note_key, &key);
    assert_string_equal(key, "p");
    key = NULL;
    dependents_visit_group(dependents, "apps", note_key, &key);
    assert_string_equal(key, "p");
    drop("p");
    drain();
    key = NULL;
    dependents_visit_group(dependents, "apps", note_key, &key);
    assert_null(key);
    end();
}

static void expect_told(size_t index, const char *type, const char *reason)
{
    cleanup_mem char *wanted = mem_printf("\"type\":\"%s\",\"reason\":\"%s\"", type, reason);
    assert_true(index < n_creates);
    assert_non_null(strstr(creates[index].body, wanted));
    assert_non_null(strstr(creates[index].body, "\"name\":\"p\",\"uid\":\"u\""));
}

/* Once it is written, and never for what the status says already. */
static void test_news_is_told_when_it_is_written(void **state)
{
    (void)state;
    begin(8, false);
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    assert_int_equal(n_creates, 0);
    answer(0, ERR_CONFLICT, 0);
    assert_int_equal(n_creates, 0);
    put("p", "u", "6", BAD, NULL, NULL);
    drain();
    answer(1, ERR_NONE, 0);
    assert_int_equal(n_creates, 1);
    expect_told(0, "Warning", "WarningsFound");
    assert_non_null(strstr(creates[0].body,
                           "\"note\":\"[undefined-field] 1 of 1 expression: spec.validations[0].expression"));
    /* the watch brings what was written, with one field that is not ours */
    put("p", "u", "7", GOOD,
        "{\"conditions\":[{\"type\":\"ExpressionsValid\",\"status\":\"False\",\"reason\":\"WarningsFound\","
        "\"message\":\"old\"}]}",
        NULL);
    drain();
    answer(2, ERR_NONE, 0);
    assert_int_equal(n_creates, 2);
    expect_told(1, "Normal", "WarningsResolved");
    end();
}

/* What the stores' memory has no room for is said by an Event, too, once. */
static void test_what_is_left_out_is_told(void **state)
{
    enum { CAP_BYTES = 2000, LONG = STORE_PACKED_BYTES };
    struct store_budget budget = {.cap_bytes = CAP_BYTES};
    cleanup_mem char *long_expression = mem_printf("%*s", LONG, GOOD);
    (void)state;
    begin(8, false);
    store_set_budget(policies, &budget);
    put("p", "u", "5", long_expression, NULL, NULL);
    assert_int_equal(store_get(policies, "p")->left_out, STORE_NO_ROOM);
    drain();
    assert_non_null(strstr(applies[0].body, "\"LimitReached\""));
    assert_int_equal(n_creates, 0);
    answer(0, ERR_NONE, 0);
    assert_int_equal(n_creates, 1);
    expect_told(0, "Warning", "LimitReached");
    assert_non_null(strstr(creates[0].body, "\"note\":\"[limit-reached] the object was not kept: "));
    put("p", "u", "6", long_expression,
        "{\"conditions\":[{\"type\":\"TypeChecked\",\"status\":\"False\",\"reason\":\"LimitReached\"}]}",
        NULL);
    drain();
    if (n_applies > 1)
        answer(1, ERR_NONE, 0);
    assert_int_equal(n_creates, 1);
    end();
}

/* Only its name is known: what was applied stands, and is applied once for a generation. */
static void test_a_policy_that_is_too_long(void **state)
{
    (void)state;
    begin(8, false);
    for (int i = 0; i < 4; i++) {
        struct jsonmeta meta;
        struct err err;
        cleanup_mem char *head =
            mem_printf("{\"metadata\":{\"name\":\"p\",\"uid\":\"u\",\"resourceVersion\":\"%d\","
                       "\"generation\":%d,\"labels\":{\"x",
                       i + 5, i < 3 ? 1 : 2);
        jsonmeta_read_head(&meta, head, strlen(head));
        assert_int_equal(store_put_long(policies, &meta, &err), 0);
        reconcile_add(r, "p", RECONCILE_POLICY);
        drain();
        assert_int_equal(n_applies, i < 3 ? 1 : 2);
        if (i == 0 || i == 3) {
            assert_non_null(strstr(applies[n_applies - 1].body, "\"LimitReached\""));
            assert_non_null(strstr(applies[n_applies - 1].body, "its JSON text is too long"));
            answer(n_applies - 1, ERR_NONE, 0);
            drain();
        }
    }
    end();
}

static void test_a_refused_write_is_told_once(void **state)
{
    (void)state;
    begin(8, false);
    put("p", "u", "5", GOOD, NULL, NULL);
    for (size_t i = 0; i < 3; i++) {
        drain();
        answer(i, ERR_FORBIDDEN, 0);
        loop.time += FORBIDDEN_MS;
    }
    assert_int_equal(n_creates, 1);
    expect_told(0, "Warning", "StatusForbidden");
    assert_int_equal(reconcile_forbidden(r), 1);
    drain();
    answer(3, ERR_NONE, 0);
    assert_int_equal(reconcile_forbidden(r), 0);
    assert_int_equal(n_creates, 1);
    end();
}

/* Without the right one policy stands for all: the others are checked, and send nothing. */
static void test_a_right_that_is_missing(void **state)
{
    enum { COUNT = 8, MINUTES = 3, TRIED = 2 };
    (void)state;
    begin(COUNT, false);
    for (int i = 0; i < COUNT; i++) {
        cleanup_mem char *name = mem_printf("p%d", i);
        put(name, "u", "5", GOOD, NULL, NULL);
    }
    for (size_t i = 0; i < TRIED; i++) {
        drain();
        assert_int_equal(n_applies, i + 1);
        answer(i, ERR_FORBIDDEN, 0);
    }
    for (size_t minute = 0; minute < MINUTES; minute++) {
        drain();
        assert_int_equal(n_applies, TRIED + minute);
        assert_int_equal(reconcile_forbidden(r), COUNT);
        loop.time += FORBIDDEN_MS;
        drain();
        assert_int_equal(n_applies, TRIED + minute + 1);
        answer(TRIED + minute, ERR_FORBIDDEN, 0);
    }
    assert_int_equal(n_creates, TRIED);
    /* changes, of a policy or of the cluster, send nothing either */
    put("p7", "u", "6", GOOD, NULL, NULL);
    reconcile_add(r, "p6", RECONCILE_SCHEMA);
    drain();
    assert_int_equal(n_applies, TRIED + MINUTES);
    loop.time += FORBIDDEN_MS;
    drain();
    answer(TRIED + MINUTES, ERR_NONE, 0);
    drain();
    /* and all the others: the last refusal is a minute ago */
    assert_int_equal(n_applies, TRIED + MINUTES + COUNT);
    for (size_t i = TRIED + MINUTES + 1; i < n_applies; i++)
        answer(i, ERR_NONE, 0);
    assert_int_equal(reconcile_forbidden(r), 0);
    expect_nothing_due();
    end();
}

/* Only those are counted that are refused, or wait for those. */
static void test_a_refused_write_that_ends_otherwise(void **state)
{
    (void)state;
    begin(8, false);
    put("p", "u", "5", BAD, NULL, NULL);
    drain();
    answer(0, ERR_FORBIDDEN, 0);
    put("q", "u", "5", GOOD, NULL, NULL);
    drain();
    answer(1, ERR_FORBIDDEN, 0);
    assert_int_equal(reconcile_forbidden(r), 2);
    drop("q");
    drain();
    assert_int_equal(reconcile_forbidden(r), 1);
    loop.time += FORBIDDEN_MS;
    drain();
    answer(2, ERR_INVALID, 0);
    assert_int_equal(reconcile_forbidden(r), 0);
    reconcile_add(r, "p", RECONCILE_SCHEMA);
    drain();
    assert_int_equal(n_applies, 3);
    assert_int_equal(reconcile_forbidden(r), 0);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_policy_is_checked_and_written),
        cmocka_unit_test(test_the_next_version),
        cmocka_unit_test(test_the_next_version_is_this_one),
        cmocka_unit_test(test_a_changed_policy_waits_for_its_write),
        cmocka_unit_test(test_documents_are_gathered_first),
        cmocka_unit_test(test_documents_that_cannot_be_read),
        cmocka_unit_test(test_a_schema_that_is_to_come_soon),
        cmocka_unit_test(test_deleted_policies_are_canceled),
        cmocka_unit_test(test_recreated_policies_are_written_again),
        cmocka_unit_test(test_writes_in_flight_are_limited),
        cmocka_unit_test(test_throttling_rests_all_writes),
        cmocka_unit_test(test_failures_have_their_ways),
        cmocka_unit_test(test_failures_back_off),
        cmocka_unit_test(test_an_event_ends_a_backoff),
        cmocka_unit_test(test_an_invalid_status_is_tried_again),
        cmocka_unit_test(test_too_large_is_shortened),
        cmocka_unit_test(test_nobody_is_fought),
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_a_release_fights_nobody),
        cmocka_unit_test(test_stopping_lets_writes_end),
        cmocka_unit_test(test_dependencies_are_known),
        cmocka_unit_test(test_news_is_told_when_it_is_written),
        cmocka_unit_test(test_what_is_left_out_is_told),
        cmocka_unit_test(test_a_policy_that_is_too_long),
        cmocka_unit_test(test_a_refused_write_is_told_once),
        cmocka_unit_test(test_a_right_that_is_missing),
        cmocka_unit_test(test_a_refused_write_that_ends_otherwise),
    };
    return cmocka_run_group_tests(tests, make_cluster, drop_cluster);
}
