#include "typecheck/eval/constant_parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* What Go's parsers answered to the same texts. */
static const struct {
    const char *function, *text;
    bool may_parse;
} rows[] = {
    {"quantity", "1Gi", true},
    {"quantity", "-.5", true},
    {"quantity", "+", true},
    {"quantity", "1e+5", true},
    {"quantity", "1E", true},
    {"quantity", "00", true},
    {"quantity", "", false},
    {"quantity", "abc", false},
    {"quantity", "1 Gi", false},
    {"quantity", "1GiB", false},
    {"quantity", "1e", false},
    {"quantity", "0x1", false},
    {"ip", "1.2.3.4", true},
    {"ip", "::", true},
    {"ip", "1:2:3:4:5:6:7::", true},
    {"ip", "64:ff9b::1.2.3.4", true},
    {"ip", "300.1.1.1", false},
    {"ip", "01.2.3.4", false},
    {"ip", "1.2.3", false},
    {"ip", "1.2.3.4.5", false},
    {"ip", "1::2::3", false},
    {"ip", "1:2:3:4:5:6:7::8:9", false},
    {"ip", "fe80::1%eth0", false},
    {"ip", "1:", false},
    {"ip", ":::", false},
    {"ip", "12345::", false},
    {"ip", "", false},
    {"cidr", "10.0.0.0/8", true},
    {"cidr", "::/128", true},
    {"cidr", "10.0.0.0/33", false},
    {"cidr", "::/129", false},
    {"cidr", "10.0.0.0", false},
    {"cidr", "10.0.0.0/08", false},
    {"cidr", "10.0.0.0/+8", false},
    {"cidr", "/8", false},
    {"cidr", "", false},
    {"url", "https://a", true},
    {"url", "/a", true},
    {"url", "*", true},
    {"url", "a:b", true},
    {"url", "http://[::1", true}, /* not known */
    {"url", "", false},
    {"url", "::", false},
    {"url", "abc", false},
    {"url", "1a:b", false},
    {"url", "https://a\x01", false},
    {"url", "?x", false},
    {"semver", "1.2.3", true},
    {"semver", "1.2.3-a", true},
    {"semver", "1.2", false},
    {"semver", "v1.2.3", false},
    {"semver", "1.02.3", false},
    {"semver", "1.2.x", false},
    {"int", "-1", true},
    {"int", "+1", true},
    {"int", "1.5", false},
    {"int", "", false},
    {"uint", "1", true},
    {"uint", "-1", false},
    {"bool", "T", true},
    {"bool", "False", true},
    {"bool", "yes", false},
};

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct constant_parse *parse = constant_parse_find(str_of(rows[i].function), 1, false);
        assert_non_null(parse);
        if (parse->may_parse(str_of(rows[i].text)) != rows[i].may_parse)
            fail_msg("%s('%s')", rows[i].function, rows[i].text);
    }
}

static void test_functions(void **state)
{
    (void)state;
    assert_null(constant_parse_find(STR("ip"), 1, true)); /* of a CIDR */
    assert_null(constant_parse_find(STR("semver"), 2, false));
    assert_int_equal(constant_parse_find(STR("containsIP"), 2, true)->index, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
