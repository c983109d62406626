#include "controller/observe/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TURNS, WRITES, SIZE, SECONDS, TEMPERATURE, N_FAMILIES };

static const double bounds[] = {0.1, 0.25, 1};

static const struct metrics_family families[N_FAMILIES] = {
    [TURNS] = {.name = "turns_total", .help = "Turns of the \"loop\".", .kind = METRICS_COUNTER},
    [WRITES] = {.name = "writes_total",
                .help = "One line\nand a \\ too.",
                .kind = METRICS_COUNTER,
                .labels = {"verb", "result"},
                .max_series = 3},
    [SIZE] = {.name = "size", .help = "Size.", .kind = METRICS_GAUGE, .labels = {"name"}},
    [SECONDS] = {.name = "seconds",
                 .help = "Seconds.",
                 .kind = METRICS_HISTOGRAM,
                 .labels = {"name"},
                 .bounds = bounds,
                 .n_bounds = 3},
    [TEMPERATURE] = {.name = "temperature", .help = "How warm.", .kind = METRICS_GAUGE},
};

/* What begins the text of every registry that has counted nothing else. */
#define NO_TURNS       "# HELP turns_total Turns of the \"loop\".\n# TYPE turns_total counter\nturns_total 0\n"
#define NO_TEMPERATURE "# HELP temperature How warm.\n# TYPE temperature gauge\ntemperature 0\n"

static void expect(const struct metrics *m, const char *text)
{
    struct buf out;
    buf_init(&out, METRICS_TEXT_CAP_BYTES);
    metrics_render(m, &out);
    assert_string_equal(out.data, text);
    buf_deinit(&out);
}

static void test_nothing_counted(void **state)
{
    (void)state;
    struct metrics *m = metrics_new(families, N_FAMILIES);
    expect(m, NO_TURNS NO_TEMPERATURE);
    metrics_free(m);
    metrics_free(NULL);
    metrics_add(NULL, TURNS, NULL, 1);
    metrics_set(NULL, TURNS, NULL, 1);
    metrics_observe(NULL, SECONDS, METRICS_LABELS("a"), 1);
    metrics_clear(NULL, TURNS);
}

static void test_counters_and_gauges(void **state)
{
    (void)state;
    struct metrics *m = metrics_new(families, N_FAMILIES);
    metrics_add(m, TURNS, NULL, 1);
    metrics_add(m, TURNS, NULL, 2);
    metrics_add(m, WRITES, METRICS_LABELS("PATCH", "applied"), 1);
    metrics_add(m, WRITES, METRICS_LABELS("PATCH", "conflict"), 1);
    metrics_add(m, WRITES, METRICS_LABELS("PATCH", "applied"), 1);
    metrics_set(m, TEMPERATURE, NULL, 3);
    metrics_set(m, TEMPERATURE, NULL, -2.5);
    expect(m, "# HELP turns_total Turns of the \"loop\".\n# TYPE turns_total counter\nturns_total 3\n"
              "# HELP writes_total One line\\nand a \\\\ too.\n# TYPE writes_total counter\n"
              "writes_total{verb=\"PATCH\",result=\"applied\"} 2\n"
              "writes_total{verb=\"PATCH\",result=\"conflict\"} 1\n"
              "# HELP temperature How warm.\n# TYPE temperature gauge\ntemperature -2.5\n");
    metrics_clear(m, WRITES);
    metrics_clear(m, TEMPERATURE);
    metrics_set(m, TURNS, NULL, 0);
    expect(m, NO_TURNS NO_TEMPERATURE);
    metrics_free(m);
}

static void test_a_histogram_cumulates(void **state)
{
    (void)state;
    struct metrics *m = metrics_new(families, N_FAMILIES);
    const double values[] = {0.05, 0.1, 0.2, 5, 0.5};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        metrics_observe(m, SECONDS, METRICS_LABELS("q"), values[i]);
    expect(m, NO_TURNS "# HELP seconds Seconds.\n# TYPE seconds histogram\n"
                       "seconds_bucket{name=\"q\",le=\"0.1\"} 2\n"
                       "seconds_bucket{name=\"q\",le=\"0.25\"} 3\n"
                       "seconds_bucket{name=\"q\",le=\"1\"} 4\n"
                       "seconds_bucket{name=\"q\",le=\"+Inf\"} 5\n"
                       "seconds_sum{name=\"q\"} 5.85\n"
                       "seconds_count{name=\"q\"} 5\n" NO_TEMPERATURE);
    metrics_free(m);
}

