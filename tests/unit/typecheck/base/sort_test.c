#include "typecheck/base/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* By the text at these places. */
static int by_text(const void *left, const void *right, void *context)
{
    const char *text = context;
    return text[*(const int *)left] - text[*(const int *)right];
}

static void test_the_order_is_that_of_the_context(void **state)
{
    (void)state;
    char text[] = "dbca";
    int places[] = {0, 1, 2, 3};
    sort_by(places, 4, sizeof *places, by_text, text);
    const int wanted[] = {3, 1, 2, 0};
    assert_memory_equal(places, wanted, sizeof wanted);
    sort_by(places, 0, sizeof *places, by_text, text);
    assert_memory_equal(places, wanted, sizeof wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_order_is_that_of_the_context)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
