#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/policy/check/report.h"
#include "typecheck/typecheck.h"

static struct arena arena;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, (size_t)8 * 1024 * 1024);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_deinit(&arena);
    return 0;
}

static void add(struct report *r, size_t expression, size_t index, const char *kind, const char *issues)
{
    struct policy_type type = {.group = STR("g"), .version = STR("v1"), .kind = str_of(kind)};
    report_add(r, expression, &type, index,
               (struct report_block){
                   .issues = str_of(issues), .first = {.message = str_of(issues)}, .hint = STR("")});
}

static void test_layout(void **state)
{
    (void)state;
    struct report r;
    if (setjmp(arena.escape) != 0)
        fail_msg("out of memory");
    report_init(&r, &arena, &arena, &report_limits_upstream, 2);
    struct policy_type core = {.group = STR(""), .version = STR("v1"), .kind = STR("Pod")};
    report_add(
        &r, 1, &core, 0,
        (struct report_block){.issues = STR("ERROR: x"), .first = {.message = STR("x")}, .hint = STR("")});
    add(&r, 1, 1, "Thing", "ERROR: y");
    report_finish(&r, 0);
    assert_int_equal(r.entries[0].text.len, 0);
    assert_string_equal(r.entries[1].text.at, "/v1, Kind=Pod: ERROR: x\n\ng/v1, Kind=Thing: ERROR: y\n");
    assert_string_equal(r.entries[1].first.message.at, "x");
    assert_int_equal(r.entries[1].first.first_type, 0);
    assert_int_equal(r.left_out, 0);
}

/* hints: of the first types, one a type. */
static void expect_hint(bool is_of_pods, size_t count, const char *const *hints, size_t types,
                        const char *wanted)
{
    struct policy_type type = {.group = STR("g"), .version = STR("v1"), .kind = STR("Thing")};
    struct report r;
    if (setjmp(arena.escape) != 0)
        fail_msg("out of memory");
    report_init(&r, &arena, &arena, &report_limits_full, 1);
    for (size_t i = 0; i < count; i++)
        report_add(&r, 0, &type, i,
                   (struct report_block){.issues = STR("ERROR: x"),
                                         .first = {.message = STR("x")},
                                         .hint = str_of(hints[i]),
                                         .is_hint_of_pods = is_of_pods});
    report_finish(&r, types);
    assert_true(str_eq(r.entries[0].hint, str_of(wanted)));
}

/* What helps a Deployment is wrong for a Pod. */
static void test_a_hint_of_pods_is_for_all_types(void **state)
{
    (void)state;
    expect_hint(true, 1, (const char *const[]){"a"}, 1, "a");
    expect_hint(true, 2, (const char *const[]){"a", "a"}, 2, "a");
    expect_hint(true, 2, (const char *const[]){"a", "b"}, 2, "");
    expect_hint(true, 1, (const char *const[]){"a"}, 2, "");
    expect_hint(false, 1, (const char *const[]){"a"}, 2, "a");
    expect_hint(false, 2, (const char *const[]){"a", "b"}, 2, "a");
}

/* kube-controller-manager writes as much, and API servers take it. */
static void test_upstream_is_whole(void **state)
{
    (void)state;
    enum { TYPES = 10, BYTES = 140 * 1000 };
    static char issues[BYTES];
    struct report r;
    struct arena large;
    size_t len = 0;
    memset(issues, 'x', BYTES - 1);
    arena_init(&large, (size_t)32 * 1024 * 1024);
    if (setjmp(large.escape) != 0)
        fail_msg("out of memory");
    report_init(&r, &large, &large, &report_limits_upstream, 1);
    for (size_t i = 0; i < TYPES; i++)
        add(&r, 0, i, "Thing", issues);
    report_finish(&r, 0);
    len = r.entries[0].text.len;
    assert_int_equal(r.left_out, 0);
    assert_in_range(len, TYPES * BYTES, TYPES * (BYTES + 64));
    arena_deinit(&large);
}

static void test_equal_blocks(void **state)
{
    (void)state;
    struct report r;
    if (setjmp(arena.escape) != 0)
        fail_msg("out of memory");
    report_init(&r, &arena, &arena, &report_limits_full, 1);
    for (size_t i = 0; i < 12; i++) {
        char kind[16];
        snprintf(kind, sizeof kind, "K%zu", i);
        add(&r, 0, i, kind, "ERROR: same");
    }
    add(&r, 0, 12, "Other", "ERROR: other");
    report_finish(&r, 0);
    const char *text = r.entries[0].text.at;
    assert_null(strstr(text, "Kind=K10"));
    assert_non_null(strstr(text, "\n\ng/v1, Kind=K9: ERROR: same\n\ng/v1, Kind=Other: ERROR: other\n"));
    assert_non_null(strstr(text, "other\n\nand 2 more types with the same issues: g/v1 K10, g/v1 K11\n"));
}

