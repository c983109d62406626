#include "typecheck/cel/checker/checker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/parser.h"
#include "typecheck/cel/syntax/source.h"
#include "typecheck/cel/types/admission_types.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"

static struct env *env, *newest, *suggesting, *without_scopes, *without_copies;

static int start(void **state)
{
    (void)state;
    newest = env_new(ENV_NEWEST_LEVEL, celgo_of(27));
    suggesting = env_new(ENV_NEWEST_LEVEL, celgo_of(33));
    without_scopes = env_new(ENV_NEWEST_LEVEL, celgo_of(26));
    without_copies = env_new(ENV_NEWEST_LEVEL, celgo_of(20));
    env = newest;
    return newest == NULL || suggesting == NULL || without_scopes == NULL || without_copies == NULL;
}

static int stop(void **state)
{
    (void)state;
    env_free(newest);
    env_free(suggesting);
    env_free(without_scopes);
    env_free(without_copies);
    return 0;
}

/* name, type: as signatures spell types */
static const char *const declared[][2] = {
    {"i", "int"},        {"s", "string"},           {"b", "bool"},           {"d", "dyn"},
    {"li", "list(int)"}, {"m", "map(string, int)"}, {"oi", "optional(int)"}, {"w", "wrapper(int)"},
    {"p", "A"},          {"q", "Quantity"},         {"x.y", "string"},
};

#define DECLARED (sizeof declared / sizeof *declared)

struct outcome {
    struct ast ast;
    struct checked checked;
    struct issues issues;
    bool ok;
};

static void check_text(struct arena *a, const char *expr, struct outcome *out)
{
    struct source source;
    struct types *ts = types_new(a, env_types(env));
    struct variable variables[DECLARED + 1];
    for (size_t i = 0; i < DECLARED; i++)
        variables[i] = (struct variable){.name = str_of(declared[i][0]),
                                         .type = decl_read_type(ts, declared[i][1], decl_types)};
    variables[DECLARED] = (struct variable){.name = STR("request"), .type = admission_types_request_type(ts)};
    source_init(&source, a, str_of(expr));
    issues_init(&out->issues, a);
    if (!parser_run(a, a, &source, env_dialect(env), &out->issues, &out->ast))
        fail_msg("%s does not parse", expr);
    out->ok = checker_run(ts, env, &out->ast, variables, DECLARED + 1, &out->issues, &out->checked);
}

/* "offset: message" for each issue, a line each. */
static struct str issue_lines(struct arena *a, const struct issues *issues)
{
    struct text t = {.arena = a};
    for (size_t i = 0; i < issues->count; i++) {
        text_addf(&t, "%s%u: ", i == 0 ? "" : "\n", issues->list[i].at.offset);
        text_add(&t, issues->list[i].message);
    }
    return text_str(&t);
}

struct expectation {
    const char *expr;
    const char *type;   /* the type of the expression; NULL if it is refused */
    const char *issues; /* the issues; NULL if the expression is accepted */
};

static void expect_one(const struct expectation *e)
{
    struct arena a;
    struct outcome o;
    arena_init(&a, (size_t)16 << 20);
    if (setjmp(a.escape) != 0)
        fail_msg("%s: the arena gave up", e->expr);
    check_text(&a, e->expr, &o);
    struct text got = {.arena = &a};
    if (o.ok)
        type_print_long(&got, o.checked.result);
    else
        text_add(&got, issue_lines(&a, &o.issues));
    const char *want = o.ok ? e->type : e->issues;
    if (want == NULL || strcmp(text_str(&got).at, want) != 0)
        fail_msg("%s: %s", e->expr, text_str(&got).at);
    arena_deinit(&a);
}

static void expect_all(const struct expectation *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_one(&cases[i]);
}

#define EXPECT(cases) expect_all(cases, sizeof(cases) / sizeof *(cases))

static void test_names(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"i", "int", NULL},
        {".i", "int", NULL},
        {"x.y", "string", NULL},
        {"x.y.z", NULL, "3: type 'string' does not support field selection"},
        {"x", NULL, "0: undeclared reference to 'x' (in container '')"},
        {".x.z", NULL, "1: undeclared reference to '.x' (in container '')"},
        {"int", "type(int)", NULL},
        {"list", "type(list(dyn))", NULL},
        {"net.IP", "type(net.IP)", NULL},
        {"timestamp", "type(google.protobuf.Timestamp)", NULL},
        {"google.protobuf.NullValue.NULL_VALUE", "int", NULL},
        {"kubernetes.UserInfo", "type(kubernetes.UserInfo)", NULL},
        {"kubernetes.Quantity", NULL, "0: undeclared reference to 'kubernetes' (in container '')"},
        {"[1].map(x, x.y)", NULL, "12: type 'int' does not support field selection"},
        {"[1].map(x, .x.y)", "list(string)", NULL},
        {"['a'].map(i, [i, .i])", NULL, "18: expected type 'string' but found 'int'"},
    };
    EXPECT(cases);
}

