#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/source.h"

static void code_point_len(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t len;
    } CASES[] = {
        {"a", 1},     {"\xC3\xA9", 2}, {"\xE4\xB8\xAD", 3}, {"\xF0\x9F\x98\x80", 4}, {"\x80", 1}, {"\xC3", 1},
        {"\xC3z", 1}, {"\xE4\xB8", 1}, {"\xF0\x9F\x98", 1}, {"\xC0\x80", 1},         {"\xFF", 1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct str s = str_of(CASES[i].text);
        assert_int_equal(source_code_point_len(s.at, s.at + s.len), CASES[i].len);
    }
}

static void check_location(const char *text, uint32_t offset, int line, int column)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    if (setjmp(a.escape) != 0)
        fail();
    struct source s;
    source_init(&s, &a, str_of(text));
    struct location at = source_location(&s, offset);
    assert_int_equal(at.line, line);
    assert_int_equal(at.column, column);
    arena_deinit(&a);
}

static void locations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t offset;
        int line, column;
    } CASES[] = {
        {"abc", 0, 1, 0},
        {"abc", 2, 1, 2},
        {"abc", 3, 1, 3},
        {"abc", 9, 1, 3}, /* past the end is the end */
        {"a\nbc", 1, 1, 1},
        {"a\nbc", 2, 2, 0},
        {"a\nbc", 4, 2, 2},
        {"a\r\nb", 3, 2, 0},
        {"a\rb", 2, 1, 2}, /* only '\n' ends a line */
        {"\n\n\n", 3, 4, 0},
        {"\xC3\xA9x", 2, 1, 1},
        {"x\n\xE4\xB8\xAD\xF0\x9F\x98\x80y", 9, 2, 2},
        {"\x80\x80z", 2, 1, 2},
        {"abc", SOURCE_NOWHERE, -1, -1},
        {"abc", SOURCE_BEFORE, 1, -1},
        {"", 0, 1, -1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        check_location(CASES[i].text, CASES[i].offset, CASES[i].line, CASES[i].column);
}

static void lines(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 1 << 20);
    if (setjmp(a.escape) != 0)
        fail();
    struct source s;
    source_init(&s, &a, STR("one\n\ntwo\r\n\xC3\xA9"));
    assert_int_equal(s.line_count, 4);
    assert_int_equal(s.code_points, 11);
    assert_true(str_eq(source_line(&s, 1), STR("one")));
    assert_true(str_eq(source_line(&s, 2), STR("")));
    assert_true(str_eq(source_line(&s, 3), STR("two\r")));
    assert_true(str_eq(source_line(&s, 4), STR("\xC3\xA9")));
    assert_true(str_eq(source_line(&s, 5), STR("")));
    assert_true(str_eq(source_line(&s, 0), STR("")));
    assert_true(str_eq(source_line(&s, -1), STR("")));

    source_init(&s, &a, STR(""));
    assert_int_equal(s.line_count, 1);
    assert_int_equal(s.code_points, 0);
    assert_true(str_eq(source_line(&s, 1), STR("")));
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_point_len),
        cmocka_unit_test(locations),
        cmocka_unit_test(lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
