#include "typecheck/cel/interpreter/values/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/value_map.h"

#define ARENA_BYTES ((size_t)16 * 1024 * 1024)
#define MANY        1000

/* Maps are searched one by one or by hash; both find what was set, and not what was removed. */
static void test_maps(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, ARENA_BYTES);
    assert_int_equal(setjmp(a.escape), 0);
    for (int64_t count = 0; count < MANY; count = count * 2 + 1) {
        struct value_map *map = value_map_new(&a, 0)->map;
        for (int64_t i = 0; i < count; i++)
            value_map_set(&a, map, value_int(&a, i), value_int(&a, i * i));
        for (int64_t i = 0; i < count; i++)
            assert_int_equal(value_map_at(&a, map, value_int(&a, i))->integer, i * i);
        assert_null(value_map_at(&a, map, value_int(&a, count)));
        assert_int_equal(map->count, count);
        value_map_remove(&a, map, value_int(&a, 0));
        assert_null(value_map_at(&a, map, value_int(&a, 0)));
        for (int64_t i = 1; i < count; i++)
            assert_int_equal(value_map_at(&a, map, value_int(&a, i))->integer, i * i);
    }
    arena_deinit(&a);
}

/* Keys are of one type, but numbers are found across types. */
static void test_keys(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, ARENA_BYTES);
    assert_int_equal(setjmp(a.escape), 0);
    struct value_map *map = value_map_new(&a, 0)->map;
    value_map_set(&a, map, value_uint(&a, 1), &value_true);
    assert_null(value_map_at(&a, map, value_int(&a, 1)));
    assert_ptr_equal(value_map_find(&a, map, value_int(&a, 1)), &value_true);
    assert_ptr_equal(value_map_find(&a, map, value_double(&a, 1)), &value_true);
    assert_null(value_map_find(&a, map, value_double(&a, 1.5)));
    assert_null(value_map_find(&a, map, value_int(&a, -1)));
    assert_null(value_map_find(&a, map, &value_true));
    map->is_json = true;
    assert_null(value_map_find(&a, map, value_uint(&a, 1)));
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_maps), cmocka_unit_test(test_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
