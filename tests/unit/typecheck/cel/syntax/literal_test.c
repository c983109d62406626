#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/literal.h"

static struct arena arena;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_deinit(&arena);
    return 0;
}

static void ints(void **state)
{
    (void)state;
    static const struct {
        const char *digits;
        bool is_negative, fits;
        int64_t value;
    } CASES[] = {
        {"0", false, true, 0},
        {"007", false, true, 7},
        {"9223372036854775807", false, true, INT64_MAX},
        {"9223372036854775808", false, false, 0},
        {"9223372036854775808", true, true, INT64_MIN},
        {"9223372036854775809", true, false, 0},
        {"99999999999999999999999", false, false, 0},
        {"0x7fffffffffffffff", false, true, INT64_MAX},
        {"0x8000000000000000", false, false, 0},
        {"0x8000000000000000", true, true, INT64_MIN},
        {"0xaF", true, true, -175},
        {"0x10000000000000000", false, false, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct literal l;
        const enum literal_failure wrong = literal_int(str_of(CASES[i].digits), CASES[i].is_negative, &l);
        assert_int_equal(wrong, CASES[i].fits ? LITERAL_GOOD : LITERAL_BAD_INT);
        if (!CASES[i].fits)
            continue;
        assert_int_equal(l.kind, LITERAL_INT);
        assert_true(l.integer == CASES[i].value);
    }
}

static void uints(void **state)
{
    (void)state;
    struct literal l;
    assert_int_equal(literal_uint(STR("18446744073709551615u"), &l), LITERAL_GOOD);
    assert_true(l.kind == LITERAL_UINT && l.uinteger == UINT64_MAX);
    assert_int_equal(literal_uint(STR("0xfU"), &l), LITERAL_GOOD);
    assert_true(l.uinteger == 15);
    assert_int_equal(literal_uint(STR("18446744073709551616u"), &l), LITERAL_BAD_UINT);
}

static void doubles(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    struct literal l;
    assert_int_equal(literal_double(&arena, (struct str){"1.5e37", 4}, false, &l),
                     LITERAL_GOOD); /* 1.5e is never a token */
    assert_true(l.kind == LITERAL_DOUBLE && l.floating == 1.5);
    assert_int_equal(literal_double(&arena, STR(".25e1"), true, &l), LITERAL_GOOD);
    assert_true(l.floating == -2.5);
    assert_int_equal(literal_double(&arena, STR("1e-999"), false, &l), LITERAL_GOOD);
    assert_true(l.floating == 0);
    assert_int_equal(literal_double(&arena, STR("1.7976931348623157e308"), false, &l), LITERAL_GOOD);
    assert_int_equal(literal_double(&arena, STR("1e309"), false, &l), LITERAL_BAD_DOUBLE);
    assert_int_equal(literal_double(&arena, STR("1e309"), true, &l), LITERAL_BAD_DOUBLE);
}

struct quoted_case {
    const char *token, *value;
    size_t len; /* of the value; 0: its strlen */
    enum literal_failure wrong;
};

static void check_quoted(const struct quoted_case *c, bool is_bytes)
{
    struct literal l;
    struct str token = str_of(c->token);
    assert_int_equal(is_bytes ? literal_bytes(&arena, token, &l) : literal_string(&arena, token, &l),
                     c->wrong);
    if (c->wrong != LITERAL_GOOD)
        return;
    assert_int_equal(l.kind, is_bytes ? LITERAL_BYTES : LITERAL_STRING);
    assert_int_equal(l.bytes.len, c->len == 0 ? strlen(c->value) : c->len);
    assert_memory_equal(l.bytes.at, c->value, l.bytes.len);
}

static void strings(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    static const struct quoted_case CASES[] = {
        {"''", "", 0, LITERAL_GOOD},
        {"\"a'b\"", "a'b", 0, LITERAL_GOOD},
        {"'''a'b\n'''", "a'b\n", 0, LITERAL_GOOD},
        {"''''''", "", 0, LITERAL_GOOD},
        {"r'\\n'", "\\n", 0, LITERAL_GOOD},
        {"R\"\"\"\\\"\"\"", "\\", 0, LITERAL_GOOD},
        {"'''a\r\nb\rc'''", "a\nb\nc", 0, LITERAL_GOOD},
        {"r'''a\r\nb'''", "a\nb", 0, LITERAL_GOOD},
        {"'\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"\\`\\?'", "\a\b\f\n\r\t\v\\'\"`?", 0, LITERAL_GOOD},
        {"'\\x41\\X7a'", "Az", 0, LITERAL_GOOD},
        {"'\\xff'", "\xC3\xBF", 0, LITERAL_GOOD},
        {"'\\377\\101'", "\xC3\xBF\x41", 0, LITERAL_GOOD},
        {"'\\u00e9\\u4e2d'", "\xC3\xA9\xE4\xB8\xAD", 0, LITERAL_GOOD},
        {"'\\U0001F600'", "\xF0\x9F\x98\x80", 0, LITERAL_GOOD},
        {"'\\000'", "\0", 1, LITERAL_GOOD},
        {"'\xC3\xA9'", "\xC3\xA9", 0, LITERAL_GOOD},
        {"'\\ud800'", "", 0, LITERAL_BAD_CODE_POINT},
        {"'\\udfff'", "", 0, LITERAL_BAD_CODE_POINT},
        {"'\\U00110000'", "", 0, LITERAL_BAD_CODE_POINT},
        {"'\\Uffffffff'", "", 0, LITERAL_BAD_CODE_POINT},
        {"'\\U0010ffff'", "\xF4\x8F\xBF\xBF", 0, LITERAL_GOOD},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        check_quoted(&CASES[i], false);
}

static void bytes(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    static const struct quoted_case CASES[] = {
        {"b''", "", 0, LITERAL_GOOD},
        {"B\"a\"", "a", 0, LITERAL_GOOD},
        {"b'\\xff\\377'", "\xFF\xFF", 0, LITERAL_GOOD},
        {"b'\xC3\xA9'", "\xC3\xA9", 0, LITERAL_GOOD},
        {"br'\\x41'", "\\x41", 0, LITERAL_GOOD},
        {"bR'''\\'''", "\\", 0, LITERAL_GOOD},
        {"b'\\u0041'", "", 0, LITERAL_BAD_ESCAPE},
        {"b'\\U00000041'", "", 0, LITERAL_BAD_ESCAPE},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        check_quoted(&CASES[i], true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ints, setup, teardown),
        cmocka_unit_test_setup_teardown(uints, setup, teardown),
        cmocka_unit_test_setup_teardown(doubles, setup, teardown),
        cmocka_unit_test_setup_teardown(strings, setup, teardown),
        cmocka_unit_test_setup_teardown(bytes, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
