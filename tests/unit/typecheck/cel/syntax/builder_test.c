#include "tests/unit/typecheck/parsed.h"

/* What can begin an operand. */
#define OPERAND                                                                                              \
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, "  \
    "IDENTIFIER}"

static void wrong_words(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"as", "1:1: reserved identifier: as"},
        {"break", "1:1: reserved identifier: break"},
        {"const", "1:1: reserved identifier: const"},
        {"continue", "1:1: reserved identifier: continue"},
        {"else", "1:1: reserved identifier: else"},
        {"for", "1:1: reserved identifier: for"},
        {"function", "1:1: reserved identifier: function"},
        {"if", "1:1: reserved identifier: if"},
        {"import", "1:1: reserved identifier: import"},
        {"let", "1:1: reserved identifier: let"},
        {"loop", "1:1: reserved identifier: loop"},
        {"package", "1:1: reserved identifier: package"},
        {"namespace", "1:1: reserved identifier: namespace"},
        {"return", "1:1: reserved identifier: return"},
        {"var", "1:1: reserved identifier: var"},
        {"void", "1:1: reserved identifier: void"},
        {"while", "1:1: reserved identifier: while"},
        {"while(a)", "1:1: reserved identifier: while"},
        {".if", "1:1: reserved identifier: if"},
        {"  .while(1)", "1:3: reserved identifier: while"},
        {"a.b + namespace.c", "1:7: reserved identifier: namespace"},
        {"9223372036854775808", "1:1: invalid int literal"},
        {"-9223372036854775809", "1:1: invalid int literal"},
        {"18446744073709551616u", "1:1: invalid uint literal"},
        {"1e999", "1:1: invalid double literal"},
        {"'\\ud800'", "1:1: invalid unicode code point"},
        {"b'\\u0041'", "1:1: unable to unescape string"},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

static void backquotes(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"a.`b`", "a.b"},
        {"a.`b-c/d.e f`.g", "a.b-c/d.e f.g"},
        {"a.?`in`", "_?._(a, \"in\")"},
        {"has(a.`b/c`)", "a.b/c~test-only~"},
        {"A{`b-c`: 1}", "A{b-c: 1}"},
    };
    static const struct parsed_case BEFORE[] = {
        {"a.`b`", "1:3: unsupported syntax: '`'"},
        {"a.?`b`", "1:4: unsupported syntax: '`'"},
        {"A{`b`: 1}", "1:3: unsupported syntax: '`'"},
        {"A{a: 1, `b`: as}", "1:3: unsupported syntax: '`'"},
        {"a.`b` c", "1:3: unsupported syntax: '`'\n1:7: Syntax error: extraneous input 'c' expecting <EOF>"},
        {"A{`b`: 1, c",
         "1:3: unsupported syntax: '`'\n1:12: Syntax error: mismatched input '<EOF>' expecting ':'"},
    };
    PARSED_CHECK(CASES, PARSED_TREE);
    PARSED_CHECK_AT(BEFORE, 36, PARSED_BRIEF);
}

/* What is left is looked at, too. */
static void after_syntax_errors(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"x.all(1, y", "1:7: argument must be a simple name\n1:11: Syntax error: missing ')' at '<EOF>'"},
        {"has(1", "1:5: invalid argument to has() macro\n1:6: Syntax error: missing ')' at '<EOF>'"},
        {"[as, b",
         "1:2: reserved identifier: as\n1:7: Syntax error: mismatched input '<EOF>' expecting {']', ','}"},
        {"f(while, 1 2)",
         "1:3: reserved identifier: while\n1:12: Syntax error: extraneous input '2' expecting ')'"},
        {"{'\\ud800': 1", "1:2: invalid unicode code point\n1:13: Syntax error: mismatched input '<EOF>' "
                          "expecting {'}', ','}"},
        {"99999999999999999999 1",
         "1:1: invalid int literal\n1:22: Syntax error: extraneous input '1' expecting <EOF>"},
        {".?", "1:2: Syntax error: no viable alternative at input '.?'\n1:3: Syntax error: mismatched input "
               "'<EOF>' expecting {IDENTIFIER, ESC_IDENTIFIER}\n1:3: unsupported ident kind"},
        {"{a: if",
         "1:5: reserved identifier: if\n1:7: Syntax error: mismatched input '<EOF>' expecting {'}', ','}"},
        {"A{?: 1}", "1:3: unsupported ident kind\n1:4: Syntax error: mismatched input ':' expecting "
                    "{IDENTIFIER, ESC_IDENTIFIER}"},
        {"A{: 1}",
         "1:3: Syntax error: mismatched input ':' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"},
        {"a[", "1:3: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', '?', "
               "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
        {"x.all(.?, y",
         "1:8: Syntax error: no viable alternative at input '.?'\n1:9: Syntax error: extraneous input ',' "
         "expecting {IDENTIFIER, ESC_IDENTIFIER}\n1:12: Syntax error: missing ')' at '<EOF>'"},
        {"x.map(-, y)", "1:8: Syntax error: no viable alternative at input '-,'\n1:8: Syntax error: "
                        "extraneous input ',' expecting " OPERAND ""},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

static void trees(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"a", "a"},
        {".a", ".a"},
        {"a.b.c", "a.b.c"},
        {"a . b", "a.b"},
        {".a.b(1)", ".a.b(1)"},
        {"f()", "f()"},
        {"f(1, 2u)", "f(1, 2u)"},
        {".f(x)", ".f(x)"},
        {"a.f(b).g()", "a.f(b).g()"},
        {"a[0][1]", "_[_](_[_](a, 0), 1)"},
        {"a.?b", "_?._(a, \"b\")"},
        {"a[?0]", "_[?_](a, 0)"},
        {"[]", "[]"},
        {"[1, ?a, 2,]", "[1, ?a, 2]"},
        {"{}", "{}"},
        {"{\"k\": 1, ?a: b,}", "{\"k\": 1, ?a: b}"},
        {"A{}", "A{}"},
        {".a . B.C{x: 1, ?y: 2,}", ".a.B.C{x: 1, ?y: 2}"},
        {"a.as.namespace", "a.as.namespace"},
        {"true && false || null", "_||_(_&&_(true, false), null)"},
        {"'a' + r'\\' + b'\\x00'", "_+_(_+_(\"a\", \"\\\\\"), b\"\\x00\")"},
        {"1.5 + .5e1", "_+_(1.5, 5)"},
    };
    PARSED_CHECK(CASES, PARSED_TREE);
}

