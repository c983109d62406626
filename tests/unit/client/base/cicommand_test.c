#include "client/base/cicommand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"

static void test_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } rows[] = {
        {"", ""},
        {"plain", "plain"},
        {"a::b c::d", "a::b c::d"},
        {"::stop-commands::x", ":\\x3astop-commands::x"},
        {":::x", ":\\x3a:x"},
        {": :x", ": :x"},
        {" \t::x", " \t:\\x3ax"},
        {"\xc2\xa0\xe3\x80\x80::x", "\xc2\xa0\xe3\x80\x80:\\x3ax"},
        {"a\n::x\n ::y\nb", "a\n:\\x3ax\n :\\x3ay\nb"},
        {"a\r::x", "a\r:\\x3ax"},
        {"##[error]", "##\\x5berror]"},
        {"a ##[error]", "a ##\\x5berror]"},
        {"#[a] # #[b] ##a[c]", "#[a] # #[b] ##a[c]"},
        {"####[x]", "####\\x5bx]"},
        {"##vso[task]##VSO[task]", "##vso\\x5btask]##VSO\\x5btask]"},
        {"##vsoo[task] ##vs[task]", "##vsoo[task] ##vs[task]"},
        {"##v##vso[x]", "##v##vso\\x5bx]"},
        {"##teamcity[x] ##teamcityx[y]", "##teamcity\\x5bx] ##teamcityx[y]"},
        {"##\n[x]", "##\n[x]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cicommand line = {.is_inside = false};
        cleanup_mem char *shown = cicommand_spell(&line, rows[i].text);
        assert_string_equal(shown, rows[i].shown);
        assert_int_equal(cicommand_is_in(rows[i].text, false), strcmp(rows[i].text, rows[i].shown) != 0);
    }
}

/* However a line is cut into parts, it is the same line. */
static void test_parts(void **state)
{
    (void)state;
    static const char *const texts[] = {" ::x ##vso[y]\n::z", "a ##teamcity[x", "::", ":::##[\n:"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct cicommand whole = {.is_inside = false};
        cleanup_mem char *wanted = cicommand_spell(&whole, texts[i]);
        for (size_t cut = 0; cut <= strlen(texts[i]); cut++) {
            struct cicommand line = {.is_inside = false};
            cleanup_mem char *before = mem_strndup(texts[i], cut);
            const bool is_harmless = cicommand_pass_harmless(&line, before);
            cleanup_mem char *first = is_harmless ? mem_strdup(before) : cicommand_spell(&line, before);
            cleanup_mem char *second = cicommand_spell(&line, texts[i] + cut);
            cleanup_mem char *both = mem_printf("%s%s", first, second);
            assert_string_equal(both, wanted);
        }
    }
}

static void test_passed(void **state)
{
    (void)state;
    struct cicommand line = {.is_inside = false};
    cicommand_pass(&line, "text\n  ", sizeof "text\n  " - 1);
    cleanup_mem char *first = cicommand_spell(&line, "::x");
    assert_string_equal(first, ":\\x3ax");
    cicommand_pass(&line, "\n\033[1m", sizeof "\n\033[1m" - 1);
    cleanup_mem char *second = cicommand_spell(&line, "::x");
    assert_string_equal(second, "::x");
}

static void test_replaced(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"::\"##[a]\"", "::\"##\\u005ba]\""},
        {"\"a\"\n ::b", "\"a\"\n :\\x3ab"},
        {"##TeamCity[c]", "##TeamCity\\u005bc]"},
        {"#[a] : :\n:b#", "#[a] : :\n:b#"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cleanup_mem char *shown = cicommand_replace(mem_strdup(rows[i][0]), "\\u005b");
        assert_string_equal(shown, rows[i][1]);
    }
    assert_true(cicommand_is_in("##[a]", true));
    assert_false(cicommand_is_in("::a", true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_passed),
        cmocka_unit_test(test_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
