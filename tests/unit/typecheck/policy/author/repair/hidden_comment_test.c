#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/newestenv.h"
#include "typecheck/policy/author/repair/hidden_comment.h"

#define STEPS ((uint64_t)1000 * 1000)

/* In `marked`, @ stands where a line of the file begins. hides: NULL for nothing. */
static void check(const char *marked, const char *hides, bool has_grammar)
{
    char text[200];
    uint32_t breaks[20], len = 0;
    size_t count = 0;
    struct hidden_comment found;
    for (const char *p = marked; *p != '\0'; p++) {
        if (*p == '@')
            breaks[count++] = len;
        else
            text[len++] = *p;
    }
    const bool is_found =
        hidden_comment_find(newestenv, (struct str){text, len}, breaks, count, STEPS, &found);
    if (is_found != (hides != NULL))
        fail_msg("%s: %s", marked, is_found ? "something is hidden" : "nothing is hidden");
    if (hides == NULL)
        return;
    assert_memory_equal(text + found.offset, "//", 2);
    assert_true(str_eq(found.text, str_of(hides)));
    assert_int_equal(found.has_grammar, has_grammar);
}

static void test_comments(void **state)
{
    (void)state;
    check("a // b @&& c", "&& c", true);
    check("a //@&& c", "&& c", true);
    check("a // b @&& c @&& d", "&& c", true);
    check("a // b @&& c // d @&& e", "&& c // d", true);
    check("a // b\n@&& c // d @|| e", "|| e", true);
    check("a && // b @c", "c", false);
    check("a && ( // b @c\n@)", "c", false);
    check("a // b @&& c &&", NULL, false); /* nor does it parse with its line ends */
    check("a // b @c", NULL, false);
    check("a // b @// c", NULL, false);
    check("a // b @", NULL, false);
    check("a // b", NULL, false);
    check("a @&& b", NULL, false);
    check("a // b\n@&& c", NULL, false);
    check("a == 'b // c @&& d'", NULL, false);
    check("a == '''b // c @&& d'''", NULL, false);
    check("a == '''b // c @&& d''' // e @&& f", "&& f", true);
}

static void test_limits(void **state)
{
    (void)state;
    static const char unit[] = "// x ";
    enum { UNITS = 4000 };
    static char text[1 + UNITS * (sizeof unit - 1)] = "a";
    static uint32_t breaks[UNITS];
    struct hidden_comment found;
    for (uint32_t i = 0; i < UNITS; i++) {
        memcpy(text + 1 + i * (sizeof unit - 1), unit, sizeof unit - 1);
        breaks[i] = (uint32_t)(1 + i * (sizeof unit - 1));
    }
    for (uint64_t steps = 1; steps <= STEPS; steps *= 10)
        assert_false(
            hidden_comment_find(newestenv, (struct str){text, sizeof text}, breaks, UNITS, steps, &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, newestenv_setup, newestenv_teardown);
}
