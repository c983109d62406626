#include "controller/reconcile/bindingcheck.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

static struct store *policies;
/* param_ref: JSON, or NULL for a binding without one. wanted: the status and the message of each condition.
 */
static void expect(const char *policy, const char *param_ref, const char *wanted)
{
    struct err err = {0};
    cleanup_json struct json_object *json = NULL;
    cleanup_mem char *text =
        mem_printf("{\"spec\":{\"policyName\":\"%s\"%s%s}}", policy,
                   param_ref == NULL ? "" : ",\"paramRef\":", param_ref == NULL ? "" : param_ref);
    struct conditions c;
    struct buf got;
    assert_int_equal(jsonval_parse(text, strlen(text), &json, &err), 0);
    bindingcheck_init(&c, &(struct bindingcheck_input){.binding = json, .policies = policies});
    buf_init(&got, 4096);
    for (size_t i = 0; i < c.count; i++)
        buf_printf(&got, "%s=%s: %s|", c.items[i].type, c.items[i].status, c.items[i].message);
    assert_string_equal(got.data, wanted);
    assert_int_equal(bindingcheck_faults(&c), strstr(wanted, "=False") != NULL);
    buf_deinit(&got);
    conditions_deinit(&c);
}

static void begin(void)
{
    static const char *const texts[] = {
        "{\"metadata\":{\"name\":\"replicas\",\"uid\":\"u\",\"resourceVersion\":\"1\"},"
        "\"spec\":{\"validations\":[{\"expression\":\"true\"}]}}",
        "{\"metadata\":{\"name\":\"limited\",\"uid\":\"v\",\"resourceVersion\":\"1\"},"
        "\"spec\":{\"paramKind\":{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"},"
        "\"validations\":[{\"expression\":\"params.data.limit == '1'\"}]}}",
    };
    struct err err = {0};
    policies = store_new(NULL, NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(store_put(policies, texts[i], strlen(texts[i]), NULL, &err), 0);
}

static void test_the_policy(void **state)
{
    (void)state;
    begin();
    expect("replicas", NULL,
           "PolicyFound=True: policy replicas exists|ParamRefValid=True: paramRef fits the policy|");
    expect("replica", NULL,
           "PolicyFound=False: no ValidatingAdmissionPolicy is called replica (did you mean replicas?): the "
           "binding has no effect|");
    expect("other", NULL,
           "PolicyFound=False: no ValidatingAdmissionPolicy is called other: the binding has no effect|");
    store_free(policies);
}

static void test_parameters(void **state)
{
    (void)state;
    begin();
    expect(
        "replicas", "{\"name\":\"limits\"}",
        "PolicyFound=True: policy replicas exists|ParamRefValid=False: spec.paramRef: it is ignored: policy "
        "replicas has no paramKind|");
    expect(
        "limited", NULL,
        "PolicyFound=True: policy limited exists|ParamRefValid=False: spec.paramRef: it is missing: policy "
        "limited has paramKind v1 ConfigMap, and params is null without it|");
    store_free(policies);
}

/* Of a policy whose text was not kept nobody knows the paramKind. */
static void test_a_policy_that_is_left_out(void **state)
{
    enum { CAP_BYTES = 600, LONG = STORE_PACKED_BYTES };
    struct store_budget budget = {.cap_bytes = CAP_BYTES};
    struct err err = {0};
    cleanup_mem char *text =
        mem_printf("{\"metadata\":{\"name\":\"replicas\",\"uid\":\"u\",\"resourceVersion\":"
                   "\"1\"},\"spec\":{\"validations\":[{\"expression\":\"%*s\"}]}}",
                   LONG, "true");
    (void)state;
    policies = store_new(NULL, NULL);
    store_set_budget(policies, &budget);
    assert_int_equal(store_put(policies, text, strlen(text), NULL, &err), 0);
    assert_int_equal(store_get(policies, "replicas")->left_out, STORE_NO_ROOM);
    expect("replicas", "{\"name\":\"limits\"}", "PolicyFound=True: policy replicas exists|");
    store_free(policies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_policy),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_a_policy_that_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
