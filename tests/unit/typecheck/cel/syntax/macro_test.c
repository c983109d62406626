#include "tests/unit/typecheck/parsed.h"
#include "typecheck/cel/syntax/macro.h"
#include "typecheck/cel/syntax/parser.h"
#include "typecheck/cel/types/celgo.h"

static void expansions(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"has(a.b.c)", "a.b.c~test-only~"},
        {"has(has(a.b))", "a.b~test-only~"},
        {"x.all(i, p)",
         "fold(i in x; @result = true; while @not_strictly_false(@result); _&&_(@result, p); @result)"},
        {"x.exists(i, p)",
         "fold(i in x; @result = false; while @not_strictly_false(!_(@result)); _||_(@result, p); @result)"},
        {"x.exists_one(i, p)",
         "fold(i in x; @result = 0; while true; _?_:_(p, _+_(@result, 1), @result); _==_(@result, 1))"},
        {"x.map(i, t)", "fold(i in x; @result = []; while true; _+_(@result, [t]); @result)"},
        {"x.map(i, p, t)",
         "fold(i in x; @result = []; while true; _?_:_(p, _+_(@result, [t]), @result); @result)"},
        {"x.filter(i, p)",
         "fold(i in x; @result = []; while true; _?_:_(p, _+_(@result, [i]), @result); @result)"},
        {"x.all(i, j, p)",
         "fold(i, j in x; @result = true; while @not_strictly_false(@result); _&&_(@result, p); @result)"},
        {"x.exists(i, j, p)", "fold(i, j in x; @result = false; while @not_strictly_false(!_(@result)); "
                              "_||_(@result, p); @result)"},
        {"x.existsOne(i, j, p)",
         "fold(i, j in x; @result = 0; while true; _?_:_(p, _+_(@result, 1), @result); _==_(@result, 1))"},
        {"x.exists_one(i, j, p)",
         "fold(i, j in x; @result = 0; while true; _?_:_(p, _+_(@result, 1), @result); _==_(@result, 1))"},
        {"x.transformList(i, j, t)", "fold(i, j in x; @result = []; while true; _+_(@result, [t]); @result)"},
        {"x.transformList(i, j, p, t)",
         "fold(i, j in x; @result = []; while true; _?_:_(p, _+_(@result, [t]), @result); @result)"},
        {"x.transformMap(i, j, t)",
         "fold(i, j in x; @result = {}; while true; cel.@mapInsert(@result, i, t); @result)"},
        {"x.transformMap(i, j, p, t)", "fold(i, j in x; @result = {}; while true; _?_:_(p, "
                                       "cel.@mapInsert(@result, i, t), @result); @result)"},
        {"x.transformMapEntry(i, j, t)",
         "fold(i, j in x; @result = {}; while true; cel.@mapInsert(@result, t); @result)"},
        {"x.transformMapEntry(i, j, p, t)",
         "fold(i, j in x; @result = {}; while true; _?_:_(p, cel.@mapInsert(@result, t), @result); @result)"},
        {"x.optMap(v, t)", "_?_:_(x.hasValue(), optional.of(fold(#unused in []; v = x.value(); while false; "
                           "v; t)), optional.none())"},
        {"x.optFlatMap(v, t)",
         "_?_:_(x.hasValue(), fold(#unused in []; v = x.value(); while false; v; t), optional.none())"},
        {"x.sortBy(v, k)", "fold(#unused in []; @__sortBy_input__ = x; while false; @__sortBy_input__; "
                           "@__sortBy_input__.@sortByAssociatedKeys(fold(v in @__sortBy_input__; @result = "
                           "[]; while true; _+_(@result, [k]); @result)))"},
        {"x.map(i, i).all(j, has(j.k))",
         "fold(j in fold(i in x; @result = []; while true; _+_(@result, [i]); @result); @result = true; "
         "while @not_strictly_false(@result); _&&_(@result, j.k~test-only~); @result)"},
    };
    PARSED_CHECK(CASES, PARSED_TREE);
}

