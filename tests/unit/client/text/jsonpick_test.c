#include "client/text/jsonpick.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

static void assert_text(const struct jsonpick *value, const char *text)
{
    assert_non_null(value->at);
    assert_int_equal(value->len, strlen(text));
    assert_memory_equal(value->at, text, value->len);
}

static void pick(const char *text, struct jsonpick_pick *picks, size_t count)
{
    struct err err;
    assert_int_equal(jsonpick_pick(text, strlen(text), picks, count, &err), 0);
}

static void test_members_by_path(void **state)
{
    (void)state;
    struct jsonpick_pick picks[] = {
        {.path = {"a"}},           {.path = {"o", "b"}},           {.path = {"o", "p", "q", "r"}},
        {.path = {"o", "p"}},      {.path = {"o", "none"}},        {.path = {"b"}},
        {.path = {"l", "inside"}}, {.path = {"o", "p", "q", "s"}}, {.path = {"x\\y"}},
    };
    pick(" {\"a\" : [1,{\"b\":\"]}\"}] ,\"o\":{\"z\":{\"b\":0,\"p\":1},\"b\":\"}\\\"\","
         "\"p\": {\"q\":{\"r\":-1.5e+3 ,\"s\":{\"r\":0}},\"none\":1}},\"l\":[{\"inside\":1}],\"x\\\\y\":1} ",
         picks, sizeof picks / sizeof picks[0]);
    assert_text(&picks[0].value, "[1,{\"b\":\"]}\"}]");
    assert_text(&picks[1].value, "\"}\\\"\"");
    assert_text(&picks[2].value, "-1.5e+3");
    assert_text(&picks[3].value, "{\"q\":{\"r\":-1.5e+3 ,\"s\":{\"r\":0}},\"none\":1}");
    assert_null(picks[4].value.at);
    assert_null(picks[5].value.at);
    assert_null(picks[6].value.at);
    assert_text(&picks[7].value, "{\"r\":0}");
    assert_null(picks[8].value.at); /* its key is written with an escape */
}

static void test_the_last_of_two_keys_wins(void **state)
{
    (void)state;
    struct jsonpick_pick picks[] = {{.path = {"a"}}, {.path = {"a", "b"}}};
    pick("{\"a\":{\"b\":1,\"b\":2},\"a\":{\"b\":3}}", picks, 2);
    assert_text(&picks[0].value, "{\"b\":3}");
    assert_text(&picks[1].value, "3");
}

static void test_the_first_ends_the_walk(void **state)
{
    (void)state;
    const char *text = "{\"z\":{\"a\":0},\"m\":{\"v\":\"7\",\"n\":\"x\",\"v\":\"8\"},\"m\":{ no JSON";
    struct jsonpick_pick picks[] = {{.path = {"m", "v"}}, {.path = {"m", "n"}}};
    struct err err = {0};
    assert_int_equal(jsonpick_first(text, strlen(text), picks, 2, &err), 0);
    assert_text(&picks[0].value, "\"7\"");
    assert_text(&picks[1].value, "\"x\"");
    /* What is not found is looked for up to the end, which must be one. */
    struct jsonpick_pick none = {.path = {"m", "w"}};
    assert_int_equal(jsonpick_first(text, strlen(text), &none, 1, &err), -1);
    assert_int_equal(jsonpick_first("{\"m\":{}} ", 9, &none, 1, &err), 0);
    assert_null(none.value.at);
    assert_int_equal(jsonpick_first("{\"m\":{\"w\":", 11, &none, 1, &err), -1);
}

static void test_values(void **state)
{
    (void)state;
    struct jsonpick_pick picks[] = {
        {.path = {"s"}},     {.path = {"e"}},    {.path = {"n"}}, {.path = {"f"}},
        {.path = {"large"}}, {.path = {"none"}}, {.path = {"z"}},
    };
    pick("{\"s\":\"ab\",\"e\":\"\\u00e4\\n\",\"n\":-12,\"f\":1.5,\"large\":12345678901234567890,\"z\":0}",
         picks, 7);
    cleanup_mem char *s = jsonpick_string(&picks[0].value);
    cleanup_mem char *e = jsonpick_string_or_empty(&picks[1].value);
    cleanup_mem char *none = jsonpick_string_or_empty(&picks[2].value);
    assert_string_equal(s, "ab");
    assert_string_equal(e, "\xc3\xa4\n");
    assert_string_equal(none, "");
    assert_null(jsonpick_string(&picks[5].value));
    assert_true(jsonpick_is(&picks[0].value, "ab"));
    assert_false(jsonpick_is(&picks[0].value, "abc"));
    assert_false(jsonpick_is(&picks[2].value, "-12"));
    assert_int_equal(jsonpick_int(&picks[2].value, 7), -12);
    assert_int_equal(jsonpick_int(&picks[6].value, 7), 0);
    assert_int_equal(jsonpick_int(&picks[0].value, 7), 7);
    assert_int_equal(jsonpick_int(&picks[3].value, 7), 7);
    assert_int_equal(jsonpick_int(&picks[4].value, 7), 7);
    assert_int_equal(jsonpick_int(&picks[5].value, 7), 7);
}

static void test_elements(void **state)
{
    (void)state;
    static const char *const expected[] = {"1", "{\"a\":[2,3]}", "[]", "\"],\""};
    struct jsonpick_pick picks[] = {
        {.path = {"l"}}, {.path = {"empty"}}, {.path = {"none"}}, {.path = {"s"}}};
    struct jsonpick element = {0};
    size_t count = 0;
    pick("{\"l\":[ 1 ,{\"a\":[2,3]}, [],\"],\" ],\"empty\":[ ],\"s\":\"[1]\"}", picks, 4);
    for (; jsonpick_next(&picks[0].value, &element); count++)
        assert_text(&element, expected[count]);
    assert_int_equal(count, 4);
    for (size_t i = 1; i < 4; i++) {
        element = (struct jsonpick){0};
        assert_false(jsonpick_next(&picks[i].value, &element));
    }
}

