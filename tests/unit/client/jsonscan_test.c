#include "client/jsonscan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_member(void **state)
{
    (void)state;
    const char text[] =
        " {\"a\" : [1,{\"b\":\"]}\"}] ,\"object\": {\"x\\\"\":\"}\"}, \"n\":12, \"t\":true,\"s\":\"v\" }";
    static const char *const cases[][2] = {{"a", "[1,{\"b\":\"]}\"}]"},
                                           {"object", "{\"x\\\"\":\"}\"}"},
                                           {"n", "12"},
                                           {"t", "true"},
                                           {"s", "\"v\""}};
    const char *value;
    size_t len;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(jsonscan_member(text, sizeof text - 1, cases[i][0], &value, &len));
        assert_int_equal(len, strlen(cases[i][1]));
        assert_memory_equal(value, cases[i][1], len);
    }
    assert_false(jsonscan_member(text, sizeof text - 1, "b", &value, &len));
    assert_false(jsonscan_member("[1]", 3, "b", &value, &len));
    assert_false(jsonscan_member("", 0, "b", &value, &len));
}

static void test_the_last_of_two_keys_wins(void **state)
{
    (void)state;
    const char *value;
    size_t len;
    assert_true(jsonscan_member("{\"a\":1,\"a\":2}", 13, "a", &value, &len));
    assert_memory_equal(value, "2", 1);
}

static void test_any_cut_text_ends(void **state)
{
    (void)state;
    const char text[] = "{\"a\":{\"b\":[1,\"\\\"\"]},\"c\":1}";
    const char *value;
    size_t len;
    for (size_t n = 0; n < sizeof text; n++) {
        if (jsonscan_member(text, n, "c", &value, &len))
            assert_true(value + len <= text + n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_member),
        cmocka_unit_test(test_the_last_of_two_keys_wins),
        cmocka_unit_test(test_any_cut_text_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
