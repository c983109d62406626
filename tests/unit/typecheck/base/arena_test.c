#include "typecheck/base/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MAX_STEPS 100000

/* Runs `work` in an arena and returns how it ended; *used: what it held then. */
static enum arena_failure run(size_t budget, uint64_t max_steps, void (*work)(struct arena *), size_t *used)
{
    struct arena a;
    arena_init(&a, budget);
    a.max_steps = max_steps;
    if (setjmp(a.escape) == 0)
        work(&a);
    enum arena_failure failure = a.failure;
    *used = a.used_bytes;
    arena_deinit(&a);
    return failure;
}

static void expect(enum arena_failure want, void (*work)(struct arena *))
{
    size_t used;
    assert_int_equal(run((size_t)64 << 20, MAX_STEPS, work, &used), want);
}

static bool is_zero(const char *p, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (p[i] != 0)
            return false;
    }
    return true;
}

/* Zeroed, aligned, apart from each other, of any size. */
static void allocate_all_sizes(struct arena *a)
{
    char *before = NULL;
    size_t before_size = 0;
    for (size_t size = 0; size < 20000; size = size * 3 / 2 + 1) {
        char *p = arena_alloc(a, size);
        assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
        assert_true(is_zero(p, size));
        memset(p, 0xA5, size);
        for (size_t i = 0; i < before_size; i++)
            assert_int_equal((unsigned char)before[i], 0xA5);
        before = p;
        before_size = size;
    }
}

static void test_alloc(void **state)
{
    (void)state;
    expect(ARENA_OK, allocate_all_sizes);
}

static void grow_in_place(struct arena *a)
{
    int *list = NULL, *first = NULL;
    for (size_t n = 0; n < 100; n++) {
        list = arena_grow(a, list, n, n + 1, sizeof *list);
        assert_int_equal(list[n], 0);
        list[n] = (int)n;
        first = first == NULL ? list : first;
    }
    assert_ptr_equal(list, first);
}

static void grow_and_move(struct arena *a)
{
    int *list = NULL;
    for (size_t n = 0; n < 5000; n++) {
        list = arena_grow(a, list, n, n + 1, sizeof *list);
        assert_int_equal(list[n], 0);
        list[n] = (int)n;
        if (n % 100 == 0)
            *(char *)arena_alloc(a, 1) = 'x';
    }
    for (size_t n = 0; n < 5000; n++)
        assert_int_equal(list[n], n);
}

static void test_grow(void **state)
{
    (void)state;
    expect(ARENA_OK, grow_in_place);
    expect(ARENA_OK, grow_and_move);
}

static void copy_bytes(struct arena *a)
{
    char source[] = "a\0b";
    char *copy = arena_copy(a, source, 3);
    source[0] = 'z';
    assert_memory_equal(copy, "a\0b\0", 4);
    assert_string_equal(arena_copy(a, NULL, 0), "");
}

static void test_copy(void **state)
{
    (void)state;
    expect(ARENA_OK, copy_bytes);
}

static void release_to_marks(struct arena *a)
{
    struct arena_mark empty = arena_mark(a);
    char *kept = arena_alloc(a, 100);
    memset(kept, 'k', 100);
    struct arena_mark mark = arena_mark(a);
    size_t used = a->used_bytes;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++)
            memset(arena_alloc(a, 5000), 'x', 5000);
        assert_true(a->used_bytes > used);
        arena_release(a, mark);
        assert_int_equal(a->used_bytes, used);
        assert_true(is_zero(arena_alloc(a, 5000), 5000));
        arena_release(a, mark);
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(kept[i], 'k');
    assert_true(a->peak_bytes > 500000);
    arena_release(a, empty);
    assert_int_equal(a->used_bytes, 0);
    memset(arena_alloc(a, 10), 'x', 10);
}

static void test_release(void **state)
{
    (void)state;
    expect(ARENA_OK, release_to_marks);
}

static void array_overflow(struct arena *a)
{
    arena_array(a, SIZE_MAX / 2, 3);
}

static void alloc_overflow(struct arena *a)
{
    arena_alloc(a, SIZE_MAX);
}

static void copy_overflow(struct arena *a)
{
    arena_copy(a, "", SIZE_MAX);
}

static void grow_overflow(struct arena *a)
{
    char *p = arena_alloc(a, 16);
    arena_grow(a, p, 1, SIZE_MAX / 8, 16);
}

