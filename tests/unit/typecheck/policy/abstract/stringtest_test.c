#include "typecheck/policy/abstract/stringtest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"

enum { OPEN, NEVER, ALWAYS };

static const struct row {
    enum stringtest_kind known;
    const char *known_text;
    bool truth;
    enum stringtest_kind asked;
    const char *asked_text;
    int wanted;
} rows[] = {
    {STRINGTEST_STARTS, "a", true, STRINGTEST_STARTS, "b", NEVER},
    {STRINGTEST_STARTS, "a", true, STRINGTEST_STARTS, "ab", OPEN},
    {STRINGTEST_STARTS, "ab", true, STRINGTEST_STARTS, "a", ALWAYS},
    {STRINGTEST_STARTS, "a", false, STRINGTEST_STARTS, "ab", NEVER},
    {STRINGTEST_STARTS, "ab", false, STRINGTEST_STARTS, "a", OPEN},
    {STRINGTEST_STARTS, "a", false, STRINGTEST_STARTS, "b", OPEN},
    {STRINGTEST_STARTS, "", true, STRINGTEST_STARTS, "b", OPEN},
    {STRINGTEST_STARTS, "a", true, STRINGTEST_ENDS, "b", OPEN},
    {STRINGTEST_STARTS, "abc", true, STRINGTEST_CONTAINS, "bc", ALWAYS},
    {STRINGTEST_STARTS, "abc", true, STRINGTEST_CONTAINS, "d", OPEN},
    {STRINGTEST_STARTS, "a", true, STRINGTEST_IS, "b", NEVER},
    {STRINGTEST_STARTS, "a", true, STRINGTEST_IS, "a", OPEN},
    {STRINGTEST_STARTS, "a", false, STRINGTEST_IS, "a", NEVER},
    {STRINGTEST_STARTS, "a", false, STRINGTEST_IS, "b", OPEN},
    {STRINGTEST_ENDS, "a", true, STRINGTEST_ENDS, "b", NEVER},
    {STRINGTEST_ENDS, "ab", true, STRINGTEST_ENDS, "b", ALWAYS},
    {STRINGTEST_ENDS, "a", true, STRINGTEST_IS, "ba", OPEN},
    {STRINGTEST_ENDS, "a", true, STRINGTEST_IS, "ab", NEVER},
    {STRINGTEST_CONTAINS, "a", true, STRINGTEST_CONTAINS, "b", OPEN},
    {STRINGTEST_CONTAINS, "ab", true, STRINGTEST_CONTAINS, "b", ALWAYS},
    {STRINGTEST_CONTAINS, "a", false, STRINGTEST_ENDS, "ba", NEVER},
    {STRINGTEST_CONTAINS, "a", true, STRINGTEST_STARTS, "b", OPEN},
    {STRINGTEST_CONTAINS, "a", true, STRINGTEST_IS, "b", NEVER},
    {STRINGTEST_IS, "ab", true, STRINGTEST_STARTS, "a", ALWAYS},
    {STRINGTEST_IS, "ab", true, STRINGTEST_ENDS, "a", NEVER},
    {STRINGTEST_IS, "ab", true, STRINGTEST_CONTAINS, "", ALWAYS},
    {STRINGTEST_IS, "ab", true, STRINGTEST_IS, "ab", ALWAYS},
    {STRINGTEST_IS, "ab", true, STRINGTEST_IS, "b", NEVER},
};

static struct stringtest test_of(enum stringtest_kind kind, const char *text)
{
    return (struct stringtest){.kind = kind, .text = str_of(text)};
}

static bool holds(const struct stringtest *test, struct str s)
{
    switch (test->kind) {
    case STRINGTEST_STARTS:
        return str_has_prefix(s, test->text);
    case STRINGTEST_ENDS:
        return str_has_suffix(s, test->text);
    case STRINGTEST_CONTAINS:
        return memmem(s.at, s.len, test->text.at, test->text.len) != NULL;
    case STRINGTEST_IS:
        break;
    }
    return str_eq(s, test->text);
}

static int decided(const struct stringtest *known, bool truth, const struct stringtest *asked)
{
    struct arena a;
    bool value;
    arena_init(&a, SIZE_MAX);
    const int result = !stringtest_decides(&a, known, truth, asked, &value) ? OPEN : value ? ALWAYS : NEVER;
    arena_deinit(&a);
    return result;
}

static void test_the_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        const struct stringtest known = test_of(row->known, row->known_text);
        const struct stringtest asked = test_of(row->asked, row->asked_text);
        if (decided(&known, row->truth, &asked) != row->wanted)
            fail_msg("row %zu: %d, not %d", i, decided(&known, row->truth, &asked), row->wanted);
    }
}

/* What is decided holds for all short strings of two letters. */
static void test_every_short_string(void **state)
{
    static const char *const texts[] = {"", "a", "b", "aa", "ab", "ba", "bb", "aab", "aba", "bab"};
    enum { TEXTS = sizeof texts / sizeof *texts, KINDS = STRINGTEST_IS + 1, LONGEST = 6 };
    (void)state;
    for (unsigned n = 0; n < TEXTS * TEXTS * KINDS * KINDS * 2; n++) {
        const struct stringtest known = test_of(n / 2 % KINDS, texts[n / 2 / KINDS / KINDS % TEXTS]);
        const struct stringtest asked =
            test_of(n / 2 / KINDS % KINDS, texts[n / 2 / KINDS / KINDS / TEXTS % TEXTS]);
        const int said = decided(&known, n % 2 == 1, &asked);
        for (size_t len = 0; said != OPEN && len <= LONGEST; len++) {
            for (unsigned bits = 0; bits < 1u << len; bits++) {
                char bytes[LONGEST + 1] = "";
                for (size_t i = 0; i < len; i++)
                    bytes[i] = (bits >> i & 1) != 0 ? 'a' : 'b';
                const struct str s = {bytes, len};
                if (holds(&known, s) == (n % 2 == 1))
                    assert_int_equal(holds(&asked, s), said == ALWAYS);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_rows),
        cmocka_unit_test(test_every_short_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
