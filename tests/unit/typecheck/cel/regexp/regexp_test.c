#include "typecheck/cel/regexp/regexp.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"

#define BUDGET ((size_t)64 << 20)

/* The message of a pattern without its "error parsing regexp: "; empty when it is valid. In `a`. */
static const char *message_of(struct arena *a, struct str pattern)
{
    static const char prefix[] = "error parsing regexp: ";
    struct str message;
    if (regexp_valid(a, pattern, UNICODE_15, &message))
        return "";
    assert_memory_equal(message.at, prefix, sizeof prefix - 1);
    return message.at + sizeof prefix - 1;
}

static void expect(const char *pattern, size_t len, const char *want)
{
    struct arena a;
    arena_init(&a, BUDGET);
    if (setjmp(a.escape) != 0)
        fail_msg("the budget is used up");
    assert_string_equal(message_of(&a, (struct str){pattern, len}), want);
    arena_deinit(&a);
}

static void expect_valid(const char *pattern)
{
    expect(pattern, strlen(pattern), "");
}

static void expect_message(const char *pattern, const char *want)
{
    expect(pattern, strlen(pattern), want);
}

static void test_valid(void **state)
{
    static const char *const patterns[] = {
        "",
        "a",
        "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        "|",
        "a||b",
        "()",
        "(|)",
        "a*?",
        "a??",
        "a{2,3}?",
        "a{0}",
        "a{,2}",
        "{",
        "a{",
        "a{1",
        "a{01}",
        "}",
        "]",
        "[]a]",
        "[^]a]",
        "[a-]",
        "[-a]",

        "[[:alpha:][:^digit:]]",
        "[[:]",
        "[[:alpha]",
        "[:alpha:]",
        "\\pN\\p{Greek}\\P{^greek}\\p{L}",
        "\\p{Lowercase_Letter}\\p{l c}\\p{any}\\p{ASCII}",
        "\\d\\D\\s\\S\\w\\W\\b\\B\\A\\z",
        "\\Qa(\\E*",
        "\\Q",
        "\\Q\\E",
        "\\Q(\\",
        "\\x41\\x{10FFFF}\\0\\07\\123\\12x",
        "\\a\\f\\n\\r\\t\\v\\_\\.\\/\\-",
        "(?i)a(?-i)b",
        "(?i:a)",
        "(?ims-U:a)",
        "(?:a)",
        "(?)",
        "(?:)",
        "(?P<n>a)(?<n>b)",
        "(?P<_1>a)",
        "(?i-s)a",
        "é+",
        "((a{10}){10}){10}",
        "(?:a{0}){1000}",
        "(?:(?:a{1000}){0}){1000}",
        "a{1000}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        expect_valid(patterns[i]);
}

static void test_groups(void **state)
{
    (void)state;
    expect_message("(", "missing closing ): `(`");
    expect_message("a(b", "missing closing ): `a(b`");
    expect_message("(?i", "invalid or unsupported Perl syntax: `(?i`");
    expect_message(")a", "unexpected ): `)a`");
    expect_message("a)|b", "unexpected ): `a)|b`");
    expect_message("x(?=a)", "invalid or unsupported Perl syntax: `(?=`");
    expect_message("x(?!a)", "invalid or unsupported Perl syntax: `(?!`");
    expect_message("(?<=a)b", "invalid named capture: `(?<=a)b`");
    expect_message("(?<!a)>", "invalid named capture: `(?<!a)>`");
    expect_message("(?P<n", "invalid named capture: `(?P<n`");
    expect_message("(?P<n-m>a)", "invalid named capture: `(?P<n-m>`");
    expect_message("(?<>a)", "invalid named capture: `(?<>`");
    expect_message("(?P=n)", "invalid or unsupported Perl syntax: `(?P`");
    expect_message("(?--i)", "invalid or unsupported Perl syntax: `(?--`");
    expect_message("(?i-)", "invalid or unsupported Perl syntax: `(?i-)`");
    expect_message("(?z)", "invalid or unsupported Perl syntax: `(?z`");
}

static void test_repetitions(void **state)
{
    (void)state;
    expect_message("*", "missing argument to repetition operator: `*`");
    expect_message("a|*?b", "missing argument to repetition operator: `*?`");
    expect_message("({2,3}", "missing argument to repetition operator: `{2,3}`");
    expect_message("a**", "invalid nested repetition operator: `**`");
    expect_message("a{2}+?b", "invalid nested repetition operator: `{2}+?`");
    expect_message("a{1001}", "invalid repeat count: `{1001}`");
    expect_message("a{99999999999}", "invalid repeat count: `{99999999999}`");
    expect_message("a{3,2}", "invalid repeat count: `{3,2}`");
    expect_message("(a{10}){101}", "invalid repeat count: `{101}`");
    expect_message("(?:(a{10}|b){10}){11,}?", "invalid repeat count: `{11,}?`");
}

static void test_classes(void **state)
{
    (void)state;
    expect_message("x[a", "missing closing ]: `[a`");
    expect_message("[]", "missing closing ]: `[]`");
    expect_message("[^]", "missing closing ]: `[^]`");
    expect_message("[a-\\d]", "invalid escape sequence: `\\d`");
    expect_message("[z-a]", "invalid character class range: `z-a`");
    expect_message("[[:foo:]]", "invalid character class range: `[:foo:]`");
    expect_message("a\\pX", "invalid character class range: `\\pX`");
    expect_message("\\p{Grek}b", "invalid character class range: `\\p{Grek}`");
    expect_message("\\p{Greek", "invalid character class range: `\\p{Greek`");
    expect_message("\\p", "invalid character class range: `\\p`");
    /* Go cannot find the scripts of two words. */
    expect_message("\\p{Old_Italic}", "invalid character class range: `\\p{Old_Italic}`");
}

static void test_escapes(void **state)
{
    (void)state;
    expect_message("a\\", "trailing backslash at end of expression: ``");
    expect_message("(a)\\1", "invalid escape sequence: `\\1`");
    expect_message("\\8", "invalid escape sequence: `\\8`");
    expect_message("\\C", "invalid escape sequence: `\\C`");
    expect_message("\\Z", "invalid escape sequence: `\\Z`");
    expect_message("[\\b]", "invalid escape sequence: `\\b`");
    expect_message("\\x", "invalid escape sequence: `\\x`");
    expect_message("\\x4", "invalid escape sequence: `\\x4`");
    expect_message("\\x4g", "invalid escape sequence: `\\x4g`");
    expect_message("\\x{}", "invalid escape sequence: `\\x{}`");
    expect_message("\\x{110000}", "invalid escape sequence: `\\x{110000`");
    expect_message("\\é", "invalid escape sequence: `\\é`");
}

static void test_utf8(void **state)
{
    (void)state;
    expect_message("a\xff"
                   "b",
                   "invalid UTF-8: `\xff"
                   "b`");
    expect_message("\\Qa\xff"
                   "\\Eb",
                   "invalid UTF-8: `\xff`");
    expect_message("\xc0\x80", "invalid UTF-8: `\xc0\x80`");
    expect_message("\xed\xa0\x80", "invalid UTF-8: `\xed\xa0\x80`");
    expect_message("\xf4\x90\x80\x80", "invalid UTF-8: `\xf4\x90\x80\x80`");
    expect_message("(?P<\xe9>a)", "invalid UTF-8: `\xe9`");
    expect_message("\\p{\xe9}", "invalid UTF-8: `\xe9`");
    expect_valid("\xef\xbf\xbd");
    expect("a\0b", 3, "");
    expect("\\p{\0}", 5, "invalid character class range: `\\p{");
}

static void repeat(struct text *t, const char *s, size_t times)
{
    for (size_t i = 0; i < times; i++)
        text_add(t, str_of(s));
}

/* `open` so many times, `middle`, and `close` as often. */
struct nest {
    const char *open, *middle, *close;
    size_t times;
    const char *message; /* begins so; empty: valid */
};

static bool judge(struct arena *a, const struct nest *n)
{
    struct text pattern = {.arena = a};
    repeat(&pattern, n->open, n->times);
    repeat(&pattern, n->middle, 1);
    repeat(&pattern, n->close, n->times);
    const char *got = message_of(a, text_str(&pattern));
    return *n->message == '\0' ? *got == '\0' : strncmp(got, n->message, strlen(n->message)) == 0;
}

static bool as_expected(const struct nest *n)
{
    struct arena a;
    bool same;
    arena_init(&a, BUDGET);
    if (setjmp(a.escape) == 0)
        same = judge(&a, n);
    else
        same = false;
    arena_deinit(&a);
    return same;
}

/* The first nest that is not judged as expected, or NULL. */
static void *check_nests(void *unused)
{
    static struct nest nests[] = {
        {"(", "a", ")", 999, ""},
        {"(", "a", ")", 1000, "expression nests too deeply"},
        {"(?:x", "a", ")*", 500, ""},
        {"(?:x", "a", ")*", 501, "expression nests too deeply"},
        {"(?:", "a", ")", 30000, ""},
        {"(", "", "", 100000, "missing closing )"},
        {"(", "", ")", 50000, "expression nests too deeply"},
        {"[[:", "", "", 30000, "missing closing ]"},
        {"(?:(.)", "(.){1000}", "){2}", 4, "invalid repeat count"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
        if (!as_expected(&nests[i]))
            return &nests[i];
    }
    return NULL;
}

/* The nesting of a pattern must not show on the C stack. */
static void test_nesting(void **state)
{
    pthread_t thread;
    pthread_attr_t attributes;
    void *wrong;
    (void)state;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 128 << 10), 0);
    assert_int_equal(pthread_create(&thread, &attributes, check_nests, NULL), 0);
    assert_int_equal(pthread_join(thread, &wrong), 0);
    pthread_attr_destroy(&attributes);
    if (wrong != NULL)
        fail_msg("%s... %zu times", ((struct nest *)wrong)->open, ((struct nest *)wrong)->times);
}

