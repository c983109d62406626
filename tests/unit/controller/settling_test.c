/* Whatever order events and answers come in, the status ends as it should be, and nothing is written at rest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/due.h"
#include "tests/unit/controller/reconciled.h"

#include "tests/unit/controller/policyserver.h"

#define GOOD "object.spec.replicas > 1"
#define BAD  "object.nope > 1"

static struct store *binding_store;

/* As the daemon does with the changes of its stores. */
static void on_policy(void *user, const struct store_object *now, const struct store_object *before)
{
    (void)user;
    if (now == NULL || (before != NULL && strcmp(now->uid, before->uid) != 0))
        reconcile_cancel(r, POLICY);
    reconcile_add(r, POLICY, RECONCILE_POLICY);
}

static void on_flip(void *user, const char *policy)
{
    (void)user;
    if (store_get(policies, policy) != NULL)
        reconcile_add(r, policy, RECONCILE_BINDING);
}

static void on_binding(void *user, const struct store_object *now, const struct store_object *before)
{
    (void)user;
    bindings_change(bindings, now, before, on_flip, NULL);
}

static void begin(void)
{
    begin_reconcile(&(struct reconcile_options){.max_writes = 8}, on_policy);
    binding_store = store_new(on_binding, NULL);
}

static void end(void)
{
    assert_int_equal(n_creates + n_reads, 0);
    end_reconcile();
    server_reset();
    store_mute(binding_store);
    store_free(binding_store);
}

static void put_or_delete(struct store *store, const char *text, bool is_there)
{
    struct err err = {0};
    assert_int_equal(is_there ? store_put(store, text, strlen(text), NULL, &err)
                              : store_delete(store, text, strlen(text), NULL, &err),
                     0);
}

/* The watches' next event arrives. */
static void deliver(void)
{
    static int binding_version;
    const struct server_event *e = &server.events[server.n_delivered++];
    if (e->is_binding) {
        cleanup_mem char *text =
            mem_printf("{\"metadata\":{\"name\":\"b\",\"uid\":\"b\",\"resourceVersion\":\"%d\"},"
                       "\"spec\":{\"policyName\":\"" POLICY "\"}}",
                       ++binding_version);
        put_or_delete(binding_store, text, e->is_bound);
    } else {
        put_or_delete(policies, e->text == NULL ? "{\"metadata\":{\"name\":\"" POLICY "\"}}" : e->text,
                      e->text != NULL);
    }
}

static void deliver_all(void)
{
    while (server.n_delivered < server.n_events)
        deliver();
    drain();
}

static void gather_all(void)
{
    for (size_t i = 0; i < n_requires; i++) {
        if (requires[i].is_open)
            gathered(i);
    }
}

/* Everything arrives, every request is taken, and time passes as long as something is due. */
static void settle(void)
{
    enum { ROUNDS = 400 };
    document_state = OPENAPI_FRESH;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n_calls = n_applies;
        gather_all();
        deliver_all();
        for (size_t i = 0; i < n_calls; i++) {
            if (!server.decisions[i].has_arrived)
                server_arrive(i, ERR_NONE, 0);
            if (applies[i].is_open)
                server_answer(i, false);
        }
        drain();
        if (server.n_delivered < server.n_events || n_applies > n_calls)
            continue;
        const uint64_t due_ms = worker_next_ms(reconcile_worker(r));
        if (due_ms == DUE_NEVER)
            return;
        loop.time = due_ms > loop.time ? due_ms : loop.time + 1;
    }
    fail_msg("the status does not settle");
}

/* "True", "False", ...: what the server's policy has as this condition. */
static const char *status_of(const char *type)
{
    static char found[16];
    cleanup_json struct json_object *status = NULL;
    struct err err = {0};
    found[0] = '\0';
    if (server.status == NULL || jsonval_parse(server.status, strlen(server.status), &status, &err) != 0)
        return found;
    struct json_object *conditions = jsonval_array(status, "conditions");
    for (size_t i = 0; i < jsonval_length(conditions); i++) {
        struct json_object *c = jsonval_at(conditions, i);
        if (strcmp(jsonval_string_or_empty(c, "type"), type) == 0)
            snprintf(found, sizeof found, "%s", jsonval_string_or_empty(c, "status"));
    }
    assert_int_equal(jsonval_int(status, "observedGeneration", -1), server.generation);
    return found;
}

static void expect_settled(void)
{
    const size_t n_calls = n_applies;
    if (server.is_there) {
        assert_string_equal(status_of("Bound"), server.is_bound ? "True" : "False");
        assert_string_equal(status_of("ExpressionsValid"),
                            strcmp(server.expression, GOOD) == 0 ? "True" : "False");
    }
    for (int i = 0; i < 3; i++) {
        reconcile_add(r, POLICY, RECONCILE_SCHEMA);
        drain();
    }
    assert_int_equal(n_applies, n_calls);
    assert_int_equal(reconcile_forbidden(r), 0);
    assert_int_equal(worker_next_ms(reconcile_worker(r)), DUE_NEVER);
}

