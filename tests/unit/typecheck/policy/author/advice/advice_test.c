#include "typecheck/policy/author/advice/advice.h"

#include "tests/unit/typecheck/parsed.h"

enum { EXPRESSIONS_MAX = 4 };

struct row {
    struct policy_expression expressions[EXPRESSIONS_MAX];
    const char *expected; /* "EXPRESSION:OFFSET MESSAGE", a line each */
};

#define VALIDATION(words)                                                                                    \
    {                                                                                                        \
        .place = POLICY_VALIDATION, .text = STR_INIT(words)                                                  \
    }
#define VARIABLE(label, words)                                                                               \
    {                                                                                                        \
        .place = POLICY_VARIABLE, .name = STR_INIT(label), .text = STR_INIT(words)                           \
    }

/* Returns the tree, or NULL if the text cannot be parsed. */
static const struct ast *parse(struct arena *a, const struct env *env, struct str text)
{
    struct source *source = ARENA_NEW(a, struct source);
    struct issues *issues = ARENA_NEW(a, struct issues);
    struct ast *ast = ARENA_NEW(a, struct ast);
    source_init(source, a, text);
    issues_init(issues, a);
    return parser_run(a, a, source, env_dialect(env), issues, ast) ? ast : NULL;
}

static void check(const struct row *row)
{
    const struct ast *asts[EXPRESSIONS_MAX];
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    struct arena a;
    struct advice advice;
    size_t count = 0;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    struct text got = {.arena = &a};
    for (; count < EXPRESSIONS_MAX && row->expressions[count].text.len > 0; count++)
        asts[count] = parse(&a, env, row->expressions[count].text);
    advice_init(&advice, &a, row->expressions, asts, count);
    advice_find(&advice);
    for (size_t i = 0; i < advice.count; i++)
        text_addf(&got, "%zu:%u %.*s\n", advice.items[i].expression, advice.items[i].at.offset,
                  STR_ARG(advice.items[i].message));
    if (!str_eq(text_str(&got), str_of(row->expected)))
        fail_msg("%s\nexpected: %s\ngot:      %.*s", row->expressions[0].text.at, row->expected,
                 STR_ARG(text_str(&got)));
    arena_deinit(&a);
    env_free(env);
}

static void test_variables(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {{VARIABLE("a", "1"), VALIDATION("true")}, "0:0 no expression uses the variable 'a'\n"},
        {{VARIABLE("a", "1"), VALIDATION("variables.a > 0")}, ""},
        {{VARIABLE("a", "1"), VALIDATION("has(variables.a)")}, ""},
        {{VARIABLE("a", "1"), VALIDATION("[1].all(x, x > variables.a)")}, ""},
        {{VARIABLE("a", "1"), VARIABLE("b", "variables.a"), VALIDATION("true")},
         "1:0 no expression uses the variable 'b'\n"},
        {{VARIABLE("a", "1"), VALIDATION("variables.ab > 0")}, "0:0 no expression uses the variable 'a'\n"},
        {{VARIABLE("a", "1"), VALIDATION("object.variables.a > 0")},
         "0:0 no expression uses the variable 'a'\n"},
        /* all of them, and what cannot be read */
        {{VARIABLE("a", "1"), VALIDATION("variables == null")}, ""},
        {{VARIABLE("a", "1"), VALIDATION("1 +")}, ""},
        {{VARIABLE("a", "1"), VALIDATION("variables.?a.hasValue()")}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
