#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/jsonread.h"

/* The text in a heap block of just its size, so that a sanitizer sees what reads past it. */
static struct str exact_copy(struct str text)
{
    char *bytes = malloc(text.len == 0 ? 1 : text.len);
    assert_non_null(bytes);
    memcpy(bytes, text.at, text.len);
    return (struct str){bytes, text.len};
}

static void arm(struct arena *a)
{
    arena_init(a, (size_t)1024 * 1024);
}

/* Judges a text as one value. */
static struct jsonread judge(struct str text)
{
    struct arena a;
    struct jsonread r;
    arm(&a);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    struct str copy = exact_copy(text);
    jsonread_init(&r, copy, &a);
    jsonread_skip(&r);
    jsonread_end(&r);
    free((void *)(uintptr_t)copy.at);
    arena_deinit(&a);
    return r;
}

static void test_valid(void **state)
{
    (void)state;
    static const struct str valid[] = {
        STR_INIT("null"),
        STR_INIT("true"),
        STR_INIT("false"),
        STR_INIT("0"),
        STR_INIT("-0"),
        STR_INIT("10"),
        STR_INIT("-1.5e+3"),
        STR_INIT("0.25E-10"),
        STR_INIT("1e9"),
        STR_INIT("123456789012345678901234567890.5"),
        STR_INIT("\"\""),
        STR_INIT("[]"),
        STR_INIT("{}"),
        STR_INIT(" \t\r\n[ 1 , 2 ]\n"),
        STR_INIT("{ \"a\" : 1 , \"a\" : [ { } , [ ] ] }"),
        STR_INIT("[[],{},[{\"a\":{\"b\":[null]}}],\"x\"]"),
        STR_INIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uABcd\\ud800\\udc00\""),
        STR_INIT("\"\\ud800\""), /* half a pair is in the grammar */
        STR_INIT("\"\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\""),
        STR_INIT("\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""),
    };
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        struct jsonread r = judge(valid[i]);
        if (r.error != JSONREAD_OK || r.depth != 0)
            fail_msg("%s: %s at %zu", valid[i].at, jsonread_message(r.error), r.at);
    }
}

