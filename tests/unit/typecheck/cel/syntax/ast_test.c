#include "tests/unit/typecheck/parsed.h"

static void literals_and_marks(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"[null, true, false, -1, 2u, 0.1, 'a\"\\\\\\n\\u00e9', b'\\xff']",
         "[null, true, false, -1, 2u, 0.10000000000000001, \"a\\\"\\\\\\x0a\\xc3\\xa9\", b\"\\xff\"]"},
        {"[?a, {?b: c}, D{?e: f}]", "[?a, {?b: c}, D{?e: f}]"},
        {"has(a.b)", "a.b~test-only~"},
        {"a.b(c)", "a.b(c)"},
    };
    PARSED_CHECK(CASES, PARSED_TREE);
}

static void places(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"a.b", "a^0.b^1"},
        {"{a: f()}", "{a^1:^2 f()^5}^0"},
        {"x.map(i, i)",
         "fold(i in x^0; @result = []^5; while true^5; _+_(@result^5, [i^9]^5)^5; @result^5)^5"},
    };
    PARSED_CHECK(CASES, PARSED_PLACES);
}

/* The identifiers and the operators' functions, each behind what contains it. */
static void add_words(struct text *out, const struct node *n)
{
    const struct node *child;
    struct str word = n->kind == NODE_IDENT ? n->ident : STR("");
    if (n->kind == NODE_CALL && n->op != AST_FUNCTION) {
        word = ast_operator_function(n->op);
        assert_true(str_eq(word, n->call.function));
    }
    if (word.len != 0)
        text_addf(out, "%.*s ", STR_ARG(word));
    for (size_t i = 0; (child = ast_child(n, i)) != NULL; i++)
        add_words(out, child);
}

static void children(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"f(1)", ""},
        {"a.b.c(d, e)[f]", "_[_] a d e f "},
        {"[a, ?b, {c: d, ?e: f}, D{g: h, ?i: j}]", "a b c d e f h j "},
        {"a.all(b, c)", "a @not_strictly_false @result _&&_ @result c @result "},
        {"a.exists_one(b, c)", "a _?_:_ c _+_ @result @result _==_ @result "},
        {"!a || -b && c ? d : e", "_?_:_ _||_ !_ a _&&_ -_ b c d e "},
        {"a?.b", ""},
        {"a.?b[?c]", "_[?_] _?._ a c "},
        {"a == b != c < d <= e > f >= g in h", "@in _>=_ _>_ _<=_ _<_ _!=_ _==_ a b c d e f g h "},
        {"a + b - c * d / e % f", "_-_ _+_ a b _%_ _/_ _*_ c d e f "},
    };
    struct arena a;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    arena_init(&a, PARSED_BYTES);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct source s;
        struct issues is;
        struct ast ast;
        struct text words = {.arena = &a};
        source_init(&s, &a, str_of(CASES[i][0]));
        issues_init(&is, &a);
        if (parser_run(&a, &a, &s, env_dialect(env), &is, &ast))
            add_words(&words, ast.root);
        assert_string_equal(words.len == 0 ? "" : text_str(&words).at, CASES[i][1]);
    }
    arena_deinit(&a);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children),
        cmocka_unit_test(literals_and_marks),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
