#include <pthread.h>

#include "tests/unit/typecheck/parsed.h"

static void precedences(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"a ? b : c ? d : e", "_?_:_(a, b, _?_:_(c, d, e))"},
        {"(a ? b : c) ? d : e", "_?_:_(_?_:_(a, b, c), d, e)"},
        {"a || b ? c && d : e", "_?_:_(_||_(a, b), _&&_(c, d), e)"},
        {"1 + 2 * 3 - 4", "_-_(_+_(1, _*_(2, 3)), 4)"},
        {"(1 + 2) * 3", "_*_(_+_(1, 2), 3)"},
        {"1 < 2 == true", "_==_(_<_(1, 2), true)"},
        {"a in b in c", "@in(@in(a, b), c)"},
        {"a - b - c", "_-_(_-_(a, b), c)"},
        {"a % b / c * d", "_*_(_/_(_%_(a, b), c), d)"},
        {"1 + 2 < 3 * 4 && x", "_&&_(_<_(_+_(1, 2), _*_(3, 4)), x)"},
        {"a < b || c >= d && e != f", "_||_(_<_(a, b), _&&_(_>=_(c, d), _!=_(e, f)))"},
        {"a <= b > c", "_>_(_<=_(a, b), c)"},
        {"!a == b", "_==_(!_(a), b)"},
        {"-a * b", "_*_(-_(a), b)"},
        {"((a))", "a"},
        {"f(a ? b : c, [d || e])", "f(_?_:_(a, b, c), [_||_(d, e)])"},
        {"{a ? b : c: d}", "{_?_:_(a, b, c): d}"},
        {"a\n+ // c\nb\t\r\014", "_+_(a, b)"},
        {"[[[]]]", "[[[]]]"},
        {"a[b[c]]", "_[_](a, _[_](b, c))"},
        {"a.b(c.d(e))", "a.b(c.d(e))"},
        {"// c\na", "a"},
        {"x.y[0].?z.f(1)[?2]", "_[?_](_?._(_[_](x.y, 0), \"z\").f(1), 2)"},
    };
    PARSED_CHECK(CASES, PARSED_TREE);
}

static struct str filled(struct arena *a, char c, size_t count)
{
    char *text = arena_alloc(a, count + 1);
    memset(text, c, count);
    return (struct str){text, count};
}

static void limits(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail();
    struct str most = filled(&a, 'a', SOURCE_MAX_CODE_POINTS);
    assert_int_equal(parsed(&a, ENV_NEWEST_LEVEL, most, PARSED_BRIEF).len, 0);
    struct str more = filled(&a, 'a', SOURCE_MAX_CODE_POINTS + 1);
    assert_string_equal(parsed(&a, ENV_NEWEST_LEVEL, more, PARSED_BRIEF).at,
                        "-1:0: expression code point size exceeds limit: size: 100001, limit 100000");
    arena_deinit(&a);
}

/* Code points count, not bytes. */
static void too_long(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail();
    struct text t = {.arena = &a};
    text_add_char(&t, '"');
    for (size_t i = 0; i < SOURCE_MAX_CODE_POINTS - 2; i++)
        text_add(&t, STR("\xE4\xB8\xAD"));
    text_add_char(&t, '"');
    assert_int_equal(parsed(&a, ENV_NEWEST_LEVEL, text_str(&t), PARSED_BRIEF).len, 0);
    text_add_char(&t, ' ');
    assert_string_equal(parsed(&a, ENV_NEWEST_LEVEL, text_str(&t), PARSED_BRIEF).at,
                        "-1:0: expression code point size exceeds limit: size: 100001, limit 100000");
    arena_deinit(&a);
}

struct deep_case {
    const char *again, *last;
    size_t times;
};

static void *parse_deep(void *argument)
{
    const struct deep_case *c = argument;
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) == 0) {
        struct text t = {.arena = &a};
        for (size_t i = 0; i < c->times; i++)
            text_add(&t, str_of(c->again));
        text_add(&t, str_of(c->last));
        parsed(&a, ENV_NEWEST_LEVEL, text_str(&t), PARSED_ISSUES);
    }
    arena_deinit(&a);
    return NULL;
}

/* The longest texts of the deepest kinds on the stack of a small thread. */
static void small_stack(void **state)
{
    (void)state;
    static const struct deep_case CASES[] = {
        {"!", "a", 99999},  {"-", "1", 99999},     {"(", "", 100000},        {"a && ", "a", 19999},
        {"a.", "b", 49999}, {"[", "", 100000},     {"a ? b : ", "c", 12499}, {"-f(!g(", "1", 124},
        {"1+", "1", 49999}, {"{a: [!f(", "b", 83}, {"x.map(y, ", "y", 249},  {"{", "", 100000},
    };
    pthread_attr_t attributes;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)256 * 1024), 0);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        pthread_t thread;
        struct deep_case c = CASES[i];
        assert_int_equal(pthread_create(&thread, &attributes, parse_deep, &c), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    pthread_attr_destroy(&attributes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precedences),
        cmocka_unit_test(limits),
        cmocka_unit_test(too_long),
        cmocka_unit_test(small_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
