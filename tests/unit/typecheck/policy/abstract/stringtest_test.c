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
    enum abswords_test known;
    const char *known_text;
    bool truth;
    enum abswords_test asked;
    const char *asked_text;
    int wanted;
} rows[] = {
    {ABSWORDS_STARTS, "a", true, ABSWORDS_STARTS, "b", NEVER},
    {ABSWORDS_STARTS, "a", true, ABSWORDS_STARTS, "ab", OPEN},
    {ABSWORDS_STARTS, "ab", true, ABSWORDS_STARTS, "a", ALWAYS},
    {ABSWORDS_STARTS, "a", false, ABSWORDS_STARTS, "ab", NEVER},
    {ABSWORDS_STARTS, "ab", false, ABSWORDS_STARTS, "a", OPEN},
    {ABSWORDS_STARTS, "a", false, ABSWORDS_STARTS, "b", OPEN},
    {ABSWORDS_STARTS, "", true, ABSWORDS_STARTS, "b", OPEN},
    {ABSWORDS_STARTS, "a", true, ABSWORDS_ENDS, "b", OPEN},
    {ABSWORDS_STARTS, "abc", true, ABSWORDS_CONTAINS, "bc", ALWAYS},
    {ABSWORDS_STARTS, "abc", true, ABSWORDS_CONTAINS, "d", OPEN},
    {ABSWORDS_STARTS, "a", true, ABSWORDS_IS, "b", NEVER},
    {ABSWORDS_STARTS, "a", true, ABSWORDS_IS, "a", OPEN},
    {ABSWORDS_STARTS, "a", false, ABSWORDS_IS, "a", NEVER},
    {ABSWORDS_STARTS, "a", false, ABSWORDS_IS, "b", OPEN},
    {ABSWORDS_ENDS, "a", true, ABSWORDS_ENDS, "b", NEVER},
    {ABSWORDS_ENDS, "ab", true, ABSWORDS_ENDS, "b", ALWAYS},
    {ABSWORDS_ENDS, "a", true, ABSWORDS_IS, "ba", OPEN},
    {ABSWORDS_ENDS, "a", true, ABSWORDS_IS, "ab", NEVER},
    {ABSWORDS_CONTAINS, "a", true, ABSWORDS_CONTAINS, "b", OPEN},
    {ABSWORDS_CONTAINS, "ab", true, ABSWORDS_CONTAINS, "b", ALWAYS},
    {ABSWORDS_CONTAINS, "a", false, ABSWORDS_ENDS, "ba", NEVER},
    {ABSWORDS_CONTAINS, "a", true, ABSWORDS_STARTS, "b", OPEN},
    {ABSWORDS_CONTAINS, "a", true, ABSWORDS_IS, "b", NEVER},
    {ABSWORDS_IS, "ab", true, ABSWORDS_STARTS, "a", ALWAYS},
    {ABSWORDS_IS, "ab", true, ABSWORDS_ENDS, "a", NEVER},
    {ABSWORDS_IS, "ab", true, ABSWORDS_CONTAINS, "", ALWAYS},
    {ABSWORDS_IS, "ab", true, ABSWORDS_IS, "ab", ALWAYS},
    {ABSWORDS_IS, "ab", true, ABSWORDS_IS, "b", NEVER},
};

static struct stringtest test_of(enum abswords_test kind, const char *text)
{
    return (struct stringtest){.kind = kind, .text = str_of(text)};
}

static bool holds(const struct stringtest *test, struct str s)
{
    switch (test->kind) {
    case ABSWORDS_STARTS:
        return str_has_prefix(s, test->text);
    case ABSWORDS_ENDS:
        return str_has_suffix(s, test->text);
    case ABSWORDS_CONTAINS:
        return memmem(s.at, s.len, test->text.at, test->text.len) != NULL;
    case ABSWORDS_IS:
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
    enum { TEXTS = sizeof texts / sizeof *texts, KINDS = ABSWORDS_IS + 1, LONGEST = 6 };
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
