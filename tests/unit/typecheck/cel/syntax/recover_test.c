#include "tests/unit/typecheck/parsed.h"

/* What can begin an operand. */
#define OPERAND                                                                                              \
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, "  \
    "IDENTIFIER}"

/* A token is dropped if the one behind it is what is wanted. */
static void one_too_many(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"1 1", "1:3: Syntax error: extraneous input '1' expecting <EOF>"},
        {"a b", "1:3: Syntax error: extraneous input 'b' expecting <EOF>"},
        {"(1 2)", "1:4: Syntax error: extraneous input '2' expecting ')'"},
        {"f(1 2)", "1:5: Syntax error: extraneous input '2' expecting ')'"},
        {"a)", "1:2: Syntax error: extraneous input ')' expecting <EOF>"},
        {"* 1", "1:1: Syntax error: extraneous input '*' expecting " OPERAND ""},
        {"[1, * 2]",
         "1:5: Syntax error: missing ']' at '*'\n1:8: Syntax error: extraneous input ']' expecting <EOF>"},
        {"a ? b c : d", "1:7: Syntax error: extraneous input 'c' expecting ':'"},
        {"x[?]", "1:4: Syntax error: mismatched input ']' expecting " OPERAND ""},
        {"{1: 2 3}", "1:7: Syntax error: extraneous input '3' expecting {'}', ','}"},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

/* A token is made up if the current one can stand behind it. */
static void one_too_few(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"(1", "1:3: Syntax error: missing ')' at '<EOF>'"},
        {"f(1", "1:4: Syntax error: missing ')' at '<EOF>'"},
        {"[1", "1:3: Syntax error: mismatched input '<EOF>' expecting {']', ','}"},
        {"a[1", "1:4: Syntax error: missing ']' at '<EOF>'"},
        {"{1: 2", "1:6: Syntax error: mismatched input '<EOF>' expecting {'}', ','}"},
        {"(a b", "1:4: Syntax error: mismatched input 'b' expecting ')'"},
        {"f(a, b c", "1:8: Syntax error: mismatched input 'c' expecting ')'"},
        {"{a b}", "1:4: Syntax error: missing ':' at 'b'"},
        {"A{x 1}", "1:5: Syntax error: missing ':' at '1'"},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

