#include "typecheck/cel/syntax/extent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/parsed.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"

/* The extents of a node and of what is below it, each once, in the order of the tree. */
static void add_all(struct text *t, const struct extents *x, const struct node *n, struct str above)
{
    struct str part = extents_text(x, n);
    if (!str_eq(part, above)) {
        text_add(t, part);
        text_add_char(t, ';');
    }
    for (size_t i = 0; ast_child(n, i) != NULL; i++)
        add_all(t, x, ast_child(n, i), part);
}

static void check(const char *text, const char *extents)
{
    struct arena a;
    struct expression x;
    struct extents e;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    arena_init(&a, (size_t)16 * 1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail();
    struct text t = {.arena = &a};
    assert_true(expression_parse(&x, &a, &a, env, str_of(text)));
    extents_init(&e, &a, str_of(text));
    add_all(&t, &e, x.ast.root, STR(""));
    assert_string_equal(arena_copy(&a, text_str(&t).at, text_str(&t).len), extents);
    arena_deinit(&a);
    env_free(env);
}

static void test_operators(void **state)
{
    (void)state;
    check("a.b.c <= 5", "a.b.c <= 5;a.b.c;a.b;a;5;");
    check(" -1 + -a ", "-1 + -a;-1;-a;a;");
    check("!(a == 'x(') && b", "!(a == 'x(') && b;!(a == 'x(');a == 'x(';a;'x(';b;");
    check("(a || b) && ((c))", "(a || b) && ((c));a || b;a;b;c;");
    check("a ? (b) : c", "a ? (b) : c;a;b;c;");
    check("a in [1, (b)]", "a in [1, (b)];a;[1, (b)];1;b;");
    check("a // ) [\n == b", "a // ) [\n == b;a;b;");
}

static void test_chains(void **state)
{
    (void)state;
    check("a.?b[?0].c['d)']", "a.?b[?0].c['d)'];a.?b[?0].c;a.?b[?0];a.?b;a;b;0;'d)';");
    check(".a.`b-c`", ".a.`b-c`;.a;");
    check("f(a, (b)).c", "f(a, (b)).c;f(a, (b));a;b;");
    check("(a + b).size()", "(a + b).size();a + b;a;b;");
    check("{'a': [b]}[c]", "{'a': [b]}[c];{'a': [b]};'a';[b];b;c;");
    check("Object.spec{a: b}", "Object.spec{a: b};b;");
}

static void test_macros(void **state)
{
    (void)state;
    check("has(a.b) && c", "has(a.b) && c;has(a.b);a;c;");
    check("a.b.all(c, c.d > (1))", "a.b.all(c, c.d > (1));a.b;a;c.d > (1);c.d;c;1;");
}

static void test_what_a_macro_made(void **state)
{
    struct arena a;
    struct expression x;
    struct extents e;
    const struct str text = STR("a.all(b, b) || c");
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    (void)state;
    arena_init(&a, (size_t)16 * 1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail();
    assert_true(expression_parse(&x, &a, &a, env, text));
    extents_init(&e, &a, text);
    assert_true(extents_is_written(&e, x.ast.root));
    assert_false(extents_is_written(&e, x.ast.root->call.args[0]->comprehension->step));
    arena_deinit(&a);
    env_free(env);
}

/* What stands at the place of the expression's root. */
static void places(void **state)
{
    (void)state;
    static const struct {
        const char *text, *spanned;
    } ROWS[] = {
        {"a", "a"},
        {".a", "a"},
        {"a.b.c", "c"},
        {"a . b", "b"},
        {"a.?b", "b"},
        {"a.`b-c`", "`b-c`"},
        {"has(a.b)", "b"},
        {"has(a.`b-c` )", "`b-c`"},
        {"f(a, g(b)) ", "f(a, g(b))"},
        {"f (a)", "f (a)"},
        {".f(a)", "f(a)"},
        {"a.f([1], {2: ')'})", "f([1], {2: ')'})"},
        {"a.all(x, x > 1)", "all(x, x > 1)"},
        {"a[b[1]]", "[b[1]]"},
        {"a[?1]", "[?1]"},
        {"[1, [2]]", "[1, [2]]"},
        {"{1: {}}", "{1: {}}"},
        {"A.B{c: 1}", "A.B{c: 1}"},
        {"1 in {2: 3}", "in"},
        {"{2: 3}[1]", "[1]"},
        {"a == 1", "=="},
        {"a in b", "in"},
        {"a || b", "||"},
        {"a ? b : c", "?"},
        {"a - 1", "-"},
        {"-a", "-"},
        {"- 1", "- 1"},
        {"-0x1f", "-0x1f"},
        {"-1.5", "-1.5"},
        {"'it'", "'it'"},
        {"!a", "!"},
        {"f( // )\n a)", "f( // )\n a)"},
    };
    struct env *env = env_new(37, celgo_in(37));
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct str text = str_of(ROWS[i].text);
        struct source s;
        struct issues is;
        struct ast ast;
        source_init(&s, &a, text);
        issues_init(&is, &a);
        assert_true(parser_run(&a, &a, &s, env_dialect(env), &is, &ast));
        const struct extent at = extent_of_place(&a, text, ast.root);
        assert_int_equal(at.offset, ast.root->offset);
        struct str got = str_copy(&a, (struct str){text.at + at.begin, at.end - at.begin});
        if (strcmp(got.at, ROWS[i].spanned) != 0)
            fail_msg("%s: %s", ROWS[i].text, got.at);
    }
    arena_deinit(&a);
    env_free(env);
}

/* The issues of a text that does not parse, in order. */
static void issues_of_syntax(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct {
            enum issue_code code;
            unsigned begin, end;
        } issues[2];
        size_t count;
    } ROWS[] = {
        {"1 +", {{ISSUE_SYNTAX, 3, 3}}, 1},
        {"a b", {{ISSUE_SYNTAX, 2, 3}}, 1},
        {"a + # b", {{ISSUE_SYNTAX, 4, 5}}, 1},
        {"f(1 222)", {{ISSUE_SYNTAX, 4, 7}}, 1},
        {"'\xC3\xA9", {{ISSUE_SYNTAX, 0, 3}, {ISSUE_SYNTAX, 3, 3}}, 2},
        {"a.for", {{0}}, 0},
        {".for == 1", {{ISSUE_RESERVED, 0, 4}}, 1},
        {"a + for(1)", {{ISSUE_RESERVED, 4, 7}}, 1},
        {"- 99999999999999999999", {{ISSUE_WRONG_CONSTANT, 0, 22}}, 1},
        {"99999999999999999999u", {{ISSUE_WRONG_CONSTANT, 0, 21}}, 1},
        {"'\\ud800' + 1", {{ISSUE_WRONG_CONSTANT, 0, 8}}, 1},
        {"b'\\u0041'", {{ISSUE_OTHER, 0, 9}}, 1},
        {"has(a)", {{ISSUE_WRONG_CONSTANT, 4, 5}}, 1},
        {"[1].all(1 + 2, true)", {{ISSUE_OTHER, 10, 11}}, 1},
        {"[1].sortBy(x.y, x)", {{ISSUE_OTHER, 13, 14}}, 1},
        {"", {{ISSUE_SYNTAX, 0, 0}}, 1},
    };
    struct env *env = env_new(37, celgo_in(37));
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct source s;
        struct issues is;
        struct ast ast;
        source_init(&s, &a, str_of(ROWS[i].text));
        issues_init(&is, &a);
        (void)parser_run(&a, &a, &s, env_dialect(env), &is, &ast);
        assert_int_equal(is.count, ROWS[i].count);
        for (size_t k = 0; k < is.count; k++) {
            const struct issue *got = &is.list[k];
            if (got->code != ROWS[i].issues[k].code || got->at.begin != ROWS[i].issues[k].begin ||
                got->at.end != ROWS[i].issues[k].end)
                fail_msg("%s: issue %zu is %d %u-%u", ROWS[i].text, k, (int)got->code, got->at.begin,
                         got->at.end);
        }
    }
    arena_deinit(&a);
    env_free(env);
}

/* Nothing stands behind the end, or at no place. */
static void nowhere(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    static const uint32_t OFFSETS[] = {1, 2, SOURCE_BEFORE, SOURCE_NOWHERE};
    for (size_t i = 0; i < sizeof OFFSETS / sizeof *OFFSETS; i++) {
        const struct extent at = extent_of_operator(&a, STR("x"), OFFSETS[i]);
        assert_int_equal(at.offset, OFFSETS[i]);
        assert_int_equal(at.begin, OFFSETS[i]);
        assert_int_equal(at.end, OFFSETS[i]);
    }
    const struct extent open = extent_of_operator(&a, STR("f(a, [b"), 1);
    assert_int_equal(open.begin, 0);
    assert_int_equal(open.end, 7);
    const struct extent field = extent_of_operator(&a, STR("A{b : 1}"), 4);
    assert_int_equal(field.begin, 2);
    assert_int_equal(field.end, 3);
    const struct extent nameless = extent_of_operator(&a, STR("f/*(1)"), 3);
    assert_int_equal(nameless.begin, 3);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(issues_of_syntax),
        cmocka_unit_test(nowhere),
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_macros),
        cmocka_unit_test(test_what_a_macro_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