/* Another process, on what the server has. */
static void restart(int also_check)
{
    reconcile_free(r);
    r = reconcile_new(&(struct reconcile_options){
        .queue = queue,
        .policies = policies,
        .bindings = bindings,
        .dependents = dependents,
        .types = {.scope = TYPES_FULL, .max_types = 10},
        .on_wake = on_wake,
        .max_writes = 8,
        .also_check = also_check,
    });
    reconcile_add(r, POLICY, RECONCILE_POLICY);
    settle();
}

/* The condition comes with the flag, settles, and goes with it. */
static void test_the_next_version(void **state)
{
    (void)state;
    begin();
    server_create("object.spec == 'a'");
    settle();
    assert_string_equal(status_of("ValidOnNextVersion"), "");
    const size_t n_before = n_applies;
    restart(37);
    assert_string_equal(status_of("ValidOnNextVersion"), "False");
    assert_int_equal(n_applies, n_before + 1);
    expect_settled();
    restart(0);
    assert_string_equal(status_of("ValidOnNextVersion"), "");
    assert_int_equal(n_applies, n_before + 2);
    expect_settled();
    end();
}

/* The binding comes and goes while it is written that it is there, and the answer is faster than the event.
 */
static void test_a_change_during_the_write_is_not_lost(void **state)
{
    (void)state;
    begin();
    server_create(GOOD);
    settle();
    assert_string_equal(status_of("Bound"), "False");
    server_bind(true);
    deliver_all();
    assert_int_equal(n_applies, 2);
    server_bind(false);
    deliver_all();
    server_arrive(1, ERR_NONE, 0);
    server_answer(1, false);
    drain();
    assert_string_equal(status_of("Bound"), "True");
    deliver_all();
    settle();
    expect_settled();
    end();
}

/* A status is written on the policy as it is, and the write arrives. */
static void begin_with_a_write(void)
{
    begin();
    server_create(GOOD);
    deliver_all();
    assert_int_equal(n_applies, 1);
    assert_int_equal(reconcile_counts(r).checked, 1);
    server_arrive(0, ERR_NONE, 0);
}

static void expect_checks(uint64_t count)
{
    drain();
    assert_int_equal(reconcile_counts(r).checked, count);
    settle();
    expect_settled();
    end();
}

/* What our own write made is what the check wanted: its event brings none, whichever comes first. */
static void test_our_own_event_brings_no_check(void **state)
{
    (void)state;
    begin_with_a_write();
    server_answer(0, false);
    deliver_all();
    expect_checks(1);
    begin_with_a_write();
    deliver_all();
    server_answer(0, false);
    expect_checks(1);
}

/* Anything else that happens since the check does. */
static void test_other_news_bring_a_check(void **state)
{
    (void)state;
    begin_with_a_write();
    reconcile_add(r, POLICY, RECONCILE_SCHEMA);
    deliver_all();
    server_answer(0, false);
    expect_checks(2);
    begin_with_a_write();
    server_answer(0, false);
    reconcile_add(r, POLICY, RECONCILE_SCHEMA);
    deliver_all();
    expect_checks(2);
    begin_with_a_write();
    server_overwrite();
    deliver_all();
    server_answer(0, false);
    drain();
    assert_int_equal(n_applies, 2);
    expect_checks(2);
}

/* The binding goes after the answer and before the event: a check of the version before finds nothing. */
static void test_a_change_after_the_answer_is_not_lost(void **state)
{
    (void)state;
    begin();
    server_create(GOOD);
    settle();
    server_bind(true);
    deliver_all();
    server_bind(false);
    server_arrive(1, ERR_NONE, 0);
    server_answer(1, false);
    deliver();
    drain();
    assert_int_equal(n_applies, 2);
    deliver_all();
    assert_int_equal(n_applies, 3);
    settle();
    expect_settled();
    end();
}

/* A document that is out of date is asked for again by the next check, which our own event brings. */
static void test_our_own_event_and_an_old_document(void **state)
{
    (void)state;
    begin();
    document_state = OPENAPI_STALE;
    server_create(GOOD);
    deliver_all();
    gather_all();
    drain();
    assert_int_equal(n_applies, 1);
    server_arrive(0, ERR_NONE, 0);
    server_answer(0, false);
    assert_int_equal(n_requires, 1);
    deliver_all();
    assert_int_equal(n_requires, 2);
    settle();
    expect_settled();
    end();
}

/* What is replaced while it is read is asked for again, with the same turn. */
static void test_a_document_that_changes_while_it_is_read(void **state)
{
    (void)state;
    begin();
    document_state = OPENAPI_STALE;
    server_create(GOOD);
    deliver_all();
    assert_int_equal(n_requires, 1);
    reconcile_add(r, POLICY, RECONCILE_SCHEMA);
    gathered(0);
    drain();
    assert_int_equal(n_requires, 2);
    assert_int_equal(n_applies, 0);
    settle();
    expect_settled();
    end();
}

