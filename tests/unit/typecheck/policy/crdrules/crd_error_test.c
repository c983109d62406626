#include "typecheck/policy/crdrules/crd_error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/json_value.h"

#define BUDGET       ((size_t)4 << 20)
#define COUNT(rows)  (sizeof(rows) / sizeof *(rows))
#define EXPECT(s, t) assert_string_equal(str_copy_text(&a, s), t)

/* With a NUL behind it. */
static const char *str_copy_text(struct arena *a, struct str s)
{
    return str_join(a, STR_PARTS(s, (struct str){"", 1})).at;
}

static void test_paths(void **state)
{
    const struct crd_error_way spec = {NULL, STR_INIT("spec"), CRD_ERROR_FIELD, 0},
                               names = {&spec, STR_INIT("names"), CRD_ERROR_FIELD, 0},
                               entry = {&names, STR_INIT("a.b"), CRD_ERROR_ENTRY, 0},
                               item = {&entry, STR_INIT(""), CRD_ERROR_ITEM, 12},
                               below = {&item, STR_INIT("x"), CRD_ERROR_FIELD, 0};
    const struct {
        const struct crd_error_way *way;
        const char *below, *path;
    } rows[] = {
        {NULL, "", "<nil>"},
        {NULL, "spec", "spec"},
        {&spec, "", "spec"},
        {&spec, "size", "spec.size"},
        {&entry, "", "spec.names[a.b]"},
        {&below, "", "spec.names[a.b][12].x"},
        {&item, "y", "spec.names[a.b][12].y"},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(rows); i++)
        EXPECT(crd_error_path(&a, rows[i].way, str_of(rows[i].below)), rows[i].path);
    arena_deinit(&a);
}

static void test_fields(void **state)
{
    static const char schema[] =
        "{\"properties\":{\"spec\":{\"properties\":{\"a.b\":{},\"it's\":{},\"size\":{}}},"
        "\"map\":{\"additionalProperties\":{\"properties\":{\"x\":{}}}}}}";
    static const char *const rows[][2] = {
        {"", ""},
        {".spec", "spec"},
        {".spec.size", "spec.size"},
        {".spec['a.b']", "spec.a.b"},
        {".spec['it\\'s']", "spec.it's"},
        {".map['k'].x", "map[k].x"},
        {".map.k", "map[k]"},
        {".spec.none", ""},
        {".spec.size.none", ""},
        {".map.k.none", ""},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct value *json = json_value_read(&a, STR(schema));
    for (size_t i = 0; i < COUNT(rows); i++)
        EXPECT(crd_error_field(&a, json, str_of(rows[i][0])), rows[i][1]);
    arena_deinit(&a);
}

static void test_bodies(void **state)
{
    static const struct {
        const char *reason, *value, *detail, *body;
    } rows[] = {
        {"", "1", "no", "Invalid value: 1: no"},
        {"", "\"a\\\"b\"", "no", "Invalid value: \"a\\\"b\": no"},
        {"FieldValueInvalid", "true", "", "Invalid value: true"},
        {"FieldValueInvalid", "1.5", "no", "Invalid value: 1.5: no"},
        {"FieldValueInvalid", NULL, "no", "Invalid value: no"},
        {"FieldValueForbidden", "1", "no", "Forbidden: no"},
        {"FieldValueRequired", "1", "no", "Required value: no"},
        {"FieldValueDuplicate", "1", "no", "Duplicate value: 1"},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct value *v = rows[i].value == NULL ? NULL : json_value_read(&a, str_of(rows[i].value));
        EXPECT(crd_error_body(&a, str_of(rows[i].reason), v, str_of(rows[i].detail)), rows[i].body);
    }
    arena_deinit(&a);
}

static void test_lists(void **state)
{
    static const struct str texts[] = {STR_INIT("a"), STR_INIT("b"), STR_INIT("a"), STR_INIT("b")};
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    EXPECT(crd_error_list(&a, texts, 0), "");
    EXPECT(crd_error_list(&a, texts, 1), "a");
    EXPECT(crd_error_list(&a, texts, COUNT(texts)), "[a, b]");
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
