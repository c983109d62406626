#include "controller/reconcile/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/due.h"
#include "client/base/mem.h"
#include "tests/unit/controller/scriptedcluster.h"

/* A check as the test scripts it: it takes as many slices as its policy's expression says. */
struct check {
    long slices;
    long hint_slices; /* that the search for hints takes after it */
    size_t bytes;     /* from its second slice on */
    size_t n_done;
    struct check_result result;
};

static size_t n_checks, most_checks; /* that are there at once */
static size_t n_slices;              /* of all of them */
static size_t n_hint_slices;         /* of all searches for hints */

struct check *check_new(const struct policyview *policy, const struct discovery *d,
                        const struct types_options *o)
{
    struct check *c = mem_zalloc(sizeof *c);
    (void)d, (void)o;
    char *megabytes, *hints;
    c->slices = strtol(policy->policy.expressions[0].text.at, &megabytes, 10);
    c->bytes = (size_t)strtol(megabytes, &hints, 10) * 1024 * 1024;
    c->hint_slices = strtol(hints, NULL, 10);
    if (++n_checks > most_checks)
        most_checks = n_checks;
    return c;
}

void check_free(struct check *check)
{
    n_checks -= check != NULL;
    mem_free(check);
}

const char *const *check_paths(const struct check *check)
{
    static const char *const paths[] = {"apis/apps/v1"};
    (void)check;
    return paths;
}

size_t check_path_count(const struct check *check)
{
    (void)check;
    return 1;
}

bool check_step(struct check *check, const struct env *of, check_lookup *lookup, void *user, uint64_t steps)
{
    enum openapi_state state;
    assert_ptr_equal(of, env);
    assert_ptr_equal(lookup(user, "apis/apps/v1", &state), schema);
    assert_int_equal(steps, WORKER_SLICE_STEPS);
    n_slices++;
    check->n_done++;
    return --check->slices > 0;
}

size_t check_bytes(const struct check *check)
{
    return check->n_done > 1 ? check->bytes : 0;
}

bool check_shares_types(const struct check *check)
{
    (void)check;
    return false;
}

void check_set_kept(struct check *check, struct typecheck_kept *kept)
{
    (void)check, (void)kept;
    fail();
}

const struct check_result *check_result(const struct check *check)
{
    assert_int_equal(check->slices, 0);
    return &check->result;
}

uint64_t check_steps(const struct check *check)
{
    (void)check;
    return 0;
}

/* A search for hints, which takes as many slices as its policy's expression says. */
struct hints_run {
    long slices;
};

struct hints_run *hints_start(const struct hints_cluster *cluster, const struct policyview *policy,
                              const struct fielderrors *refusals, const struct check_result *result,
                              uint64_t max_steps)
{
    struct hints_run *run = mem_zalloc(sizeof *run);
    const struct check *check = (const void *)((const char *)result - offsetof(struct check, result));
    assert_ptr_equal(cluster->env, env);
    assert_ptr_equal(cluster->new_env, env);
    assert_ptr_equal(cluster->discovery, discovery);
    assert_null(refusals);
    assert_non_null(policy);
    assert_int_equal(max_steps, HINTS_MAX_STEPS);
    run->slices = check->hint_slices;
    return run;
}

bool hints_step(struct hints_run *run, uint64_t steps)
{
    assert_int_equal(steps, WORKER_SLICE_STEPS);
    n_hint_slices += run->slices > 0;
    return --run->slices > 0;
}

uint64_t hints_steps(const struct hints_run *run)
{
    (void)run;
    return 0;
}

size_t hints_bytes(const struct hints_run *run)
{
    (void)run;
    return 0;
}

void hints_end(struct hints_run *run)
{
    mem_free(run);
}

struct hints *hints_found(struct hints_run *run)
{
    (void)run;
    return NULL;
}

const char **hints_of_warnings(struct hints *h, const struct policyview *policy,
                               const struct check_result *result)
{
    (void)h, (void)policy, (void)result;
    return NULL;
}

void api_cancel(struct api_call *call)
{
    assert_null(call);
}

struct api_call *api_get(struct api *api, const struct api_get *get, api_on_reply *on_done, void *user)
{
    (void)api, (void)get, (void)on_done, (void)user;
    fail();
    return NULL;
}

/* What is tested, and its owner */

static struct store *store;
static struct workqueue *queue;
static struct dependents *dependents;
static struct worker *w;
static struct room room;
static char done[4096]; /* "a1 b2 ": keys and the versions that were checked */
static int owner;

