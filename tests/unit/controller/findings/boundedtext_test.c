#include "controller/findings/boundedtext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_items(void **state)
{
    (void)state;
    struct boundedtext list;
    boundedtext_init(&list);
    boundedtext_end(&list);
    assert_string_equal(list.text.data, "");
    buf_puts(&list.text, "2 of 3: ");
    boundedtext_add(&list, "one\n\x1b[31m");
    boundedtext_add(&list, "two");
    boundedtext_end(&list);
    assert_string_equal(list.text.data, "2 of 3: one  [31m; two");
    buf_deinit(&list.text);
}

/* However many and however long they are, the text and what is reserved behind it have room. */
static void test_bounds(void **state)
{
    (void)state;
    char item[3000];
    for (size_t len = 1; len < sizeof item; len += 97) {
        for (size_t reserved = 0; reserved <= 200; reserved += 100) {
            struct boundedtext list;
            char more[40];
            memset(item, 'x', len);
            item[len] = '\0';
            boundedtext_init(&list);
            list.reserved = reserved;
            for (int i = 0; i < 50; i++)
                boundedtext_add(&list, item);
            boundedtext_end(&list);
            assert_false(list.text.is_full);
            assert_in_range(list.text.len, 1, BOUNDEDTEXT_BYTES - reserved);
            assert_int_equal(list.items, 50);
            snprintf(more, sizeof more, "; and %zu more", list.left_out);
            assert_int_equal(list.left_out > 0, strstr(list.text.data, "; and ") != NULL);
            if (list.left_out > 0)
                assert_string_equal(list.text.data + list.text.len - strlen(more), more);
            if (len > BOUNDEDTEXT_BYTES)
                assert_non_null(strstr(list.text.data, "x...; and 49 more"));
            buf_deinit(&list.text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
