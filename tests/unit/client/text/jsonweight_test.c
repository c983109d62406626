#include "client/text/jsonweight.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/text/jsonval.h"

enum { MANY = 20 * 1000, CAP_BYTES = 16 * 1024 * 1024 };

static void test_only_what_is_outside_of_strings_counts(void **state)
{
    static const char plain[] = "{\"aaaa\":\"{}[]:,\\\\\\\"{:\\\\\"}",
                      other[] = "{\"aaaa\":\"xxxxxxxxxxxxxx\"}";
    (void)state;
    assert_int_equal(sizeof plain, sizeof other);
    assert_int_equal(jsonweight(plain, sizeof plain - 1), jsonweight(other, sizeof other - 1));
    assert_int_equal(jsonweight("", 0), 0);
    assert_true(jsonweight("{\"a", 3) > 0 && jsonweight("{\"a\\", 4) > 0); /* cut anywhere */
}

/* So many of something, in between a beginning and an end; #: its number. */
static void repeat(struct buf *out, const char *begin, const char *each, const char *end)
{
    buf_init(out, CAP_BYTES);
    buf_puts(out, begin);
    for (int i = 0; i < MANY; i++) {
        const char *mark = strchr(each, '#');
        buf_puts(out, i > 0 ? "," : "");
        if (mark == NULL)
            buf_puts(out, each);
        else
            buf_printf(out, "%.*s%d%s", (int)(mark - each), each, i, mark + 1);
    }
    buf_puts(out, end);
}

/* No tree takes much more than its weight, whatever it is made of. */
static void test_trees_take_no_more(void **state)
{
    static const char *const rows[][3] = {
        {"{\"a\":[", "{}", "]}"},
        {"{\"a\":[", "[]", "]}"},
        {"{\"a\":[", "\"\"", "]}"},
        {"{\"a\":[", "{\"expression\":\"1\"}", "]}"},
        {"{\"a\":{", "\"l#\":\"\"", "}}"},
        {"{\"a\":{", "\"f:l#\":{}", "}}"},
        {"{\"a\":[", "{\"a\":1,\"b\":\"2\",\"c\":[\"d\",\"e\"],\"d\":{\"x\":true}}", "]}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf text;
        struct json_object *tree = NULL;
        repeat(&text, rows[i][0], rows[i][1], rows[i][2]);
        const size_t weight = jsonweight(text.data, text.len);
        const struct mallinfo2 before = mallinfo2();
        assert_int_equal(jsonval_parse(text.data, text.len, &tree, NULL), 0);
        const struct mallinfo2 after = mallinfo2();
        const size_t used = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
        if (used > weight + weight / 4)
            fail_msg("%s: %zu bytes, a weight of %zu", rows[i][1], used, weight);
        json_object_put(tree);
        buf_deinit(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_is_outside_of_strings_counts),
        cmocka_unit_test(test_trees_take_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
