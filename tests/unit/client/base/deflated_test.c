#include "client/base/deflated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"

static const char sample[] =
    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"sample\"}}";
static const char text[] = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"other\"}}";

static size_t deflated_len(const char *bytes, size_t len, size_t cap, const char *like)
{
    struct buf packed;
    buf_init(&packed, cap);
    const int result = deflated_put(&packed, bytes, len, like);
    const size_t packed_len = packed.len;
    if (result == 0) {
        cleanup_mem char *again = deflated_text(packed.data, packed.len, len, like);
        assert_memory_equal(again, bytes, len);
        assert_int_equal(again[len], '\0');
    } else {
        assert_int_equal(packed_len, 0);
    }
    buf_deinit(&packed);
    return packed_len;
}

static void test_a_text_like_the_sample(void **state)
{
    (void)state;
    const size_t alone = deflated_len(text, sizeof text - 1, 1000, NULL);
    const size_t alike = deflated_len(text, sizeof text - 1, 1000, sample);
    assert_in_range(alone, 1, sizeof text - 2);
    assert_in_range(alike, 1, alone / 2);
}

static void test_what_does_not_fit(void **state)
{
    (void)state;
    assert_int_equal(deflated_len(text, sizeof text - 1, 10, NULL), 0);
    assert_int_equal(deflated_len(text, sizeof text - 1, 0, NULL), 0);
    assert_int_equal(deflated_len("x", 1, 1, NULL), 0);
    assert_int_equal(deflated_len("", 0, 100, sample), 0);
}

static void test_long_and_binary(void **state)
{
    (void)state;
    enum { LEN = 100000 };
    char *bytes = mem_zalloc(LEN);
    for (size_t i = 0; i < LEN; i++)
        bytes[i] = (char)(i * i >> 7);
    assert_true(deflated_len(bytes, LEN, LEN, sample) > 0);
    mem_free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_text_like_the_sample),
        cmocka_unit_test(test_what_does_not_fit),
        cmocka_unit_test(test_long_and_binary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