static void note_done(const char *key, const char *version)
{
    const size_t len = strlen(done);
    snprintf(done + len, sizeof done - len, "%s%s ", key, version);
}

static size_t on_bytes(void *user, const char *key)
{
    const struct store_object *object = store_get(store, key);
    assert_ptr_equal(user, &owner);
    return object == NULL ? 0 : object->len;
}

static void on_turn(struct worker_op *op)
{
    assert_ptr_equal(worker_user(op), &owner);
    if (!worker_look(op, POLICYVIEW_VALIDATING, store_get(store, op->key), NULL))
        worker_succeed(op);
    else
        worker_check(op);
}

static void on_checked(struct worker_op *op, const struct check_result *result)
{
    assert_ptr_equal(result, &op->subject.check->result);
    note_done(op->key, op->subject.policy->resource_version);
    worker_succeed(op);
}

static void on_wake(void *user)
{
    (void)user;
}

static struct worker *make(struct workqueue *of, bool is_standby)
{
    static const struct worker_owner owns = {
        sizeof(struct worker_op), on_turn, on_bytes, on_checked, NULL, NULL, NULL};
    return worker_new(&(struct worker_options){.owner = &owns,
                                               .queue = of,
                                               .dependents = dependents,
                                               .room = &room,
                                               .max_calls = 1,
                                               .is_standby = is_standby,
                                               .on_wake = on_wake,
                                               .user = &owner});
}

static void begin_as(bool is_standby)
{
    begin_cluster();
    done[0] = '\0';
    n_checks = most_checks = n_slices = n_hint_slices = 0;
    room = (struct room){0};
    store = store_new(NULL, NULL);
    queue = workqueue_new();
    dependents = dependents_new();
    w = make(queue, is_standby);
}

static void begin(void)
{
    begin_as(false);
}

static void end(void)
{
    worker_free(w);
    assert_int_equal(n_checks, 0);
    assert_int_equal(n_holds, 0);
    assert_int_equal(room.taken, 0);
    assert_null(room.large);
    for (size_t i = 0; i < n_requires; i++)
        assert_false(requires[i].is_open);
    store_free(store);
    workqueue_free(queue);
    dependents_free(dependents);
}

static void put_generation(const char *name, int version, int generation, int slices)
{
    struct err err = {0};
    cleanup_mem char *text = mem_printf(
        "{\"metadata\":{\"name\":\"%s\",\"uid\":\"u\",\"resourceVersion\":\"%d\",\"generation\":%d},"
        "\"spec\":{\"validations\":[{\"expression\":\"%d\"}]}}",
        name, version, generation, slices);
    assert_int_equal(store_put(store, text, strlen(text), NULL, &err), 0);
    worker_add(w, name, 1);
}

/* Each version has a spec of its own. */
static void put(const char *name, int version, int slices)
{
    put_generation(name, version, version, slices);
}

/* Its text is longer than a small one's. */
static void put_long(const char *name, int version)
{
    struct err err = {0};
    cleanup_mem char *pad = mem_zalloc(WORKER_SMALL_BYTES + 1);
    memset(pad, 'x', WORKER_SMALL_BYTES);
    cleanup_mem char *text =
        mem_printf("{\"metadata\":{\"name\":\"%s\",\"uid\":\"u\",\"resourceVersion\":\"%d\"},"
                   "\"spec\":{\"validations\":[{\"expression\":\"1\"}],\"pad\":\"%s\"}}",
                   name, version, pad);
    assert_int_equal(store_put(store, text, strlen(text), NULL, &err), 0);
    worker_add(w, name, 1);
}

/* Its check holds so much from its second slice on; the search for hints after it takes so many slices. */
static void put_with_hints(struct worker *in, const char *name, int slices, int megabytes, int hint_slices)
{
    struct err err = {0};
    cleanup_mem char *text =
        mem_printf("{\"metadata\":{\"name\":\"%s\",\"uid\":\"u\",\"resourceVersion\":\"1\"},"
                   "\"spec\":{\"validations\":[{\"expression\":\"%d %d %d\"}]}}",
                   name, slices, megabytes, hint_slices);
    assert_int_equal(store_put(store, text, strlen(text), NULL, &err), 0);
    worker_add(in, name, 1);
}

static void put_heavy(struct worker *in, const char *name, int slices, int megabytes)
{
    put_with_hints(in, name, slices, megabytes, 0);
}

static void step(int count)
{
    for (int i = 0; i < count; i++)
        assert_true(worker_step(w));
}

