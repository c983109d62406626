#include "controller/findings/kubeversion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *json, int minor, int oldest, const char *git)
{
    struct kubeversion v;
    struct err err = {0};
    if (kubeversion_parse(json, strlen(json), &v, &err) != 0)
        fail_msg("%s", err.msg);
    assert_int_equal(v.minor, minor);
    assert_int_equal(v.oldest_minor, oldest);
    assert_string_equal(v.git, git);
}

static void test_versions(void **state)
{
    (void)state;
    expect("{\"major\":\"1\",\"minor\":\"36\",\"gitVersion\":\"v1.36.2\",\"minCompatibilityMinor\":\"35\"}",
           36, 35, "v1.36.2");
    expect("{\"major\":\"1\",\"minor\":\"33+\",\"gitVersion\":\"v1.33.1-gke.5\"}", 33, 32, "v1.33.1-gke.5");
    expect("{\"major\":\"\",\"minor\":\"\",\"gitVersion\":\"v1.31.0-vendor\"}", 31, 30, "v1.31.0-vendor");
    expect("{\"major\":\"1\",\"minor\":\"30\"}", 30, 29, "");
}

static void test_what_is_no_version(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "{}",
                                        "{\"major\":\"2\",\"minor\":\"1\"}",
                                        "{\"major\":\"1\",\"minor\":\"x\",\"gitVersion\":\"v1.\"}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct kubeversion v;
        struct err err = {0};
        assert_int_equal(kubeversion_parse(texts[i], strlen(texts[i]), &v, &err), -1);
        assert_int_equal(err.code, ERR_PROTOCOL);
        assert_non_null(strstr(err.msg, "/version"));
    }
}

static void test_cel_go(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int release;
    } cases[] = {{"0.17", 17},  {"0.33", 33},    {"v0.26.1", 26}, {"0.26.0", 26}, {"0.16", -1},
                 {"0.34", -1},  {"1.26", -1},    {"26", -1},      {"", -1},       {"v", -1},
                 {"0.", -1},    {"0.260", -1},   {"0.26.", -1},   {"0.26.x", -1}, {"0.26x", -1},
                 {"0.026", -1}, {"0.26.1.2", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(kubeversion_cel_go(cases[i].text), cases[i].release);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_what_is_no_version),
        cmocka_unit_test(test_cel_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
