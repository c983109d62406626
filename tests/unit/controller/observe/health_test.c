#include "controller/observe/health.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool is_excluded(const void *user, const char *name)
{
    return strcmp(name, user) == 0;
}

struct row {
    enum health_probe probe;
    const char *name;
    bool is_verbose;
    const char *excluded;
    int status;
    const char *text;
};

static void expect(const struct health *health, const struct row *row)
{
    struct buf out;
    buf_init(&out, 4096);
    const struct health_query query = {.name = row->name,
                                       .is_verbose = row->is_verbose,
                                       .is_excluded = row->excluded == NULL ? NULL : is_excluded,
                                       .user = row->excluded};
    assert_int_equal(health_render(health, row->probe, &query, &out), row->status);
    assert_string_equal(out.data, row->text);
    buf_deinit(&out);
}

static void test_all_is_well(void **state)
{
    (void)state;
    struct health h = {0};
    static const struct row rows[] = {
        {HEALTH_LIVE, "", false, NULL, 200, "ok"},
        {HEALTH_READY, "", false, NULL, 200, "ok"},
        {HEALTH_LIVE, "", true, NULL, 200, "[+]ping ok\nlivez check passed\n"},
        {HEALTH_HEALTHZ, "", true, NULL, 200, "[+]ping ok\nhealthz check passed\n"},
        {HEALTH_READY, "", true, NULL, 200, "[+]ping ok\n[+]stores ok\nreadyz check passed\n"},
        {HEALTH_READY, "stores", false, NULL, 200, "ok"},
        {HEALTH_READY, "store", false, NULL, 404, "404 page not found\n"},
        {HEALTH_LIVE, "stores", false, NULL, 404, "404 page not found\n"},
    };
    health_add(&h, "ping", true, true, "never said");
    health_add(&h, "stores", false, true, "never said");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect(&h, &rows[i]);
}

static void test_a_failure(void **state)
{
    (void)state;
    struct health h = {0};
    static const struct row rows[] = {
        {HEALTH_LIVE, "", false, NULL, 200, "ok"},
        {HEALTH_READY, "", false, NULL, 500,
         "[+]ping ok\n[-]stores failed: policies: not listed\n[+]shutdown ok\nreadyz check failed\n"},
        {HEALTH_READY, "ping", false, NULL, 200, "ok"},
        {HEALTH_READY, "stores", true, NULL, 500,
         "[-]stores failed: policies: not listed\nreadyz check failed\n"},
        {HEALTH_READY, "", false, "stores", 200, "ok"},
        {HEALTH_READY, "", true, "stores", 200,
         "[+]ping ok\n[+]stores excluded: ok\n[+]shutdown ok\nreadyz check passed\n"},
        {HEALTH_READY, "", false, "ping", 500,
         "[+]ping excluded: ok\n[-]stores failed: policies: not listed\n[+]shutdown ok\nreadyz check "
         "failed\n"},
    };
    health_add(&h, "ping", true, true, "never said");
    health_add(&h, "stores", false, false, "%s: not %s", "policies", "listed");
    health_add(&h, "shutdown", false, true, "never said");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect(&h, &rows[i]);
}

/* The API server's words neither begin a line nor reach a terminal. */
static void test_a_reason_is_one_line(void **state)
{
    (void)state;
    struct health h = {0};
    health_add(&h, "lease", false, false, "%s", "no\n[+]lease ok\x1b[2J\xe2\x80\xae");
    expect(&h, &(struct row){HEALTH_READY, "", false, NULL, 500,
                             "[-]lease failed: no\\x0a[+]lease ok\\x1b[2J\\u202e\nreadyz check failed\n"});
    struct health full = {0};
    char why[HEALTH_WHY_BYTES];
    memset(why, '\x1b', sizeof why - 1);
    why[sizeof why - 1] = '\0';
    for (size_t i = 0; i < HEALTH_ITEMS_MAX; i++)
        health_add(&full, "x", false, false, "%s", why);
    struct buf out;
    buf_init(&out, HEALTH_TEXT_BYTES);
    const struct health_query query = {.name = ""};
    assert_int_equal(health_render(&full, HEALTH_READY, &query, &out), 500);
    assert_non_null(strstr(out.data, "readyz check failed\n"));
    buf_deinit(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_is_well), cmocka_unit_test(test_a_failure),
                                       cmocka_unit_test(test_a_reason_is_one_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
