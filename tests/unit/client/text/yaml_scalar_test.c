#include "client/text/yaml_scalar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
static void resolves(const char *text, const char *tag, bool is_quoted, const char *expected)
{
    struct json_object *value;
    struct err err;
    assert_int_equal(yaml_scalar_resolve(text, strlen(text), tag, is_quoted, &value, &err), 0);
    assert_string_equal(json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN), expected);
    json_object_put(value);
}

static void test_plain(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"yes", "true"},
        {"Off", "false"},
        {"y", "true"},
        {"yEs", "\"yEs\""},
        {"", "null"},
        {"~", "null"},
        {"017", "15"},
        {"0o17", "15"},
        {"0778", "778"},
        {"0x1F", "31"},
        {"-0b11", "-3"},
        {"1_000", "1000"},
        {"1.0", "1"},
        {"1.5", "1.5"},
        {".5", "0.5"},
        {"+.5", "0.5"},
        {"1e400", "\"1e400\""},
        {"18446744073709551615", "18446744073709551615"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"2001-01-01", "\"2001-01-01\""},
        {"12:30", "\"12:30\""},
        {"1.2.3", "\"1.2.3\""},
        {"-", "\"-\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        resolves(cases[i][0], "", false, cases[i][1]);
}

static void test_quotes_and_tags(void **state)
{
    (void)state;
    resolves("yes", "", true, "\"yes\"");
    resolves("5", "tag:yaml.org,2002:str", false, "\"5\"");
    resolves("5", "tag:yaml.org,2002:float", false, "5");
    resolves("5", "tag:yaml.org,2002:int", true, "5");
    resolves("5", "!mine", false, "\"5\"");
    resolves("aGVsbG8=", "tag:yaml.org,2002:binary", false, "\"hello\"");
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{".inf", ""},
                                           {".nan", ""},
                                           {"x", "tag:yaml.org,2002:int"},
                                           {"1.5", "tag:yaml.org,2002:int"},
                                           {"x", "tag:yaml.org,2002:binary"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct json_object *value;
        struct err err = {0};
        assert_int_equal(
            yaml_scalar_resolve(cases[i][0], strlen(cases[i][0]), cases[i][1], false, &value, &err), -1);
        assert_int_equal(err.code, ERR_INVALID);
    }
}

static void test_keys(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"on", "true"},
                                           {"0x10", "16"},
                                           {"1.5", "1.5"},
                                           {"1e3", "1000"},
                                           {"-9223372036854775808", "-9223372036854775808"},
                                           {".inf", ".inf"},
                                           {"-.inf", "-.inf"},
                                           {".nan", ".nan"},
                                           {"no", "false"},
                                           {"a", "a"}};
    char number[YAML_SCALAR_NUMBER_BYTES];
    const char *key;
    struct err err;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(yaml_scalar_key(cases[i][0], strlen(cases[i][0]), "", false, number, &key, &err), 0);
        assert_string_equal(key, cases[i][1]);
    }
    assert_int_equal(yaml_scalar_key("~", 1, "", false, number, &key, &err), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_quotes_and_tags),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
