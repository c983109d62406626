#include "typecheck/syntax/extent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/check/expression.h"
#include "typecheck/types/celgo.h"
#include "typecheck/types/env.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_macros),
        cmocka_unit_test(test_what_a_macro_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