/* One label's end is not another's beginning, and what was counted last is not what is counted next. */
static void test_label_sets_in_turn(void **state)
{
    (void)state;
    struct metrics *m = metrics_new(families, N_FAMILIES);
    for (int i = 0; i < 3; i++) {
        metrics_add(m, WRITES, METRICS_LABELS("a", "bc"), 1);
        metrics_add(m, WRITES, METRICS_LABELS("ab", "c"), 10);
        metrics_add(m, WRITES, METRICS_LABELS("a", "b"), 100);
        metrics_add(m, WRITES, METRICS_LABELS("a", "bcd"), 1000);
    }
    expect(m, NO_TURNS "# HELP writes_total One line\\nand a \\\\ too.\n# TYPE writes_total counter\n"
                       "writes_total{verb=\"a\",result=\"bc\"} 3\n"
                       "writes_total{verb=\"ab\",result=\"c\"} 30\n"
                       "writes_total{verb=\"a\",result=\"b\"} 300\n"
                       "writes_total{verb=\"_other\",result=\"_other\"} 3000\n" NO_TEMPERATURE);
    metrics_clear(m, WRITES);
    metrics_add(m, WRITES, METRICS_LABELS("a", "bc"), 1);
    expect(m, NO_TURNS "# HELP writes_total One line\\nand a \\\\ too.\n# TYPE writes_total counter\n"
                       "writes_total{verb=\"a\",result=\"bc\"} 1\n" NO_TEMPERATURE);
    metrics_free(m);
}

/* The bound holds for label sets; what comes beyond it is counted, but not told apart. */
static void test_label_sets_are_bounded(void **state)
{
    (void)state;
    struct metrics *m = metrics_new(families, N_FAMILIES);
    char name[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "n%d", i);
        metrics_add(m, WRITES, METRICS_LABELS("GET", name), 1);
    }
    metrics_add(m, WRITES, METRICS_LABELS("GET", "n1"), 1);
    expect(m, NO_TURNS "# HELP writes_total One line\\nand a \\\\ too.\n# TYPE writes_total counter\n"
                       "writes_total{verb=\"GET\",result=\"n0\"} 1\n"
                       "writes_total{verb=\"GET\",result=\"n1\"} 2\n"
                       "writes_total{verb=\"GET\",result=\"n2\"} 1\n"
                       "writes_total{verb=\"_other\",result=\"_other\"} 997\n" NO_TEMPERATURE);
    metrics_free(m);
}

static void test_label_values_are_escaped_and_cut(void **state)
{
    (void)state;
    struct metrics *m = metrics_new(families, N_FAMILIES);
    char text[2048], longest[METRICS_LABEL_BYTES + 100];
    metrics_set(m, SIZE, METRICS_LABELS("a\"b\\c\nd\xff\xc3\xa9\x1b[\xe2\x80\xae"), 1);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    metrics_set(m, SIZE, METRICS_LABELS(longest), 2);
    snprintf(text, sizeof text,
             NO_TURNS "# HELP size Size.\n# TYPE size gauge\n"
                      "size{name=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\xc3\xa9\\\\x1b[\\\\u202e\"} 1\n"
                      "size{name=\"%.*s\"} 2\n" NO_TEMPERATURE,
             METRICS_LABEL_BYTES, longest);
    expect(m, text);
    metrics_free(m);
}

static void test_numbers_read_back(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0.1, "0.1"},
        {1e6, "1000000"},
        {1763718602.123, "1763718602.123"},
        {1.0 / 3, "0.3333333333333333"},
        {5e-324, "4.94065645841247e-324"},
        {123456789012345678.0, "1.2345678901234568e+17"},
        {1.0 / 0.0, "+Inf"},
        {-1.0 / 0.0, "-Inf"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        struct metrics *m = metrics_new(families, N_FAMILIES);
        metrics_set(m, TEMPERATURE, NULL, rows[i].value);
        snprintf(text, sizeof text,
                 NO_TURNS "# HELP temperature How warm.\n# TYPE temperature gauge\ntemperature %s\n",
                 rows[i].text);
        expect(m, text);
        metrics_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_counted),
        cmocka_unit_test(test_counters_and_gauges),
        cmocka_unit_test(test_a_histogram_cumulates),
        cmocka_unit_test(test_label_sets_in_turn),
        cmocka_unit_test(test_label_sets_are_bounded),
        cmocka_unit_test(test_label_values_are_escaped_and_cut),
        cmocka_unit_test(test_numbers_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