/* A thousand copies of 3355 terms fit, of 3356 do not: 3,355,443 instructions are the most. */
static void test_size(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    if (setjmp(a.escape) != 0)
        fail_msg("the budget is used up");
    for (size_t terms = 3355; terms <= 3356; terms++) {
        struct text pattern = {.arena = &a};
        text_add(&pattern, STR("(?:"));
        repeat(&pattern, ".", terms);
        text_add(&pattern, STR("){1000}"));
        const char *got = message_of(&a, text_str(&pattern));
        if (terms == 3355)
            assert_string_equal(got, "");
        else
            assert_non_null(strstr(got, "expression too large"));
    }
    arena_deinit(&a);
}

/* Judges an invalid pattern with so much memory, and returns the failure. */
static enum arena_failure run_within(size_t budget)
{
    struct arena a;
    struct str message;
    arena_init(&a, budget);
    if (setjmp(a.escape) == 0)
        assert_false(
            regexp_valid(&a, STR("((((((((((((((((((((a|b|[c-d]))))))))))))))))))"), UNICODE_15, &message));
    enum arena_failure failure = a.failure;
    arena_deinit(&a);
    return failure;
}

static void test_budgets(void **state)
{
    size_t budget = 0;
    (void)state;
    while (run_within(budget) != ARENA_OK) {
        assert_int_equal(run_within(budget), ARENA_BUDGET);
        budget += 64;
        assert_true(budget < BUDGET);
    }
    assert_true(budget > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),   cmocka_unit_test(test_groups),  cmocka_unit_test(test_repetitions),
        cmocka_unit_test(test_classes), cmocka_unit_test(test_escapes), cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_nesting), cmocka_unit_test(test_size),    cmocka_unit_test(test_budgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
