#include "tests/unit/typecheck/parsed.h"

#include "typecheck/cel/syntax/parse_state.h"
#include "typecheck/cel/syntax/recognizer.h"

static struct arena arena;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, PARSED_BYTES);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_deinit(&arena);
    return 0;
}

static struct str repeated(const char *again, int times, const char *last)
{
    struct text t = {.arena = &arena};
    while (times-- > 0)
        text_add(&t, str_of(again));
    text_add(&t, str_of(last));
    return text_str(&t);
}

static struct str issues_of(struct str text)
{
    return parsed(&arena, ENV_NEWEST_LEVEL, text, PARSED_BRIEF);
}

static bool has_line(struct str text, const char *line)
{
    size_t len = strlen(line);
    for (const char *at = text.at;; at++) {
        if (strncmp(at, line, len) == 0 && (at[len] == '\0' || at[len] == '\n'))
            return true;
        at = strchr(at, '\n');
        if (at == NULL)
            return false;
    }
}

static const char RECURSION[] = "-1:0: expression recursion limit exceeded: 250";

/* Rules are counted one by one: `expr` is entered twice for "1 + (", once for "(". */
static void rule_depth(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    static const struct {
        const char *again;
        int most;
    } CASES[] = {{"(", 249}, {"[", 249}, {"f(", 249}, {"{'a':", 249}, {"b ? 1 : ", 249}, {"1 + (", 124}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_false(has_line(issues_of(repeated(CASES[i].again, CASES[i].most, "1")), RECURSION));
        assert_string_equal(issues_of(repeated(CASES[i].again, CASES[i].most + 1, "1")).at, RECURSION);
    }
}

/* What no rule is entered for may be as long as it likes. */
static void no_depth(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    assert_int_equal(issues_of(repeated("!", 5000, "a")).len, 0);
    assert_int_equal(issues_of(repeated("-", 5000, "a")).len, 0);
    assert_int_equal(issues_of(repeated("a && ", 5000, "a")).len, 0);
    assert_int_equal(issues_of(repeated("a || ", 5000, "a")).len, 0);
    assert_int_equal(issues_of(repeated("a.", 5000, "b{}")).len, 0);
}

/* Tokens behind the place where a limit stops it are not read: what is wrong there is not said. */
static void reads_no_further(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    assert_string_equal(issues_of(repeated("(", 260, "#")).at, RECURSION);
}

static void too_many_errors(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    struct str text = repeated("#", 130, "");
    struct str issues = parsed(&arena, ENV_NEWEST_LEVEL, text, PARSED_ISSUES);
    const char *end = "\n1 more errors were truncated";
    assert_string_equal(issues.at + issues.len - strlen(end), end);
}

static void too_many_recoveries(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    struct str issues = issues_of(repeated("f(1 2) + ", 40, "1"));
    assert_true(has_line(issues, "1:275: Syntax error: error recovery attempt limit exceeded: 30"));
    assert_false(has_line(issues, "1:284: Syntax error: extraneous input '2' expecting ')'"));
}

static void too_many_skipped(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    const char *message = "-1:0: error recovery token lookahead limit exceeded: 256";
    assert_false(has_line(issues_of(repeated("a ", 257, "")), message));
    assert_true(has_line(issues_of(repeated("a ", 258, "")), message));
}

/* The tree as it comes, before anything has a meaning. */
static void trees(void **state)
{
    (void)state;
    if (setjmp(arena.escape) != 0)
        fail();
    struct source s;
    struct issues is;
    struct parse_state p;
    source_init(&s, &arena, STR("f(a.?b, -1)"));
    issues_init(&is, &arena);
    parse_state_init(&p, &arena, &s, &is);
    const struct parse_tree *call = recognizer_run(&p);
    assert_int_equal(call->kind, PARSE_TREE_GLOBAL_CALL);
    assert_true(str_eq(parse_state_token_text(&p, call->name), STR("f")));
    assert_true(str_eq(parse_state_token_text(&p, call->op_token), STR("(")));
    const struct parse_tree *items = call->first;
    assert_int_equal(items->kind, PARSE_TREE_ITEMS);
    assert_int_equal(items->count, 2);
    assert_int_equal(items->first->kind, PARSE_TREE_SELECT);
    assert_true(items->first->is_optional);
    assert_int_equal(items->first->first->kind, PARSE_TREE_IDENT);
    assert_int_equal(items->first->first->next->kind, PARSE_TREE_ESCAPE_IDENT);
    assert_int_equal(items->last->kind, PARSE_TREE_LITERAL);
    assert_int_equal(items->last->start + 1, items->last->op_token);

    source_init(&s, &arena, STR("a + )"));
    parse_state_init(&p, &arena, &s, &is);
    const struct parse_tree *sum = recognizer_run(&p);
    assert_int_equal(is.count, 1);
    assert_int_equal(sum->kind, PARSE_TREE_BINARY);
    assert_int_equal(sum->last->kind, PARSE_TREE_NO_UNARY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rule_depth, setup, teardown),
        cmocka_unit_test_setup_teardown(no_depth, setup, teardown),
        cmocka_unit_test_setup_teardown(reads_no_further, setup, teardown),
        cmocka_unit_test_setup_teardown(too_many_errors, setup, teardown),
        cmocka_unit_test_setup_teardown(too_many_recoveries, setup, teardown),
        cmocka_unit_test_setup_teardown(too_many_skipped, setup, teardown),
        cmocka_unit_test_setup_teardown(trees, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
