#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/policy/abstract/names.h"

static const struct policy_request of_pods[] = {
    {.version = STR_INIT("v1"), .resource = STR_INIT("pods")},
    {.version = STR_INIT("v1"), .resource = STR_INIT("pods"), .subresource = STR_INIT("status")},
};
static const struct policy_request of_policies[] = {
    {.group = STR_INIT("policy"), .version = STR_INIT("v1"), .resource = STR_INIT("policies")},
};
static const struct policy_type types[] = {
    {.version = STR_INIT("v1"), .kind = STR_INIT("Pod"), .requests = of_pods, .request_count = 2},
    {.group = STR_INIT("policy"),
     .version = STR_INIT("v1"),
     .kind = STR_INIT("Policy"),
     .requests = of_policies,
     .request_count = 1},
};

static size_t asked;

/* A kind and a resource that the types are not. */
static bool has_name(void *user, enum policy_name sort, struct str name)
{
    (void)user;
    asked++;
    return (sort == POLICY_KIND && str_eq(name, STR("Pods"))) ||
           (sort == POLICY_RESOURCE && str_eq(name, STR("pod")));
}

static const struct {
    enum policy_name sort;
    const char *text, *meant; /* the name that was meant; NULL if the text is no slip */
} CASES[] = {
    {POLICY_KIND, "pod", "Pod"},
    {POLICY_KIND, "POD", "Pod"},
    {POLICY_KIND, "pods", "Pod"},
    {POLICY_KIND, "Pods", NULL},
    {POLICY_KIND, "Pod", NULL},
    {POLICY_KIND, "Pdo", "Pod"},
    {POLICY_KIND, "policies", "Policy"},
    {POLICY_KIND, "Node", NULL},
    {POLICY_KIND, "", NULL},
    {POLICY_KIND, "Pod2", NULL},
    {POLICY_RESOURCE, "pod", NULL},
    {POLICY_RESOURCE, "Pod", "pods"},
    {POLICY_RESOURCE, "pods/status", "pods"},
    {POLICY_RESOURCE, "nodes/status", NULL},
    {POLICY_RESOURCE, "policy", "policies"},
    {POLICY_SUBRESOURCE, "Status", "status"},
    {POLICY_SUBRESOURCE, "pods/status", "status"},
    {POLICY_SUBRESOURCE, "scale", NULL},
    {POLICY_GROUP, "core", ""},
    {POLICY_GROUP, "v1", ""},
    {POLICY_GROUP, "policy/v1", "policy"},
    {POLICY_GROUP, "policies", NULL},
    {POLICY_GROUP, "polcy", "policy"},
    {POLICY_VERSION, "policy/v1", "v1"},
    {POLICY_VERSION, "V1", "v1"},
    {POLICY_VERSION, "v2", NULL},
    {POLICY_API_VERSION, "policy", "policy/v1"},
    {POLICY_API_VERSION, "core", "v1"},
    {POLICY_API_VERSION, "policy/v2", NULL},
    {POLICY_API_VERSION, "policy/v1beta1", NULL},
};

static void expect(struct names *names)
{
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct str meant;
        const bool is_slip = names_is_slip(names, CASES[i].sort, str_of(CASES[i].text), &meant);
        if (is_slip != (CASES[i].meant != NULL))
            fail_msg("%s", CASES[i].text);
        if (is_slip && !str_eq(meant, str_of(CASES[i].meant)))
            fail_msg("%s: %.*s", CASES[i].text, STR_ARG(meant));
    }
}

static void test_slips(void **state)
{
    (void)state;
    struct arena a;
    struct names names;
    arena_init(&a, SIZE_MAX);
    if (setjmp(a.escape) != 0)
        fail();
    names_init(&names, &a, types, sizeof types / sizeof *types, has_name, NULL);
    expect(&names);
    const size_t once = asked;
    expect(&names);
    assert_int_equal(asked, once);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
