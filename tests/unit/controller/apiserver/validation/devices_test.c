#include "controller/apiserver/validation/devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "tests/unit/controller/jsontext.h"
#include "typecheck/cel/types/celgo.h"

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        bool is_ours;
    } rows[] = {
        {"{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"DeviceClass\"}", true},
        {"{\"apiVersion\":\"resource.k8s.io/v7\",\"kind\":\"ResourceClaimTemplate\"}", true},
        {"{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\"}", false},
        {"{\"apiVersion\":\"resource.k8s.io\",\"kind\":\"DeviceClass\"}", false},
        {"{\"apiVersion\":\"example.com/v1\",\"kind\":\"ResourceClaim\"}", false},
        {"{\"kind\":\"ResourceClaim\"}", false},
        {"[]", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *json = jsontext_parse(rows[i].json);
        assert_int_equal(devices_is_kind(json), rows[i].is_ours);
        json_object_put(json);
    }
    assert_false(devices_is_supported(33));
    assert_true(devices_is_supported(34));
}

static void test_fields(void **state)
{
    (void)state;
    static const char v1[] = "spec.devices.requests[0].exactly.selectors[1].cel.expression";
    struct json_object *nested =
        jsontext_parse("{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\"}");
    struct json_object *flat =
        jsontext_parse("{\"apiVersion\":\"resource.k8s.io/v1beta1\",\"kind\":\"ResourceClaim\"}");
    cleanup_mem char *same = devices_field(nested, v1);
    cleanup_mem char *in_request = devices_field(flat, v1);
    cleanup_mem char *other = devices_field(flat, "spec.devices.requests");
    assert_string_equal(same, v1);
    assert_string_equal(in_request, "spec.devices.requests[0].selectors[1].cel.expression");
    assert_string_equal(other, "spec.devices.requests");
    assert_true(devices_is_selector(v1));
    assert_false(devices_is_selector("spec.selectors[0].cel"));
    assert_false(devices_is_selector("cel.expression"));
    json_object_put(nested);
    json_object_put(flat);
}

/* What is of another type than it should be is passed over; tests/golden/devices has the answers. */
static void test_odd_objects(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "{\"kind\":\"DeviceClass\"}",
        "{\"kind\":\"DeviceClass\",\"spec\":{\"selectors\":{}}}",
        "{\"kind\":\"DeviceClass\",\"spec\":[]}",
        "{\"kind\":\"ResourceClaim\",\"spec\":{\"devices\":{\"requests\":1}}}",
        "{\"kind\":\"ResourceClaimTemplate\",\"spec\":{\"spec\":[]}}",
    };
    struct env *env = env_new(ENV_NEWEST_LEVEL - 1, celgo_in(ENV_NEWEST_LEVEL));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *json = jsontext_parse(rows[i]);
        struct fielderrors found = {.minor = ENV_NEWEST_LEVEL};
        devices_check(json, env, &found);
        assert_int_equal(found.count, 0);
        fielderrors_deinit(&found);
        json_object_put(json);
    }
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_odd_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