/* The wrong style or number of arguments makes a call of it. */
static void no_macros(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"all(i, p)", "all(i, p)"},
        {"x.all(p)", "x.all(p)"},
        {"x.all(i, j, k, p)", "x.all(i, j, k, p)"},
        {"x.has(a.b)", "x.has(a.b)"},
        {"has(a.b, c)", "has(a.b, c)"},
        {".has(a.b)", ".has(a.b)"},
        {"x.map(i)", "x.map(i)"},
        {"x.existsOne(i, p)", "x.existsOne(i, p)"},
    };
    PARSED_CHECK(CASES, PARSED_TREE);
}

/* New nodes are at the parenthesis, copies where the original is, but for the entries of maps. */
static void places(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"has(a.b)", "a^4.b~test-only~^3"},
        {"x.all(i, i > 0)", "fold(i in x^0; @result = true^5; while @not_strictly_false(@result^5)^5; "
                            "_&&_(@result^5, _>_(i^9, 0^13)^11)^5; @result^5)^5"},
        {"[1, {a: b.c}].optMap(v, v)",
         "_?_:_([1^1, {a^5:^6 b^8.c^9}^4]^0.hasValue()^20, optional.of(fold(#unused in []^20; v = [1^1, "
         "{a^5:^20 b^8.c^9}^4]^0.value()^20; while false^20; v^20; v^24)^20)^20, optional.none()^20)^20"},
        {"a.f(b.c)[0].optFlatMap(v, v)",
         "_?_:_(_[_](a^0.f(b^4.c^5)^3, 0^9)^8.hasValue()^22, fold(#unused in []^22; v = "
         "_[_](a^0.f(b^4.c^5)^3, 0^9)^8.value()^22; while false^22; v^22; v^26)^22, optional.none()^22)^22"},
        {"x.sortBy(v, v.k)",
         "fold(#unused in []^8; @__sortBy_input__ = x^0; while false^8; @__sortBy_input__^8; "
         "@__sortBy_input__^8.@sortByAssociatedKeys(fold(v in @__sortBy_input__^8; @result = []^8; while "
         "true^8; _+_(@result^8, [v^12.k^13]^8)^8; @result^8)^8)^8)^8"},
    };
    PARSED_CHECK(CASES, PARSED_PLACES);
}

#define CHAIN ".optMap(x,x).optMap(x,x).optMap(x,x).optMap(x,x).optMap(x,x).optMap(x,x).optMap(x,x)"

