#include "client/text/jsonreader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

/* Whatever the slices, it is what is parsed at once; the same words, where it is wrong. */
static void expect_same(const char *text)
{
    const size_t len = strlen(text);
    cleanup_json struct json_object *whole = NULL;
    struct err wanted = {0};
    const int result = jsonval_parse(text, len, &whole, &wanted);
    for (size_t slice = 1; slice <= len + 1; slice++) {
        cleanup_json struct json_object *sliced = NULL;
        struct jsonreader r;
        struct err err = {0};
        size_t steps = 1;
        jsonreader_init(&r, text, len);
        while (jsonreader_step(&r, slice))
            steps++;
        assert_true(steps <= len / slice + 1);
        assert_int_equal(jsonreader_end(&r, &sliced, &err), result);
        assert_string_equal(err.msg, wanted.msg);
        assert_int_equal(err.code, wanted.code);
        assert_true(json_object_equal(whole, sliced));
    }
}

static void test_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        " {\"a\":[1,2.5,-3e2,true,null,\"b\\u00e9\\\"\"],\"c\":{\"d\":\"\xc3\xa9\"}} \n",
        "[{\"a\":1},{\"a\":1}]",
        "12345",
        "null",
        "",
        " ",
        "{\"a\":1",
        "{\"a\":1}}",
        "{\"a\":1} {",
        "{\"a\" 1}",
        "[1,]",
        "\"unended",
        "<html>",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_same(texts[i]);
}

/* As deep as is allowed, and one more. */
static void test_depth(void **state)
{
    (void)state;
    for (size_t depth = JSONVAL_DEPTH - 2; depth < JSONVAL_DEPTH + 2; depth++) {
        char text[2 * (JSONVAL_DEPTH + 2) + 1] = "";
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        cleanup_json struct json_object *whole = NULL, *sliced = NULL;
        struct err wanted = {0}, err = {0};
        struct jsonreader r;
        const int result = jsonval_parse(text, 2 * depth, &whole, &wanted);
        jsonreader_init(&r, text, 2 * depth);
        while (jsonreader_step(&r, 7))
            continue;
        assert_int_equal(jsonreader_end(&r, &sliced, &err), result);
        assert_int_equal(result, depth <= JSONVAL_DEPTH ? 0 : -1);
        if (result != 0)
            assert_string_equal(err.msg, wanted.msg);
    }
}

/* Ended wherever it is, it leaves nothing behind; what is not there is no tree. */
static void test_given_up(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":[1,2,3],\"b\":{}}";
    struct jsonreader r;
    struct err err = {0};
    for (size_t steps = 0; steps <= sizeof text; steps++) {
        jsonreader_init(&r, text, sizeof text - 1);
        for (size_t i = 0; i < steps; i++)
            (void)jsonreader_step(&r, 1);
        assert_int_equal(jsonreader_end(&r, NULL, NULL), 0);
    }
    struct json_object *tree;
    jsonreader_init(&r, NULL, 0);
    assert_false(jsonreader_step(&r, 1));
    assert_int_equal(jsonreader_end(&r, &tree, &err), 0);
    assert_null(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