static void mismatched(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"1 +", "1:4: Syntax error: mismatched input '<EOF>' expecting " OPERAND ""},
        {"", "1:0: Syntax error: mismatched input '<EOF>' expecting " OPERAND ""},
        {"1 +\n", "2:1: Syntax error: mismatched input '<EOF>' expecting " OPERAND ""},
        {"a ? b", "1:6: Syntax error: mismatched input '<EOF>' expecting ':'"},
        {"{1", "1:3: Syntax error: mismatched input '<EOF>' expecting ':'"},
        {"{1:", "1:4: Syntax error: mismatched input '<EOF>' expecting " OPERAND ""},
        {"A{1}",
         "1:3: Syntax error: extraneous input '1' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"},
        {"A{x", "1:4: Syntax error: mismatched input '<EOF>' expecting ':'"},
        {"A{x:", "1:5: Syntax error: mismatched input '<EOF>' expecting " OPERAND ""},
        {"A{x:1 y:2}", "1:7: Syntax error: mismatched input 'y' expecting {'}', ','}"},
        {"[1,,2]", "1:4: Syntax error: mismatched input ',' expecting ']'"},
        {"{1:2,,3:4}", "1:6: Syntax error: mismatched input ',' expecting '}'"},
        {"f(,)", "1:3: Syntax error: extraneous input ',' expecting {'[', '{', '(', ')', '.', '-', '!', "
                 "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
        {"f(1,)", "1:5: Syntax error: mismatched input ')' expecting " OPERAND ""},
        {"a b a b", "1:3: Syntax error: mismatched input 'b' expecting <EOF>"},
        {"a[", "1:3: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', '?', "
               "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
        {"!", "1:2: Syntax error: extraneous input '<EOF>' expecting " OPERAND ""},
        {"a &&", "1:5: Syntax error: mismatched input '<EOF>' expecting " OPERAND ""},
        {"a.b(", "1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', "
                 "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
        {"()", "1:2: Syntax error: mismatched input ')' expecting " OPERAND ""},
        {"[1 2 3", "1:4: Syntax error: mismatched input '2' expecting {']', ','}"},
        {"{?}", "1:3: Syntax error: mismatched input '}' expecting " OPERAND ""},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

/* The text is all that was looked at, space included. */
static void no_alternative(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {".", "1:2: Syntax error: no viable alternative at input '.'"},
        {"a.", "1:3: Syntax error: no viable alternative at input '.'"},
        {".)", "1:2: Syntax error: no viable alternative at input '.)'"},
        {"a.1", "1:2: Syntax error: extraneous input '.1' expecting <EOF>"},
        {"a.b.)", "1:5: Syntax error: no viable alternative at input '.)'"},
        {"-)", "1:2: Syntax error: no viable alternative at input '-)'\n1:2: Syntax error: mismatched input "
               "')' expecting " OPERAND ""},
        {"--)", "1:3: Syntax error: no viable alternative at input '-)'\n1:3: Syntax error: mismatched input "
                "')' expecting " OPERAND ""},
        {"!-x", "1:3: Syntax error: no viable alternative at input '-x'"},
        {"!--1", "1:3: Syntax error: no viable alternative at input '--'"},
        {". \t\n)", "2:1: Syntax error: no viable alternative at input '. \\t\\n)'"},
        {"a.in", "1:3: Syntax error: no viable alternative at input '.in'\n1:5: Syntax error: mismatched "
                 "input '<EOF>' expecting " OPERAND ""},
        {"a. true", "1:4: Syntax error: no viable alternative at input '. true'"},
        {".?", "1:2: Syntax error: no viable alternative at input '.?'\n1:3: Syntax error: mismatched input "
               "'<EOF>' expecting {IDENTIFIER, ESC_IDENTIFIER}\n1:3: unsupported ident kind"},
        {"-", "1:2: Syntax error: no viable alternative at input '-'\n1:2: Syntax error: mismatched input "
              "'<EOF>' expecting " OPERAND ""},
        {"- ", "1:3: Syntax error: no viable alternative at input '- '\n1:3: Syntax error: mismatched input "
               "'<EOF>' expecting " OPERAND ""},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

static void literal_names_as_names(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {".true", "1:2: Syntax error: mismatched input 'true' expecting IDENTIFIER"},
        {".false", "1:2: Syntax error: mismatched input 'false' expecting IDENTIFIER"},
        {"x.null", "1:3: Syntax error: mismatched input 'null' expecting IDENTIFIER"},
        {"!-true", "1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"},
        {".in", "1:2: Syntax error: no viable alternative at input '.in'\n1:4: Syntax error: mismatched "
                "input '<EOF>' expecting " OPERAND ""},
        {"a.true.b", "1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

/* What is no token is dropped, and no part of what is said later. */
static void no_tokens(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"a = b", "1:3: Syntax error: token recognition error at: '= '\n1:5: Syntax error: extraneous input "
                  "'b' expecting <EOF>"},
        {"a & b", "1:3: Syntax error: token recognition error at: '& '\n1:5: Syntax error: extraneous input "
                  "'b' expecting <EOF>"},
        {"'abc", "1:1: Syntax error: token recognition error at: ''abc'\n1:5: Syntax error: mismatched input "
                 "'<EOF>' expecting " OPERAND ""},
        {"#", "1:1: Syntax error: token recognition error at: '#'\n1:2: Syntax error: mismatched input "
              "'<EOF>' expecting " OPERAND ""},
        {"a.#b", "1:3: Syntax error: token recognition error at: '#'"},
        {"a.# #)", "1:3: Syntax error: token recognition error at: '#'\n1:5: Syntax error: token recognition "
                   "error at: '#'\n1:6: Syntax error: no viable alternative at input '. )'"},
        {"`a`", "1:1: Syntax error: mismatched input '`a`' expecting " OPERAND ""},
        {"`a", "1:1: Syntax error: token recognition error at: '`a'\n1:3: Syntax error: mismatched input "
               "'<EOF>' expecting " OPERAND ""},
        {"a b # c", "1:3: Syntax error: mismatched input 'b' expecting <EOF>\n1:5: Syntax error: token "
                    "recognition error at: '#'"},
        {"\303\251", "1:1: Syntax error: token recognition error at: '\303\251'\n1:2: Syntax error: "
                     "mismatched input '<EOF>' expecting " OPERAND ""},
        {"a\t'\\q'", "1:3: Syntax error: token recognition error at: ''\\q'\n1:6: Syntax error: token "
                     "recognition error at: '''"},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

static void several(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"1 1 + * 2", "1:3: Syntax error: mismatched input '1' expecting <EOF>"},
        {"(1 + ) * (2", "1:6: Syntax error: mismatched input ')' expecting " OPERAND
                        "\n1:12: Syntax error: missing ')' at '<EOF>'"},
        {"[1 2, 3 4]", "1:4: Syntax error: extraneous input '2' expecting {']', ','}\n1:7: Syntax error: "
                       "mismatched input '3' expecting ']'"},
        {"a..b..c", "1:3: Syntax error: no viable alternative at input '..'"},
        {"{a:1 b:2}", "1:6: Syntax error: mismatched input 'b' expecting {'}', ','}"},
        {"f(1 g(2 h(3", "1:5: Syntax error: mismatched input 'g' expecting ')'"},
        {"a ? ? b : : c", "1:5: Syntax error: extraneous input '?' expecting " OPERAND
                          "\n1:11: Syntax error: extraneous input ':' expecting " OPERAND ""},
        {"((((1", "1:6: Syntax error: mismatched input '<EOF>' expecting ')'"},
        {"))))", "1:1: Syntax error: mismatched input ')' expecting " OPERAND ""},
        {"a.b(c d).e(f g)", "1:7: Syntax error: extraneous input 'd' expecting ')'\n1:14: Syntax error: "
                            "extraneous input 'g' expecting ')'"},
        {"-1.f(2 3", "1:8: Syntax error: mismatched input '3' expecting ')'"},
        {"x.map(.?, y)", "1:8: Syntax error: no viable alternative at input '.?'\n1:9: Syntax error: "
                         "extraneous input ',' expecting {IDENTIFIER, ESC_IDENTIFIER}"},
        {"! !", "1:4: Syntax error: extraneous input '<EOF>' expecting " OPERAND ""},
        {"[?a ?b]", "1:7: Syntax error: mismatched input ']' expecting ':'"},
        {"{?a: 1, ?b 2}", "1:12: Syntax error: missing ':' at '2'"},
        {"A{?a 1}", "1:6: Syntax error: missing ':' at '1'"},
        {"A.b.c{",
         "1:7: Syntax error: mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"},
        {"in", "1:1: Syntax error: mismatched input 'in' expecting " OPERAND
               "\n1:3: Syntax error: mismatched input '<EOF>' expecting " OPERAND ""},
        {"a in in b", "1:6: Syntax error: extraneous input 'in' expecting " OPERAND ""},
        {"A{a.b: 1}", "1:4: Syntax error: missing ':' at '.'\n1:6: Syntax error: mismatched input ':' "
                      "expecting {'}', ','}"},
        {"a.b{c:1}.d{e:2}", "1:11: Syntax error: mismatched input '{' expecting <EOF>"},
        {"1 - - 1 )", "1:9: Syntax error: extraneous input ')' expecting <EOF>"},
        {"a || || b", "1:6: Syntax error: extraneous input '||' expecting " OPERAND ""},
        {"true.x false", "1:8: Syntax error: extraneous input 'false' expecting <EOF>"},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

static void whole_text(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"(1 +\n\t2 3)",
         "ERROR: <input>:2:4: Syntax error: extraneous input '3' expecting ')'\n |  2 3)\n | ...^"},
        {"\"a\nb\"", "ERROR: <input>:1:1: Syntax error: token recognition error at: '\"a\n'\n | \"a\n | ^\n"
                     "ERROR: <input>:2:2: Syntax error: token recognition error at: '\"'\n | b\"\n | .^"},
    };
    PARSED_CHECK(CASES, PARSED_ISSUES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_too_many),
        cmocka_unit_test(one_too_few),
        cmocka_unit_test(mismatched),
        cmocka_unit_test(no_alternative),
        cmocka_unit_test(literal_names_as_names),
        cmocka_unit_test(no_tokens),
        cmocka_unit_test(several),
        cmocka_unit_test(whole_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
