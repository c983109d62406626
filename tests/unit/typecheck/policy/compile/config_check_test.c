#include "typecheck/policy/compile/config_check.h"

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
    int level;
    enum config_place place;
    const char *text, *problem;
} rows[] = {
    {37, CONFIG_CLAIM_RULE, "claims.x == 'a'", ""},
    {37, CONFIG_CLAIM_RULE, "claims.x", "must evaluate to bool"},
    {37, CONFIG_CLAIM_RULE, "1", "must evaluate to bool"},
    {37, CONFIG_CLAIM_RULE, "google.protobuf.BoolValue{value: true}", "must evaluate to bool"},
    {37, CONFIG_CLAIM_RULE, "user.username == 'a'", "compilation failed: ERROR: <input>:1:1: undeclared"},
    {37, CONFIG_CLAIM_MAPPING, "claims.x", ""},
    {37, CONFIG_CLAIM_MAPPING, "claims.x +", "compilation failed: ERROR: <input>:1:11: Syntax error"},
    {37, CONFIG_USER_RULE, "user.username == 'a'", ""},
    {37, CONFIG_USER_RULE, "user.extra['a'] == ['b'] && user == kubernetes.UserInfo{uid: 'x'}", ""},
    {37, CONFIG_USER_RULE, "user.name == 'a'",
     "compilation failed: ERROR: <input>:1:5: undefined field 'name'"},
    {37, CONFIG_ACCESS_REVIEW, "request.user == 'a'", ""},
    {37, CONFIG_ACCESS_REVIEW, "request.user", "must evaluate to bool but got string"},
    {37, CONFIG_ACCESS_REVIEW, "request.resourceAttributes.labelSelector.rawSelector == 'x'", ""},
    {31, CONFIG_ACCESS_REVIEW, "request.resourceAttributes.labelSelector.rawSelector == 'x'",
     "compilation failed: ERROR: <input>:1:27: undefined field 'labelSelector'"},
};

static struct env *env_of(int level)
{
    return env_new(level, celgo_in(level));
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct env *env = env_of(rows[i].level);
        struct config_check c;
        struct config_checked found;
        config_check_init(&c, env, UINT64_MAX);
        assert_true(config_check_compile(&c, rows[i].place, str_of(rows[i].text), &found));
        if (*rows[i].problem == '\0' ? found.problem.text.len != 0
                                     : !str_has_prefix(found.problem.text, str_of(rows[i].problem)))
            fail_msg("%s: %.*s", rows[i].text, STR_ARG(found.problem.text));
        config_check_deinit(&c);
        env_free(env);
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
    struct env *env = env_of(37);
    struct config_check c;
    config_check_init(&c, env, UINT64_MAX);
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        struct config_checked found;
        assert_true(config_check_compile(&c, CONFIG_CLAIM_MAPPING, str_of(uses[i].text), &found));
        assert_int_equal(found.uses_email, uses[i].email);
        assert_int_equal(found.uses_email_verified, uses[i].verified);
    }
    config_check_deinit(&c);
    env_free(env);
}

/* All texts pay from one budget; what comes behind its end is not known. */
static void test_a_budget_for_all(void **state)
{
    (void)state;
    struct env *env = env_of(37);
    struct config_check c;
    struct config_checked found;
    size_t n = 0;
    config_check_init(&c, env, 2000);
    while (config_check_compile(&c, CONFIG_CLAIM_RULE, STR("claims.x == 'a'"), &found) && n < 100000)
        n++;
    assert_in_range(n, 1, 1000);
    assert_true(c.is_exhausted);
    assert_false(config_check_compile(&c, CONFIG_CLAIM_RULE, STR("true"), &found));
    config_check_deinit(&c);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_claims_of_email),
        cmocka_unit_test(test_a_budget_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