static void resume(int count)
{
    for (int i = 0; i < count; i++)
        assert_true(worker_resume(w));
}

static void drain(void)
{
    for (int i = 0; worker_step(w) || worker_resume(w); i++)
        assert_true(i < 10000);
    assert_int_equal(worker_next_ms(w), DUE_NEVER);
}

static void test_a_check_in_slices(void **state)
{
    (void)state;
    begin();
    put("a", 1, 3);
    step(1);
    assert_false(worker_step(w));
    assert_int_equal(worker_next_ms(w), 0);
    assert_int_equal(n_holds, 1);
    resume(1);
    assert_string_equal(done, "");
    resume(1);
    assert_string_equal(done, "a1 ");
    assert_int_equal(n_slices, 3);
    assert_int_equal(n_checks + n_holds, 0);
    assert_int_equal(workqueue_in_work(queue), 0);
    drain();
    end();
}

static void test_hints_in_slices(void **state)
{
    (void)state;
    begin();
    put_with_hints(w, "a", 2, 0, 3);
    step(1);
    resume(1); /* the last slice of the check, and the first of the hints */
    assert_int_equal(n_slices, 2);
    assert_int_equal(n_hint_slices, 1);
    resume(1);
    assert_string_equal(done, "");
    resume(1);
    assert_string_equal(done, "a1 ");
    assert_int_equal(n_slices, 2);
    assert_int_equal(n_hint_slices, 3);
    drain();
    end();
}

static void test_first_slices_come_first_and_later_ones_in_turn(void **state)
{
    (void)state;
    begin();
    put("a", 1, 3);
    put("b", 1, 3);
    step(2);
    resume(1);
    put("c", 1, 1);
    step(1);
    assert_string_equal(done, "c1 ");
    resume(2); /* b, a */
    assert_string_equal(done, "c1 a1 ");
    resume(1);
    assert_string_equal(done, "c1 a1 b1 ");
    end();
}

/* What has no place waits, and keeps nothing. */
static void test_few_are_suspended(void **state)
{
    enum { COUNT = 20, SLICES = 5 };
    (void)state;
    begin();
    for (int i = 0; i < COUNT; i++) {
        cleanup_mem char *name = mem_printf("p%d:", i);
        put(name, 1, SLICES);
    }
    step(COUNT);
    assert_false(worker_step(w));
    assert_int_equal(n_checks, ROOM_PLACES);
    assert_int_equal(n_holds, ROOM_PLACES);
    drain();
    assert_int_equal(strlen(done), 10 * strlen("p0:1 ") + 10 * strlen("p10:1 "));
    assert_int_equal(most_checks, ROOM_PLACES + 1);
    /* of those that had no place the first slice was for nothing */
    assert_int_equal(n_slices, COUNT * SLICES + COUNT - ROOM_PLACES);
    end();
}

static void test_many_long_ones_and_a_short_one(void **state)
{
    enum { COUNT = 100, SLICES = 200 };
    (void)state;
    begin();
    for (int i = 0; i < COUNT; i++) {
        cleanup_mem char *name = mem_printf("p%d", i);
        put(name, 1, SLICES);
    }
    put("victim", 1, 1);
    step(COUNT + 1);
    assert_string_equal(done, "victim1 ");
    resume(10);
    put("another", 1, 1);
    step(1);
    assert_string_equal(done, "victim1 another1 ");
    end();
}

/* They come again all at once, as when a document changes: their first slices are known not to be enough. */
static void test_what_is_known_to_take_long_has_no_first_slice(void **state)
{
    enum { COUNT = 100, SLICES = 3 };
    (void)state;
    begin();
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < COUNT; i++) {
            cleanup_mem char *name = mem_printf("p%d", i);
            if (round == 0)
                put(name, 1, SLICES);
            else
                worker_add(w, name, 1);
        }
        put("victim", 1 + round, 1);
        n_slices = 0;
        step(COUNT + 1);
        assert_int_equal(n_slices, round == 0 ? COUNT + 1 : 1);
        drain();
    }
    put_generation("p7", 2, 1, SLICES); /* its status was written */
    n_slices = 0;
    step(1);
    assert_int_equal(n_slices, 0);
    drain();
    put("p7", 3, 1);
    step(1);
    assert_int_equal(n_slices, SLICES + 1);
    drain();
    end();
}

