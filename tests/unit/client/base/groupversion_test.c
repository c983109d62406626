#include "client/base/groupversion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_split(const char *text, const char *group, const char *version, bool is_malformed)
{
    cleanup_groupversion struct groupversion gv = groupversion_split(text);
    assert_string_equal(gv.group, group);
    assert_string_equal(gv.version, version);
    assert_int_equal(gv.is_malformed, is_malformed);
}

static void test_split(void **state)
{
    (void)state;
    expect_split("apps/v1", "apps", "v1", false);
    expect_split("v1", "", "v1", false);
    expect_split("", "", "", false);
    expect_split("/v1", "", "v1", false);
    expect_split("apps/", "apps", "", false);
    expect_split("a/b/c", "a", "b/c", true);
}

static void test_path(void **state)
{
    (void)state;
    char path[32];
    assert_int_equal(groupversion_path("", "v1", path, sizeof path), 0);
    assert_string_equal(path, "api/v1");
    assert_int_equal(groupversion_path("apps", "v1", path, sizeof path), 0);
    assert_string_equal(path, "apis/apps/v1");
    assert_int_equal(groupversion_path("a-group-with-a-long-name.example.com", "v1", path, sizeof path), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
