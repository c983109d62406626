#include "typecheck/policy/author/advice/guards.h"

#include "tests/unit/typecheck/parsed.h"

/* `read` is the field that is read, `other` another expression of the policy. */
struct row {
    const char *other, *read;
    bool is_guarded;
};

static const struct ast *parse(struct arena *a, const struct env *env, const char *text)
{
    struct source *source = ARENA_NEW(a, struct source);
    struct issues *issues = ARENA_NEW(a, struct issues);
    struct ast *ast = ARENA_NEW(a, struct ast);
    source_init(source, a, str_of(text));
    issues_init(issues, a);
    assert_true(parser_run(a, a, source, env_dialect(env), issues, ast));
    return ast;
}

static void check(const struct row *row)
{
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    const struct node *read = parse(&a, env, row->read)->root;
    const struct ast *asts[] = {NULL, parse(&a, env, row->other)};
    const struct advice_guards *guards = guards_new(&a, asts, sizeof asts / sizeof *asts);
    assert_int_equal(read->kind, NODE_SELECT);
    if (guards_has(guards, &a, read->select.operand, read->select.field) != row->is_guarded)
        fail_msg("%s in %s: expected %d", row->read, row->other, row->is_guarded);
    arena_deinit(&a);
    env_free(env);
}

static void test_guards(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"has(object.a.b)", "object.a.b", true},
        {"has(object.a.b)", "object.a", false},
        {"has(object.a.b)", "object.c.b", false},
        {"has(object.a.b)", "object.a.c", false},
        {"object.a.b == 1", "object.a.b", false},
        {"object.a.?b.orValue(1) == 1", "object.a.b", true},
        {"object.?a.b.orValue(1) == 1", "object.a.b", true},
        {"object.?a.?b.?c.orValue(1) == 1", "object.a.b.c", true},
        {"object.a[?'b'].orValue(1) == 1", "object.a.b", true},
        {"'b' in object.a", "object.a.b", true},
        {"'c' in object.a", "object.a.b", false},
        {"[1].all(x, has(x.b))", "x.b", true},
        {"has(object.a.b)", "object['a'].b", true},
        {"object.?a['x'].b.orValue(1) == 1", "object.a['x'].b", true},
        {"object['a'].b == 1", "object.a.b", false},
        {"has(object.a[0].b)", "object.a[0].b", true},
        {"has(object.a[1].b)", "object.a[0].b", false},
        {"has(object.a['x'].b)", "object.a['x'].b", true},
        {"has(object.f().b)", "object.f().b", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