static void test_a_newer_version_begins_anew(void **state)
{
    (void)state;
    begin();
    put("a", 1, 3);
    step(1);
    resume(1);
    put("a", 2, 2);
    resume(1); /* its first slice */
    assert_int_equal(n_checks, 1);
    assert_string_equal(done, "");
    resume(1);
    assert_string_equal(done, "a2 ");
    drain();
    assert_string_equal(done, "a2 ");
    end();
}

/* What is checked is a copy: the store may have another object, or none, without an event so far. */
static void test_the_store_moves_on(void **state)
{
    struct err err = {0};
    (void)state;
    begin();
    put("a", 1, 2);
    step(1);
    assert_int_equal(store_delete(store, "{\"metadata\":{\"name\":\"a\"}}", 25, NULL, &err), 0);
    resume(1);
    assert_string_equal(done, "a1 ");
    end();
}

/* p0, p1, ...: all places taken by checks that take long, and one that waits. */
static void fill_room(void)
{
    for (int i = 0; i <= ROOM_PLACES; i++) {
        cleanup_mem char *name = mem_printf("p%d", i);
        put(name, 1, 100);
    }
    step(ROOM_PLACES + 1);
}

static void test_one_that_waits_for_a_place_and_changes(void **state)
{
    (void)state;
    begin();
    fill_room();
    put("p4", 2, 1);
    step(1);
    assert_string_equal(done, "p42 ");
    end();
}

static void test_deleted_while_it_is_suspended(void **state)
{
    (void)state;
    begin();
    fill_room();
    worker_cancel(w, "p0");
    worker_cancel(w, "p4");
    worker_cancel(w, "nobody");
    assert_int_equal(n_checks, ROOM_PLACES - 1);
    assert_int_equal(n_holds, ROOM_PLACES - 1);
    assert_int_equal(workqueue_in_work(queue), ROOM_PLACES - 1);
    put("new", 1, 2);
    step(1);
    assert_int_equal(n_checks, ROOM_PLACES);
    end(); /* the others with it */
}

static void note_key(void *user, const char *key)
{
    *(const char **)user = key;
}

/* A document that it uses changes: it is read first. */
static void test_a_changed_document_begins_anew(void **state)
{
    const char *key = NULL;
    (void)state;
    begin();
    put("a", 1, 3);
    step(1);
    dependents_visit_path(dependents, "apis/apps/v1", note_key, &key);
    assert_string_equal(key, "a");
    document_state = OPENAPI_STALE;
    worker_add(w, key, 1);
    resume(1);
    assert_int_equal(n_requires, 1);
    assert_int_equal(n_checks + n_holds, 0);
    assert_false(worker_step(w) || worker_resume(w));
    document_state = OPENAPI_FRESH;
    gathered(0);
    step(1); /* it is known to take long: all its slices are later ones */
    resume(3);
    assert_string_equal(done, "a1 ");
    assert_int_equal(n_slices, 4);
    end();
}

/* It has what it will need, and has checked nothing. */
static void test_a_standby_gathers(void **state)
{
    const char *key = NULL;
    (void)state;
    begin_as(true);
    document_state = OPENAPI_UNKNOWN;
    put("a", 1, 1);
    step(1);
    assert_int_equal(n_requires, 1);
    document_state = OPENAPI_FRESH;
    gathered(0);
    drain();
    put("b", 1, 1); /* its documents are there */
    drain();
    dependents_visit_path(dependents, "apis/apps/v1", note_key, &key);
    assert_non_null(key);
    assert_int_equal(n_slices, 0);
    worker_lead(w);
    worker_add(w, "a", 1);
    worker_add(w, "b", 1);
    drain();
    assert_string_equal(done, "a1 b1 ");
    assert_int_equal(n_requires, 1);
    end();
}

static void test_small_ones_go_before_large_ones(void **state)
{
    (void)state;
    begin();
    put_long("large0:", 1);
    put_long("large1:", 1);
    put("a", 1, 1);
    step(1);
    assert_string_equal(done, "a1 ");
    step(1);
    put("b", 1, 1);
    step(1);
    assert_string_equal(done, "a1 large0:1 b1 ");
    put_long("large1:", 2); /* it waits already: it is checked once */
    drain();
    assert_string_equal(done, "a1 large0:1 b1 large1:2 ");
    end();
}

/* However many small ones come. */
static void test_a_large_one_has_its_turn(void **state)
{
    (void)state;
    begin();
    put_long("large", 1);
    for (int i = 0; i < 3 * WORKER_SMALL_IN_A_ROW; i++) {
        cleanup_mem char *name = mem_printf("p%d", i);
        put(name, 1, 1);
    }
    step(WORKER_SMALL_IN_A_ROW);
    assert_null(strstr(done, "large"));
    step(1);
    assert_non_null(strstr(done, "large1 "));
    drain();
    end();
}

