#include "typecheck/policy/compile/cel_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/cel/types/celgo.h"
#include "typecheck/policy/compile/compiler.h"

/* problem: how it begins; "": none. */
static const struct {
    int minor;
    enum cel_place place;
    const char *text, *problem;
    bool is_internal;
} rows[] = {
    {37, CEL_PLACE_CLAIM_RULE, "claims.x == 'a'", "", false},
    {37, CEL_PLACE_CLAIM_RULE, "claims.x", "must evaluate to bool", false},
    {37, CEL_PLACE_CLAIM_RULE, "1", "must evaluate to bool", false},
    {37, CEL_PLACE_CLAIM_RULE, "google.protobuf.BoolValue{value: true}", "must evaluate to bool", false},
    {37, CEL_PLACE_CLAIM_RULE, "user.username == 'a'", "compilation failed: ERROR: <input>:1:1: undeclared",
     false},
    {37, CEL_PLACE_CLAIM_MAPPING, "claims.x", "", false},
    {37, CEL_PLACE_CLAIM_MAPPING, "claims.x +", "compilation failed: ERROR: <input>:1:11: Syntax error",
     false},
    {37, CEL_PLACE_USER_RULE, "user.username == 'a'", "", false},
    {37, CEL_PLACE_USER_RULE, "user.extra['a'] == ['b'] && user == kubernetes.UserInfo{uid: 'x'}", "", false},
    {37, CEL_PLACE_USER_RULE, "user.name == 'a'",
     "compilation failed: ERROR: <input>:1:5: undefined field 'name'", false},
    {37, CEL_PLACE_ACCESS_REVIEW, "request.user == 'a'", "", false},
    {37, CEL_PLACE_ACCESS_REVIEW, "request.user", "must evaluate to bool but got string", false},
    {37, CEL_PLACE_ACCESS_REVIEW, "request.resourceAttributes.labelSelector.rawSelector == 'x'", "", false},
    {31, CEL_PLACE_ACCESS_REVIEW, "request.resourceAttributes.labelSelector.rawSelector == 'x'",
     "compilation failed: ERROR: <input>:1:27: undefined field 'labelSelector'", false},
    {37, CEL_PLACE_SELECTOR, "device.attributes['a'].b", "", false},
    {37, CEL_PLACE_SELECTOR, "device.driver == 'a' && device.capacity['a'].b.isGreaterThan(quantity('1'))",
     "", false},
    {37, CEL_PLACE_SELECTOR, "device.driver", "must evaluate to bool or the unknown type, not string", false},
    {37, CEL_PLACE_SELECTOR, "dyn(true)", "must evaluate to bool or the unknown type, not dyn", false},
    {37, CEL_PLACE_SELECTOR, "device.allowMultipleAllocations", "", false},
    {35, CEL_PLACE_SELECTOR, "device.allowMultipleAllocations",
     "compilation failed: ERROR: <input>:1:7: undefined field", false},
    {37, CEL_PLACE_SELECTOR, "cel.bind(d, device.attributes['a'], d.b == 'x' || d.c)", "", false},
    {37, CEL_PLACE_SELECTOR, "cel.bind(1, 2, true)",
     "compilation failed: ERROR: <input>:1:10: cel.bind() variable names", false},
    {37, CEL_PLACE_SELECTOR, "cel.bind(a, true)",
     "compilation failed: ERROR: <input>:1:1: undeclared reference to 'cel'", false},
    {37, CEL_PLACE_SELECTOR, "object.x == 1",
     "compilation failed: ERROR: <input>:1:1: undeclared reference to 'object'", false},
    {37, CEL_PLACE_SELECTOR, "type(device) == kubernetes.DRADevice",
     "program instantiation failed: reference to undefined type: kubernetes.DRADevice", true},
};

/* One text, compiled as a server 1.minor does. */
struct fixture {
    struct env *env;
    struct compiler compiler;
    const struct cel_place_compiled *compiled;
};

static void setup(struct fixture *f, int minor, enum cel_place place, const char *text)
{
    f->env = env_new(place == CEL_PLACE_SELECTOR ? minor - 1 : minor, celgo_in(minor));
    compiler_init(&f->compiler, &(struct cel_place_scope){.env = f->env, .minor = minor}, UINT64_MAX);
    f->compiled = compiler_compile(&f->compiler, place, str_of(text));
    assert_non_null(f->compiled);
}

static void teardown(struct fixture *f)
{
    compiler_deinit(&f->compiler);
    env_free(f->env);
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture f;
        setup(&f, rows[i].minor, rows[i].place, rows[i].text);
        const struct compile_problem *problem = &f.compiled->problem;
        if (f.compiled->compiles != (*rows[i].problem == '\0') ||
            !str_has_prefix(problem->text, str_of(rows[i].problem)))
            fail_msg("%s: %.*s", rows[i].text, STR_ARG(problem->text));
        assert_int_equal(problem->is_internal, rows[i].is_internal);
        teardown(&f);
    }
}

static void test_claims_of_email(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool email, verified;
    } uses[] = {
        {"claims.email", true, false},
        {"has(claims.email)", true, false},
        {"claims.?email.orValue('x')", true, false},
        {"claims['email']", false, false},
        {"claims.x.email", false, false},
        {"[1].map(i, claims.email_verified ? claims.email : '')", true, true},
        {"{'a': [claims.email_verified]}", false, true},
        {"other.email", false, false}, /* does not compile */
    };
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        struct fixture f;
        setup(&f, 37, CEL_PLACE_CLAIM_MAPPING, uses[i].text);
        assert_int_equal(f.compiled->uses_email, uses[i].email);
        assert_int_equal(f.compiled->uses_email_verified, uses[i].verified);
        teardown(&f);
    }
}

static uint64_t cost_of(const char *text)
{
    struct fixture f;
    setup(&f, 37, CEL_PLACE_SELECTOR, text);
    const uint64_t cost = f.compiled->cost;
    assert_true(f.compiled->compiles);
    teardown(&f);
    return cost;
}

/* What a device can hold bounds the estimate. */
static void test_costs(void **state)
{
    (void)state;
    const uint64_t limit = cel_place_cost_limit(CEL_PLACE_SELECTOR);
    assert_int_equal(cost_of("true"), 0);
    assert_int_equal(cost_of("device.attributes.all(a, device.attributes[a].all(b, true))"), 3331);
    assert_true(cost_of("device.attributes['a'].b.matches('c+')") < limit);
    assert_true(cost_of("device.attributes.nope.b.matches('c+')") > limit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_claims_of_email),
        cmocka_unit_test(test_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
