#include "typecheck/schema/crd_type.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/typecheck/selfschema.h"
#include "typecheck/base/arena.h"
#include "typecheck/types/type.h"

static const struct {
    const char *field, *type; /* "": none */
    int64_t max_elements, min_bytes;
} rows[] = {
    {"s", "string", 40, 2},
    {"t", "string", 3145726, 2},
    {"e", "string", 3, 2},
    {"n", "int", 0, 1},
    {"y", "bytes", 20, 2},
    {"u", "duration", 32, 3},
    {"w", "timestamp", 32, 21},
    {"i", "dyn", 3145726, 1},
    {"l", "list(string)", 5, 2},
    {"k", "list(string)", 1048575, 2},
    {"m", "map(string, string)", 3, 2},
    {"a", "list(T.a.@idx)", 314572, 2},
    {"__namespace__", "string", 24, 2},
    {"namespace", "", 0, 0},
    {"no type", "", 0, 0},
    {"anything", "", 0, 0},
    {"kind", "string", 3145726, 2},
    {"metadata", "T.metadata", 0, 2},
};

static void test_fields(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("no memory");
    struct types *ts = types_new(&a, NULL);
    const struct crd_type *root = crd_type_derive(&a, &selfschema_root);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str name = str_of(rows[i].field);
        const struct crd_type *field = crd_type_field(root, name);
        if (rows[i].type[0] == '\0') {
            assert_null(field);
            continue;
        }
        assert_non_null(field);
        struct str path = str_join(&a, STR_PARTS(STR("T."), name));
        assert_string_equal(type_text(&a, crd_type_type(ts, field, path)).at, rows[i].type);
        assert_int_equal(field->max_elements, rows[i].max_elements);
        assert_int_equal(field->min_bytes, rows[i].min_bytes);
    }
    /* {} and the one required field that has a type: "n":0, */
    assert_int_equal(root->min_bytes, 2 + 1 + 1 + 4);
    assert_int_equal(crd_type_cardinality(root), 3 * 1024 * 1024 / 9);
    selfschema_forget(&selfschema_root);
    arena_deinit(&a);
}

/* Both spellings of a field that is called like a keyword lead to it. */
static void test_types_know_their_fields(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("no memory");
    struct types *ts = types_new(&a, NULL);
    const struct type *t = crd_type_type(ts, crd_type_derive(&a, &selfschema_root), STR("T"));
    assert_string_equal(t->name.at, "T");
    assert_ptr_equal(t->ops->field(t, STR("n"), ts), &type_int);
    assert_ptr_equal(t->ops->field(t, STR("namespace"), ts), &type_string);
    assert_ptr_equal(t->ops->field(t, STR("__namespace__"), ts), &type_string);
    assert_null(t->ops->field(t, STR("nope"), ts));
    const struct type *metadata = t->ops->field(t, STR("metadata"), ts);
    assert_ptr_equal(metadata->ops->field(metadata, STR("generateName"), ts), &type_string);
    assert_null(metadata->ops->field(metadata, STR("labels"), ts));
    struct str name;
    assert_true(t->ops->name(t, 0, &name));
    assert_string_equal(name.at, "__namespace__");
    selfschema_forget(&selfschema_root);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_types_know_their_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
