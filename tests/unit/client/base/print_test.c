#include "client/base/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_what_is_not_ours(void **state)
{
    (void)state;
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    print_line(out, "program: %s", "a\nb\x1b]0;title\x07\xe2\x80\xae");
    print_part(out, "%s|", "x\ny");
    print_text(out, "one\ntwo\r\n");
    assert_int_equal(print_raw(out, "%s", "\033[0m"), 4);
    fclose(out);
    assert_string_equal(text, "program: a\\x0ab\\x1b]0;title\\x07\\u202e\nx\\x0ay|one\ntwo\\x0d\n\033[0m");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_not_ours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