static const struct {
    struct str text;
    enum jsonread_error error;
    size_t at;
} invalid[] = {
    {STR_INIT(""), JSONREAD_TRUNCATED, 0},
    {STR_INIT("  "), JSONREAD_TRUNCATED, 2},
    {STR_INIT("["), JSONREAD_TRUNCATED, 1},
    {STR_INIT("[1"), JSONREAD_TRUNCATED, 2},
    {STR_INIT("[1,"), JSONREAD_TRUNCATED, 3},
    {STR_INIT("{"), JSONREAD_TRUNCATED, 1},
    {STR_INIT("{\"a"), JSONREAD_TRUNCATED, 3},
    {STR_INIT("{\"a\""), JSONREAD_TRUNCATED, 4},
    {STR_INIT("{\"a\":"), JSONREAD_TRUNCATED, 5},
    {STR_INIT("{\"a\":1"), JSONREAD_TRUNCATED, 6},
    {STR_INIT("{\"a\":1,"), JSONREAD_TRUNCATED, 7},
    {STR_INIT("nul"), JSONREAD_TRUNCATED, 3},
    {STR_INIT("-"), JSONREAD_TRUNCATED, 1},
    {STR_INIT("1."), JSONREAD_TRUNCATED, 2},
    {STR_INIT("1e"), JSONREAD_TRUNCATED, 2},
    {STR_INIT("\"\\"), JSONREAD_TRUNCATED, 2},
    {STR_INIT("\"\\u12"), JSONREAD_TRUNCATED, 5},
    {STR_INIT("x"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT("'a'"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT("\xef\xbb\xbf{}"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT("\0"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT("// c\n1"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT("NaN"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT("Infinity"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT("True"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT("+1"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT(".5"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT("[,1]"), JSONREAD_UNEXPECTED, 1},
    {STR_INIT("[1,]"), JSONREAD_UNEXPECTED, 3},
    {STR_INIT("]"), JSONREAD_UNEXPECTED, 0},
    {STR_INIT("{\"a\":}"), JSONREAD_UNEXPECTED, 5},
    {STR_INIT("{} {}"), JSONREAD_UNEXPECTED, 3},
    {STR_INIT("01"), JSONREAD_UNEXPECTED, 1},
    {STR_INIT("1x"), JSONREAD_UNEXPECTED, 1},
    {STR_INIT("nulL"), JSONREAD_BAD_NULL, 3},
    {STR_INIT("trux"), JSONREAD_BAD_BOOLEAN, 3},
    {STR_INIT("fals3"), JSONREAD_BAD_BOOLEAN, 4},
    {STR_INIT("-x"), JSONREAD_BAD_NUMBER, 1},
    {STR_INIT("[1.]"), JSONREAD_BAD_NUMBER, 3},
    {STR_INIT("[1e+]"), JSONREAD_BAD_NUMBER, 4},
    {STR_INIT("[1 2]"), JSONREAD_NO_ARRAY_COMMA, 3},
    {STR_INIT("[1}"), JSONREAD_NO_ARRAY_COMMA, 2},
    {STR_INIT("[00]"), JSONREAD_NO_ARRAY_COMMA, 2},
    {STR_INIT("[truefalse]"), JSONREAD_NO_ARRAY_COMMA, 5},
    {STR_INIT("{1:2}"), JSONREAD_NO_KEY, 1},
    {STR_INIT("{,}"), JSONREAD_NO_KEY, 1},
    {STR_INIT("{\"a\":1,}"), JSONREAD_NO_KEY, 7},
    {STR_INIT("{\"a\" 1}"), JSONREAD_NO_COLON, 5},
    {STR_INIT("{\"a\"}"), JSONREAD_NO_COLON, 4},
    {STR_INIT("{\"a\":1 \"b\":2}"), JSONREAD_NO_OBJECT_COMMA, 7},
    {STR_INIT("{\"a\":1]"), JSONREAD_NO_OBJECT_COMMA, 6},
    {STR_INIT("\"a\nb\""), JSONREAD_BAD_STRING, 2},
    {STR_INIT("\"\0\""), JSONREAD_BAD_STRING, 1},
    {STR_INIT("\"\\x\""), JSONREAD_BAD_STRING, 2},
    {STR_INIT("\"\\\0\""), JSONREAD_BAD_STRING, 2},
    {STR_INIT("\"\\u12g4\""), JSONREAD_BAD_STRING, 5},
    {STR_INIT("\"\\u12\""), JSONREAD_BAD_STRING, 5},
    {STR_INIT("\"\x80\""), JSONREAD_BAD_UTF8, 1},
    {STR_INIT("\"\xc0\xaf\""), JSONREAD_BAD_UTF8, 1},         /* a long form of / */
    {STR_INIT("\"\xe0\x9f\xbf\""), JSONREAD_BAD_UTF8, 1},     /* likewise */
    {STR_INIT("\"\xf0\x8f\xbf\xbf\""), JSONREAD_BAD_UTF8, 1}, /* likewise */
    {STR_INIT("\"\xed\xa0\x80\""), JSONREAD_BAD_UTF8, 1},     /* a surrogate */
    {STR_INIT("\"\xf4\x90\x80\x80\""), JSONREAD_BAD_UTF8, 1}, /* above U+10FFFF */
    {STR_INIT("\"\xf5\x80\x80\x80\""), JSONREAD_BAD_UTF8, 1},
    {STR_INIT("\"a\xe2\x82\""), JSONREAD_BAD_UTF8, 2}, /* cut short */
    {STR_INIT("{\"\xff\":1}"), JSONREAD_BAD_UTF8, 2},
};

static void test_invalid(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        struct jsonread r = judge(invalid[i].text);
        if (r.error != invalid[i].error || r.at != invalid[i].at)
            fail_msg("row %zu, %s: %s at %zu", i, invalid[i].text.at, jsonread_message(r.error), r.at);
        assert_int_not_equal(strlen(jsonread_message(r.error)), 0);
    }
}

/* No value, member or element comes any more, and the first error stays. */
static void test_an_error_stays(void **state)
{
    (void)state;
    struct arena a;
    struct jsonread r;
    struct str key;
    arm(&a);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    jsonread_init(&r, STR("{\"a\":tru,\"b\":[1,2],\"c\":\"\\q\"}"), &a);
    assert_int_equal(jsonread_peek(&r), JSONREAD_OBJECT);
    jsonread_open(&r);
    assert_true(jsonread_member(&r, &key));
    jsonread_skip(&r);
    assert_int_equal(r.error, JSONREAD_BAD_BOOLEAN);
    assert_int_equal(r.at, 8);
    assert_false(jsonread_member(&r, &key));
    assert_false(jsonread_element(&r));
    assert_int_equal(jsonread_peek(&r), JSONREAD_NONE);
    jsonread_skip(&r);
    assert_false(jsonread_end(&r));
    assert_int_equal(r.error, JSONREAD_BAD_BOOLEAN);
    assert_int_equal(r.at, 8);
    arena_deinit(&a);
}

static void test_strings(void **state)
{
    (void)state;
    static const struct {
        struct str text, value;
    } rows[] = {
        {STR_INIT("\"\""), STR_INIT("")},
        {STR_INIT("\"plain \xc3\xa4\""), STR_INIT("plain \xc3\xa4")},
        {STR_INIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), STR_INIT("\"\\/\b\f\n\r\t")},
        {STR_INIT("\"a\\u0000b\""), STR_INIT("a\0b")},
        {STR_INIT("\"\\u0041\\u00e4\\u20AC\""), STR_INIT("A\xc3\xa4\xe2\x82\xac")},
        {STR_INIT("\"\\ud83d\\ude00!\""), STR_INIT("\xf0\x9f\x98\x80!")},
        {STR_INIT("\"\\uD800\\uDC00\\uDBFF\\uDFFF\""), STR_INIT("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf")},
        {STR_INIT("\"\\ud83d\""), STR_INIT("\xef\xbf\xbd")},
        {STR_INIT("\"\\ude00x\""), STR_INIT("\xef\xbf\xbdx")},
        {STR_INIT("\"\\ud83d\\u0041\""), STR_INIT("\xef\xbf\xbd"
                                                  "A")},
        {STR_INIT("\"\\ud83d\\ud83d\\ude00\""), STR_INIT("\xef\xbf\xbd\xf0\x9f\x98\x80")},
        {STR_INIT("\"\\ud83dabcdef\""), STR_INIT("\xef\xbf\xbd"
                                                 "abcdef")},
        {STR_INIT("\"\\ud83d\\n12345\""), STR_INIT("\xef\xbf\xbd\n12345")},
    };
    struct arena a;
    arm(&a);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct jsonread r;
        jsonread_init(&r, rows[i].text, &a);
        assert_int_equal(jsonread_peek(&r), JSONREAD_STRING);
        struct str value = jsonread_string(&r);
        if (!jsonread_end(&r) || !str_eq(value, rows[i].value))
            fail_msg("%s: %.*s", rows[i].text.at, STR_ARG(value));
    }
    arena_deinit(&a);
}

/* Writes what it reads without white space and escapes; "s" after each string read by itself. */
static void copy_value(struct jsonread *r, struct text *out)
{
    struct str key;
    const char *separator = "";
    size_t start;
    switch (jsonread_peek(r)) {
    case JSONREAD_NONE:
        return;
    case JSONREAD_NULL:
    case JSONREAD_FALSE:
    case JSONREAD_TRUE:
    case JSONREAD_NUMBER:
        start = r->at;
        jsonread_skip(r);
        text_add(out, (struct str){r->text.at + start, r->at - start});
        return;
    case JSONREAD_STRING:
        text_add(out, jsonread_string(r));
        text_add(out, STR("s"));
        return;
    case JSONREAD_ARRAY:
        text_add(out, STR("["));
        for (jsonread_open(r); jsonread_element(r); separator = ",") {
            text_add(out, str_of(separator));
            copy_value(r, out);
        }
        text_add(out, STR("]"));
        return;
    case JSONREAD_OBJECT:
        text_add(out, STR("{"));
        for (jsonread_open(r); jsonread_member(r, &key); separator = ",") {
            text_add(out, str_of(separator));
            text_add(out, key);
            text_add(out, STR(":"));
            copy_value(r, out);
        }
        text_add(out, STR("}"));
        return;
    }
}

static void test_values_in_turn(void **state)
{
    (void)state;
    struct arena a;
    struct jsonread r;
    arm(&a);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    struct text out = {.arena = &a};
    jsonread_init(
        &r,
        STR(" { \"a\" : [ 1 , [ ] , \"x\" ] , \"\\u0062\" : { } , \"a\" : { \"c\" : null , \"d\":true} } "),
        &a);
    copy_value(&r, &out);
    assert_true(jsonread_end(&r));
    assert_string_equal(text_str(&out).at, "{a:[1,[],xs],b:{},a:{c:null,d:true}}");
    arena_deinit(&a);
}

static void test_a_copy_is_a_place(void **state)
{
    (void)state;
    struct arena a;
    struct jsonread r;
    struct str key;
    arm(&a);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    jsonread_init(&r, STR("{\"a\":[\"x\"],\"b\":2}"), &a);
    assert_int_equal(jsonread_peek(&r), JSONREAD_OBJECT);
    jsonread_open(&r);
    assert_true(jsonread_member(&r, &key));
    struct jsonread place = r;
    jsonread_skip(&r);
    assert_true(jsonread_member(&r, &key));
    assert_true(str_eq(key, STR("b")));
    assert_int_equal(jsonread_peek(&place), JSONREAD_ARRAY);
    jsonread_open(&place);
    assert_true(jsonread_element(&place));
    assert_true(str_eq(jsonread_string(&place), STR("x")));
    assert_false(jsonread_element(&place));
    assert_true(jsonread_member(&place, &key));
    assert_true(str_eq(key, STR("b")));
    arena_deinit(&a);
}

/* As many levels as allowed, one more, and very many. */
static void test_depth(void **state)
{
    (void)state;
    static char deep[100000];
    memset(deep, '[', JSONREAD_MAX_DEPTH);
    memset(deep + JSONREAD_MAX_DEPTH, ']', JSONREAD_MAX_DEPTH);
    assert_int_equal(judge((struct str){deep, (size_t)2 * JSONREAD_MAX_DEPTH}).error, JSONREAD_OK);

    memset(deep, '[', sizeof deep);
    struct jsonread r = judge((struct str){deep, sizeof deep});
    assert_int_equal(r.error, JSONREAD_TOO_DEEP);
    assert_int_equal(r.at, JSONREAD_MAX_DEPTH);

    deep[JSONREAD_MAX_DEPTH] = '1';
    r = judge((struct str){deep, sizeof deep});
    assert_int_equal(r.error, JSONREAD_TOO_DEEP);
    assert_int_equal(r.at, JSONREAD_MAX_DEPTH);
}

/* Each prefix of a text is refused for being cut, whatever it is cut in, and none is read beyond its end. */
static void test_prefixes(void **state)
{
    (void)state;
    static const struct str text =
        STR_INIT("{\"a\\u00e4\\\\\":[1.5e-3,true,false,null,\"x\\n\"],\"b\":{\"c\":{}}}");
    for (size_t len = 0; len < text.len; len++) {
        struct jsonread r = judge((struct str){text.at, len});
        if (r.error != JSONREAD_TRUNCATED || r.at != len)
            fail_msg("cut at %zu: %s at %zu", len, jsonread_message(r.error), r.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),          cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_an_error_stays), cmocka_unit_test(test_strings),
        cmocka_unit_test(test_values_in_turn), cmocka_unit_test(test_a_copy_is_a_place),
        cmocka_unit_test(test_depth),          cmocka_unit_test(test_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
