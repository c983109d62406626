#include "client/base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char line[LOG_LINE_BYTES + 1];

static const char *render(enum log_format format, size_t cap, const char *key, const char *message)
{
    const size_t len = log_render(line, cap, format, LOG_LEVEL_WARN, 1700000000042, key, message);
    assert_true(len <= cap);
    line[len] = '\0';
    return line;
}

static void test_text(void **state)
{
    (void)state;
    assert_string_equal(render(LOG_FORMAT_TEXT, LOG_LINE_BYTES, "my-policy", "3 \"warnings\" \\ caf\xc3\xa9"),
                        "2023-11-14T22:13:20.042Z warn [my-policy] 3 \"warnings\" \\ caf\xc3\xa9\n");
    assert_string_equal(render(LOG_FORMAT_TEXT, LOG_LINE_BYTES, NULL, "x"),
                        "2023-11-14T22:13:20.042Z warn x\n");
}

static void test_json(void **state)
{
    (void)state;
    assert_string_equal(render(LOG_FORMAT_JSON, LOG_LINE_BYTES, "p", "say \"hi\"\\"),
                        "{\"ts\":\"2023-11-14T22:13:20.042Z\",\"level\":\"warn\",\"key\":\"p\",\"msg\":\"say "
                        "\\\"hi\\\"\\\\\"}\n");
}

static void test_nothing_can_end_a_line_or_reach_the_terminal(void **state)
{
    (void)state;
    for (int format = LOG_FORMAT_TEXT; format <= LOG_FORMAT_JSON; format++) {
        render((enum log_format)format, LOG_LINE_BYTES, "a\nb",
               "x\x1b[31m\r\n\x7f\xc2\x9b\xe2\x80\xa8\xff\xe2\x80\xae\xe2\x80\x8b\xf3\xa0\x81\x81");
        assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
        assert_null(strchr(line, '\x1b'));
        assert_null(strchr(line, '\xff'));
        assert_non_null(strstr(line, "\\u001b[31m"));
        assert_non_null(strstr(line, "\\u009b\\u2028"));
        assert_non_null(strstr(line, "\\u202e\\u200b\\udb40\\udc41"));
    }
}

static void test_a_long_message_is_cut_at_every_cap(void **state)
{
    (void)state;
    char message[400];
    memset(message, '"', sizeof message - 1);
    message[sizeof message - 1] = '\0';
    for (size_t cap = 128; cap < 300; cap++) {
        render(LOG_FORMAT_JSON, cap, "key", message);
        assert_string_equal(line + strlen(line) - 8, "\\\"...\"}\n");
    }
}

static void test_levels(void **state)
{
    (void)state;
    assert_false(log_is_enabled(LOG_LEVEL_DEBUG));
    log_set_level(LOG_LEVEL_DEBUG);
    assert_true(log_is_enabled(LOG_LEVEL_DEBUG));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_nothing_can_end_a_line_or_reach_the_terminal),
        cmocka_unit_test(test_a_long_message_is_cut_at_every_cap),
        cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
