#include "client/http/headerfields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/err.h"

enum { NOW = 784111777 }; /* Sun, 06 Nov 1994 08:49:37 GMT */

static void line(struct headerfields *head, const char *text)
{
    headerfields_line(head, text, strlen(text), NOW);
}

static void test_fields(void **state)
{
    (void)state;
    struct headerfields head;
    headerfields_init(&head);
    assert_int_equal(head.retry_after_ms, -1);
    line(&head, "HTTP/1.1 200 OK\r\n");
    line(&head, "eTaG: \"a\"\r\n");
    line(&head, "ETag:\t \"b\" \t\r\n");
    line(&head, "Content-Type: application/json\r\n");
    line(&head, "WARNING: 299 - \"old: very\"\r\n");
    line(&head, "Etagg: no\r\n");
    line(&head, "\r\n");
    assert_string_equal(head.etag, "\"b\"");
    assert_string_equal(head.content_type, "application/json");
    assert_string_equal(head.warning, "299 - \"old: very\"");
    headerfields_deinit(&head);
}

static void test_retry_after(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t wanted_ms;
    } cases[] = {
        {"Retry-After: 2", 2000},
        {"Retry-After: 0", 0},
        {"retry-after:120\r\n", 120000},
        {"Retry-After: 301", ERR_RETRY_AFTER_MAX_MS},
        {"Retry-After: 99999999999999999999999", ERR_RETRY_AFTER_MAX_MS},
        {"Retry-After: Sun, 06 Nov 1994 08:49:40 GMT", 3000},
        {"Retry-After: Sun, 06 Nov 1994 08:49:30 GMT", 0},
        {"Retry-After: Sun, 06 Nov 2094 08:49:30 GMT", ERR_RETRY_AFTER_MAX_MS},
        {"Retry-After: -1", -1},
        {"Retry-After: 2s", -1},
        {"Retry-After: soon", -1},
        {"Retry-After: ", -1},
        {"Retry-After: 0123456789012345678901234567890123456789012345678901234567890123456789", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct headerfields head;
        headerfields_init(&head);
        line(&head, cases[i].text);
        if (head.retry_after_ms != cases[i].wanted_ms)
            fail_msg("%s: %lld", cases[i].text, (long long)head.retry_after_ms);
        headerfields_deinit(&head);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_retry_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
