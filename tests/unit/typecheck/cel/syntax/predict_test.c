#include "tests/unit/typecheck/parsed.h"

/* What can begin an operand. */
#define OPERAND                                                                                              \
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, "  \
    "IDENTIFIER}"

static void chosen(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"a", "a"},
        {"a.b", "a.b"},
        {"a.b.c", "a.b.c"},
        {"a()", "a()"},
        {"a.b()", "a.b()"},
        {"a.b.c{}", "a.b.c{}"},
        {".a{}", ".a{}"},
        {"a{}", "a{}"},
        {"a.b{}.c", "a.b{}.c"},
        {"-1", "-1"},
        {"-1.5", "-1.5"},
        {"-a", "-_(a)"},
        {"--1", "1"},
        {"---1", "-_(1)"},
        {"- -a", "a"},
        {"[1,]", "[1]"},
        {"[1,2]", "[1, 2]"},
        {"[,]", "[]"},
        {"{1:2,}", "{1: 2}"},
        {"{1:2,3:4}", "{1: 2, 3: 4}"},
        {"{,}", "{}"},
        {"A{a:1,}", "A{a: 1}"},
        {"A{a:1,b:2}", "A{a: 1, b: 2}"},
        {"A{,}", "A{}"},
        {"a.?b", "_?._(a, \"b\")"},
        {"a.b.?c", "_?._(a.b, \"c\")"},
        {"x.f(a.b.c)", "x.f(a.b.c)"},
        {"a.b.c.d(1)", "a.b.c.d(1)"},
        {"a[?1]", "_[?_](a, 1)"},
        {"-(1)", "-_(1)"},
        {"-[1]", "-_([1])"},
        {"-{}", "-_({})"},
        {"-'a'", "-_(\"a\")"},
        {"-.a", "-_(.a)"},
        {"!-1", "!_(-1)"},
        {"!-1.5", "!_(-1.5)"},
    };
    PARSED_CHECK(CASES, PARSED_TREE);
}

static void not_viable(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"a.b.c.", "1:7: Syntax error: no viable alternative at input '.'"},
        {"a.b.c.1", "1:6: Syntax error: extraneous input '.1' expecting <EOF>"},
        {".1a", "1:3: Syntax error: extraneous input 'a' expecting <EOF>"},
        {"a.b.c.(", "1:7: Syntax error: no viable alternative at input '.('"},
        {"-!a", "1:2: Syntax error: no viable alternative at input '-!'"},
        {"-,", "1:2: Syntax error: no viable alternative at input '-,'\n1:2: Syntax error: mismatched input "
               "',' expecting " OPERAND ""},
        {"[1,)", "1:4: Syntax error: mismatched input ')' expecting ']'"},
        {"{1:2,]", "1:6: Syntax error: mismatched input ']' expecting '}'"},
        {"A{a:1,1}", "1:7: Syntax error: extraneous input '1' expecting '}'"},
        {"!-a", "1:3: Syntax error: no viable alternative at input '-a'"},
        {"!-1u", "1:3: Syntax error: no viable alternative at input '-1u'"},
        {"a.(", "1:3: Syntax error: no viable alternative at input '.('"},
        {"a.[0]", "1:3: Syntax error: no viable alternative at input '.['"},
        {"a.b.`c", "1:5: Syntax error: token recognition error at: '`c'\n1:7: Syntax error: no viable "
                   "alternative at input '.'"},
        {"a{b", "1:4: Syntax error: mismatched input '<EOF>' expecting ':'"},
        {".{}", "1:2: Syntax error: no viable alternative at input '.{'"},
        {"..a", "1:2: Syntax error: no viable alternative at input '..'"},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen),
        cmocka_unit_test(not_viable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
