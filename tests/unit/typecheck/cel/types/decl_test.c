#include "typecheck/cel/types/decl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/typecheck/signature.h"
#include "typecheck/base/arena.h"

static const struct decl_type named[] = {
    {"IP", "net.IP", TYPE_OPAQUE, 30},
    {"Quantity", "kubernetes.Quantity", TYPE_OBJECT, 0},
    {NULL, NULL, TYPE_ERROR, 0},
};

static void in_arena(void (*work)(struct arena *))
{
    struct arena a;
    arena_init(&a, (size_t)16 << 20);
    if (setjmp(a.escape) != 0)
        fail_msg("the arena gave up");
    work(&a);
    arena_deinit(&a);
}

static void types(struct arena *a)
{
    struct types *ts = types_new(a, NULL);
    assert_ptr_equal(decl_read_type(ts, "timestamp", named), &type_timestamp);
    assert_ptr_equal(decl_read_type(ts, "type", named), &type_type);
    assert_ptr_equal(decl_read_type(ts, "type(int)", named), types_type(ts, &type_int));
    assert_ptr_equal(decl_read_type(ts, "A", named), types_param(ts, STR("A")));
    assert_ptr_equal(decl_read_type(ts, "map(string, list(dyn))", named),
                     types_map(ts, &type_string, types_list(ts, &type_dyn)));
    assert_ptr_equal(decl_read_type(ts, "optional(wrapper(int))", named),
                     types_optional(ts, types_wrapper(ts, &type_int)));
    assert_ptr_equal(decl_read_type(ts, "IP", named), types_opaque(ts, STR("net.IP"), NULL, 0));
    assert_ptr_equal(decl_read_type(ts, "Quantity", named),
                     types_object(ts, STR("kubernetes.Quantity"), NULL, NULL));
}

static void signatures_print_as_issues_spell_them(struct arena *a)
{
    static const char *const cases[][2] = {
        {"() -> int", "() -> int"},
        {"(list(A), int) -> A", "(list(A), int) -> A"},
        {"string.() -> int", "string.() -> int"},
        {"IP.(string, Quantity) -> bool", "net.IP.(string, kubernetes.Quantity) -> bool"},
        {"map(K, V).(optional(V)) -> V", "map(K, V).(optional_type(V)) -> V"},
    };
    struct types *ts = types_new(a, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct overload o = {.function = NULL};
        struct text t = {.arena = a};
        decl_read(ts, &(struct decl){.function = "f", .id = "the_id", .signature = cases[i][0]}, named, &o);
        signature_add(&t, &o);
        assert_string_equal(text_str(&t).at, cases[i][1]);
        assert_true(str_eq(o.id, STR("the_id")));
    }
}

static void parameters_of_the_result_come_first(struct arena *a)
{
    struct types *ts = types_new(a, NULL);
    struct overload o = {.function = NULL};
    decl_read(
        ts, &(struct decl){.function = "f", .id = "id", .signature = "map(K, V).(K, list(T)) -> optional(V)"},
        named, &o);
    assert_true(o.receiver);
    assert_int_equal(o.arg_count, 3);
    assert_int_equal(o.param_count, 3);
    assert_ptr_equal(o.params[0], types_param(ts, STR("V")));
    assert_ptr_equal(o.params[1], types_param(ts, STR("K")));
    assert_ptr_equal(o.params[2], types_param(ts, STR("T")));
}

static void test_types(void **state)
{
    (void)state;
    in_arena(types);
}

static void test_signatures(void **state)
{
    (void)state;
    in_arena(signatures_print_as_issues_spell_them);
    in_arena(parameters_of_the_result_come_first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_signatures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