/* A thousand names do not fit: the line ends at a whole name. */
static void test_names_are_bounded(void **state)
{
    (void)state;
    struct report r;
    if (setjmp(arena.escape) != 0)
        fail_msg("out of memory");
    report_init(&r, &arena, &arena, &report_limits_full, 1);
    for (size_t i = 0; i < 1000; i++)
        add(&r, 0, i, "Somekind", "ERROR: same");
    report_finish(&r, 0);
    const char *line = strstr(r.entries[0].text.at, "and 990 more");
    assert_non_null(line);
    assert_true(strlen(line) <= 1024);
    assert_string_equal(line + strlen(line) - strlen("g/v1 Somekind, ...\n"), "g/v1 Somekind, ...\n");
}

static void test_entry_is_bounded(void **state)
{
    (void)state;
    struct report r;
    char issues[5000];
    if (setjmp(arena.escape) != 0)
        fail_msg("out of memory");
    report_init(&r, &arena, &arena, &report_limits_full, 1);
    for (size_t i = 0; i < 5; i++) {
        memset(issues, (int)('a' + i), sizeof issues);
        issues[sizeof issues - 1] = '\0';
        add(&r, 0, i, "K", issues);
    }
    report_finish(&r, 0);
    assert_true(r.entries[0].text.len <= 16 * 1024);
    assert_int_equal(r.left_out, 2);
}

/* One block that is too long alone is cut at a line, and says so. */
static void test_long_block(void **state)
{
    (void)state;
    struct report r;
    static char issues[40000];
    if (setjmp(arena.escape) != 0)
        fail_msg("out of memory");
    for (size_t i = 0; i + 1 < sizeof issues; i++)
        issues[i] = i % 100 == 99 ? '\n' : 'x';
    report_init(&r, &arena, &arena, &report_limits_full, 1);
    add(&r, 0, 0, "K", issues);
    report_finish(&r, 0);
    const struct text *t = &r.entries[0].text;
    assert_in_range(t->len, 16 * 1024 - 200, 16 * 1024);
    assert_string_equal(t->at + t->len - strlen("\n(more was left out)\n"), "\n(more was left out)\n");
    assert_int_equal(r.left_out, 1);
}

static void test_total_is_bounded(void **state)
{
    (void)state;
    struct report r;
    char issues[10000];
    memset(issues, 'x', sizeof issues);
    issues[sizeof issues - 1] = '\0';
    if (setjmp(arena.escape) != 0)
        fail_msg("out of memory");
    report_init(&r, &arena, &arena, &report_limits_full, 40);
    for (size_t i = 0; i < 40; i++)
        add(&r, i, 0, "K", issues);
    report_finish(&r, 0);
    size_t total = 0;
    for (size_t i = 0; i < 40; i++)
        total += r.entries[i].text.len;
    assert_true(total <= 256 * 1024);
    assert_true(r.left_out >= 14);
}

/* What fails for one type and goes on for another is both; what is the same is listed once. */
static void test_issues_are_listed_once(void **state)
{
    (void)state;
    struct report r;
    struct policy_type type = {.kind = STR("K")};
    struct typecheck_issue issues[] = {{.message = STR("m"), .line = 1, .column = 2, .is_unequal = true},
                                       {.message = STR("n"), .line = 1, .column = 3}};
    const struct report_block block = {.issues = STR("ERROR: m"),
                                       .first = {.message = STR("m")},
                                       .hint = STR(""),
                                       .list = issues,
                                       .count = 2};
    if (setjmp(arena.escape) != 0)
        fail_msg("out of memory");
    report_init(&r, &arena, &arena, &report_limits_full, 1);
    report_add(&r, 0, &type, 0, block);
    report_add(&r, 0, &type, 1, block);
    assert_int_equal(r.entries[0].issue_count, 2);
    issues[0].is_unequal = false;
    report_add(&r, 0, &type, 2, block);
    assert_int_equal(r.entries[0].issue_count, 3);
    assert_false(r.entries[0].issues[2].is_unequal);
    assert_false(r.entries[0].has_more_issues);
}

static void test_issues_are_bounded(void **state)
{
    (void)state;
    struct report r;
    struct policy_type type = {.kind = STR("K")};
    if (setjmp(arena.escape) != 0)
        fail_msg("out of memory");
    report_init(&r, &arena, &arena, &report_limits_full, 1);
    for (int i = 0; i <= REPORT_ISSUES_MAX; i++) {
        char text[32];
        snprintf(text, sizeof text, "ERROR: %d", i);
        struct typecheck_issue issue = {.message = STR("m"), .line = 1, .column = i};
        assert_false(r.entries[0].has_more_issues);
        report_add(&r, 0, &type, 0,
                   (struct report_block){.issues = str_of(text),
                                         .first = {.message = STR("m")},
                                         .hint = STR(""),
                                         .list = &issue,
                                         .count = 1});
    }
    assert_int_equal(r.entries[0].issue_count, REPORT_ISSUES_MAX);
    assert_true(r.entries[0].has_more_issues);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_layout, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_hint_of_pods_is_for_all_types, setup, teardown),
        cmocka_unit_test(test_upstream_is_whole),
        cmocka_unit_test_setup_teardown(test_equal_blocks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_names_are_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_entry_is_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_block, setup, teardown),
        cmocka_unit_test_setup_teardown(test_total_is_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_issues_are_listed_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_issues_are_bounded, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
