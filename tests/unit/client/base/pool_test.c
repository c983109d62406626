#include "client/base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Zeroed, aligned, and apart from each other. */
static void test_pieces(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 8, 17, 4096, 0, 5000, 300, 300000, 24};
    enum { PIECES = sizeof sizes / sizeof *sizes, ROUNDS = 20 };
    struct pool p = {0};
    unsigned char *pieces[ROUNDS][PIECES];
    for (size_t r = 0; r < ROUNDS; r++) {
        for (size_t i = 0; i < PIECES; i++) {
            pieces[r][i] = pool_alloc(&p, sizes[i]);
            assert_int_equal((uintptr_t)pieces[r][i] % _Alignof(max_align_t), 0);
            for (size_t k = 0; k < sizes[i]; k += 1 + k / 8)
                assert_int_equal(pieces[r][i][k], 0);
            memset(pieces[r][i], (int)(1 + r + i), sizes[i]);
        }
    }
    for (size_t r = 0; r < ROUNDS; r++) {
        for (size_t i = 0; i < PIECES; i++) {
            if (sizes[i] > 0) {
                assert_int_equal(pieces[r][i][0], 1 + r + i);
                assert_int_equal(pieces[r][i][sizes[i] - 1], 1 + r + i);
            }
        }
    }
    pool_deinit(&p);
    assert_null(p.blocks);
}

static void test_texts(void **state)
{
    (void)state;
    struct pool p = {0};
    const char *one = pool_strndup(&p, "one and more", 3), *none = pool_strndup(&p, NULL, 0);
    assert_string_equal(one, "one");
    assert_string_equal(none, "");
    pool_deinit(&p);
    pool_deinit(&p);
    assert_string_equal(pool_strndup(&p, "again", 5), "again");
    pool_deinit(&p);
}

static void test_release(void **state)
{
    (void)state;
    enum { MANY = 100, LARGE = 100000 };
    struct pool p = {0};
    struct pool mark = pool_mark(&p);
    (void)pool_alloc(&p, 1);
    pool_release(&p, mark);
    assert_null(p.blocks);
    const char *kept = pool_strndup(&p, "kept", 4);
    mark = pool_mark(&p);
    char *first = pool_alloc(&p, 8);
    for (size_t i = 0; i < MANY; i++) {
        pool_release(&p, mark);
        assert_ptr_equal(pool_alloc(&p, 8), first);
        assert_int_equal(*first, 0);
        memset(first, 1, 8);
        (void)pool_alloc(&p, LARGE);
    }
    pool_release(&p, mark);
    assert_string_equal(kept, "kept");
    pool_deinit(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