/* An even number of signs is none; a minus before a number is the number's. */
static void signs(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"!a", "!_(a)"},
        {"!!a", "a"},
        {"!!!a", "!_(a)"},
        {"-a", "-_(a)"},
        {"--a", "a"},
        {"-1", "-1"},
        {"--1", "1"},
        {"- 1", "-1"},
        {"-1.f()", "-1.f()"},
        {"-(1)", "-_(1)"},
        {"1 - -1", "_-_(1, -1)"},
        {"1-1", "_-_(1, 1)"},
        {"-1u", "-_(1u)"},
        {"!a.b", "!_(a.b)"},
        {"-a.b[0]", "-_(_[_](a.b, 0))"},
    };
    PARSED_CHECK(CASES, PARSED_TREE);
}

static void balanced_chains(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"a || b", "_||_(a, b)"},
        {"a || b || c", "_||_(_||_(a, b), c)"},
        {"a || b || c || d", "_||_(_||_(a, b), _||_(c, d))"},
        {"a || b || c || d || e", "_||_(_||_(_||_(a, b), c), _||_(d, e))"},
        {"a && b && c", "_&&_(_&&_(a, b), c)"},
        {"a || b && c || d", "_||_(_||_(a, _&&_(b, c)), d)"},
        {"(a || b) || c", "_||_(_||_(a, b), c)"},
        {"a || (b || c)", "_||_(a, _||_(b, c))"},
    };
    PARSED_CHECK(CASES, PARSED_TREE);
}

/* An operator's node is at the operator, a call's at its parenthesis. */
static void places(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"a+b", "_+_(a^0, b^2)^1"},
        {"a.b", "a^0.b^1"},
        {" .a", ".a^2"},
        {"a.?b", "_?._(a^0, \"b\"^3)^1"},
        {"f(x)", "f(x^2)^1"},
        {"a.f(x)", "a^0.f(x^4)^3"},
        {"a[1]", "_[_](a^0, 1^2)^1"},
        {"a ? b : c", "_?_:_(a^0, b^4, c^8)^2"},
        {"[a]", "[a^1]^0"},
        {"{a: b}", "{a^1:^2 b^4}^0"},
        {"A.B{x: 1}", "A.B{x:^5 1^7}^3"},
        {"a || b || c", "_||_(_||_(a^0, b^5)^2, c^10)^7"},
        {"!!!a", "!_(a^3)^0"},
        {"- - - a", "-_(a^6)^0"},
        {"-1", "-1^0"},
        {"x + -1.5", "_+_(x^0, -1.5^4)^2"},
    };
    PARSED_CHECK(CASES, PARSED_PLACES);
}

static const char *repeated(struct arena *a, const char *first, const char *again, int times)
{
    struct text t = {.arena = a};
    text_add(&t, str_of(first));
    while (times-- > 0)
        text_add(&t, str_of(again));
    return text_str(&t).at;
}

/* Operators, selections and calls within one another: 250 of them and no more. */
static void depth(void **state)
{
    (void)state;
    static const struct {
        const char *first, *again;
    } CASES[] = {{"1", "+1"},  {"1", "==1"},  {"a", ".b"},        {"a", ".?b"},
                 {"a", "[0]"}, {"a", ".f()"}, {"a", ".map(x, x)"}};
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail();
    for (volatile size_t n = 0; n < sizeof CASES / sizeof *CASES; n++) {
        size_t i = n;
        const char *most = repeated(&a, CASES[i].first, CASES[i].again, 250);
        assert_int_equal(parsed(&a, ENV_NEWEST_LEVEL, str_of(most), PARSED_ISSUES).len, 0);
        const char *more = repeated(&a, CASES[i].first, CASES[i].again, 251);
        assert_string_equal(parsed(&a, ENV_NEWEST_LEVEL, str_of(more), PARSED_BRIEF).at,
                            "-1:0: max recursion depth exceeded");
    }
    /* What was found before stays. */
    const char *both = repeated(&a, "as == 1 || 1", "+1", 251);
    assert_string_equal(parsed(&a, ENV_NEWEST_LEVEL, str_of(both), PARSED_BRIEF).at,
                        "-1:0: max recursion depth exceeded\n1:1: reserved identifier: as");
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_words), cmocka_unit_test(backquotes), cmocka_unit_test(after_syntax_errors),
        cmocka_unit_test(trees),       cmocka_unit_test(signs),      cmocka_unit_test(balanced_chains),
        cmocka_unit_test(places),      cmocka_unit_test(depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