static void test_selections(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"request.userInfo.groups", "list(string)", NULL},
        {"request.nope", NULL, "7: undefined field 'nope'"},
        {"request.nope.further == 1", NULL, "7: undefined field 'nope'"},
        {"has(request.name)", "bool", NULL},
        {"has(request.nope)", NULL, "3: undefined field 'nope'"},
        {"m.anything", "int", NULL},
        {"d.a.b.c", "dyn", NULL},
        {"i.a", NULL, "1: type 'int' does not support field selection"},
        {"w.a", NULL, "1: type 'wrapper(int)' does not support field selection"},
        {"q.a", NULL, "1: unexpected failed resolution of 'kubernetes.Quantity'"},
        {"m.?a", "optional_type(int)", NULL},
        {"m.?a.b", NULL, "4: type 'int' does not support field selection"},
        {"request.?userInfo.groups", "optional_type(list(string))", NULL},
        {"request.?nope", NULL, "7: undefined field 'nope'"},
        {"[].a", NULL, "2: type 'list(_var0)' does not support field selection"},
        {"p.a", "dyn", NULL},
    };
    EXPECT(cases);
}

static void test_calls(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"i + 1", "int", NULL},
        {"i + s", NULL, "2: found no matching overload for '_+_' applied to '(int, string)'"},
        {"d + 1", "int", NULL},
        {"d + d", "dyn", NULL},
        {"1 < 1.5", "bool", NULL},
        {"1 == 1.5", NULL, "2: found no matching overload for '_==_' applied to '(int, double)'"},
        {"s.startsWith('a')", "bool", NULL},
        {"s.startsWith(1)", NULL,
         "12: found no matching overload for 'startsWith' applied to 'string.(int)'"},
        {"startsWith(s, 'a')", NULL,
         "10: found no matching overload for 'startsWith' applied to '(string, string)'"},
        {"s.nope(zz)", NULL,
         "7: undeclared reference to 'zz' (in container '')\n6: undeclared reference to 'nope' (in container "
         "'')"},
        {"optional.of(i)", "optional_type(int)", NULL},
        {".optional.of(i)", "optional_type(int)", NULL},
        {"optional.nope()", NULL,
         "0: undeclared reference to 'optional' (in container '')\n13: undeclared reference to 'nope' (in "
         "container '')"},
        {"optional.none().orValue(1)", "int", NULL},
        {"b ? 1 : 's'", NULL, "2: found no matching overload for '_?_:_' applied to '(bool, int, string)'"},
        {"b ? null : q", "null_type", NULL},
        {"b ? q : null", "kubernetes.Quantity", NULL},
        {"b && i || s", NULL,
         "5: expected type 'bool' but found 'int'\n10: expected type 'bool' but found 'string'"},
        {"li[0]", "int", NULL},
        {"m['a']", "int", NULL},
        {"m[1]", NULL, "1: found no matching overload for '_[_]' applied to '(map(string, int), int)'"},
        {"oi[0]", NULL, "2: found no matching overload for '_[_]' applied to '(optional_type(int), int)'"},
        {"type(li)", "type(list(int))", NULL},
        {"quantity('1').isLessThan(q)", "bool", NULL},
    };
    EXPECT(cases);
}

static void test_literals(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"[]", "list(dyn)", NULL},
        {"{}", "map(dyn, dyn)", NULL},
        {"[] + [1]", "list(int)", NULL},
        {"[w, 1]", "list(wrapper(int))", NULL},
        {"[1, w]", "list(int)", NULL},
        {"[1, 's'] == zz", NULL, "12: undeclared reference to 'zz' (in container '')"},
        {"[[], [1], ['a']]", NULL, "10: expected type 'list(int)' but found 'list(string)'"},
        {"[?oi, 1]", "list(int)", NULL},
        {"[?i]", NULL, "2: expected type 'optional_type(int)' but found 'int'"},
        {"{?'a': oi}", "map(string, int)", NULL},
        {"{?'a': i}", NULL, "7: expected type 'optional_type(int)' but found 'int'"},
        {"{'a': []}.a == [1]", "bool", NULL},
    };
    EXPECT(cases);
}

