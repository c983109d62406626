#include "controller/status/ownership.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/controller/jsontext.h"

#define ENTRY(manager, operation, subresource, fields)                                                       \
    "{\"manager\":\"" manager "\",\"operation\":\"" operation "\",\"subresource\":\"" subresource            \
    "\",\"fieldsV1\":" fields "}"
#define BOUND                                                                                                \
    "{\"f:status\":{\"f:conditions\":{\"k:{\\\"type\\\":\\\"Bound\\\"}\":{\".\":{},\"f:reason\":{}}},"       \
    "\"f:observedGeneration\":{}}}"

static void test_paths_of_our_entry_alone(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "f:status/f:conditions/k:{\"type\":\"Bound\"}/.",
        "f:status/f:conditions/k:{\"type\":\"Bound\"}/f:reason",
        "f:status/f:observedGeneration",
    };
    struct json_object *object = jsontext_parse(
        "{\"metadata\":{\"managedFields\":[" ENTRY("me", "Apply", "", "{\"f:spec\":{\"f:x\":{}}}") "," ENTRY(
            "me", "Update", "status",
            "{\"f:status\":{\"f:x\":{}}}") "," ENTRY("other", "Apply", "status",
                                                     "{\"f:status\":{\"f:x\":{}}}") "," ENTRY("me", "Apply",
                                                                                              "status",
                                                                                              BOUND) ",null,{"
                                                                                                     "}]}}");
    struct ownership set, wanted = {0};
    ownership_read(&set, object, "me", "status");
    assert_int_equal(set.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(set.paths[i], expected[i]);
        assert_true(ownership_has(&set, expected[i]));
        ownership_add(&wanted, expected[2 - i]);
        ownership_add(&wanted, expected[2 - i]);
    }
    assert_false(ownership_has(&set, "f:status"));
    ownership_sort(&wanted);
    assert_true(ownership_equal(&set, &wanted));
    ownership_add(&wanted, "f:status/f:zzz");
    ownership_sort(&wanted);
    assert_false(ownership_equal(&set, &wanted));
    ownership_deinit(&set);
    ownership_deinit(&wanted);
    json_object_put(object);
}

static void test_an_object_without_managers(void **state)
{
    (void)state;
    struct json_object *object = jsontext_parse("{\"metadata\":{\"managedFields\":{}}}");
    struct ownership set;
    ownership_read(&set, object, "me", "status");
    assert_int_equal(set.count, 0);
    assert_false(ownership_has(&set, "f:status"));
    ownership_read(&set, NULL, "me", "status");
    assert_int_equal(set.count, 0);
    ownership_sort(&set);
    ownership_deinit(&set);
    json_object_put(object);
}

static void test_the_strongest_hold_of_others(void **state)
{
    (void)state;
    static const char reason[] = "f:status/f:conditions/k:{\"type\":\"Bound\"}/f:reason";
    const char *holder = NULL;
    struct json_object *updated = jsontext_parse("{\"metadata\":{\"managedFields\":[" ENTRY(
        "me", "Apply", "status", BOUND) "," ENTRY("kubectl", "Update", "status", BOUND) "]}}");
    struct json_object *applied = jsontext_parse("{\"metadata\":{\"managedFields\":[" ENTRY(
        "argo", "Apply", "", BOUND) "," ENTRY("kubectl", "Update", "status", BOUND) "]}}");
    assert_int_equal(ownership_others(updated, "me", reason, &holder), OWNERSHIP_UPDATED);
    assert_string_equal(holder, "kubectl");
    assert_int_equal(ownership_others(applied, "me", reason, &holder), OWNERSHIP_APPLIED);
    assert_string_equal(holder, "argo");
    assert_int_equal(ownership_others(applied, "me", "f:status/f:none", NULL), OWNERSHIP_FREE);
    json_object_put(updated);
    json_object_put(applied);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_of_our_entry_alone),
        cmocka_unit_test(test_an_object_without_managers),
        cmocka_unit_test(test_the_strongest_hold_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
