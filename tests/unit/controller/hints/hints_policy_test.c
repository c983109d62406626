#include "controller/hints/hints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/discovery/discovery_parse.h"
#include "client/text/jsonval.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"

/* clang-format off */
static const char groups[] =
    "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\",\"items\":[{\"metadata\":{\"name\":\"g\"},"
    "\"versions\":[{\"version\":\"v1\",\"freshness\":\"Current\",\"resources\":["
    "{\"resource\":\"things\",\"singularResource\":\"thing\",\"responseKind\":{\"kind\":\"Thing\"},\"scope\":\"Namespaced\","
    "\"verbs\":[\"create\",\"update\"]}]}]}]}";
static const char g_v1[] =
    "{\"components\":{\"schemas\":{\"Thing\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":"
    "{\"number\":{\"type\":\"integer\"},\"color\":{\"type\":\"string\"}}}},"
    "\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"Thing\"}]}}}}";
static const char text[] =
    "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"g\"],"
    "\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\"],\"resources\":[\"things\"]}]},\"validations\":["
    "{\"expression\":\"object.spec.colour.startswith('a') && object.number > 1\"},"
    "{\"expression\":\"object.spec.number > 1\"},"
    "{\"expression\":\"object.spec.nubmer > 1\"}]}}";
/* clang-format on */

#define FIRST "spec.validations[0].expression"

struct fixture {
    struct env *env;
    struct discovery *discovery;
    struct schema *schema;
    struct json_object *json;
    struct policyview *policy;
    struct check *check;
    struct fielderror refusal;
    struct fielderrors refusals;
    struct hints_cluster cluster;
};

static const struct schema *lookup(void *user, const char *path, enum openapi_state *state)
{
    const struct fixture *f = user;
    (void)path;
    *state = OPENAPI_FRESH;
    return f->schema;
}

static int setup(void **state)
{
    static struct fixture f;
    struct err err = {0};
    f.env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    f.schema = schema_new(g_v1, sizeof g_v1 - 1, NULL, 0, NULL);
    assert_int_equal(discovery_parse(NULL, 0, groups, sizeof groups - 1, &f.discovery, &err), 0);
    assert_int_equal(jsonval_parse(text, sizeof text - 1, &f.json, &err), 0);
    assert_int_equal(policyview_new_of(POLICYVIEW_VALIDATING, f.json, &f.policy, &err), 0);
    f.cluster = (struct hints_cluster){
        .discovery = f.discovery, .env = f.env, .new_env = f.env, .lookup = lookup, .user = &f};
    f.cluster.types.max_types = TYPES_MAX_DEFAULT;
    f.check = check_new(f.policy, f.discovery, &f.cluster.types);
    check_run(f.check, f.env, lookup, &f);
    f.refusal.field = FIRST;
    f.refusals = (struct fielderrors){.items = &f.refusal, .count = 1};
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    check_free(f->check);
    policyview_free(f->policy);
    json_object_put(f->json);
    discovery_free(f->discovery);
    schema_free(f->schema);
    env_free(f->env);
    return 0;
}

static struct hints_run *start(struct fixture *f, uint64_t max_steps)
{
    return hints_start(&f->cluster, f->policy, &f->refusals, check_result(f->check), max_steps);
}

static void test_slices_find_the_same(void **state)
{
    static const char first[] = "did you mean 'startsWith' and 'color' and 'spec.number'?";
    struct fixture *f = *state;
    struct hints whole;
    size_t slices = 1;
    hints_of_policy(&f->cluster, f->policy, &f->refusals, check_result(f->check), &whole);
    assert_string_equal(hints_get(&whole, FIRST, NULL), first);
    struct hints_run *run = start(f, HINTS_MAX_STEPS);
    for (; hints_step(run, 1); slices++)
        assert_true(hints_bytes(run) < (size_t)1024 * 1024);
    assert_true(slices > 20);
    assert_string_equal(hints_get(hints_found(run), FIRST, NULL), first);
    assert_null(hints_get(hints_found(run), "spec.validations[1].expression", NULL));
    assert_string_equal(hints_get(hints_found(run), "spec.validations[2].expression", NULL),
                        "did you mean 'number'?");
    hints_end(run);
    hints_deinit(&whole);
}

/* Wherever a run ends, what it holds is freed: a sanitizer looks for what is not. */
static void test_a_run_ends_early(void **state)
{
    struct fixture *f = *state;
    bool has_more = true;
    for (size_t slices = 0; has_more; slices++) {
        struct hints_run *run = start(f, HINTS_MAX_STEPS);
        has_more = true;
        for (size_t i = 0; i < slices && has_more; i++)
            has_more = hints_step(run, 1000);
        hints_end(run);
    }
}

static void test_the_budget_ends(void **state)
{
    struct fixture *f = *state;
    for (uint64_t steps = 0; steps < 20000; steps += 500) {
        struct hints_run *run = start(f, steps);
        while (hints_step(run, 1000))
            assert_true(hints_steps(run) <= steps);
        assert_true(hints_steps(run) <= steps);
        hints_end(run);
    }
}

enum { VARIABLES = 400 };

/* The policy of the fixture with many variables before its expressions. */
static struct policyview *with_variables(struct json_object **json)
{
    struct err err = {0};
    struct policyview *policy;
    assert_int_equal(jsonval_parse(text, sizeof text - 1, json, &err), 0);
    struct json_object *variables = json_object_new_array();
    for (int i = 0; i < VARIABLES; i++) {
        struct json_object *one = json_object_new_object();
        cleanup_mem char *name = mem_printf("v%d", i);
        json_object_object_add(one, "name", json_object_new_string(name));
        json_object_object_add(one, "expression", json_object_new_string("[1, 2, 3].map(x, x + 1)"));
        json_object_array_add(variables, one);
    }
    json_object_object_add(jsonval_get(*json, "spec"), "variables", variables);
    assert_int_equal(policyview_new_of(POLICYVIEW_VALIDATING, *json, &policy, &err), 0);
    return policy;
}

/* Each trial compiles all variables, but a slice ends between two of them. */
static void test_a_slice_is_short(void **state)
{
    struct fixture *f = *state;
    struct json_object *json;
    struct policyview *policy = with_variables(&json);
    struct fielderror refusal = {.field = FIRST};
    const struct fielderrors refusals = {.items = &refusal, .count = 1};
    struct hints_run *run = hints_start(&f->cluster, policy, &refusals, NULL, HINTS_MAX_STEPS);
    uint64_t longest = 0, before = 0;
    for (bool has_more = true; has_more; before = hints_steps(run)) {
        has_more = hints_step(run, 1);
        const uint64_t spent = hints_steps(run) - before;
        longest = spent > longest ? spent : longest;
    }
    assert_non_null(hints_get(hints_found(run), FIRST, NULL));
    struct create_check_result whole;
    create_check_policy(f->env, &policy->policy, &whole);
    assert_in_range(longest, 1, whole.arena.steps / 4);
    create_check_result_deinit(&whole);
    hints_end(run);
    policyview_free(policy);
    json_object_put(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_find_the_same),
        cmocka_unit_test(test_a_run_ends_early),
        cmocka_unit_test(test_the_budget_ends),
        cmocka_unit_test(test_a_slice_is_short),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