static void test_structures(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"google.protobuf.Int32Value{value: 1}", "wrapper(int)", NULL},
        {"google.protobuf.Duration{seconds: 1}", "google.protobuf.Duration", NULL},
        {"google.protobuf.StringValue{value: 1}", NULL,
         "33: expected type of field 'value' is 'string' but provided type is 'int'"},
        {"google.protobuf.Empty{a: 1}", NULL, "23: undefined field 'a'"},
        {"kubernetes.UserInfo{username: 'a'}", "kubernetes.UserInfo", NULL},
        {"kubernetes.UserInfo{?username: oi}", NULL,
         "29: expected type of field 'username' is 'string' but provided type is 'int'"},
        {"int{a: 1}", NULL, "3: 'int' is not a message type\n5: undefined field 'a'"},
        {"net.IP{a: 1}", NULL,
         "6: 'net.IP' is not a message type\n8: unexpected failed resolution of 'net.IP'"},
        {"Nope{a: zz}", NULL, "4: undeclared reference to 'Nope' (in container '')"},
    };
    EXPECT(cases);
}

static void test_comprehensions(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"li.map(x, string(x))", "list(string)", NULL},
        {"li.all(x, x)", NULL, "10: expected type 'bool' but found 'int'"},
        {"i.all(x, x)", NULL,
         "0: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"},
        {"m.filter(k, k == 'a')", "list(string)", NULL},
        {"m.all(k, v, k == 'a' && v == 1)", "bool", NULL},
        {"li.all(k, v, k == v)", "bool", NULL},
        {"d.exists(x, x.y)", "bool", NULL},
        {"p.all(x, x.y == 1)", "bool", NULL},
        {"li.map(x, li.map(y, x + y))", "list(list(int))", NULL},
        {"li.map(x, x)[0] + x", NULL, "18: undeclared reference to 'x' (in container '')"},
        {"oi.optMap(x, string(x))", "optional_type(string)", NULL},
        {"[].map(x, x)", "list(dyn)", NULL},
    };
    EXPECT(cases);
}

static void test_without_scopes(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"[1].map(x, x.y)", "list(string)", NULL},
        {"['a'].map(i, [i, .i])", "list(list(string))", NULL},
        {"['a'].map(x, .x)", "list(string)", NULL},
        {"list", "type(list(dyn))", NULL},
        {"list.y", NULL, "4: type 'type(list(A))' does not support field selection"},
        {"list{}", NULL, "4: 'list' is not a message type"},
        {"[type(w)].map(x, x{value: 1})", "list(wrapper(int))", NULL},
        {"i{a: 1}", NULL, "1: 'int' is not a type\n3: unexpected failed resolution of 'i'"},
        {".x.y{}", NULL, "4: 'string' is not a type"},
        {"[zz].map(x, x{})", NULL, "1: undeclared reference to 'zz' (in container '')"},
        {"[type(zz)].map(x, x{})", NULL,
         "6: undeclared reference to 'zz' (in container '')\n19: 'error' is not a message type"},
        {"x{}", NULL, "1: undeclared reference to 'x' (in container '')"},
    };
    env = without_scopes;
    EXPECT(cases);
    env = newest;
}

/* What optMap() is called on is checked twice, and has to get the same type. */
static void test_without_copies(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"oi.optMap(x, x).value()", "int", NULL},
        {"oi.optMap(x, [x]).optMap(y, y)", NULL,
         "9: incompatible type already exists for expression: old:list(_var1), new:list(_var9)\n"
         "9: incompatible type already exists for expression: old:optional_type(_var4), "
         "new:optional_type(_var12)"},
        {"optional.of([]).optMap(x, x)", NULL,
         "12: incompatible type already exists for expression: old:list(_var0), new:list(_var4)"},
        {"optional.of([1]).optFlatMap(x, optional.of(x[0]))", "optional_type(int)", NULL},
    };
    static const struct expectation copied[] = {
        {"oi.optMap(x, [x]).optMap(y, y)", "optional_type(list(int))", NULL},
        {"optional.of([]).optMap(x, x)", "optional_type(list(dyn))", NULL},
    };
    env = without_copies;
    EXPECT(cases);
    env = newest;
    EXPECT(copied);
}

/* A name that is near to others is reported with them; a qualified one as a whole, if no part is declared. */
static void test_suggestions(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"zz", NULL, "0: undeclared reference to 'zz'"},
        {"reqest.kind", NULL, "0: undeclared reference to 'reqest' (did you mean 'request'?)"},
        {"siez(li)", NULL, "4: undeclared reference to 'siez' (did you mean 'size'?)"},
        {"li.siez()", NULL, "7: undeclared reference to 'siez' (did you mean 'size'?)"},
        {"strin{a: zz}", NULL, "5: undeclared reference to 'strin' (did you mean 'string'?)"},
        {"optinal.of(zz)", NULL,
         "11: undeclared reference to 'zz'\n10: undeclared reference to 'optinal.of' (did you mean "
         "'optional.of'?)"},
        {".optinal.of(1)", NULL, "11: undeclared reference to '.optinal.of' (did you mean 'optional.of'?)"},
        {"google.protobuf.Timestmp.a", NULL,
         "24: undeclared reference to 'google.protobuf.Timestmp.a' (did you mean "
         "'google.protobuf.Timestamp'?)"},
        {"optional.of == 1", NULL, "8: undeclared reference to 'optional.of'"},
        {"li.map(optinal, optinal.of(1))", NULL, "26: undeclared reference to 'of'"},
        {"li.map(optinal, .optinal.of(1))", NULL,
         "27: undeclared reference to '.optinal.of' (did you mean 'optional.of'?)"},
        {"has(optinal.of)", NULL, "4: undeclared reference to 'optinal'"},
        {"x.z", NULL, "1: undeclared reference to 'x.z' (did you mean 'x.y'?)"},
        {"type(li.map(y, y)) == type({})", NULL,
         "19: found no matching overload for '_==_' applied to '(type(list(int)), type(map(dyn, dyn)))'"},
    };
    env = suggesting;
    EXPECT(cases);
    env = newest;
}

