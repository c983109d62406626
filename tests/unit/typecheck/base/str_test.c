#include "typecheck/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "typecheck/base/arena.h"

static void test_compare(void **state)
{
    struct str nothing = {NULL, 0};
    (void)state;
    assert_true(str_eq(STR("abc"), str_of("abc")));
    assert_true(str_eq(STR(""), nothing));
    assert_false(str_eq(STR("abc"), STR("abd")));
    assert_false(str_eq(STR("abc"), STR("ab")));
    assert_false(str_eq(STR("a\0b"), STR("a\0c")));
    assert_true(str_cmp(STR("a"), STR("b")) < 0);
    assert_true(str_cmp(STR("b"), STR("ab")) > 0);
    assert_true(str_cmp(STR("a"), STR("ab")) < 0);
    assert_true(str_cmp(STR("ab"), STR("a")) > 0);
    assert_true(str_cmp(STR("\xff"), STR("a")) > 0);
    assert_int_equal(str_cmp(nothing, STR("")), 0);
    assert_true(str_has_prefix(STR("abc"), STR("ab")));
    assert_true(str_has_prefix(STR("abc"), nothing));
    assert_false(str_has_prefix(STR("ab"), STR("abc")));
    assert_false(str_has_prefix(STR("abc"), STR("b")));
}

static void test_find_last(void **state)
{
    (void)state;
    assert_int_equal(str_find_last(STR("a.b.c"), '.'), 3);
    assert_int_equal(str_find_last(STR(".b"), '.'), 0);
    assert_int_equal(str_find_last((struct str){"a.b", 1}, '.'), SIZE_MAX);
    assert_int_equal(str_find_last((struct str){NULL, 0}, '.'), SIZE_MAX);
}

static const char *program; /* this one */

static uint32_t of_another_process(void)
{
    unsigned hash = 0;
    char command[4096];
    snprintf(command, sizeof command, "%s hash", program);
    FILE *out = popen(command, "re");
    assert_non_null(out);
    assert_int_equal(fscanf(out, "%x", &hash), 1);
    pclose(out);
    return hash;
}

/* Of all bytes, whatever the length; nobody knows before which it will be. */
static void test_hash(void **state)
{
    (void)state;
    static const char text[] = "a name of twenty-six bytes";
    for (size_t len = 0; len < sizeof text - 1; len++) {
        char other[sizeof text];
        memcpy(other, text, sizeof text);
        const struct str s = {text, len};
        assert_int_equal(str_hash(s), str_hash((struct str){other, len}));
        assert_int_not_equal(str_hash(s), str_hash((struct str){text, len + 1}));
        for (size_t i = 0; i < len; i++) {
            other[i] = '#';
            assert_int_not_equal(str_hash(s), str_hash((struct str){other, len}));
            other[i] = text[i];
        }
    }
    assert_int_not_equal(str_hash(STR("costarring")), str_hash(STR("liquid"))); /* FNV-1a's are equal */
    assert_int_not_equal(str_hash(STR("name")), of_another_process());
}

static void test_copy(void **state)
{
    struct arena a;
    char source[] = "a\0b";
    (void)state;
    arena_init(&a, SIZE_MAX);
    struct str copy = str_copy(&a, (struct str){source, 3});
    source[0] = 'z';
    assert_int_equal(copy.len, 3);
    assert_memory_equal(copy.at, "a\0b\0", 4);
    assert_string_equal(str_copy(&a, (struct str){NULL, 0}).at, "");
    arena_deinit(&a);
}

static void test_join(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, SIZE_MAX);
    struct str nothing = {NULL, 0};
    struct str joined = str_join(&a, STR_PARTS(STR("a"), nothing, STR("b\0c"), STR("d")));
    assert_int_equal(joined.len, 5);
    assert_memory_equal(joined.at, "ab\0cd", 6);
    assert_string_equal(str_join(&a, STR_PARTS(nothing)).at, "");
    arena_deinit(&a);
}

static void test_int(void **state)
{
    static const int64_t values[] = {0, 7, -1, 10, 1234567890, INT64_MAX, INT64_MIN};
    struct arena a;
    (void)state;
    arena_init(&a, SIZE_MAX);
    struct text t = {.arena = &a};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        text_add_int(&t, values[i]);
        text_add_char(&t, ' ');
    }
    assert_string_equal(text_str(&t).at, "0 7 -1 10 1234567890 9223372036854775807 -9223372036854775808 ");
    arena_deinit(&a);
}

static void test_text(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, SIZE_MAX);
    struct text t = {.arena = &a};
    struct str empty = text_str(&t);
    assert_int_equal(empty.len, 0);
    assert_string_equal(empty.at, "");
    text_add(&t, STR("a\0"));
    text_add_char(&t, 'b');
    text_addf(&t, "%s", "");
    text_addf(&t, "[%d %.*s]", -5, STR_ARG(STR("xyz")));
    text_add(&t, (struct str){NULL, 0});
    struct str s = text_str(&t);
    assert_int_equal(s.len, 11);
    assert_memory_equal(s.at, "a\0b[-5 xyz]\0", 12);
    assert_string_equal(str_format(&a, "%s-%u", "n", 7u).at, "n-7");
    arena_deinit(&a);
}

/* Several texts that grow by turns do not touch each other. */
static void test_texts_by_turns(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, SIZE_MAX);
    struct text digits = {.arena = &a}, letters = {.arena = &a};
    for (unsigned i = 0; i < 10000; i++) {
        text_addf(&digits, "%u", i % 10);
        text_add_char(&letters, (char)('a' + i % 26));
    }
    struct str d = text_str(&digits), l = text_str(&letters);
    assert_int_equal(d.len, 10000);
    assert_int_equal(l.len, 10000);
    for (unsigned i = 0; i < 10000; i++) {
        assert_int_equal(d.at[i], '0' + i % 10);
        assert_int_equal(l.at[i], 'a' + i % 26);
    }
    arena_deinit(&a);
}

static void test_limit(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, 100);
    if (setjmp(a.escape) == 0) {
        struct text t = {.arena = &a};
        for (;;)
            text_add(&t, STR("more"));
    }
    assert_int_equal(a.failure, ARENA_BUDGET);
    arena_deinit(&a);
    arena_init(&a, SIZE_MAX);
    if (setjmp(a.escape) == 0) {
        struct text t = {.arena = &a};
        text_add(&t, STR("a"));
        text_add(&t, (struct str){"b", SIZE_MAX - 1});
    }
    assert_int_equal(a.failure, ARENA_BUDGET);
    arena_deinit(&a);
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1)
        return printf("%x\n", (unsigned)str_hash(STR("name"))) < 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare),        cmocka_unit_test(test_hash),  cmocka_unit_test(test_copy),
        cmocka_unit_test(test_join),           cmocka_unit_test(test_int),   cmocka_unit_test(test_text),
        cmocka_unit_test(test_texts_by_turns), cmocka_unit_test(test_limit), cmocka_unit_test(test_find_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
