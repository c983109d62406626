#include "controller/observe/metricfamilies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Returns true if the text has this line. */
static bool has(const struct metrics *m, const char *line)
{
    struct buf text, wanted;
    buf_init(&text, METRICS_TEXT_CAP_BYTES);
    buf_init(&wanted, 1024);
    metrics_render(m, &text);
    buf_printf(&wanted, "\n%s\n", line);
    bool found = strstr(text.data, wanted.data) != NULL;
    if (!found)
        print_message("no line %s\n", line);
    buf_deinit(&text);
    buf_deinit(&wanted);
    return found;
}

/* Each counter with known labels is there before it counts. */
static void test_what_is_there_from_the_start(void **state)
{
    (void)state;
    struct metrics *m = metricfamilies_new();
    assert_true(
        has(m, "vapcheck_build_info{version=\"" VAPCHECK_VERSION "\",commit=\"" VAPCHECK_COMMIT "\"} 1"));
    assert_true(has(m, "vapcheck_status_writes_total{result=\"applied\"} 0"));
    assert_true(has(m, "vapcheck_status_writes_total{result=\"failed\"} 0"));
    assert_true(has(m, "vapcheck_status_reasserts_total{result=\"given_up\"} 0"));
    assert_true(has(m, "vapcheck_conditions_left_total{condition=\"Bound\"} 0"));
    assert_true(has(m, "vapcheck_conditions_left_total{condition=\"ValidOnNextVersion\"} 0"));
    metrics_free(m);
}