/* What is found out about each node, for whoever comes after. */
static void test_results(void **state)
{
    (void)state;
    struct arena a;
    struct outcome o;
    arena_init(&a, (size_t)16 << 20);
    if (setjmp(a.escape) != 0)
        fail_msg("the arena gave up");
    check_text(&a, "x.y + s", &o);
    assert_true(o.ok);
    const struct node *sum = o.ast.root, *left = sum->call.args[0], *right = sum->call.args[1];
    assert_true(str_eq(o.checked.overloads[sum->id]->id, STR("add_string")));
    assert_true(str_eq(o.checked.names[left->id], STR("x.y")));
    assert_true(str_eq(o.checked.names[right->id], STR("s")));
    assert_int_equal(o.checked.names[sum->id].len, 0);
    assert_ptr_equal(o.checked.types[left->id], &type_string);
    assert_null(o.checked.types[left->select.operand->id]);

    check_text(&a, "[1].map(i, .i)", &o);
    assert_true(o.ok);
    const struct node *element = o.ast.root->comprehension->step->call.args[1]->list.elements[0];
    assert_true(str_eq(o.checked.names[element->id], STR(".i")));
    arena_deinit(&a);
}

/* Names of a variable's types that upstream makes up cannot be meant; its library's still can. */
static void test_anonymous(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)16 << 20);
    if (setjmp(a.escape) != 0)
        fail_msg("the arena gave up");
    for (int anonymous = 0; anonymous <= 1; anonymous++) {
        struct types *ts = types_new(&a, env_types(env));
        struct variable v = {
            .name = STR("r"), .type = admission_types_request_type(ts), .anonymous = anonymous != 0};
        struct source source;
        struct issues issues;
        struct ast ast;
        struct checked checked;
        source_init(&source, &a, STR("type(timestamp) == type(kubernetes.UserInfo)"));
        issues_init(&issues, &a);
        assert_true(parser_run(&a, &a, &source, env_dialect(env), &issues, &ast));
        assert_int_equal(checker_run(ts, env, &ast, &v, 1, &issues, &checked), anonymous == 0);
        assert_int_equal(issues.count, anonymous);
    }
    arena_deinit(&a);
}

static enum arena_failure check_within(size_t budget)
{
    struct arena a;
    struct outcome o;
    arena_init(&a, budget);
    if (setjmp(a.escape) == 0) {
        check_text(&a, "[[]].map(x, x + [request.userInfo.extra]).exists(y, y.size() > oi.orValue(w))", &o);
        assert_true(o.ok);
    }
    enum arena_failure failure = a.failure;
    arena_deinit(&a);
    return failure;
}

/* Every budget ends in the arena's failure or in the answer. */
static void test_budgets(void **state)
{
    (void)state;
    size_t budget = 0;
    for (enum arena_failure failure; (failure = check_within(budget)) != ARENA_OK; budget += 64)
        assert_int_equal(failure, ARENA_BUDGET);
    assert_true(budget > 1024);
}

/* Work is counted: types that double with each step end the check, and do not fill the memory first. */
static void test_steps(void **state)
{
    (void)state;
    struct arena a;
    struct outcome o;
    arena_init(&a, (size_t)256 << 20);
    a.max_steps = 100000;
    if (setjmp(a.escape) == 0) {
        struct text t = {.arena = &a};
        text_add(&t, STR("[[]]"));
        for (int i = 0; i < 40; i++)
            text_add(&t, STR(".map(x, {x: x})"));
        check_text(&a, text_str(&t).at, &o);
    }
    assert_int_equal(a.failure, ARENA_STEPS);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),          cmocka_unit_test(test_selections),
        cmocka_unit_test(test_without_scopes), cmocka_unit_test(test_without_copies),
        cmocka_unit_test(test_calls),          cmocka_unit_test(test_literals),
        cmocka_unit_test(test_structures),     cmocka_unit_test(test_comprehensions),
        cmocka_unit_test(test_results),        cmocka_unit_test(test_anonymous),
        cmocka_unit_test(test_suggestions),    cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