static void test_overflow(void **state)
{
    (void)state;
    expect(ARENA_BUDGET, array_overflow);
    expect(ARENA_BUDGET, alloc_overflow);
    expect(ARENA_BUDGET, copy_overflow);
    expect(ARENA_BUDGET, grow_overflow);
}

static void all_steps(struct arena *a)
{
    for (int i = 0; i < MAX_STEPS / 2; i++)
        arena_step(a);
    arena_pay(a, MAX_STEPS / 4);
    arena_pay_bytes(a, (size_t)MAX_STEPS / 4 * ARENA_STEP_BYTES + ARENA_STEP_BYTES - 1);
}

static void one_step_more(struct arena *a)
{
    all_steps(a);
    arena_step(a);
}

/* What a part holds and pays is the whole's, until it leaves. */
static void parts(struct arena *whole)
{
    struct arena part, second;
    arena_init_part(&part, whole);
    arena_init_part(&second, &part);
    memset(arena_alloc(&part, 100000), 'x', 100000);
    memset(arena_alloc(&second, 10), 'y', 10);
    assert_true(whole->used_bytes > 100000);
    uint64_t steps = whole->steps;
    arena_pay(&part, 10);
    arena_pay(&second, 10);
    assert_int_equal(whole->steps, steps + 20);
    arena_leave(&part);
    assert_true(whole->used_bytes < 100000);
    assert_true(part.used_bytes >= 100000);
    arena_deinit(&part);
    arena_deinit(&second);
    assert_int_equal(whole->used_bytes, 0);
    arena_init_part(&part, whole);
    arena_pay(&part, MAX_STEPS);
}

static void test_parts(void **state)
{
    (void)state;
    expect(ARENA_STEPS, parts);
}

static void test_steps(void **state)
{
    (void)state;
    expect(ARENA_OK, all_steps);
    expect(ARENA_STEPS, one_step_more);
}

/* Every budget is kept to, and the least that suffices is what the work uses. */
static void test_budgets(void **state)
{
    size_t needed, used;
    (void)state;
    assert_int_equal(run(SIZE_MAX, UINT64_MAX, grow_and_move, &needed), ARENA_OK);
    for (size_t budget = 0; budget < needed; budget += 251) {
        enum arena_failure failure = run(budget, UINT64_MAX, grow_and_move, &used);
        assert_true(failure == ARENA_BUDGET || failure == ARENA_OK);
        assert_true(used <= budget);
    }
    assert_int_equal(run(0, UINT64_MAX, copy_bytes, &used), ARENA_BUDGET);
    assert_int_equal(used, 0);
    assert_int_equal(run(needed, UINT64_MAX, grow_and_move, &used), ARENA_OK);
}

static void test_used_again(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, 100);
    if (setjmp(a.escape) == 0) {
        arena_alloc(&a, 101);
        fail_msg("101 bytes of 100");
    }
    assert_int_equal(a.failure, ARENA_BUDGET);
    arena_deinit(&a);
    assert_int_equal(a.failure, ARENA_OK);
    assert_null(a.blocks);
    arena_deinit(&a);
}

static void test_room(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 1 << 20);
    if (setjmp(a.escape) != 0)
        fail();
    uint16_t *list = NULL;
    size_t cap = 0;
    for (uint16_t i = 0; i < 100; i++) {
        ARENA_ROOM(&a, list, i, cap, 3);
        assert_true(cap > i && cap <= 3 + 2 * (size_t)i);
        list[i] = i;
    }
    assert_int_equal(cap, 192);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(list[i], i);
    arena_deinit(&a);
}

static void test_holder(void **state)
{
    (void)state;
    struct arena a;
    char *bytes = arena_init_holder(&a, 1 << 20, 100);
    assert_non_null(bytes);
    assert_int_equal(bytes[99], 0);
    assert_true(a.used_bytes >= 100);
    arena_deinit(&a);
    assert_null(arena_init_holder(&a, 10, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc),   cmocka_unit_test(test_grow),       cmocka_unit_test(test_copy),
        cmocka_unit_test(test_release), cmocka_unit_test(test_overflow),   cmocka_unit_test(test_steps),
        cmocka_unit_test(test_budgets), cmocka_unit_test(test_used_again), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_room),    cmocka_unit_test(test_holder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
