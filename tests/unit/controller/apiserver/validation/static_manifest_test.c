#include "controller/apiserver/validation/static_manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* tests/golden/static/1.37.json has what the API server's own loader answers. */
static const struct {
    const char *kind, *name, *member, *said;
    int minor;
} rows[] = {
    {"ValidatingAdmissionPolicy", "a.static.k8s.io", "\"paramKind\":{}",
     "spec.paramKind: ValidatingAdmissionPolicy \"a.static.k8s.io\": spec.paramKind is not supported for "
     "static "
     "manifests",
     37},
    {"ValidatingAdmissionPolicy", "a.static.k8s.io", "\"paramKind\":null", NULL, 37},
    {"ValidatingAdmissionPolicy", "a.static.k8s.io", "\"paramKind\":{}", NULL, 36},
    {"ValidatingAdmissionPolicy", "a.static.k8s.io.x", "\"paramKind\":{}", NULL, 37},
    {"MutatingAdmissionPolicyBinding", "b.static.k8s.io",
     "\"policyName\":\"a.static.k8s.io\",\"paramRef\":{}",
     "spec.paramRef: binding \"b.static.k8s.io\": spec.paramRef is not supported for static manifests", 37},
    {"ValidatingAdmissionPolicyBinding", "b.static.k8s.io", "\"policyName\":\"a\",\"paramRef\":{}",
     "spec.policyName: binding \"b.static.k8s.io\": spec.policyName \"a\" must end with \".static.k8s.io\"",
     37},
};

static struct json_object *parse(const char *text)
{
    struct json_object *json = NULL;
    struct err err = {0};
    if (jsonval_parse(text, strlen(text), &json, &err) != 0)
        fail_msg("%s: %s", text, err.msg);
    return json;
}

static void test_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cleanup_mem char *text = mem_printf("{\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}",
                                            rows[i].kind, rows[i].name, rows[i].member);
        cleanup_json struct json_object *json = parse(text);
        struct fielderrors found = {.minor = rows[i].minor};
        static_manifest_check(json, &found);
        assert_int_equal(found.count, rows[i].said != NULL);
        if (found.count > 0) {
            cleanup_mem char *said = mem_printf("%s: %s", found.items[0].field, found.items[0].message);
            assert_string_equal(said, rows[i].said);
        }
        fielderrors_deinit(&found);
    }
}

static void test_not_behind_other_errors(void **state)
{
    (void)state;
    cleanup_json struct json_object *json =
        parse("{\"kind\":\"MutatingAdmissionPolicy\",\"metadata\":{\"name\":"
              "\"a.static.k8s.io\"},\"spec\":{\"paramKind\":{}}}");
    struct fielderrors found = {.minor = 37};
    fielderrors_add(&found, fielderrors_required(""), "spec.paramKind.kind");
    static_manifest_check(json, &found);
    assert_int_equal(found.count, 1);
    fielderrors_deinit(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_not_behind_other_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