/* Returns the checks of a policy whose written version finds the store's budget at cap_bytes; *used_bytes is
 * what it takes of it. */
static uint64_t write_with_a_budget(size_t cap_bytes, bool is_answer_late, size_t *used_bytes)
{
    static char expression[2 * STORE_MEMBER_BYTES];
    struct store_budget budget = {.cap_bytes = 1024 * 1024};
    snprintf(expression, sizeof expression, "%*s", (int)sizeof expression - 1, GOOD);
    begin();
    store_set_budget(policies, &budget);
    server_create(expression);
    deliver_all();
    server_arrive(0, ERR_NONE, 0);
    budget.cap_bytes = cap_bytes;
    if (!is_answer_late)
        server_answer(0, false);
    deliver_all();
    if (is_answer_late)
        server_answer(0, false);
    drain();
    *used_bytes = budget.used_bytes;
    const uint64_t checks = reconcile_counts(r).checked;
    server_delete();
    settle();
    end();
    return checks;
}

/* The store has no room for the whole version that was written: that has to be reported. */
static void test_our_own_event_is_left_out(void **state)
{
    (void)state;
    for (int is_late = 0; is_late < 2; is_late++) {
        size_t used_bytes, ignored;
        assert_int_equal(write_with_a_budget(1024 * 1024, is_late, &used_bytes), 1);
        assert_int_equal(write_with_a_budget(used_bytes - 1, is_late, &ignored), 2);
    }
}

static unsigned random_state;

static unsigned below(unsigned bound)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % bound;
}

/* Of the calls that are in this stage one; n_calls: none is. */
static size_t pick_call(bool has_arrived)
{
    size_t found = n_applies, count = 0;
    for (size_t i = 0; i < n_applies; i++) {
        if (server.decisions[i].has_arrived == has_arrived && (applies[i].is_open || !has_arrived) &&
            below((unsigned)++count) == 0)
            found = i;
    }
    return found;
}

static void arrive_somehow(void)
{
    static const enum err_code codes[] = {ERR_NONE,    ERR_NONE,      ERR_NONE,    ERR_FORBIDDEN,
                                          ERR_INVALID, ERR_THROTTLED, ERR_NETWORK, ERR_UNAVAILABLE};
    const size_t call = pick_call(false);
    if (call < n_applies)
        server_arrive(call, codes[below(sizeof codes / sizeof codes[0])], (int)below(3) * 1000);
}

static void answer_somehow(void)
{
    const size_t call = pick_call(true);
    if (call < n_applies)
        server_answer(call, below(8) == 0);
}

/* A document is replaced, and has to be read again. */
static void replace_the_document(void)
{
    enum { SPARE = 8 };
    if (n_requires + SPARE < MAX_CALLS && below(8) == 0)
        document_state = OPENAPI_UNKNOWN;
    else
        document_state = OPENAPI_FRESH;
    reconcile_add(r, POLICY, RECONCILE_SCHEMA);
    gather_all();
}

static void change_somehow(void)
{
    switch (below(8)) {
    case 0:
        if (server.is_there)
            server_delete();
        break;
    case 1:
    case 2:
        if (server.is_there)
            server_update(below(2) == 0 ? GOOD : BAD);
        break;
    case 3:
        if (server.is_there)
            server_overwrite();
        break;
    case 4:
        replace_the_document();
        break;
    default:
        server_bind(!server.is_bound);
        break;
    }
    if (!server.is_there && below(2) == 0)
        server_create(below(2) == 0 ? GOOD : BAD);
}

static void test_any_order_settles(void **state)
{
    enum { RUNS = 3000, STEPS = 60 };
    (void)state;
    for (unsigned seed = 1; seed <= RUNS; seed++) {
        random_state = seed;
        begin();
        server_create(GOOD);
        for (int i = 0; i < STEPS; i++) {
            switch (below(6)) {
            case 0:
                change_somehow();
                break;
            case 1:
                if (server.n_delivered < server.n_events)
                    deliver();
                break;
            case 2:
                arrive_somehow();
                break;
            case 3:
                answer_somehow();
                break;
            case 4:
                loop.time += below(4) == 0 ? below(100 * 1000) : below(20);
                break;
            default:
                if (!worker_step(reconcile_worker(r)))
                    worker_resume(reconcile_worker(r));
                break;
            }
        }
        settle();
        expect_settled();
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_next_version),
        cmocka_unit_test(test_a_change_during_the_write_is_not_lost),
        cmocka_unit_test(test_our_own_event_brings_no_check),
        cmocka_unit_test(test_a_change_after_the_answer_is_not_lost),
        cmocka_unit_test(test_other_news_bring_a_check),
        cmocka_unit_test(test_our_own_event_is_left_out),
        cmocka_unit_test(test_our_own_event_and_an_old_document),
        cmocka_unit_test(test_a_document_that_changes_while_it_is_read),
        cmocka_unit_test(test_any_order_settles),
    };
    return cmocka_run_group_tests(tests, make_cluster, drop_cluster);
}
