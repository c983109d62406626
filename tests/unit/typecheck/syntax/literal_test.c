#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/syntax/literal.h"

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
        const char *wrong = literal_int(str_of(CASES[i].digits), CASES[i].is_negative, &l);
        if (!CASES[i].fits) {
            assert_string_equal(wrong, "invalid int literal");
            continue;
        }
        assert_null(wrong);
        assert_int_equal(l.kind, LITERAL_INT);
        assert_true(l.integer == CASES[i].value);
    }
}

static void uints(void **state)
{
    (void)state;
    struct literal l;
    assert_null(literal_uint(STR("18446744073709551615u"), &l));
    assert_true(l.kind == LITERAL_UINT && l.uinteger == UINT64_MAX);
    assert_null(literal_uint(STR("0xfU"), &l));
    assert_true(l.uinteger == 15);
    assert_string_equal(literal_uint(STR("18446744073709551616u"), &l), "invalid uint literal");
}

static void doubles(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    struct literal l;
    assert_null(literal_double(&arena, (struct str){"1.5e37", 4}, false, &l)); /* 1.5e is never a token */
    assert_true(l.kind == LITERAL_DOUBLE && l.floating == 1.5);
    assert_null(literal_double(&arena, STR(".25e1"), true, &l));
    assert_true(l.floating == -2.5);
    assert_null(literal_double(&arena, STR("1e-999"), false, &l));
    assert_true(l.floating == 0);
    assert_null(literal_double(&arena, STR("1.7976931348623157e308"), false, &l));
    assert_string_equal(literal_double(&arena, STR("1e309"), false, &l), "invalid double literal");
    assert_string_equal(literal_double(&arena, STR("1e309"), true, &l), "invalid double literal");
}

struct quoted_case {
    const char *token, *value; /* or what is wrong */
    size_t len;                /* of the value; 0: its strlen */
};

static void check_quoted(const struct quoted_case *c, bool is_bytes)
{
    struct literal l;
    struct str token = str_of(c->token);
    const char *wrong = is_bytes ? literal_bytes(&arena, token, &l) : literal_string(&arena, token, &l);
    if (wrong != NULL) {
        assert_string_equal(wrong, c->value);
        return;
    }
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
        {"''", "", 0},
        {"\"a'b\"", "a'b", 0},
        {"'''a'b\n'''", "a'b\n", 0},
        {"''''''", "", 0},
        {"r'\\n'", "\\n", 0},
        {"R\"\"\"\\\"\"\"", "\\", 0},
        {"'''a\r\nb\rc'''", "a\nb\nc", 0},
        {"r'''a\r\nb'''", "a\nb", 0},
        {"'\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"\\`\\?'", "\a\b\f\n\r\t\v\\'\"`?", 0},
        {"'\\x41\\X7a'", "Az", 0},
        {"'\\xff'", "\xC3\xBF", 0},
        {"'\\377\\101'", "\xC3\xBF\x41", 0},
        {"'\\u00e9\\u4e2d'", "\xC3\xA9\xE4\xB8\xAD", 0},
        {"'\\U0001F600'", "\xF0\x9F\x98\x80", 0},
        {"'\\000'", "\0", 1},
        {"'\xC3\xA9'", "\xC3\xA9", 0},
        {"'\\ud800'", "invalid unicode code point", 0},
        {"'\\udfff'", "invalid unicode code point", 0},
        {"'\\U00110000'", "invalid unicode code point", 0},
        {"'\\Uffffffff'", "invalid unicode code point", 0},
        {"'\\U0010ffff'", "\xF4\x8F\xBF\xBF", 0},
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
        {"b''", "", 0},
        {"B\"a\"", "a", 0},
        {"b'\\xff\\377'", "\xFF\xFF", 0},
        {"b'\xC3\xA9'", "\xC3\xA9", 0},
        {"br'\\x41'", "\\x41", 0},
        {"bR'''\\'''", "\\", 0},
        {"b'\\u0041'", "unable to unescape string", 0},
        {"b'\\U00000041'", "unable to unescape string", 0},
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
