#include "typecheck/policy/crdrules/crd_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/json_value.h"

#define BUDGET      ((size_t)4 << 20)
#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

#define OBJECT "{\"properties\":{\"a\":{},\"b\":{}}}"
#define MAP                                                                                                  \
    "{\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"k\",\"n\"],"                      \
    "\"items\":{\"properties\":{\"k\":{},\"n\":{},\"v\":{}}}}"

static struct crd_twin twin_of(struct arena *a, const char *schema, const char *now, const char *before)
{
    return (struct crd_twin){json_value_read(a, str_of(now)), json_value_read(a, str_of(before)),
                             json_value_read(a, str_of(schema))};
}

static void test_equality(void **state)
{
    static const struct {
        const char *schema, *now, *before;
        bool is_equal;
    } rows[] = {
        {"{}", "1", "1", true},
        {"{}", "1", "2", false},
        {"{}", "1", "1.5", false},
        {"{}", "\"a\"", "\"a\"", true},
        {"{}", "null", "null", true},
        {"{}", "null", "false", false},
        {OBJECT, "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true},
        {OBJECT, "{\"a\":1}", "{\"a\":1,\"b\":2}", false},
        {OBJECT, "{\"a\":1}", "{\"b\":1}", false},
        {OBJECT, "{\"c\":1}", "{\"c\":1}", false}, /* the schema does not know it */
        {"{\"additionalProperties\":{}}", "{\"c\":{\"d\":1}}", "{\"c\":{\"d\":1}}", false},
        {"{\"additionalProperties\":{}}", "{\"c\":1}", "{\"c\":1}", true},
        {"{\"items\":{}}", "[1,2]", "[1,2]", true},
        {"{\"items\":{}}", "[1,2]", "[2,1]", false},
        {"{\"items\":{}}", "[1]", "[1,2]", false},
        {"{\"items\":{}}", "[{\"d\":[1]}]", "[{\"d\":[1]}]", true},
        {MAP, "[{\"k\":1,\"n\":2,\"v\":3},{\"k\":1,\"n\":3}]",
         "[{\"k\":1,\"n\":3},{\"k\":1,\"n\":2,\"v\":3}]", true},
        {MAP, "[{\"k\":1,\"n\":2,\"v\":3}]", "[{\"k\":1,\"n\":2,\"v\":4}]", false},
        {MAP, "[{\"k\":1,\"v\":3}]", "[{\"k\":1,\"v\":3}]", false}, /* a key is missing */
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct crd_twin twin = twin_of(&a, rows[i].schema, rows[i].now, rows[i].before);
        if (crd_twin_is_equal(&a, &twin) != rows[i].is_equal)
            fail_msg("%s, %s of %s", rows[i].now, rows[i].before, rows[i].schema);
    }
    arena_deinit(&a);
}

static void test_members(void **state)
{
    struct arena a;
    struct crd_twin found;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct crd_twin twin = twin_of(&a, OBJECT, "{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":10,\"c\":30}");
    assert_true(crd_twin_member(&a, &twin, STR("a"), &found));
    assert_int_equal(found.now->integer, 1);
    assert_int_equal(found.before->integer, 10);
    assert_false(crd_twin_member(&a, &twin, STR("b"), &found)); /* was not there */
    assert_false(crd_twin_member(&a, &twin, STR("c"), &found)); /* has no schema */
    assert_false(crd_twin_member(&a, &twin, STR("d"), &found));
    arena_deinit(&a);
}

static void test_items(void **state)
{
    static const char now[] =
        "[{\"k\":2,\"n\":\"x\",\"v\":1},{\"k\":1,\"n\":\"x\"},{\"k\":null,\"n\":\"x\"}]",
                      before[] =
                          "[{\"k\":1,\"n\":\"y\"},{\"k\":2,\"n\":\"x\",\"v\":9},{\"k\":null,\"n\":\"x\"}]";
    struct arena a;
    struct crd_twin found;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct crd_twin twin = twin_of(&a, MAP, now, before),
                          plain = twin_of(&a, "{\"items\":{}}", now, now);
    assert_true(crd_twin_item(&a, &twin, 0, &found));
    assert_ptr_equal(found.before, twin.before->list->items[1]);
    assert_ptr_equal(crd_twin_find(&a, twin.schema, twin.before, found.now), found.before);
    assert_false(crd_twin_item(&a, &twin, 1, &found));  /* one of two keys differs */
    assert_false(crd_twin_item(&a, &twin, 2, &found));  /* null is no key */
    assert_false(crd_twin_item(&a, &twin, 3, &found));  /* there is no such item */
    assert_false(crd_twin_item(&a, &plain, 0, &found)); /* the list has no keys */
    assert_null(crd_twin_find(&a, twin.schema, NULL, twin.now->list->items[0]));
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
