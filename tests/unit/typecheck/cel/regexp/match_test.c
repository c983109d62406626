#include "typecheck/cel/regexp/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/regexp/regexp.h"

#define BUDGET       ((size_t)64 << 20)
#define COUNT(list)  (sizeof(list) / sizeof *(list))
#define NOTHING_HERE "-"

/* What is found first, in the arena. */
static const char *found(struct arena *a, const char *pattern, const char *text)
{
    struct str message;
    struct regexp_span span;
    const struct regexp_program *p = regexp_compile(a, str_of(pattern), UNICODE_15, &message);
    assert_non_null(p);
    bool any = regexp_match_any(a, p, str_of(text));
    assert_int_equal(any, regexp_match_find(a, p, str_of(text), 0, &span));
    return any ? arena_copy(a, text + span.from, span.to - span.from) : NOTHING_HERE;
}

/* Checked against Go's regexp by tests/upstream/values/compare. */
static void test_leftmost_first(void **state)
{
    static const char *const examples[][3] = {
        {"b", "abc", "b"},
        {"foo|foobar", "foobar", "foo"},
        {"(?:a|ab)(?:c|bcd)", "abcd", "abcd"},
        {"a+?", "aaa", "a"},
        {"a{2,4}", "aaaaa", "aaaa"},
        {"a{2,}?", "aaaaa", "aa"},
        {"(?U)a+", "aaa", "a"},
        {"(?U)a+?", "aaa", "aaa"},
        {"(|a)*", "aab", ""},
        {"(a|)+", "aab", "aa"},
        {"(?:a*?)*?b", "aab", "aab"},
        {"a{0}", "aaa", ""},
        {"^b", "ab", NOTHING_HERE},
        {"(?m)^b$", "a\nb\nc", "b"},
        {"a.c", "a\nc", NOTHING_HERE},
        {"(?s)a.c", "a\nc", "a\nc"},
        {"\\bfoo\\B.", "foo food", "food"},
        {"\\Qa.b\\E", "axb a.b", "a.b"},
        {"", "abc", ""},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(examples); i++)
        assert_string_equal(found(&a, examples[i][0], examples[i][1]), examples[i][2]);
    arena_deinit(&a);
}

static void test_classes(void **state)
{
    static const char *const examples[][3] = {
        {"[a-c]+", "xabcd", "abc"},
        {"[^a-c]+", "abxyc", "xy"},
        {"[]a]+", "b]a", "]a"},
        {"[[:^alpha:]_]+", "a1_b", "1_"},
        {"\\W", "a_1\u00e9", "\u00e9"},
        {"\\p{Greek}+", "ab\u03a9\u03c9", "\u03a9\u03c9"},
        {"\\P{^Lu}", "a\u03a9", "\u03a9"},
        {"[^\\x00-\\x{10FFFF}]", "a", NOTHING_HERE},
        {"(?i)k+", "kK\u212a", "kK\u212a"},
        {"(?i)[^k]", "\u212a", NOTHING_HERE},
        {"(?i)stra\u00dfe", "STRA\u1e9eE", "STRA\u1e9eE"},
        {"(?i)\\p{Lu}", "\u03c9", "\u03c9"},
        {"(?i)\\p{LC}", "\u0345", NOTHING_HERE}, /* Go forgets it */
        {"(?i:a)b", "AB Ab", "Ab"},
        {"\\p{Assigned}", "\u0378", NOTHING_HERE},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(examples); i++)
        assert_string_equal(found(&a, examples[i][0], examples[i][1]), examples[i][2]);
    arena_deinit(&a);
}

/* All that is found, each behind a bar. */
static const char *all_found(struct arena *a, const char *pattern, const char *text)
{
    struct str message;
    struct regexp_span span;
    struct text t = {.arena = a};
    struct regexp_walk walk = {.text = str_of(text)};
    const struct regexp_program *p = regexp_compile(a, str_of(pattern), UNICODE_15, &message);
    while (regexp_match_next(a, p, &walk, &span)) {
        text_add_char(&t, '|');
        text_add(&t, (struct str){text + span.from, span.to - span.from});
    }
    return text_str(&t).at;
}

static void test_all(void **state)
{
    static const char *const examples[][3] = {
        {"o*", "foobar", "||oo|||"}, {"", "h\u00e9", "|||"},      {"^a", "aaa", "|a"},
        {"\\b", "ab c", "||||"},     {"a|ab|b", "abb", "|a|b|b"}, {"x", "abc", ""},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(examples); i++)
        assert_string_equal(all_found(&a, examples[i][0], examples[i][1]), examples[i][2]);
    arena_deinit(&a);
}

/* Steps to look for the pattern in a text of so many "a". */
static uint64_t steps_of(const char *pattern, size_t len)
{
    struct arena a;
    struct str message;
    struct regexp_span span;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct regexp_program *p = regexp_compile(&a, str_of(pattern), UNICODE_15, &message);
    char *text = arena_alloc(&a, len);
    memset(text, 'a', len);
    uint64_t before = a.steps;
    (void)regexp_match_find(&a, p, (struct str){text, len}, 0, &span);
    uint64_t steps = a.steps - before;
    arena_deinit(&a);
    return steps;
}

/* What takes exponential time where ways are tried one after the other. */
static void test_linear(void **state)
{
    static const char *const hostile[] = {
        "(a*)*b",       "(a|a)*b",          "(a|aa)+$b", "(.*)(.*)(.*)(.*)b",
        "(a+a+)+[^a]b", "(?:a?){50}a{50}b", "((a*)+?)+b"};
    (void)state;
    for (size_t i = 0; i < COUNT(hostile); i++) {
        uint64_t once = steps_of(hostile[i], 5000), twice = steps_of(hostile[i], 10000);
        assert_in_range(once, 5000, 5000 * 100);
        assert_in_range(twice, once, 2 * once + once / 50);
    }
}

/* Places of the automaton that a character leads to are paid, however few one place leads to. */
static void test_all_places_are_paid(void **state)
{
    (void)state;
    /* after 200 characters the automaton has 400 places, and the search looks at 600 more */
    assert_in_range(steps_of("a.{0,200}b", 1000), 90000, 200000);
}

/* Where steps or memory end, all is left in order. */
static void test_budgets(void **state)
{
    volatile uint64_t max_steps = 0;
    volatile bool is_done = false;
    (void)state;
    for (; !is_done; max_steps++) {
        struct arena a;
        arena_init(&a, BUDGET);
        a.max_steps = max_steps;
        if (setjmp(a.escape) == 0) {
            assert_string_equal(found(&a, "(?i)[[:alpha:]k]{2,3}(\\pL|b)+$", "aaaaaaaabbbbbb"),
                                "aaaaaaaabbbbbb");
            is_done = true;
        }
        arena_deinit(&a);
    }
    assert_true(max_steps > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leftmost_first),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_all_places_are_paid),
        cmocka_unit_test(test_budgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
