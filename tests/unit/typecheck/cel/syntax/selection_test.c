#include "typecheck/cel/syntax/selection.h"

#include "tests/unit/typecheck/parsed.h"

/* "operand field", with " ?" behind it if it is optional. */
static void selections(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"a.b", "a b"},   {"has(a.b)", "a b"}, {"a.?b", "a b ?"}, {"a['b']", "a b"}, {"a[?'b']", "a b ?"},
        {"a[b]", "a -"},  {"a[?b]", "a - ?"},  {"a[0]", "a -"},   {"a", "- -"},      {"a.b()", "- -"},
        {"a + b", "- -"}, {"[a]", "- -"},      {"'a'", "- -"},    {"a in b", "- -"},
    };
    struct arena a;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    arena_init(&a, PARSED_BYTES);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct source s;
        struct issues is;
        struct ast ast;
        struct text got = {.arena = &a};
        struct str name = STR("-");
        source_init(&s, &a, str_of(CASES[i][0]));
        issues_init(&is, &a);
        assert_true(parser_run(&a, &a, &s, env_dialect(env), &is, &ast));
        const struct node *operand = selection_operand(ast.root), *named = selection_field(ast.root, &name);
        assert_true(named == NULL || named == operand);
        text_addf(&got, "%.*s %.*s%s", STR_ARG(operand == NULL ? STR("-") : ast_name(operand)), STR_ARG(name),
                  selection_is_optional(ast.root) ? " ?" : "");
        assert_string_equal(text_str(&got).at, CASES[i][1]);
    }
    arena_deinit(&a);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
