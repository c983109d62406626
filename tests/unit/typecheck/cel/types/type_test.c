#include "typecheck/cel/types/type.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"

static void in_arena(void (*work)(struct arena *))
{
    struct arena a;
    arena_init(&a, (size_t)16 << 20);
    if (setjmp(a.escape) != 0)
        fail_msg("the arena gave up");
    work(&a);
    arena_deinit(&a);
}

static void expect_text(struct arena *a, const struct type *t, const char *text, const char *long_text)
{
    struct text out = {.arena = a}, long_out = {.arena = a};
    type_print(&out, t);
    assert_true(str_eq(type_text(out.arena, t), text_str(&out)));
    type_print_long(&long_out, t);
    assert_string_equal(text_str(&out).at, text);
    assert_string_equal(text_str(&long_out).at, long_text);
}

static void equal_types_are_one(struct arena *a)
{
    struct types *parent = types_new(a, NULL);
    const struct type *list = types_list(parent, &type_int);
    struct types *ts = types_new(a, parent);
    assert_ptr_equal(types_list(ts, &type_int), list);
    assert_ptr_equal(types_map(ts, &type_string, list),
                     types_map(ts, &type_string, types_list(ts, &type_int)));
    assert_ptr_not_equal(types_list(ts, &type_uint), list);
    assert_ptr_equal(types_opaque(ts, STR("net.IP"), NULL, 0), types_opaque(ts, STR("net.IP"), NULL, 0));
    assert_ptr_not_equal(types_opaque(ts, STR("net.IP"), NULL, 0),
                         types_object(ts, STR("net.IP"), NULL, NULL));
    assert_ptr_equal(types_optional(ts, list), types_opaque(ts, STR("optional_type"), &list, 1));
    int data[2];
    assert_ptr_equal(types_object(ts, STR("A"), NULL, &data[0]), types_object(ts, STR("A"), NULL, &data[0]));
    assert_ptr_not_equal(types_object(ts, STR("A"), NULL, &data[0]),
                         types_object(ts, STR("A"), NULL, &data[1]));
}

static void many_types_stay_apart(struct arena *a)
{
    struct types *ts = types_new(a, NULL);
    const struct type *made[500];
    const struct type *t = &type_int;
    for (size_t i = 0; i < 500; i++)
        made[i] = t = types_list(ts, t);
    t = &type_int;
    for (size_t i = 0; i < 500; i++) {
        t = types_list(ts, t);
        assert_ptr_equal(t, made[i]);
    }
}

static void names(struct arena *a)
{
    struct types *ts = types_new(a, NULL);
    expect_text(a, &type_null, "null", "null_type");
    expect_text(a, &type_any, "any", "google.protobuf.Any");
    expect_text(a, &type_error, "!error!", "error");
    expect_text(a, types_list(ts, &type_timestamp), "list(timestamp)", "list(google.protobuf.Timestamp)");
    expect_text(a, types_map(ts, &type_string, &type_duration), "map(string, duration)",
                "map(string, google.protobuf.Duration)");
    expect_text(a, types_wrapper(ts, &type_int), "wrapper(int)", "wrapper(int)");
    expect_text(a, types_param(ts, STR("A")), "A", "<A>");
    expect_text(a, types_type(ts, &type_null), "type(null)", "type(null_type)");
    expect_text(a, &type_type, "type", "type");
    expect_text(a, types_optional(ts, &type_dyn), "optional_type(dyn)", "optional_type(dyn)");
    expect_text(a, types_object(ts, STR("Pod.spec"), NULL, NULL), "Pod.spec", "Pod.spec");
}

static void wrappers_are_exactly_what_they_wrap(struct arena *a)
{
    struct types *ts = types_new(a, NULL);
    const struct type *wrapper = types_wrapper(ts, &type_int);
    assert_true(type_is_exact(wrapper, &type_int));
    assert_true(
        type_is_exact(types_list(ts, types_list(ts, wrapper)), types_list(ts, types_list(ts, &type_int))));
    assert_false(type_is_exact(types_list(ts, wrapper), types_list(ts, &type_uint)));
}

static void parameters(struct arena *a)
{
    struct types *parent = types_new(a, NULL);
    const struct type *first = types_unknown(parent, 0), *name = types_param(parent, STR("A"));
    struct types *ts = types_new(a, parent);
    const struct type *far = types_unknown(ts, 700);
    assert_ptr_equal(types_unknown(ts, 0), first);
    assert_ptr_equal(types_param(ts, STR("_var700")), far);
    assert_int_equal(first->slot, 0);
    assert_int_equal(name->slot, 1);
    assert_int_equal(far->slot, 2);
    assert_true(types_map(ts, &type_string, types_list(ts, far))->generic);
    assert_false(types_map(ts, &type_string, types_list(ts, &type_dyn))->generic);
}

static void optionals(struct arena *a)
{
    struct types *ts = types_new(a, NULL);
    assert_true(type_is_optional(types_optional(ts, &type_int)));
    assert_false(type_is_optional(types_opaque(ts, STR("optional_type"), NULL, 0)));
    assert_false(type_is_optional(types_list(ts, &type_int)));
}

static void test_interning(void **state)
{
    (void)state;
    in_arena(equal_types_are_one);
    in_arena(many_types_stay_apart);
}

static void test_names(void **state)
{
    (void)state;
    in_arena(names);
}

static void test_properties(void **state)
{
    (void)state;
    in_arena(wrappers_are_exactly_what_they_wrap);
    in_arena(parameters);
    in_arena(optionals);
}

/* Nesting has an end: walks over types recurse. */
static void test_depth(void **state)
{
    (void)state;
    struct arena a;
    volatile int depth = 0;
    arena_init(&a, (size_t)16 << 20);
    if (setjmp(a.escape) == 0) {
        struct types *ts = types_new(&a, NULL);
        const struct type *t = &type_int;
        for (depth = 1; depth < 2 * TYPE_MAX_DEPTH; depth++)
            t = types_list(ts, t);
    }
    assert_int_equal(a.failure, ARENA_STEPS);
    assert_int_equal(depth, TYPE_MAX_DEPTH);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interning),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
