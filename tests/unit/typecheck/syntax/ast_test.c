#include "tests/unit/typecheck/parsed.h"

static void literals_and_marks(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"[null, true, false, -1, 2u, 0.1, 'a\"\\\\\\n\\u00e9', b'\\xff']",
         "[null, true, false, -1, 2u, 0.10000000000000001, \"a\\\"\\\\\\x0a\\xc3\\xa9\", b\"\\xff\"]"},
        {"[?a, {?b: c}, D{?e: f}]", "[?a, {?b: c}, D{?e: f}]"},
        {"has(a.b)", "a.b~test-only~"},
        {"a.b(c)", "a.b(c)"},
    };
    PARSED_CHECK(CASES, PARSED_TREE);
}

static void places(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"a.b", "a^0.b^1"},
        {"{a: f()}", "{a^1:^2 f()^5}^0"},
        {"x.map(i, i)",
         "fold(i in x^0; @result = []^5; while true^5; _+_(@result^5, [i^9]^5)^5; @result^5)^5"},
    };
    PARSED_CHECK(CASES, PARSED_PLACES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals_and_marks),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