static void wrong_arguments(void **state)
{
    (void)state;
    static const struct parsed_case CASES[] = {
        {"has(1)", "1:5: invalid argument to has() macro"},
        {"has(a)", "1:5: invalid argument to has() macro"},
        {"has(a.b())", "1:8: invalid argument to has() macro"},
        {"has(a[0])", "1:6: invalid argument to has() macro"},
        {"has(a.?b)", "1:6: invalid argument to has() macro"},
        {"x.all(1, true)", "1:7: argument must be a simple name"},
        {"x.all(a.b, true)", "1:8: argument must be a simple name"},
        {"x.exists(1, true)", "1:10: argument must be a simple name"},
        {"x.exists_one(1, true)", "1:14: argument must be a simple name"},
        {"x.existsOne(1, i, true)", "1:13: argument must be a simple name"},
        {"x.map(1, true)", "1:7: argument is not an identifier"},
        {"x.map(1, true, true)", "1:7: argument is not an identifier"},
        {"x.filter('a', true)", "1:10: argument is not an identifier"},
        {"x.all(@result, true)", "1:7: Syntax error: token recognition error at: '@'"},
        {"x.all(__result__, true)", "1:7: iteration variable overwrites accumulator variable"},
        {"x.map(__result__, 1)", "1:7: iteration variable overwrites accumulator variable"},
        {"x.filter(__result__, true)", "1:10: iteration variable overwrites accumulator variable"},
        {"x.all(a, a, true)", "1:10: duplicate variable name: a"},
        {"x.all(__result__, b, true)", "1:7: iteration variable overwrites accumulator variable"},
        {"x.all(b, __result__, true)", "1:10: iteration variable overwrites accumulator variable"},
        {"x.all(1, b, true)", "1:7: argument must be a simple name"},
        {"x.all(a, 2, true)", "1:10: argument must be a simple name"},
        {"x.transformList(1, b, c)", "1:17: argument must be a simple name"},
        {"x.transformMap(a, a, c, d)", "1:19: duplicate variable name: a"},
        {"x.transformMapEntry(a, 'b', c)", "1:24: argument must be a simple name"},
        {"x.optMap(1, y)", "1:10: optMap() variable name must be a simple identifier"},
        {"x.optFlatMap(a.b, y)", "1:15: optFlatMap() variable name must be a simple identifier"},
        {"1.sortBy(a, a)",
         "1:1: sortBy can only be applied to a list, identifier, comprehension, call or select expression"},
        {"{}.sortBy(a, a)",
         "1:1: sortBy can only be applied to a list, identifier, comprehension, call or select expression"},
        {"A{}.sortBy(a, a)",
         "1:2: sortBy can only be applied to a list, identifier, comprehension, call or select expression"},
        {"x.sortBy(1, a)", "1:10: argument is not an identifier"},
        {"x.sortBy(__result__, a)", "1:10: iteration variable overwrites accumulator variable"},
        {"x.all(as, true)", "1:7: reserved identifier: as\n1:7: argument must be a simple name"},
        /* each link has its target twice; of a text in error nothing is copied */
        {"o" CHAIN CHAIN CHAIN CHAIN ")", "1:338: Syntax error: extraneous input ')' expecting <EOF>"},
    };
    PARSED_CHECK(CASES, PARSED_BRIEF);
}

/* Returns true if the parser takes a call of this name for more than a call. */
static bool is_macro(struct arena *a, int level, struct str name, size_t arg_count, bool is_receiver)
{
    static const char *const ARGS[] = {"", "i", "i, j", "i, j, p", "i, j, p, t", "i, j, p, t, u"};
    struct str call = str_format(a, "%s%.*s(%s)", is_receiver ? "x." : "", STR_ARG(name), ARGS[arg_count]);
    return !str_eq(parsed(a, level, call, PARSED_TREE), call);
}

/* Those that the level has, of all names that are a macro's in some version. */
static struct str keys(struct arena *a, int level)
{
    static const struct str NAMES[] = {
        STR_INIT("has"),           STR_INIT("all"),          STR_INIT("exists"),
        STR_INIT("exists_one"),    STR_INIT("existsOne"),    STR_INIT("map"),
        STR_INIT("filter"),        STR_INIT("optMap"),       STR_INIT("optFlatMap"),
        STR_INIT("transformList"), STR_INIT("transformMap"), STR_INIT("transformMapEntry"),
        STR_INIT("sortBy"),
    };
    struct text t = {.arena = a};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        for (size_t count = 0; count <= 5; count++) {
            if (is_macro(a, level, NAMES[i], count, false))
                text_addf(&t, "%.*s:%zu ", STR_ARG(NAMES[i]), count);
            if (is_macro(a, level, NAMES[i], count, true))
                text_addf(&t, "x.%.*s:%zu ", STR_ARG(NAMES[i]), count);
        }
    }
    return text_str(&t);
}

static const char BASE[] =
    "has:1 x.all:2 x.exists:2 x.exists_one:2 x.map:2 x.map:3 x.filter:2 x.optMap:2 x.optFlatMap:2 ";
#define TWO_VARIABLES                                                                                        \
    "has:1 x.all:2 x.all:3 x.exists:2 x.exists:3 x.exists_one:2 x.exists_one:3 x.existsOne:3 x.map:2 "       \
    "x.map:3 x.filter:2 x.optMap:2 x.optFlatMap:2 x.transformList:3 x.transformList:4 x.transformMap:3 "     \
    "x.transformMap:4 x.transformMapEntry:3 x.transformMapEntry:4 "