static void test_a_large_one_that_waits_is_deleted(void **state)
{
    (void)state;
    begin();
    put_long("large", 1);
    for (int i = 0; i <= WORKER_SMALL_IN_A_ROW; i++) {
        cleanup_mem char *name = mem_printf("p%d", i);
        put(name, 1, 1);
    }
    step(WORKER_SMALL_IN_A_ROW);
    worker_cancel(w, "large");
    step(1);
    drain();
    assert_null(strstr(done, "large"));
    assert_int_equal(workqueue_in_work(queue), 0);
    end();
}

/* Its memory is freed at once; it begins anew when nobody else has so much. */
static void test_one_large_check_at_a_time(void **state)
{
    enum { SLICES = 5, MEGABYTES = 40 };
    (void)state;
    begin();
    put_heavy(w, "a", SLICES, MEGABYTES);
    put_heavy(w, "b", SLICES, MEGABYTES);
    put_heavy(w, "c", SLICES, 1);
    step(3);
    assert_int_equal(n_checks, 3);
    resume(2); /* of b its second slice: it is large, and a is */
    assert_int_equal(n_checks, 2);
    assert_int_equal(n_holds, 2);
    assert_non_null(room.large);
    resume(2 * (SLICES - 2)); /* the others go on */
    assert_string_equal(done, "a1 ");
    drain();
    assert_string_equal(done, "a1 c1 b1 ");
    assert_int_equal(n_slices, 3 * SLICES + 2);
    end();
}

static void test_the_large_one_is_deleted(void **state)
{
    (void)state;
    begin();
    put_heavy(w, "a", 100, 40);
    put_heavy(w, "b", 3, 40);
    step(2);
    resume(2);
    assert_int_equal(n_checks, 1);
    worker_cancel(w, "a");
    assert_null(room.large);
    drain();
    assert_string_equal(done, "b1 ");
    end();
}

static void test_two_workers_in_one_room(void **state)
{
    enum { SLICES = 10 };
    struct workqueue *other_queue = workqueue_new();
    (void)state;
    begin();
    struct worker *other = make(other_queue, false);
    for (int i = 0; i < ROOM_PLACES; i++) {
        cleanup_mem char *name = mem_printf("p%d", i);
        put_heavy(w, name, SLICES, i == 0 ? 40 : 1);
    }
    step(ROOM_PLACES);
    put_heavy(other, "a", SLICES, 40);
    assert_true(worker_step(other));
    assert_int_equal(n_checks, ROOM_PLACES);
    assert_false(worker_step(other) || worker_resume(other));
    assert_int_equal(worker_next_ms(other), DUE_NEVER); /* the end of another wakes */
    drain();
    assert_int_equal(worker_next_ms(other), 0);
    while (worker_step(other) || worker_resume(other))
        ;
    assert_string_equal(done, "p01 p11 p21 p31 a1 ");
    assert_int_equal(most_checks, ROOM_PLACES + 1);
    worker_free(other);
    workqueue_free(other_queue);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_check_in_slices),
        cmocka_unit_test(test_hints_in_slices),
        cmocka_unit_test(test_first_slices_come_first_and_later_ones_in_turn),
        cmocka_unit_test(test_few_are_suspended),
        cmocka_unit_test(test_many_long_ones_and_a_short_one),
        cmocka_unit_test(test_what_is_known_to_take_long_has_no_first_slice),
        cmocka_unit_test(test_a_newer_version_begins_anew),
        cmocka_unit_test(test_the_store_moves_on),
        cmocka_unit_test(test_one_that_waits_for_a_place_and_changes),
        cmocka_unit_test(test_deleted_while_it_is_suspended),
        cmocka_unit_test(test_a_changed_document_begins_anew),
        cmocka_unit_test(test_a_standby_gathers),
        cmocka_unit_test(test_small_ones_go_before_large_ones),
        cmocka_unit_test(test_a_large_one_has_its_turn),
        cmocka_unit_test(test_a_large_one_that_waits_is_deleted),
        cmocka_unit_test(test_one_large_check_at_a_time),
        cmocka_unit_test(test_the_large_one_is_deleted),
        cmocka_unit_test(test_two_workers_in_one_room),
    };
    return cmocka_run_group_tests(tests, make_cluster, drop_cluster);
}
