#include "client/base/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "client/base/mem.h"

enum { MANY = 5000 };

static void test_put_get_remove(void **state)
{
    (void)state;
    struct keymap map = {0};
    int one = 1, two = 2;
    assert_null(keymap_get(&map, "a"));
    assert_null(keymap_remove(&map, "a"));
    assert_null(keymap_key(&map, "a"));
    assert_null(keymap_put(&map, "a", &one));
    assert_ptr_equal(keymap_put(&map, "a", &two), &one);
    assert_int_equal(map.count, 1);
    assert_ptr_equal(keymap_get(&map, "a"), &two);
    assert_ptr_equal(keymap_remove(&map, keymap_key(&map, "a")), &two);
    assert_null(keymap_get(&map, "a"));
    assert_int_equal(map.count, 0);
    assert_true(keymap_add(&map, "b"));
    assert_false(keymap_add(&map, "b"));
    assert_non_null(keymap_remove(&map, "b"));
    keymap_deinit(&map, NULL);
}

static void add_up(void *user, const char *key, void *value)
{
    (void)key;
    *(size_t *)user += *(size_t *)value;
}

/* Removing must not lose what was pushed aside by the removed one. */
static void test_many_keys_survive_removals(void **state)
{
    (void)state;
    struct keymap map = {0};
    char key[16];
    size_t sum = 0;
    for (size_t i = 0; i < MANY; i++) {
        size_t *value = mem_zalloc(sizeof *value);
        *value = i;
        snprintf(key, sizeof key, "k%zu", i);
        keymap_put(&map, key, value);
    }
    for (size_t i = 0; i < MANY; i += 2) {
        snprintf(key, sizeof key, "k%zu", i);
        size_t *value = keymap_remove(&map, key);
        assert_int_equal(*value, i);
        mem_free(value);
    }
    for (size_t i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "k%zu", i);
        size_t *value = keymap_get(&map, key);
        if (i % 2 == 0)
            assert_null(value);
        else
            assert_int_equal(*value, i);
    }
    keymap_each(&map, add_up, &sum);
    assert_int_equal(map.count, MANY / 2);
    assert_int_equal(sum, (size_t)(MANY / 2) * (MANY / 2));
    keymap_deinit(&map, mem_free);
    assert_int_equal(map.count, 0);
}

/* What was large once does not stay so. */
static void test_it_shrinks(void **state)
{
    (void)state;
    enum { MUCH = 10000, REST = 3 };
    struct keymap map = {0};
    char key[16];
    for (size_t i = 0; i < MUCH; i++) {
        snprintf(key, sizeof key, "k%zu", i);
        keymap_put(&map, key, &map);
    }
    for (size_t i = REST; i < MUCH; i++) {
        snprintf(key, sizeof key, "k%zu", i);
        assert_ptr_equal(keymap_remove(&map, key), &map);
    }
    assert_int_equal(map.count, REST);
    assert_true(map.room <= 8 * (REST + 1));
    for (size_t i = 0; i < MUCH; i++) {
        snprintf(key, sizeof key, "k%zu", i);
        assert_int_equal(keymap_get(&map, key) != NULL, i < REST);
    }
    keymap_deinit(&map, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_put_get_remove),
        cmocka_unit_test(test_many_keys_survive_removals),
        cmocka_unit_test(test_it_shrinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