static void test_writes_by_answer(void **state)
{
    (void)state;
    static const struct {
        enum err_code code;
        const char *result;
    } rows[] = {
        {ERR_NONE, "applied"},        {ERR_NOT_FOUND, "not_found"}, {ERR_CONFLICT, "conflict"},
        {ERR_FORBIDDEN, "forbidden"}, {ERR_THROTTLED, "throttled"}, {ERR_LIMIT, "too_large"},
        {ERR_INVALID, "invalid"},     {ERR_UNAVAILABLE, "failed"},  {ERR_NETWORK, "failed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct metrics *m = metricfamilies_new();
        struct err err = {.code = rows[i].code};
        char line[128];
        metricfamilies_count_write(m, rows[i].code == ERR_NONE ? NULL : &err);
        snprintf(line, sizeof line, "vapcheck_status_writes_total{result=\"%s\"} 1", rows[i].result);
        assert_true(has(m, line));
        metrics_free(m);
    }
    metricfamilies_count_write(NULL, NULL);
}

static void test_requests(void **state)
{
    (void)state;
    struct metrics *m = metricfamilies_new();
    metricfamilies_count_exchange(
        m, &(struct api_exchange){
               .verb = "LIST", .method = "GET", .host = "h:1", .status = 200, .duration_ms = 30});
    metricfamilies_count_exchange(
        m, &(struct api_exchange){.verb = "PATCH", .method = "PATCH", .host = "h:1", .duration_ms = 70000});
    assert_true(has(m, "rest_client_requests_total{code=\"200\",method=\"GET\",host=\"h:1\"} 1"));
    assert_true(has(m, "rest_client_requests_total{code=\"<error>\",method=\"PATCH\",host=\"h:1\"} 1"));
    assert_true(
        has(m, "rest_client_request_duration_seconds_bucket{verb=\"LIST\",host=\"h:1\",le=\"0.025\"} 0"));
    assert_true(
        has(m, "rest_client_request_duration_seconds_bucket{verb=\"LIST\",host=\"h:1\",le=\"0.1\"} 1"));
    assert_true(
        has(m, "rest_client_request_duration_seconds_bucket{verb=\"PATCH\",host=\"h:1\",le=\"60\"} 0"));
    assert_true(has(m, "rest_client_request_duration_seconds_sum{verb=\"PATCH\",host=\"h:1\"} 70"));
    metrics_free(m);
}

static void test_the_queue(void **state)
{
    (void)state;
    struct metrics *m = metricfamilies_new();
    struct workqueue *q = workqueue_new();
    struct metricfamilies_queue observed;
    metricfamilies_observe_queue(&observed, m, q, "policies");
    workqueue_add(q, "a", 1, 1000);
    workqueue_add(q, "b", 1, 1000);
    assert_non_null(workqueue_take(q, 1500));
    metricfamilies_read_queue(&observed, 4000);
    assert_true(has(m, "workqueue_adds_total{name=\"policies\"} 2"));
    assert_true(has(m, "workqueue_depth{name=\"policies\"} 1"));
    assert_true(has(m, "workqueue_queue_duration_seconds_sum{name=\"policies\"} 0.5"));
    assert_true(has(m, "workqueue_unfinished_work_seconds{name=\"policies\"} 2.5"));
    assert_true(has(m, "workqueue_longest_running_processor_seconds{name=\"policies\"} 2.5"));
    workqueue_add_failed(q, "a", 4000);
    workqueue_done(q, "a", 4500);
    metricfamilies_read_queue(&observed, 5000);
    assert_true(has(m, "workqueue_retries_total{name=\"policies\"} 1"));
    assert_true(has(m, "workqueue_work_duration_seconds_sum{name=\"policies\"} 3"));
    assert_true(has(m, "workqueue_unfinished_work_seconds{name=\"policies\"} 0"));
    workqueue_free(q);
    metrics_free(m);
}

/* What is no longer so is no longer said, and more policies than the bound are one series. */
static void test_the_tally(void **state)
{
    (void)state;
    enum { POLICIES = 600, BOUND = 500 };
    struct metrics *m = metricfamilies_new();
    struct policystats *t = policystats_new();
    char name[32], line[128];
    for (int i = 0; i < POLICIES; i++) {
        snprintf(name, sizeof name, "p%03d", i);
        policystats_note(
            t, name, &(struct policystats_entry){.result = POLICYSTATS_WARNINGS, .warnings = 2, .types = 3});
    }
    for (int round = 0; round < 2; round++) {
        metricfamilies_read_tally(m, t);
        assert_true(has(m, "vapcheck_policies{result=\"warnings\"} 600"));
        assert_true(has(m, "vapcheck_types_checked 1800"));
        assert_true(has(m, "vapcheck_policy_warnings{policy=\"p000\"} 2"));
        assert_true(has(m, "vapcheck_policy_warnings{policy=\"p499\"} 2"));
        snprintf(line, sizeof line, "vapcheck_policy_warnings{policy=\"_other\"} %d", 2 * (POLICIES - BOUND));
        assert_true(has(m, line));
    }
    for (int i = 1; i < POLICIES; i++) {
        snprintf(name, sizeof name, "p%03d", i);
        policystats_remove(t, name);
    }
    metricfamilies_read_tally(m, t);
    assert_true(has(m, "vapcheck_policies{result=\"warnings\"} 1"));
    struct buf text;
    buf_init(&text, METRICS_TEXT_CAP_BYTES);
    metrics_render(m, &text);
    assert_null(strstr(text.data, "p001"));
    assert_null(strstr(text.data, "_other"));
    buf_deinit(&text);
    policystats_free(t);
    metrics_free(m);
}

static void test_objects(void **state)
{
    (void)state;
    struct metrics *m = metricfamilies_new();
    struct policystats *hooks = policystats_new(), *definitions = policystats_new();
    policystats_note(hooks, "a", &(struct policystats_entry){.result = POLICYSTATS_WARNINGS, .warnings = 2});
    policystats_note(definitions, "a", &(struct policystats_entry){.result = POLICYSTATS_VALID});
    for (int round = 0; round < 2; round++) {
        metricfamilies_begin_objects(m);
        metricfamilies_read_objects(m, "Hook", hooks);
        metricfamilies_read_objects(m, "Definition", definitions);
        assert_true(has(m, "vapcheck_objects{kind=\"Hook\",result=\"warnings\"} 1"));
        assert_true(has(m, "vapcheck_objects{kind=\"Definition\",result=\"valid\"} 1"));
        assert_true(has(m, "vapcheck_object_warnings{kind=\"Hook\",name=\"a\"} 2"));
    }
    policystats_remove(hooks, "a");
    metricfamilies_begin_objects(m);
    metricfamilies_read_objects(m, "Hook", hooks);
    struct buf text;
    buf_init(&text, METRICS_TEXT_CAP_BYTES);
    metrics_render(m, &text);
    assert_null(strstr(text.data, "vapcheck_object_warnings"));
    buf_deinit(&text);
    policystats_free(hooks);
    policystats_free(definitions);
    metrics_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_there_from_the_start),
        cmocka_unit_test(test_writes_by_answer),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_the_queue),
        cmocka_unit_test(test_the_tally),
        cmocka_unit_test(test_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