static void versions(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail();
    assert_string_equal(keys(&a, ENV_OLDEST_LEVEL).at, BASE);
    assert_string_equal(keys(&a, 31).at, BASE);
    assert_string_equal(keys(&a, 32).at, TWO_VARIABLES);
    assert_string_equal(keys(&a, 33).at, TWO_VARIABLES);
    assert_string_equal(keys(&a, 34).at, TWO_VARIABLES "x.sortBy:2 ");
    assert_string_equal(keys(&a, ENV_NEWEST_LEVEL).at, TWO_VARIABLES "x.sortBy:2 ");

    static const struct parsed_case BEFORE[] = {
        {"x.all(i, j, p)", "x.all(i, j, p)"},
        {"x.all(1, j, p)", "x.all(1, j, p)"},
        {"x.transformList(i, j, t)", "x.transformList(i, j, t)"},
        {"x.sortBy(1, k)", "x.sortBy(1, k)"},
    };
    for (volatile size_t i = 0; i < sizeof BEFORE / sizeof *BEFORE; i++)
        parsed_check(&BEFORE[i], 31, PARSED_TREE);
    arena_deinit(&a);
}

/* Every node and entry of a tree has an id of its own, from 1 on. */
static void collect_ids(const struct node *n, bool *seen, uint32_t max_id);

static void collect_id(uint32_t id, bool *seen, uint32_t max_id)
{
    assert_in_range(id, 1, max_id);
    assert_false(seen[id]);
    seen[id] = true;
}

static void collect_entries(const struct entry *entries, size_t count, bool *seen, uint32_t max_id)
{
    for (size_t i = 0; i < count; i++) {
        collect_id(entries[i].id, seen, max_id);
        if (entries[i].key != NULL)
            collect_ids(entries[i].key, seen, max_id);
        collect_ids(entries[i].value, seen, max_id);
    }
}

static void collect_ids(const struct node *n, bool *seen, uint32_t max_id)
{
    collect_id(n->id, seen, max_id);
    switch (n->kind) {
    case NODE_LITERAL:
    case NODE_IDENT:
        break;
    case NODE_SELECT:
        collect_ids(n->select.operand, seen, max_id);
        break;
    case NODE_CALL:
        if (n->call.target != NULL)
            collect_ids(n->call.target, seen, max_id);
        for (size_t i = 0; i < n->arg_count; i++)
            collect_ids(n->call.args[i], seen, max_id);
        break;
    case NODE_LIST:
        for (size_t i = 0; i < n->list.count; i++)
            collect_ids(n->list.elements[i], seen, max_id);
        break;
    case NODE_MAP:
        collect_entries(n->map.entries, n->map.count, seen, max_id);
        break;
    case NODE_STRUCT:
        collect_entries(n->structure.fields, n->structure.count, seen, max_id);
        break;
    case NODE_COMPREHENSION:
        collect_ids(n->comprehension->range, seen, max_id);
        collect_ids(n->comprehension->init, seen, max_id);
        collect_ids(n->comprehension->condition, seen, max_id);
        collect_ids(n->comprehension->step, seen, max_id);
        collect_ids(n->comprehension->result, seen, max_id);
        break;
    }
}

static void ids_are_unique(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, PARSED_BYTES);
    if (setjmp(a.escape) != 0)
        fail();
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    struct source s;
    struct issues is;
    struct ast ast;
    source_init(
        &s, &a,
        STR("[{a: b.c}, A{f: -1, ?g: [x]}, h.all(i, has(i.j))].f({?k: l[0]}).optMap(v, v.optFlatMap(w, w))"
            ".sortBy(e, e.?n).exists_one(y, z, y ? z : !z || [?y] == z)"));
    issues_init(&is, &a);
    assert_true(parser_run(&a, &a, &s, env_dialect(env), &is, &ast));
    collect_ids(ast.root, ARENA_ARRAY(&a, ast.max_id + 1u, bool), ast.max_id);
    env_free(env);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expansions),      cmocka_unit_test(no_macros), cmocka_unit_test(places),
        cmocka_unit_test(wrong_arguments), cmocka_unit_test(versions),  cmocka_unit_test(ids_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
