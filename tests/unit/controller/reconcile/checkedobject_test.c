#include "controller/reconcile/checkedobject.h"
#include "typecheck/cel/types/celgo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/log.h"

static const struct discovery nothing;
static const struct types_options options = {.scope = TYPES_FULL, .max_types = 10};

/* The object "p", as a store keeps a text that is not deflated. */
static struct store_object stored(const char *text)
{
    return (struct store_object){.key = "p", .packed = text, .packed_len = strlen(text), .len = strlen(text)};
}

static bool is_checked(const char *text, const struct discovery *discovery, const char *selector_text)
{
    struct store_object object = stored(text);
    struct labelselector *selector = NULL;
    struct checkedobject s;
    struct err err = {0};
    if (selector_text != NULL)
        assert_int_equal(labelselector_parse(selector_text, &selector, &err), 0);
    assert_true(checkedobject_init(&s, POLICYVIEW_VALIDATING, &object, discovery, &options, selector));
    assert_string_equal(s.policy->name, "p");
    bool has_check = s.check != NULL;
    checkedobject_deinit(&s);
    labelselector_free(selector);
    return has_check;
}

#define PLAIN   "{\"metadata\":{\"name\":\"p\",\"labels\":{\"team\":\"a\"}}}"
#define SKIPPED "{\"metadata\":{\"name\":\"p\",\"annotations\":{\"vapcheck/skip\":\"true\"}}}"
#define KEPT    "{\"metadata\":{\"name\":\"p\",\"annotations\":{\"vapcheck/skip\":\"false\"}}}"
#define ODD     "{\"metadata\":{\"name\":\"p\",\"annotations\":[]}}"

static void test_who_is_left_alone(void **state)
{
    (void)state;
    assert_true(is_checked(PLAIN, &nothing, NULL));
    assert_true(is_checked(PLAIN, &nothing, "team=a"));
    assert_false(is_checked(PLAIN, &nothing, "team=b"));
    assert_false(is_checked(PLAIN, NULL, NULL));
    assert_false(is_checked(SKIPPED, &nothing, NULL));
    assert_true(is_checked(KEPT, &nothing, NULL));
    assert_true(is_checked(ODD, &nothing, NULL));
}

static void count_key(void *user, const char *key)
{
    assert_string_equal(key, "p");
    ++*(int *)user;
}

/* Returns how often a change of `group` finds a policy with one rule of this group and version. */
static int count_found(const char *rule_group, const char *rule_version, enum types_scope scope,
                       const struct check_result *result, const char *group)
{
    char text[512];
    int found = 0;
    snprintf(text, sizeof text,
             "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"matchConstraints\":{\"resourceRules\":[{"
             "\"apiGroups\":[\"%s\"],\"apiVersions\":[\"%s\"],\"resources\":[\"x\"]}]}}}",
             rule_group, rule_version);
    struct store_object object = stored(text);
    struct dependents *d = dependents_new();
    struct checkedobject s;
    assert_true(checkedobject_init(&s, POLICYVIEW_VALIDATING, &object, &nothing, &options, NULL));
    checkedobject_note(&s, d, "p", scope, result);
    dependents_visit_group(d, group, count_key, &found);
    checkedobject_deinit(&s);
    dependents_free(d);
    return found;
}

static void test_which_groups_count(void **state)
{
    (void)state;
    char message[] = "x";
    const struct types_problem problem = {.reason = TYPES_RESOURCE_NOT_FOUND, .message = message};
    struct check_result unresolved = {.problems = &problem, .n_problems = 1};
    assert_int_equal(count_found("apps", "v1", TYPES_FULL, NULL, "apps"), 1);
    assert_int_equal(count_found("apps", "v1", TYPES_FULL, NULL, "other"), 0);
    assert_int_equal(count_found("apps", "v1", TYPES_FULL, &unresolved, "other"), 1);
    assert_int_equal(count_found("", "v1", TYPES_FULL, NULL, "other"), 0);
    assert_int_equal(count_found("", "v1", TYPES_UPSTREAM, NULL, "other"), 1);
    assert_int_equal(count_found("apps", "", TYPES_UPSTREAM, NULL, "apps.other"), 1);
    assert_int_equal(count_found("apps", "v1", TYPES_UPSTREAM, NULL, "other"), 0);
}

static void test_what_is_no_policy(void **state)
{
    (void)state;
    struct checkedobject s;
    struct store_object object = stored("{}");
    log_set_level(LOG_LEVEL_ERROR);
    assert_false(checkedobject_init(&s, POLICYVIEW_VALIDATING, NULL, &nothing, &options, NULL));
    assert_false(checkedobject_init(&s, POLICYVIEW_VALIDATING, &object, &nothing, &options, NULL));
    object.len = 1;
    assert_false(checkedobject_init(&s, POLICYVIEW_VALIDATING, &object, &nothing, &options, NULL));
}

/* A webhook configuration depends on what each of its webhooks names. */
static void test_groups_of_webhooks(void **state)
{
    (void)state;
    static const char text[] =
        "{\"metadata\":{\"name\":\"p\"},\"webhooks\":[{\"name\":\"a\",\"rules\":[{\"apiGroups\":[\"apps\"]}],"
        "\"matchConditions\":[{\"name\":\"c\",\"expression\":\"true\"}]},{\"name\":\"b\",\"rules\":[{"
        "\"apiGroups\":[\"batch\"],\"apiVersions\":[\"\"]}],\"matchConditions\":[{\"name\":\"c\","
        "\"expression\":\"true\"}]},{\"name\":\"c\",\"rules\":[{\"apiGroups\":[\"unconditional\"]}]}]}";
    const struct store_object object = stored(text);
    static const struct {
        enum types_scope scope;
        const char *group;
        int found;
    } rows[] = {
        {TYPES_FULL, "apps", 1},  {TYPES_FULL, "batch", 1},     {TYPES_FULL, "unconditional", 0},
        {TYPES_FULL, "other", 0}, {TYPES_UPSTREAM, "other", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dependents *d = dependents_new();
        struct checkedobject s;
        int found = 0;
        assert_true(checkedobject_init(&s, POLICYVIEW_WEBHOOKS, &object, &nothing, &options, NULL));
        checkedobject_note(&s, d, "p", rows[i].scope, NULL);
        dependents_visit_group(d, rows[i].group, count_key, &found);
        assert_int_equal(found, rows[i].found);
        checkedobject_deinit(&s);
        dependents_free(d);
    }
}

/* What could not be kept is not clean. */
static void test_what_is_left_out(void **state)
{
    (void)state;
    struct store_object object = stored(PLAIN);
    object.left_out = STORE_NO_ROOM;
    struct env *env = env_new(36, celgo_in(ENV_NEWEST_LEVEL));
    struct checkedobject s;
    assert_true(checkedobject_init(&s, POLICYVIEW_VALIDATING, &object, &nothing, &options, NULL));
    const struct check_result *r = check_run(s.check, env, NULL, NULL);
    assert_int_equal(r->n_problems, 1);
    assert_int_equal(r->problems[0].reason, TYPES_LIMIT_REACHED);
    checkedobject_deinit(&s);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_is_left_alone),  cmocka_unit_test(test_which_groups_count),
        cmocka_unit_test(test_groups_of_webhooks), cmocka_unit_test(test_what_is_no_policy),
        cmocka_unit_test(test_what_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
