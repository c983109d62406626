#include "typecheck/policy/compile/device_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/cel/types/celgo.h"

/* problem: how it begins; "": none. */
static const struct {
    int minor;
    const char *text, *problem;
    bool is_internal;
} rows[] = {
    {37, "device.attributes['a'].b", "", false},
    {37, "device.driver == 'a' && device.capacity['a'].b.isGreaterThan(quantity('1'))", "", false},
    {37, "device.driver", "must evaluate to bool or the unknown type, not string", false},
    {37, "dyn(true)", "must evaluate to bool or the unknown type, not dyn", false},
    {37, "device.allowMultipleAllocations", "", false},
    {35, "device.allowMultipleAllocations", "compilation failed: ERROR: <input>:1:7: undefined field", false},
    {37, "cel.bind(d, device.attributes['a'], d.b == 'x' || d.c)", "", false},
    {37, "cel.bind(1, 2, true)", "compilation failed: ERROR: <input>:1:10: cel.bind() variable names", false},
    {37, "cel.bind(a, true)", "compilation failed: ERROR: <input>:1:1: undeclared reference to 'cel'", false},
    {37, "object.x == 1", "compilation failed: ERROR: <input>:1:1: undeclared reference to 'object'", false},
    {37, "type(device) == kubernetes.DRADevice",
     "program instantiation failed: reference to undefined type: kubernetes.DRADevice", true},
};

static bool compile(struct device_check *c, struct env **env, int minor, const char *text,
                    struct device_checked *out, uint64_t steps)
{
    *env = env_new(minor - 1, celgo_in(minor));
    device_check_init(c, *env, minor, steps);
    return device_check_compile(c, str_of(text), out);
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct env *env;
        struct device_check c;
        struct device_checked found;
        assert_true(compile(&c, &env, rows[i].minor, rows[i].text, &found, UINT64_MAX));
        if (*rows[i].problem == '\0' ? found.problem.text.len != 0
                                     : !str_has_prefix(found.problem.text, str_of(rows[i].problem)))
            fail_msg("%s: %.*s", rows[i].text, STR_ARG(found.problem.text));
        assert_int_equal(found.problem.is_internal, rows[i].is_internal);
        device_check_deinit(&c);
        env_free(env);
    }
}

static uint64_t cost_of(const char *text)
{
    struct env *env;
    struct device_check c;
    struct device_checked found;
    assert_true(compile(&c, &env, 37, text, &found, UINT64_MAX));
    assert_int_equal(found.problem.text.len, 0);
    device_check_deinit(&c);
    env_free(env);
    return found.cost;
}

/* What a device can hold bounds the estimate. */
static void test_costs(void **state)
{
    (void)state;
    assert_int_equal(cost_of("true"), 0);
    assert_int_equal(cost_of("device.attributes.all(a, device.attributes[a].all(b, true))"), 3331);
    assert_true(cost_of("device.attributes['a'].b.matches('c+')") < DEVICE_CHECK_MAX_COST);
    assert_true(cost_of("device.attributes.nope.b.matches('c+')") > DEVICE_CHECK_MAX_COST);
}

static void test_caps(void **state)
{
    (void)state;
    struct env *env;
    struct device_check c;
    struct device_checked found;
    assert_false(compile(&c, &env, 37, "device.driver == 'a'", &found, 3));
    assert_false(device_check_compile(&c, STR("true"), &found));
    device_check_deinit(&c);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_caps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
