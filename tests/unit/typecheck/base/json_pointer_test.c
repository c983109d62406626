#include "typecheck/base/json_pointer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"

static void test_parts(void **state)
{
    static const struct {
        const char *path, *parts;
    } rows[] = {
        {"/a/b", "a|b|"},  {"/", "|"},      {"//", "||"},         {"x/a", "a|"},       {"/a~1b/c", "a/b|c|"},
        {"/a~0b", "a~b|"}, {"/~01", "~1|"}, {"/a~2b~", "a~2b~|"}, {"/~1~0~1", "/~/|"},
    };
    struct arena a;
    (void)state;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str rest = json_pointer_parts(str_of(rows[i].path)), part;
        struct text t = {.arena = &a};
        while (json_pointer_next(&a, &rest, &part)) {
            text_add(&t, part);
            text_add_char(&t, '|');
        }
        assert_string_equal(text_str(&t).at, rows[i].parts);
    }
    arena_deinit(&a);
}

static void test_indexes(void **state)
{
    (void)state;
    static const char *const indexes[] = {"0", "007", "-1", "+0", "99999999999999999999"};
    static const char *const others[] = {"", "-", "+", "a", "1a", "--1"};
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++)
        assert_true(json_pointer_is_index(str_of(indexes[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(json_pointer_is_index(str_of(others[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts), cmocka_unit_test(test_indexes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
