#include "typecheck/cel/types/mutation_types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/type.h"

static void test_names(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail();
    struct types *ts = types_new(&a, NULL);
    assert_ptr_equal(mutation_types_type(ts, STR("Object")), mutation_types_object(ts));
    assert_ptr_equal(mutation_types_type(ts, STR("Object.spec")),
                     mutation_types_type(ts, STR("Object.spec")));
    assert_ptr_not_equal(mutation_types_type(ts, STR("Object.spec")), mutation_types_object(ts));
    assert_ptr_equal(mutation_types_patches(ts)->params[0], mutation_types_type(ts, STR("JSONPatch")));
    assert_null(mutation_types_type(ts, STR("Objects")));
    assert_null(mutation_types_type(ts, STR("JSONPatch.a")));
    arena_deinit(&a);
}

static void test_fields(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail();
    struct types *ts = types_new(&a, NULL);
    const struct type *object = mutation_types_object(ts), *patch = mutation_types_type(ts, STR("JSONPatch"));
    assert_ptr_equal(object->ops->field(object, STR("any"), ts), &type_dyn);
    assert_ptr_equal(patch->ops->field(patch, STR("path"), ts), &type_string);
    assert_ptr_equal(patch->ops->field(patch, STR("value"), ts), &type_dyn);
    assert_null(patch->ops->field(patch, STR("any"), ts));
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
