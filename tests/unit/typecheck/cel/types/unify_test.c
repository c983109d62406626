#include "typecheck/cel/types/unify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"

static const struct decl_type no_types[] = {{NULL, NULL, TYPE_ERROR, 0}};

/* A table of types and a fresh state for each case. */
struct fixture {
    struct arena arena;
    struct types *ts;
    struct celgo celgo;
    struct unify u;
};

static const struct type *type(struct fixture *f, const char *text)
{
    return decl_read_type(f->ts, text, no_types);
}

static void with_release(int celgo, void (*work)(struct fixture *f))
{
    struct fixture f = {.celgo = celgo_of(celgo)};
    arena_init(&f.arena, (size_t)16 << 20);
    if (setjmp(f.arena.escape) != 0)
        fail_msg("the arena gave up");
    f.ts = types_new(&f.arena, NULL);
    unify_init(&f.u, f.ts, &f.celgo);
    work(&f);
    arena_deinit(&f.arena);
}

static void with_fixture(void (*work)(struct fixture *f))
{
    with_release(CELGO_NEWEST, work);
}

static void assignability(struct fixture *f)
{
    static const struct {
        const char *expected, *actual;
        bool fits;
    } cases[] = {
        {"int", "int", true},
        {"int", "uint", false},
        {"int", "wrapper(int)", true},
        {"wrapper(int)", "int", true},
        {"wrapper(int)", "null", true},
        {"null", "wrapper(int)", true},
        {"int", "null", false},
        {"null", "null", true},
        {"null", "timestamp", true},
        {"duration", "null", true},
        {"null", "optional(int)", true},
        {"null", "list(int)", false},
        {"null", "type(int)", false},
        {"dyn", "list(int)", true},
        {"list(int)", "any", true},
        {"list(dyn)", "list(int)", true},
        {"list(int)", "list(string)", false},
        {"map(string, int)", "map(string, dyn)", true},
        {"map(string, int)", "map(int, int)", false},
        {"list(int)", "map(int, int)", false},
        {"type(int)", "type(string)", true},
        {"type", "string", false},
        {"type(string)", "type", true},
        {"type(optional(int))", "type(optional(dyn))", true},
        {"type(list(A))", "type(list(int))", true},
        {"optional(int)", "optional(int)", true},
        {"optional(int)", "optional(string)", false},
        {"optional(int)", "int", false},
        {"list(wrapper(int))", "list(int)", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool fits = unify_assign(&f->u, type(f, cases[i].expected), type(f, cases[i].actual));
        if (fits != cases[i].fits)
            fail_msg("%s from %s", cases[i].expected, cases[i].actual);
    }
}

static void parameters_are_bound(struct fixture *f)
{
    const struct type *a = unify_fresh(&f->u), *b = unify_fresh(&f->u);
    assert_true(unify_assign(&f->u, types_list(f->ts, a), type(f, "list(int)")));
    assert_ptr_equal(unify_substitute(&f->u, a, false), &type_int);
    assert_false(unify_assign(&f->u, a, &type_string));
    assert_ptr_equal(unify_substitute(&f->u, types_map(f->ts, a, b), false), types_map(f->ts, &type_int, b));
    assert_ptr_equal(unify_substitute(&f->u, types_map(f->ts, a, b), true), type(f, "map(int, dyn)"));
}

static void bindings_get_more_general(struct fixture *f)
{
    const struct type *a = unify_fresh(&f->u);
    assert_true(unify_assign(&f->u, a, &type_int));
    assert_true(unify_assign(&f->u, a, &type_dyn));
    assert_ptr_equal(unify_substitute(&f->u, a, false), &type_dyn);
    assert_true(unify_assign(&f->u, a, &type_string));
    assert_ptr_equal(unify_substitute(&f->u, a, false), &type_dyn);
}

static void failed_trials_leave_nothing(struct fixture *f)
{
    const struct type *a = unify_fresh(&f->u);
    const struct type *pair = types_map(f->ts, a, &type_int);
    assert_false(unify_assign(&f->u, pair, type(f, "map(string, string)")));
    assert_ptr_equal(unify_substitute(&f->u, a, false), a);
    assert_true(unify_assign(&f->u, pair, type(f, "map(bool, int)")));
    assert_ptr_equal(unify_substitute(&f->u, a, false), &type_bool);
    /* what was bound before is there again, too */
    assert_false(unify_assign(&f->u, pair, type(f, "map(dyn, string)")));
    assert_ptr_equal(unify_substitute(&f->u, a, false), &type_bool);
}

static void no_type_holds_itself(struct fixture *f)
{
    const struct type *a = unify_fresh(&f->u), *b = unify_fresh(&f->u);
    assert_false(unify_assign(&f->u, a, types_list(f->ts, a)));
    assert_true(unify_assign(&f->u, a, types_list(f->ts, b)));
    assert_false(unify_assign(&f->u, b, types_list(f->ts, a)));
    assert_true(unify_assign(&f->u, a, a));
}

static void most_general(struct fixture *f)
{
    static const char *const cases[][3] = {
        {"int", "dyn", "dyn"},
        {"dyn", "int", "dyn"},
        {"list(int)", "list(dyn)", "list(dyn)"},
        {"map(dyn, int)", "map(string, dyn)", "map(string, dyn)"},
        {"wrapper(int)", "int", "wrapper(int)"},
        {"null", "timestamp", "timestamp"},
        {"optional(A)", "optional(int)", "optional(A)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_ptr_equal(unify_most_general(&f->u, type(f, cases[i][0]), type(f, cases[i][1])),
                         type(f, cases[i][2]));
}

/* Types of types: whether they fit, and which is the more general. */
struct type_case {
    const char *expected, *actual;
    bool fits;
    const char *general;
};

static void expect_types(struct fixture *f, const struct type_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct type *expected = type(f, cases[i].expected), *actual = type(f, cases[i].actual);
        if (unify_assign(&f->u, expected, actual) != cases[i].fits)
            fail_msg("%s from %s", cases[i].expected, cases[i].actual);
        assert_ptr_equal(unify_most_general(&f->u, expected, actual), type(f, cases[i].general));
    }
}

static void types_of_types(struct fixture *f)
{
    static const struct type_case cases[] = {
        {"type", "type(string)", false, "type"},
        {"type(string)", "type", true, "type"},
        {"type(int)", "type(string)", true, "type(string)"},
        {"type(dyn)", "type(string)", true, "type(dyn)"},
        {"type(list(A))", "type(int)", false, "type(int)"},
        {"type(list(A))", "type(list(bool))", true, "type(list(A))"},
        {"type(optional(A))", "type(list(A))", false, "type(list(A))"},
    };
    expect_types(f, cases, sizeof cases / sizeof *cases);
}

static void types_of_types_before(struct fixture *f)
{
    static const struct type_case cases[] = {
        {"type", "type(string)", true, "type"},
        {"type(string)", "type", true, "type(string)"},
        {"type(int)", "type(string)", true, "type(int)"},
        {"type(list(A))", "type(int)", true, "type(list(A))"},
    };
    expect_types(f, cases, sizeof cases / sizeof *cases);
}

/* Asserts that args (types with a comma and a blank between) fit or do not, and compares the result's
 * text. */
static void expect_call(struct fixture *f, const char *signature, const char *const *args, size_t count,
                        const char *want)
{
    struct overload o = {.function = NULL};
    decl_read(f->ts, &(struct decl){.function = "f", .id = "id", .signature = signature}, no_types, &o);
    const struct type *types[4], *result = NULL;
    for (size_t i = 0; i < count; i++)
        types[i] = type(f, args[i]);
    bool fits = unify_overload(&f->u, types, count, &o, &result);
    assert_int_equal(fits, want != NULL);
    if (fits)
        assert_ptr_equal(result, type(f, want));
}

static void overloads(struct fixture *f)
{
    expect_call(f, "(list(A), int) -> A", (const char *[]){"list(string)", "int"}, 2, "string");
    expect_call(f, "(list(A), int) -> A", (const char *[]){"list(string)", "uint"}, 2, NULL);
    expect_call(f, "(list(A), int) -> A", (const char *[]){"list(string)"}, 1, NULL);
    expect_call(f, "(map(A, B), A) -> B", (const char *[]){"map(string, list(int))", "string"}, 2,
                "list(int)");
    expect_call(f, "(map(A, B), A) -> B", (const char *[]){"map(string, int)", "int"}, 2, NULL);
    expect_call(f, "(A, A) -> bool", (const char *[]){"int", "string"}, 2, NULL);
    expect_call(f, "(A, A) -> A", (const char *[]){"list(dyn)", "list(int)"}, 2, "list(dyn)");
    expect_call(f, "(bool, A, A) -> A", (const char *[]){"bool", "timestamp", "null"}, 3, "timestamp");
    expect_call(f, "(bool, A, A) -> A", (const char *[]){"bool", "null", "timestamp"}, 3, "null");
    expect_call(f, "optional(V).(V) -> V", (const char *[]){"optional(int)", "int"}, 2, "int");
    expect_call(f, "list(optional(V)).() -> list(V)", (const char *[]){"list(int)"}, 1, NULL);
    expect_call(f, "(A) -> type(A)", (const char *[]){"list(int)"}, 1, "type(list(int))");
    expect_call(f, "(list(A)) -> int", (const char *[]){"null"}, 1, NULL);
    expect_call(f, "(optional(A)) -> int", (const char *[]){"null"}, 1, "int");
}

/* Every trial takes its own unknowns, whether it fits or not: issues show their numbers. */
static void unknowns_are_counted(struct fixture *f)
{
    expect_call(f, "(map(A, B), A) -> int", (const char *[]){"int"}, 1, NULL);
    expect_call(f, "(A) -> int", (const char *[]){"int"}, 1, "int");
    expect_call(f, "(int) -> int", (const char *[]){"int"}, 1, "int");
    assert_ptr_equal(unify_fresh(&f->u), types_param(f->ts, STR("_var3")));
}

/* An argument that is itself unknown is bound to the parameter's whole type. */
static void unknown_arguments(struct fixture *f)
{
    const struct type *unknown = unify_fresh(&f->u), *result = NULL;
    struct overload o = {.function = NULL};
    decl_read(f->ts, &(struct decl){.function = "f", .id = "id", .signature = "(list(A), A) -> A"}, no_types,
              &o);
    const struct type *args[] = {unknown, &type_int};
    assert_true(unify_overload(&f->u, args, 2, &o, &result));
    assert_ptr_equal(result, &type_int);
    assert_ptr_equal(unify_substitute(&f->u, unknown, false), type(f, "list(int)"));
}

#define CASE(name)                                                                                           \
    static void test_##name(void **state)                                                                    \
    {                                                                                                        \
        (void)state;                                                                                         \
        with_fixture(name);                                                                                  \
    }

CASE(assignability)
CASE(parameters_are_bound)
CASE(bindings_get_more_general)
CASE(failed_trials_leave_nothing)
CASE(no_type_holds_itself)
CASE(most_general)
CASE(types_of_types)
CASE(overloads)
CASE(unknowns_are_counted)
CASE(unknown_arguments)

static void test_types_of_types_before(void **state)
{
    (void)state;
    with_release(29, types_of_types_before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assignability),
        cmocka_unit_test(test_parameters_are_bound),
        cmocka_unit_test(test_bindings_get_more_general),
        cmocka_unit_test(test_failed_trials_leave_nothing),
        cmocka_unit_test(test_no_type_holds_itself),
        cmocka_unit_test(test_most_general),
        cmocka_unit_test(test_types_of_types),
        cmocka_unit_test(test_types_of_types_before),
        cmocka_unit_test(test_overloads),
        cmocka_unit_test(test_unknowns_are_counted),
        cmocka_unit_test(test_unknown_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
