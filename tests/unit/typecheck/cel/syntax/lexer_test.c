#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/lexer.h"

/* All tokens: the names of those whose text varies with it, others as they are; what is none in < >. */
static struct str all(struct arena *a, struct str text)
{
    struct text out = {.arena = a};
    for (struct token t = lexer_token(text, 0); t.kind != TOKEN_EOF; t = lexer_token(text, t.end)) {
        struct str token = {text.at + t.start, t.end - t.start};
        if (t.start != 0 && out.len != 0)
            text_add_char(&out, ' ');
        if (t.kind == TOKEN_BAD)
            text_addf(&out, "<%.*s>", STR_ARG(token));
        else if (token_name(t.kind).at[0] == '\'')
            text_addf(&out, "%.*s", STR_ARG(token_name(t.kind)));
        else
            text_addf(&out, "%.*s:%.*s", STR_ARG(token_name(t.kind)), STR_ARG(token));
    }
    return text_str(&out);
}

static void check(const char *text, const char *expected)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    if (setjmp(a.escape) != 0)
        fail();
    struct str got = all(&a, str_of(text));
    if (!str_eq(got, str_of(expected)))
        fail_msg("%s\nexpected: %s\ngot:      %s", text, expected, got.at);
    arena_deinit(&a);
}

static void tokens_of(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } CASES[] = {
        {"", ""},
        {" \t\r\n\f", ""},
        {"// to the end", ""},
        {"a//b\nc", "IDENTIFIER:a IDENTIFIER:c"},
        {"a/b", "IDENTIFIER:a '/' IDENTIFIER:b"},
        {"==!=<<=>>=&&||", "'==' '!=' '<' '<=' '>' '>=' '&&' '||'"},
        {"[]{}().,-!?:+*/%", "'[' ']' '{' '}' '(' ')' '.' ',' '-' '!' '?' ':' '+' '*' '/' '%'"},
        {"= b", "<= > IDENTIFIER:b"},
        {"a&b|", "IDENTIFIER:a <&b> <|>"},
        {"=\xC3\xA9z", "<=\xC3\xA9> IDENTIFIER:z"},
        {"@#", "<@> <#>"},
        {"\xE4\xB8\xAD", "<\xE4\xB8\xAD>"},
        {"in true false null inn True", "'in' 'true' 'false' 'null' IDENTIFIER:inn IDENTIFIER:True"},
        {"_a9Z __ r b br R B", "IDENTIFIER:_a9Z IDENTIFIER:__ IDENTIFIER:r IDENTIFIER:b IDENTIFIER:br "
                               "IDENTIFIER:R IDENTIFIER:B"},
        {"1 23u 4U 0x1F 0xau", "NUM_INT:1 NUM_UINT:23u NUM_UINT:4U NUM_INT:0x1F NUM_UINT:0xau"},
        {"0x 0xg 0X1", "NUM_INT:0 IDENTIFIER:x NUM_INT:0 IDENTIFIER:xg NUM_INT:0 IDENTIFIER:X1"},
        {"1.5 .5 1e3 1E-2 1.5e+7 .5e1", "NUM_FLOAT:1.5 NUM_FLOAT:.5 NUM_FLOAT:1e3 NUM_FLOAT:1E-2 "
                                        "NUM_FLOAT:1.5e+7 NUM_FLOAT:.5e1"},
        {"1. 1.a 1e 1e+ 1.5e .e", "NUM_INT:1 '.' NUM_INT:1 '.' IDENTIFIER:a NUM_INT:1 IDENTIFIER:e NUM_INT:1 "
                                  "IDENTIFIER:e '+' NUM_FLOAT:1.5 IDENTIFIER:e '.' IDENTIFIER:e"},
        {"a.5", "IDENTIFIER:a NUM_FLOAT:.5"},
        {"1.5u 1uu", "NUM_FLOAT:1.5 IDENTIFIER:u NUM_UINT:1u IDENTIFIER:u"},
        {"'a' \"b\" '' 'a\"b'", "STRING:'a' STRING:\"b\" STRING:'' STRING:'a\"b'"},
        {"'\\'' '\\\\' '\\x4a\\u00e9\\U0001f600\\377\\a\\b\\f\\n\\r\\t\\v\\?\\`'",
         "STRING:'\\'' STRING:'\\\\' STRING:'\\x4a\\u00e9\\U0001f600\\377\\a\\b\\f\\n\\r\\t\\v\\?\\`'"},
        {"'''a''b\n''' \"\"\"\"x\"\"\"", "STRING:'''a''b\n''' STRING:\"\"\"\"x\"\"\""},
        {"'''''' ''''", "STRING:'''''' STRING:'' STRING:''"},
        {"'''a\\''''", "STRING:'''a\\''''"},
        {"'''a''''", "STRING:'''a''' <'>"},
        {"'''a", "STRING:'' <'a>"},
        {"'''\\q'''", "STRING:'' <'\\q> STRING:'' <'>"},
        {"r'\\' R\"\\q\" r'''\\\n'''", "STRING:r'\\' STRING:R\"\\q\" STRING:r'''\\\n'''"},
        {"r'a", "IDENTIFIER:r <'a>"},
        {"r'''a", "STRING:r'' <'a>"},
        {"b'a' B\"\" br'\\' bR'''x'''", "BYTES:b'a' BYTES:B\"\" BYTES:br'\\' BYTES:bR'''x'''"},
        {"rb'a'", "IDENTIFIER:rb STRING:'a'"},
        {"br'a", "IDENTIFIER:br <'a>"},
        {"'abc", "<'abc>"},
        {"'a\nb'", "<'a\n> IDENTIFIER:b <'>"},
        {"'a\rb'", "<'a\r> IDENTIFIER:b <'>"},
        {"'\\q'", "<'\\q> <'>"},
        {"'\\x1g'", "<'\\x1g> <'>"},
        {"'\\u123'", "<'\\u123'>"},
        {"'\\U0001f60'", "<'\\U0001f60'>"},
        {"'\\477'", "<'\\4> NUM_INT:77 <'>"},
        {"'\\08'", "<'\\08> <'>"},
        {"'\\", "<'\\>"},
        {"`a.b-c/d e_0`", "ESC_IDENTIFIER:`a.b-c/d e_0`"},
        {"``a", "<``> IDENTIFIER:a"},
        {"`a+", "<`a+>"},
        {"`a", "<`a>"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        check(CASES[i].text, CASES[i].expected);
}

/* A text need not end in NUL, and may hold it. */
static void bounds(void **state)
{
    (void)state;
    struct str text = {"ab", 1};
    assert_int_equal(lexer_token(text, 0).end, 1);
    assert_int_equal(lexer_token(text, 1).kind, TOKEN_EOF);
    text = (struct str){"==", 1};
    assert_int_equal(lexer_token(text, 0).kind, TOKEN_BAD);
    text = (struct str){"1.5", 2};
    assert_int_equal(lexer_token(text, 0).kind, TOKEN_INT);
    text = (struct str){"'a\0b'\0", 6};
    assert_int_equal(lexer_token(text, 0).kind, TOKEN_STRING);
    assert_int_equal(lexer_token(text, 5).kind, TOKEN_BAD);
    assert_int_equal(lexer_token(text, 5).end, 6);
    text = (struct str){"  ", 2};
    assert_int_equal(lexer_token(text, 0).start, 2);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(token_name(TOKEN_EOF).at, "<EOF>");
    assert_string_equal(token_name(TOKEN_NULL).at, "'null'");
    assert_string_equal(token_name(TOKEN_ESCAPED_IDENT).at, "ESC_IDENTIFIER");
    assert_string_equal(token_name(TOKEN_BAD).at, "<invalid>");
}

static void names_behind_a_dot(void **state)
{
    (void)state;
    static const struct str names[] = {STR_INIT("a"), STR_INIT("_b2"), STR_INIT("namespace")};
    static const struct str others[] = {STR_INIT(""),    STR_INIT("in"),  STR_INIT("true"), STR_INIT("2b"),
                                        STR_INIT("a-b"), STR_INIT("a b"), STR_INIT(" a"),   STR_INIT("`a`")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(lexer_is_name(names[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(lexer_is_name(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_of),
        cmocka_unit_test(bounds),
        cmocka_unit_test(names),
        cmocka_unit_test(names_behind_a_dot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
