#include "client/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_memory_is_zeroed_even_for_nothing(void **state)
{
    (void)state;
    cleanup_mem char *p = mem_zalloc(16);
    for (int i = 0; i < 16; i++)
        assert_int_equal(p[i], 0);
    cleanup_mem void *nothing = mem_zalloc(0);
    cleanup_mem void *none = mem_array(0, 8);
    assert_non_null(nothing);
    assert_non_null(none);
}

static void test_copies(void **state)
{
    (void)state;
    cleanup_mem char *a = mem_strdup("abc");
    cleanup_mem char *b = mem_strndup("abcdef", 2);
    cleanup_mem char *c = mem_printf("%s-%d", a, 7);
    assert_string_equal(a, "abc");
    assert_string_equal(b, "ab");
    assert_string_equal(c, "abc-7");
    assert_null(mem_strdup_or_null(NULL));
}

static void test_realloc_keeps_what_was_there(void **state)
{
    (void)state;
    int *p = mem_array(2, sizeof *p);
    p[1] = 9;
    p = mem_realloc(p, 1000, sizeof *p);
    assert_int_equal(p[1], 9);
    mem_free(p);
    mem_free(NULL);
}

static void test_an_array_grows(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    size_t *p = NULL;
    for (size_t i = 0; i < COUNT; i++) {
        p = mem_grow(p, i, sizeof *p);
        p[i] = i;
    }
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(p[i], i);
    mem_free(p);
}

static void test_wipe(void **state)
{
    (void)state;
    char secret[] = "token";
    mem_wipe(secret, sizeof secret);
    assert_int_equal(secret[0], 0);
    assert_int_equal(secret[4], 0);
    mem_wipe(NULL, 3);
}

static void test_what_is_in_use_is_counted(void **state)
{
    (void)state;
    const size_t before = mem_in_use();
    if (before == 0)
        skip(); /* another allocator, such as a sanitizer's */
    void *small = mem_zalloc(20000), *large = mem_zalloc(1 << 22);
    const size_t both = mem_in_use();
    mem_free(large);
    mem_free(small);
    assert_in_range(both - before, 20000 + (1 << 22), 21000 + (1 << 22) + 16384);
    assert_true(mem_in_use() <= before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_in_use_is_counted),
        cmocka_unit_test(test_memory_is_zeroed_even_for_nothing),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_realloc_keeps_what_was_there),
        cmocka_unit_test(test_an_array_grows),
        cmocka_unit_test(test_wipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
