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
#include "controller/apiserver/validation/fielderrors.h"

static struct store *policies;
static size_t n_faults;

static void find_params(struct json_object *binding, const struct policyview *policy,
                        const struct discovery *discovery, struct fielderrors *out)
{
    (void)binding, (void)discovery;
    assert_string_equal(policy->name, "replicas");
    for (size_t i = 0; i < n_faults; i++)
        fielderrors_add(out, mem_strdup("it is wrong\n"), "spec.paramRef");
}

/* wanted: the status and the message of each condition. */
static void expect(const char *policy, size_t faults, const char *wanted)
{
    struct err err = {0};
    cleanup_json struct json_object *json = NULL;
    cleanup_mem char *text = mem_printf("{\"spec\":{\"policyName\":\"%s\"}}", policy);
    struct conditions c;
    struct buf got;
    n_faults = faults;
    assert_int_equal(jsonval_parse(text, strlen(text), &json, &err), 0);
    bindingcheck_init(
        &c, &(struct bindingcheck_input){.binding = json, .policies = policies, .find_params = find_params});
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
    static const char text[] =
        "{\"metadata\":{\"name\":\"replicas\",\"uid\":\"u\",\"resourceVersion\":\"1\"},"
        "\"spec\":{\"validations\":[{\"expression\":\"true\"}]}}";
    struct err err = {0};
    policies = store_new(NULL, NULL);
    assert_int_equal(store_put(policies, text, strlen(text), NULL, &err), 0);
}

static void test_the_policy(void **state)
{
    (void)state;
    begin();
    expect("replicas", 0,
           "PolicyFound=True: policy replicas exists|ParamRefValid=True: paramRef fits the policy|");
    expect("replica", 0,
           "PolicyFound=False: no ValidatingAdmissionPolicy is called replica (did you mean replicas?): the "
           "binding has no effect|");
    expect("other", 0,
           "PolicyFound=False: no ValidatingAdmissionPolicy is called other: the binding has no effect|");
    store_free(policies);
}

static void test_parameters(void **state)
{
    (void)state;
    begin();
    expect("replicas", 2,
           "PolicyFound=True: policy replicas exists|ParamRefValid=False: spec.paramRef: it is wrong; "
           "spec.paramRef: it is wrong|");
    store_free(policies);
}

/* Of a policy whose text was not kept nobody knows the paramKind. */
static void test_a_policy_that_is_left_out(void **state)
{
    enum { CAP_BYTES = 600, LONG = 4000 };
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
    assert_true(store_get(policies, "replicas")->is_left_out);
    expect("replicas", 1, "PolicyFound=True: policy replicas exists|");
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
