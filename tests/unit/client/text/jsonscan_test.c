#include "client/text/jsonscan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Returns the number of bytes of the text's first value. */
static size_t length(const char *text)
{
    struct jsonscan scan;
    jsonscan_start(&scan);
    for (size_t i = 0; text[i]; i++) {
        const enum jsonscan_where where = jsonscan_step(&scan, text[i]);
        if (where != JSONSCAN_INSIDE)
            return where == JSONSCAN_LAST ? i + 1 : i;
    }
    return 0;
}

static void test_where_values_end(void **state)
{
    (void)state;
    static const char *const values[] = {
        "[1,{\"b\":\"]}\"}]", "{\"x\\\"\":\"}\"}", "\"v\\\\\"", "\"\"", "{}", "[[]]",
    };
    static const char *const words[] = {"12", "-1.5e3", "true", "null"};
    char text[64];
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        assert_int_equal(snprintf(text, sizeof text, "%s,1]", values[i]), strlen(values[i]) + 3);
        assert_int_equal(length(text), strlen(values[i]));
        assert_int_equal(length(values[i]), strlen(values[i]));
        text[strlen(values[i]) - 1] = '\0';
        assert_int_equal(length(text), 0);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (const char *end = ", ]}:\n"; *end; end++) {
            assert_int_equal(snprintf(text, sizeof text, "%s%c", words[i], *end), strlen(words[i]) + 1);
            assert_int_equal(length(text), strlen(words[i]));
        }
        assert_int_equal(length(words[i]), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_values_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