/* What passes here passes the parser (which takes "1." and the like too). */
static void assert_proper(const char *text, size_t len, bool is_proper)
{
    struct json_object *tree = NULL;
    struct err err = {0};
    assert_int_equal(jsonpick_pick(text, len, NULL, 0, &err), is_proper ? 0 : -1);
    if (is_proper)
        assert_int_equal(jsonval_parse(text, len, &tree, &err), 0);
    else
        assert_int_equal(err.code, ERR_PROTOCOL);
    json_object_put(tree);
}

static void test_what_is_no_json(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",          "{",   "}",    "[1,]",      "{\"a\":1,}", "{\"a\" 1}",   "{a:1}", "{'a':1}",
        "[1 2]",     "1 2", "{}{}", "[1}",       "{\"a\"}",    "+1",          "1.",    ".5",
        "1e",        "-",   "tru",  "nul",       "\"\\x\"",    "\"\\u12g4\"", "\"a",   "// c\n1",
        "[\"a\\\"]", "{,}", "[,]",  "\"\\u12\"",
    };
    static const char *const good[] = {
        "0",
        "-0.5",
        "1E+5",
        "10e-2",
        "\"\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00Ff\"",
        " [ ] ",
        "{ }",
        "null",
        "true",
        "false",
        "[[1],{\"a\":{}}]",
        "\t\r\n\"\xff\"",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_proper(bad[i], strlen(bad[i]), false);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_proper(good[i], strlen(good[i]), true);
}

static void test_a_cut_text_is_an_error(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":{\"b\":[1.5e3,\"\\\"\\u00e4\",true,null]},\"c\":\"d\"}";
    for (size_t n = 0; n < sizeof text - 1; n++) {
        char *copy = mem_strndup(text, n);
        char *exact = mem_realloc(NULL, n, 1); /* nothing behind it: a read too far is seen */
        memcpy(exact, copy, n);
        assert_proper(exact, n, false);
        mem_free(exact);
        mem_free(copy);
    }
    assert_proper(text, sizeof text - 1, true);
}

static void test_depth_is_a_limit(void **state)
{
    (void)state;
    char text[2 * JSONVAL_DEPTH + 20];
    struct err err;
    for (size_t depth = 1; depth < JSONVAL_DEPTH + 5; depth++) {
        struct json_object *tree = NULL;
        memset(text, '[', depth);
        text[depth] = '1';
        memset(text + depth + 1, ']', depth);
        const int picked = jsonpick_pick(text, 2 * depth + 1, NULL, 0, &err);
        if (picked == 0)
            assert_int_equal(jsonval_parse(text, 2 * depth + 1, &tree, &err), 0);
        else
            assert_int_equal(err.code, ERR_LIMIT);
        assert_int_equal(picked, depth < JSONVAL_DEPTH - 1 ? 0 : -1);
        json_object_put(tree);
    }
}

/* Strings are walked by the word: what ends a run is seen at each place of it, among all other bytes. */
static void test_each_byte_at_each_place(void **state)
{
    (void)state;
    enum { LONGEST = 20 };
    struct jsonpick_pick member = {.path = {"a"}};
    struct err err;
    for (size_t len = 1; len <= LONGEST; len++) {
        for (size_t at = 0; at < len; at++) {
            for (int c = 1; c < 256; c++) {
                char run[LONGEST + 1] = "";
                memset(run, len % 2 ? 'x' : 0x80, len);
                run[at] = (char)c;
                cleanup_mem char *text = mem_printf("{\"a\":\"%s\"}", run);
                /* x behind a backslash, and behind the string's end, is no JSON; nor is the string's own end
                 */
                const bool is_json = c >= ' ' && c != '"' && c != '\\';
                /* exactly as long as the text: asan sees who reads beyond */
                cleanup_mem char *exact = mem_array(strlen(text), 1);
                memcpy(exact, text, strlen(text));
                assert_int_equal(jsonpick_pick(exact, strlen(text), &member, 1, &err), is_json ? 0 : -1);
                if (is_json)
                    assert_int_equal(member.value.len, len + 2);
            }
        }
    }
}

/* Wherever the text is cut off, what is whole before is found, and nothing else. */
static void test_the_beginning_of_a_text(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":{\"b\":\"x\\\"y\",\"c\":[1,{}]},\"d\":\"e\"}";
    const char *const behind[] = {strstr(text, ",\"c\""), strstr(text, "},\"d\""), strstr(text, ",\"d\"")};
    for (size_t len = 0; len < sizeof text; len++) {
        struct jsonpick_pick picks[] = {
            {.path = {"a", "b"}}, {.path = {"a", "c"}}, {.path = {"a"}}, {.path = {"none"}}};
        jsonpick_head(text, len, picks, 4);
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(picks[i].value.at != NULL, text + len >= behind[i]);
        assert_null(picks[3].value.at);
        assert_true(picks[0].value.at == NULL || jsonpick_is(&picks[0].value, "x\"y"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_beginning_of_a_text),
        cmocka_unit_test(test_members_by_path),
        cmocka_unit_test(test_the_last_of_two_keys_wins),
        cmocka_unit_test(test_the_first_ends_the_walk),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_what_is_no_json),
        cmocka_unit_test(test_a_cut_text_is_an_error),
        cmocka_unit_test(test_depth_is_a_limit),
        cmocka_unit_test(test_each_byte_at_each_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
