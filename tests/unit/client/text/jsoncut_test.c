#include "client/text/jsoncut.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const unread[] = {"categories", "short", NULL};

static void expect(const char *text, const char *wanted)
{
    const size_t len = strlen(text);
    for (size_t step = 1; step <= len; step++) {
        struct jsoncut cut;
        struct buf out;
        jsoncut_init(&cut, unread);
        buf_init(&out, 4096);
        for (size_t at = 0; at < len; at += step)
            assert_int_equal(jsoncut_feed(&cut, text + at, step < len - at ? step : len - at, &out), 0);
        assert_string_equal(out.data, wanted);
        buf_deinit(&out);
    }
}

/* However the text arrives. */
static void test_members_are_left_out(void **state)
{
    (void)state;
    expect("{\"a\":1,\"categories\":[\"x\",{\"y\":[]}],\"b\":2}", "{\"a\":1,\"b\":2}");
    expect("{ \"categories\" : [1,2] , \"b\" : 2 }", "{\"b\":2}");
    expect("{\"b\":2,\"short\":\"]}\\\"\"}", "{\"b\":2}");
    expect("{\"short\":17,\"categories\":null}", "{}");
    expect("{\"short\":true ,\"c\":[{\"short\":{\"a\":1}},{\"d\":[\"short\",\"categories\"]}]}",
           "{\"c\":[{},{\"d\":[\"short\",\"categories\"]}]}");
    expect("{\"shorter\":1,\"sh\":\"short\",\"a\\\"short\":{\"short\":1,\"x\":2}}",
           "{\"shorter\":1,\"sh\":\"short\",\"a\\\"short\":{\"x\":2}}");
    expect("[{\"a\":[1, 2,3.5e+7 , -1],\"short\":[[],[{}]]}]\n", "[{\"a\":[1,2,3.5e+7,-1]}]");
    expect("{\"0123456789012345678901234567890123456789012345678901234567890123456789\":{\"short\":1},\"b\":"
           "\"\\\\\"}",
           "{\"0123456789012345678901234567890123456789012345678901234567890123456789\":{},\"b\":\"\\\\\"}");
}

/* What is kept counts, and not what is read. */
static void test_the_cap(void **state)
{
    enum { TIMES = 1000, CAP_BYTES = 100 };
    struct jsoncut cut;
    struct buf out;
    (void)state;
    jsoncut_init(&cut, unread);
    buf_init(&out, CAP_BYTES);
    assert_int_equal(jsoncut_feed(&cut, "{\"a\":1,\"short\":[", 16, &out), 0);
    for (int i = 0; i < TIMES; i++)
        assert_int_equal(jsoncut_feed(&cut, "\"xxxxxxxxxx\",", 13, &out), 0);
    assert_int_equal(jsoncut_feed(&cut, "1],\"b\":2", 8, &out), 0);
    assert_string_equal(out.data, "{\"a\":1,\"b\":2");
    for (int i = 0; i < TIMES; i++)
        (void)jsoncut_feed(&cut, ",\"c\":1", 6, &out);
    assert_int_equal(jsoncut_feed(&cut, "}", 1, &out), -1);
    assert_true(out.len <= CAP_BYTES && out.len > CAP_BYTES - 6);
    buf_deinit(&out);
}

/* What is no JSON does no harm. */
static void test_other_texts(void **state)
{
    (void)state;
    expect("}}]],,:\"", "}}]],,:\"");
    for (int depth = JSONCUT_DEPTH - 1; depth < JSONCUT_DEPTH + 2; depth++) {
        struct jsoncut cut;
        struct buf out;
        jsoncut_init(&cut, unread);
        buf_init(&out, 4096);
        for (int i = 0; i < depth; i++)
            (void)jsoncut_feed(&cut, "[", 1, &out);
        (void)jsoncut_feed(&cut, "{\"short\":1}", 11, &out);
        assert_int_equal(strcmp(out.data + depth, "{}") == 0, depth < JSONCUT_DEPTH);
        buf_deinit(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_are_left_out),
        cmocka_unit_test(test_the_cap),
        cmocka_unit_test(test_other_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
