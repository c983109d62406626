#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/discovery/discovery.h"
#include "client/discovery/discovery_parse.h"
#include "controller/match/types.h"

#define RESOURCE(name, singular, kind, scope, verbs, more)                                                   \
    "{\"resource\":\"" name "\",\"singularResource\":\"" singular                                            \
    "\",\"responseKind\":{\"group\":\"\",\"version\":\"\","                                                  \
    "\"kind\":\"" kind "\"},\"scope\":\"" scope "\",\"verbs\":[" verbs "]" more "}"
#define SUB(name, group, version, kind, verbs)                                                               \
    "{\"subresource\":\"" name "\",\"responseKind\":{\"group\":\"" group "\",\"version\":\"" version         \
    "\",\"kind\":\"" kind "\"},\"verbs\":[" verbs "]}"
#define VERSION(name, freshness, resources)                                                                  \
    "{\"version\":\"" name "\",\"freshness\":\"" freshness "\",\"resources\":[" resources "]}"
#define GROUP(name, versions) "{\"metadata\":{\"name\":\"" name "\"},\"versions\":[" versions "]}"
#define LIST(groups)                                                                                         \
    "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\",\"items\":[" groups "]}"
#define ALL "\"create\",\"update\",\"delete\",\"get\""

static const char core[] = LIST("{\"versions\":[" VERSION(
    "v1", "Current",
    RESOURCE("componentstatuses", "componentstatus", "ComponentStatus", "Cluster", "\"get\",\"list\"", "") "," RESOURCE(
        "nodes", "node",
        "Node", "Cluster", ALL,
        "") "," RESOURCE("pods", "pod", "Pod", "Namespaced", ALL,
                         ",\"subresources\":[" SUB("exec", "", "", "PodExecOptions", "\"create\",\"get\"") "," SUB(
                             "log", "", "", "Pod",
                             "\"get\"") "," SUB("status", "", "", "Pod",
                                                "\"update\"") "," SUB("eviction", "policy", "v1", "Eviction",
                                                                      "\"create\"") "]")) "]}");

static const char groups[] = LIST(GROUP(
    "apps",
    VERSION(
        "v1", "Current",
        RESOURCE("deployments", "deployment", "Deployment", "Namespaced", ALL, ",\"subresources\":[" SUB("scale", "autoscaling", "v1", "Scale", "\"update\"") "]") "," RESOURCE(
            "statefulsets", "statefulset", "StatefulSet",
            "Namespaced", ALL,
            ""))) "," GROUP("events.k8s.io",
                            VERSION(
                                "v1", "Current",
                                RESOURCE(
                                    "events",
                                    "event",
                                    "Event",
                                    "Namespaced",
                                    ALL,
                                    ""))) "," GROUP("authentication.k8s.io",
                                                    VERSION(
                                                        "v1", "Current",
                                                        RESOURCE(
                                                            "tokenreviews", "tokenreview", "TokenReview",
                                                            "Cluster", "\"create\"",
                                                            ""))) "," GROUP("shop.example.com",
                                                                            VERSION(
                                                                                "v1", "Current",
                                                                                RESOURCE(
                                                                                    "widgets", "",
                                                                                    "Widget",
                                                                                    "Namespaced", ALL,
                                                                                    "")) "," VERSION("v1beta"
                                                                                                     "1",
                                                                                                     "Curren"
                                                                                                     "t",
                                                                                                     RESOURCE(
                                                                                                         "wid"
                                                                                                         "get"
                                                                                                         "s",
                                                                                                         "",
                                                                                                         "Wid"
                                                                                                         "ge"
                                                                                                         "t",
                                                                                                         "Nam"
                                                                                                         "esp"
                                                                                                         "ace"
                                                                                                         "d",
                                                                                                         ALL,
                                                                                                         ""))) "," GROUP("stale.example.com",
                                                                                                                         VERSION(
                                                                                                                             "v1",
                                                                                                                             "Stale",
                                                                                                                             "")));

/* A rule, and what it resolves to, one target or problem after the other. */
static const struct {
    const char *group, *version,
        *resources; /* each one or two, separated by a space; "-" is the empty group */
    const char *scope;
    const char *full, *upstream;
} rows[] = {
    {"apps", "v1", "deployments", "", "apps/v1 Deployment;", "apps/v1 Deployment;"},
    {"apps", "v1", "Deployments", "",
     "!2 the cluster serves no Deployments of apps/v1, did you mean deployments?;", "apps/v1 Deployment;"},
    {"apps", "v1", "deployment", "",
     "!2 the cluster serves no deployment of apps/v1, did you mean deployments?;", "apps/v1 Deployment;"},
    {"apps", "v1", "deploymentlists", "",
     "!2 the cluster serves no deploymentlists of apps/v1, did you mean deployments?;",
     "apps/v1 DeploymentList;"},
    {"apps", "v1", "deploymnets", "",
     "!2 the cluster serves no deploymnets of apps/v1, did you mean deployments?;",
     "!2 the cluster serves no deploymnets of the rule's groups;"},
    {"apps", "v1", "lists", "", "!2 the cluster serves no lists of apps/v1;", "apps/v1 List;"},
    {"apps", "v1", "*", "", "apps/v1 Deployment;apps/v1 StatefulSet;",
     "!6 wildcards and subresources are left out by --warnings-scope=upstream;"},
    {"apps", "v1", "*/*", "", "apps/v1 Deployment;apps/v1 StatefulSet;autoscaling/v1 Scale@apps/v1;",
     "!6 wildcards and subresources are left out by --warnings-scope=upstream;"},
    {"apps", "v1", "*/scale", "", "autoscaling/v1 Scale@apps/v1;",
     "!6 wildcards and subresources are left out by --warnings-scope=upstream;"},
    {"-", "v1", "pods/* pods", "", "/v1 Pod;/v1 PodExecOptions;policy/v1 Eviction@/v1;",
     "/v1 Pod;!6 wildcards and subresources are left out by --warnings-scope=upstream;"},
    {"-", "v1", "nodes/* nodes/proxy", "", "/v1 Node;!2 the cluster serves no nodes/proxy of v1;",
     "!6 wildcards and subresources are left out by --warnings-scope=upstream;"},
    {"-", "v1", "pods/log", "", "!3 the API server never asks policies about pods/log of v1;",
     "!6 wildcards and subresources are left out by --warnings-scope=upstream;"},
    {"-", "v1", "componentstatuses", "",
     "!3 the API server never asks policies about componentstatuses of v1;", "/v1 ComponentStatus;"},
    {"-", "v1", "deployments", "",
     "!2 the cluster serves no deployments of v1, did you mean those of apps/v1?;", "apps/v1 Deployment;"},
    {"-", "v1", "nodes", "Namespaced", "!3 nodes of v1 is not within the rule's scope Namespaced;",
     "/v1 Node;"},
    {"authentication.k8s.io", "*", "tokenreviews", "",
     "!3 the API server never asks policies about tokenreviews of authentication.k8s.io;",
     "!6 wildcards and subresources are left out by --warnings-scope=upstream;"},
    {"shop.example.com", "*", "widgets", "", "shop.example.com/v1 Widget;shop.example.com/v1beta1 Widget;",
     "!6 wildcards and subresources are left out by --warnings-scope=upstream;"},
    {"shop.example.com", "v1", "widget", "",
     "!2 the cluster serves no widget of shop.example.com/v1, did you mean widgets?;",
     "shop.example.com/v1 Widget;"},
    {"stale.example.com", "v1", "things", "",
     "!0 things of stale.example.com/v1: the group could not be read yet;",
     "!2 the cluster serves no things of the rule's groups;"},
};

static size_t split(char *text, const char **out)
{
    size_t n = 0;
    char *rest = text;
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        out[n++] = strcmp(word, "-") == 0 ? "" : word;
    return n;
}

static void describe(const struct types_list *list, struct buf *out)
{
    for (size_t i = 0; i < list->n_targets; i++) {
        const struct types_target *t = &list->targets[i];
        buf_printf(out, "%s/%s %s", t->group, t->version, t->kind);
        if (strcmp(t->group, t->document_group) != 0)
            buf_printf(out, "@%s/%s", t->document_group, t->document_version);
        buf_puts(out, ";");
    }
    for (size_t i = 0; i < list->n_problems; i++)
        buf_printf(out, "!%d %s;", (int)list->problems[i].reason, list->problems[i].message);
}

/* What the match resolves to; returns the first request's operations, 0 if there is none. */
static unsigned expect_types(const struct matchrules *match, const struct discovery *discovery,
                             enum types_scope scope, const char *expected)
{
    const struct types_options options = {.scope = scope, .max_types = TYPES_MAX_DEFAULT};
    struct types_list list;
    types_resolve(match, discovery, &options, &list);
    cleanup_buf struct buf out;
    buf_init(&out, 4096);
    describe(&list, &out);
    assert_string_equal(out.data, expected);
    const unsigned operations = list.n_requests == 0 ? 0 : list.requests[0].operations;
    types_list_deinit(&list);
    return operations;
}

static void check_row(size_t i, const struct discovery *discovery, enum types_scope scope,
                      const char *expected)
{
    char group[64], version[64], resources[64];
    const char *group_list[4], *version_list[4], *resource_list[4];
    strncpy(group, rows[i].group, sizeof group - 1)[sizeof group - 1] = '\0';
    strncpy(version, rows[i].version, sizeof version - 1)[sizeof version - 1] = '\0';
    strncpy(resources, rows[i].resources, sizeof resources - 1)[sizeof resources - 1] = '\0';
    const char *const any = "*";
    struct matchrules_rule rule = {.groups = group_list,
                                   .versions = version_list,
                                   .resources = resource_list,
                                   .operations = &any,
                                   .n_operations = 1,
                                   .scope = rows[i].scope};
    rule.n_groups = split(group, group_list);
    rule.n_versions = split(version, version_list);
    rule.n_resources = split(resources, resource_list);
    expect_types(&(struct matchrules){.rules = &rule, .n_rules = 1}, discovery, scope, expected);
}

static struct discovery *served(void)
{
    struct discovery *discovery;
    struct err err = {0};
    if (discovery_parse(core, sizeof core - 1, groups, sizeof groups - 1, &discovery, &err) != 0)
        fail_msg("%s", err.msg);
    return discovery;
}

static void test_rules(void **state)
{
    (void)state;
    struct discovery *discovery = served();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_row(i, discovery, TYPES_FULL, rows[i].full);
        check_row(i, discovery, TYPES_UPSTREAM, rows[i].upstream);
    }
    discovery_free(discovery);
}

/* Upstream makes an asked name lower-case, and no served one. */
static void test_upstream_misses_capitals(void **state)
{
    (void)state;
    static const char odd[] =
        LIST(GROUP("odd.example.com",
                   VERSION("v1", "Current", RESOURCE("Gizmos", "Gizmo", "Gizmo", "Namespaced", ALL, ""))));
    static const struct {
        const char *resource, *expected;
    } asked[] = {
        {"Gizmos", "!2 the cluster serves no Gizmos of the rule's groups;"},
        {"gizmos", "!2 the cluster serves no gizmos of the rule's groups;"},
        {"gizmo", "!2 the cluster serves no gizmo of the rule's groups;"},
        {"GizmoLists", "odd.example.com/v1 GizmoList;"},
    };
    const char *const group = "odd.example.com", *const version = "v1";
    struct discovery *discovery;
    struct err err = {0};
    if (discovery_parse(core, sizeof core - 1, odd, sizeof odd - 1, &discovery, &err) != 0)
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const struct matchrules_rule rule = {.groups = &group,
                                             .n_groups = 1,
                                             .versions = &version,
                                             .n_versions = 1,
                                             .resources = &asked[i].resource,
                                             .n_resources = 1,
                                             .scope = ""};
        expect_types(&(struct matchrules){.rules = &rule, .n_rules = 1}, discovery, TYPES_UPSTREAM,
                     asked[i].expected);
    }
    discovery_free(discovery);
}

/* What is connected to is no type of a rule without that operation. */
static void test_operations(void **state)
{
    (void)state;
    static const struct {
        const char *operations[3], *resource, *expected;
    } named[] = {
        {{"CONNECT"}, "pods/exec", "/v1 PodExecOptions;"},
        {{"CREATE", "CONNECT"}, "pods/*", "/v1 Pod;/v1 PodExecOptions;policy/v1 Eviction@/v1;"},
        {{"CREATE", "UPDATE"}, "pods/*", "/v1 Pod;policy/v1 Eviction@/v1;"},
        {{"CREATE"},
         "pods/exec",
         "!3 the API server asks policies about pods/exec of v1 with the operation CONNECT alone, and the "
         "rule "
         "does not name it;"},
        {{"DELETE"},
         "pods/eviction",
         "!3 the cluster serves no request for pods/eviction of v1 with an operation that the rule names;"},
    };
    const char *const group = "", *const version = "v1";
    struct discovery *discovery = served();
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const struct matchrules_rule rule = {.groups = &group,
                                             .n_groups = 1,
                                             .versions = &version,
                                             .n_versions = 1,
                                             .resources = &named[i].resource,
                                             .n_resources = 1,
                                             .operations = named[i].operations,
                                             .n_operations = named[i].operations[1] == NULL ? 1 : 2,
                                             .scope = ""};
        expect_types(&(struct matchrules){.rules = &rule, .n_rules = 1}, discovery, TYPES_FULL,
                     named[i].expected);
    }
    discovery_free(discovery);
}

enum { EACH = POLICY_CREATE | POLICY_UPDATE | POLICY_DELETE };

/* What is left of a rule for all operations where another one excludes something. */
static void test_exclusions(void **state)
{
    (void)state;
    static const struct {
        const char *group, *version, *resource;
        struct {
            const char *group, *version, *resource, *operation, *scope;
        } excluded;
        bool is_exact;
        const char *expected;
        unsigned operations; /* of the first request */
    } cases[] = {
        {"apps", "v1", "*", {"apps", "v1", "deployments", "*", ""}, false, "apps/v1 StatefulSet;", EACH},
        {"apps", "v1", "deployments", {"", "v1", "deployments", "*", ""}, false, "apps/v1 Deployment;", EACH},
        {"apps", "v1", "deployments", {"*", "v2", "*", "*", ""}, false, "apps/v1 Deployment;", EACH},
        {"apps", "v1", "deployments", {"*", "*", "*/scale", "*", ""}, false, "apps/v1 Deployment;", EACH},
        {"apps",
         "v1",
         "deployments/*",
         {"*", "*", "*", "*", ""},
         false,
         "autoscaling/v1 Scale@apps/v1;",
         POLICY_UPDATE},
        {"apps",
         "v1",
         "deployments",
         {"*", "*", "deployments", "DELETE", ""},
         false,
         "apps/v1 Deployment;",
         POLICY_CREATE | POLICY_UPDATE},
        {"apps", "v1", "deployments", {"*", "*", "*", "*", "Cluster"}, false, "apps/v1 Deployment;", EACH},
        {"apps",
         "v1",
         "deployments",
         {"*", "*", "deployments/*", "*", "Namespaced"},
         false,
         "!3 the policy's excludeResourceRules exclude all that its rules match;",
         0},
        /* by default a policy sees, and leaves out, a resource in whatever version it is asked for */
        {"shop.example.com",
         "v1",
         "widgets",
         {"*", "v1beta1", "widgets", "*", ""},
         false,
         "!3 the policy's excludeResourceRules exclude all that its rules match;",
         0},
        {"shop.example.com",
         "v1",
         "widgets",
         {"*", "v1beta1", "widgets", "*", ""},
         true,
         "shop.example.com/v1 Widget;",
         EACH},
        /* events are the same objects in two groups */
        {"events.k8s.io",
         "v1",
         "events",
         {"", "v1", "events", "*", ""},
         false,
         "!3 the policy's excludeResourceRules exclude all that its rules match;",
         0},
        {"events.k8s.io",
         "v1",
         "events",
         {"", "v1", "events", "*", ""},
         true,
         "events.k8s.io/v1 Event;",
         EACH},
        {"events.k8s.io",
         "v1",
         "events",
         {"apps", "v1", "events", "*", ""},
         false,
         "events.k8s.io/v1 Event;",
         EACH},
    };
    const char *const any = "*";
    struct discovery *discovery = served();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct matchrules_rule rule = {
            &cases[i].group, 1, &cases[i].version, 1, &cases[i].resource, 1, &any, 1, "", NULL, 0};
        const struct matchrules_rule excluded = {&cases[i].excluded.group,
                                                 1,
                                                 &cases[i].excluded.version,
                                                 1,
                                                 &cases[i].excluded.resource,
                                                 1,
                                                 &cases[i].excluded.operation,
                                                 1,
                                                 cases[i].excluded.scope,
                                                 NULL,
                                                 0};
        const struct matchrules match = {.rules = &rule,
                                         .n_rules = 1,
                                         .excluded = &excluded,
                                         .n_excluded = 1,
                                         .is_exact = cases[i].is_exact};
        assert_int_equal(expect_types(&match, discovery, TYPES_FULL, cases[i].expected), cases[i].operations);
    }
    discovery_free(discovery);
}

static void test_what_excludes_some_names_excludes_no_type(void **state)
{
    (void)state;
    const char *const group = "shop.example.com", *const any = "*", *const name = "a";
    struct matchrules_rule rule = {&group, 1, &any, 1, &any, 1, &any, 1, "", NULL, 0};
    struct matchrules_rule excluded = {&group, 1, &any, 1, &any, 1, &any, 1, "", &name, 1};
    const struct matchrules match = {.rules = &rule, .n_rules = 1, .excluded = &excluded, .n_excluded = 1};
    struct discovery *discovery = served();
    cleanup_mem char *key_of_some = matchrules_key(&match);
    expect_types(&match, discovery, TYPES_FULL,
                 "shop.example.com/v1 Widget;shop.example.com/v1beta1 Widget;");
    excluded.n_names = 0;
    cleanup_mem char *key_of_all = matchrules_key(&match);
    expect_types(&match, discovery, TYPES_FULL,
                 "!3 the policy's excludeResourceRules exclude all that its rules match;");
    assert_string_not_equal(key_of_some, key_of_all);
    discovery_free(discovery);
}

#define WIDGETS(version, subresources)                                                                       \
    VERSION(version, "Current",                                                                              \
            RESOURCE("widgets", "", "Widget", "Namespaced", ALL, ",\"subresources\":[" subresources "]"))

/* What is created in a version without a status subresource, and converted, has a status. */
static void test_status_in_each_version(void **state)
{
    (void)state;
    static const char whole[] = LIST(
        GROUP("shop.example.com", WIDGETS("v1", SUB("status", "", "", "Widget", "\"update\"")) "," WIDGETS(
                                      "v1beta1", SUB("status", "", "", "Widget", "\"update\"")))),
                      parted[] = LIST(GROUP("shop.example.com",
                                            WIDGETS("v1", SUB("status", "", "", "Widget",
                                                              "\"update\"")) "," WIDGETS("v1beta1", "")));
    static const struct {
        const char *groups;
        const char *version;
        bool is_exact, has_status;
    } cases[] = {
        {whole, "v1", false, true},        {parted, "v1", false, false},     {parted, "v1", true, true},
        {parted, "v1beta1", false, false}, {parted, "v1beta1", true, false},
    };
    const char *const group = "shop.example.com", *const resource = "widgets", *const any = "*";
    const struct types_options options = {.scope = TYPES_FULL, .max_types = TYPES_MAX_DEFAULT};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct discovery *discovery;
        struct types_list list;
        struct err err = {0};
        const struct matchrules_rule rule = {&group, 1, &cases[i].version, 1, &resource, 1, &any, 1, "",
                                             NULL,   0};
        const struct matchrules match = {.rules = &rule, .n_rules = 1, .is_exact = cases[i].is_exact};
        if (discovery_parse(core, sizeof core - 1, cases[i].groups, strlen(cases[i].groups), &discovery,
                            &err) != 0)
            fail_msg("%s", err.msg);
        types_resolve(&match, discovery, &options, &list);
        assert_int_equal(list.n_requests, 1);
        assert_int_equal(list.requests[0].has_status, cases[i].has_status);
        types_list_deinit(&list);
        discovery_free(discovery);
    }
}

/* A server may have it by a feature gate. */
static void test_gated(void **state)
{
    (void)state;
    static const struct {
        const char *resource;
        int minor;
        bool is_certain;
    } cases[] = {{"pods/resize", 31, true},
                 {"pods/resize", 32, false},
                 {"pods/resize", 33, true},
                 {"pods/rezise", 32, true}};
    const char *const group = "", *const version = "v1", *const any = "*";
    struct discovery *discovery = served();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct types_list list;
        const struct types_options options = {
            .scope = TYPES_FULL, .max_types = TYPES_MAX_DEFAULT, .minor = cases[i].minor};
        const struct matchrules_rule rule = {&group, 1,  &version, 1, &cases[i].resource, 1, &any,
                                             1,      "", NULL,     0};
        types_resolve(&(struct matchrules){.rules = &rule, .n_rules = 1}, discovery, &options, &list);
        assert_int_equal(list.n_problems, 1);
        assert_int_equal(list.problems[0].is_certain, cases[i].is_certain);
        types_list_deinit(&list);
    }
    discovery_free(discovery);
}

/* Reviews are asked of webhooks, and of no policy. */
static void test_webhooks(void **state)
{
    (void)state;
    struct discovery *discovery = served();
    const char *const group[] = {"authentication.k8s.io"}, *const v1[] = {"v1"},
                      *const resource[] = {"tokenreviews"};
    struct matchrules_rule rule = {.groups = group,
                                   .n_groups = 1,
                                   .versions = v1,
                                   .n_versions = 1,
                                   .resources = resource,
                                   .n_resources = 1,
                                   .scope = ""};
    static const struct {
        bool for_webhooks;
        int minor;
        bool is_asked;
    } cases[] = {
        {false, 36, false}, {true, 36, true}, {false, 37, false}, {true, 37, false}, {true, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct types_options options = {.scope = TYPES_FULL,
                                        .max_types = 10,
                                        .for_webhooks = cases[i].for_webhooks,
                                        .minor = cases[i].minor};
        struct types_list list;
        types_resolve(&(struct matchrules){.rules = &rule, .n_rules = 1}, discovery, &options, &list);
        assert_int_equal(list.n_targets, cases[i].is_asked);
        assert_int_equal(list.n_problems, !cases[i].is_asked);
        types_list_deinit(&list);
    }
    discovery_free(discovery);
}

static void test_max_types(void **state)
{
    (void)state;
    struct discovery *discovery = served();
    const char *const any[] = {"*"};
    struct matchrules_rule rule = {.groups = any,
                                   .n_groups = 1,
                                   .versions = any,
                                   .n_versions = 1,
                                   .resources = any,
                                   .n_resources = 1,
                                   .scope = ""};
    struct types_options options = {.scope = TYPES_FULL, .max_types = 3};
    struct types_list list;
    types_resolve(&(struct matchrules){.rules = &rule, .n_rules = 1}, discovery, &options, &list);
    assert_int_equal(list.n_targets, 3);
    assert_string_equal(list.targets[2].kind, "Deployment");
    assert_string_equal(list.problems[list.n_problems - 1].message,
                        "the rules match more types than --max-types-per-policy allows: 3");
    types_list_deinit(&list);
    discovery_free(discovery);
}

/* Ten kinds end the whole scan, those of later rules included; the same kind counts each time it is found. */
static void test_upstream_limit(void **state)
{
    (void)state;
    struct discovery *discovery = served();
    const char *const core_group[] = {""}, *const v1[] = {"v1"};
    const char *const many[] = {"pod",  "pods",  "node", "nodes", "pod", "pods",
                                "node", "nodes", "pod",  "pods",  "pods"};
    const char *const apps[] = {"apps"}, *const deployments[] = {"deployments"};
    struct matchrules_rule rules[] = {
        {.groups = core_group,
         .n_groups = 1,
         .versions = v1,
         .n_versions = 1,
         .resources = many,
         .n_resources = 11,
         .scope = ""},
        {.groups = apps,
         .n_groups = 1,
         .versions = v1,
         .n_versions = 1,
         .resources = deployments,
         .n_resources = 1,
         .scope = ""},
    };
    struct types_options options = {.scope = TYPES_UPSTREAM};
    struct types_list list;
    types_resolve(&(struct matchrules){.rules = rules, .n_rules = 2}, discovery, &options, &list);
    assert_int_equal(list.n_targets, 2);
    assert_string_equal(list.targets[0].kind, "Node");
    assert_string_equal(list.targets[1].kind, "Pod");
    assert_int_equal(list.problems[0].reason, TYPES_OUT_OF_SCOPE);
    types_list_deinit(&list);
    discovery_free(discovery);
}

/* "stem0", "stem1", ... The caller frees each and all. */
static const char **make_names(const char *stem, size_t count)
{
    const char **names = test_calloc(count, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        char *name = test_malloc(strlen(stem) + 24);
        snprintf(name, strlen(stem) + 24, "%s%zu", stem, i);
        names[i] = name;
    }
    return names;
}

static void free_names(const char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        test_free((void *)(uintptr_t)names[i]);
    test_free(names);
}

/* A list that reached the bound, whose last problem says so. */
static void expect_limit(const struct matchrules *match, const struct discovery *discovery,
                         enum types_scope scope)
{
    const struct types_options options = {.scope = scope, .max_types = 1000};
    struct types_list list;
    types_resolve(match, discovery, &options, &list);
    assert_in_range(list.steps, TYPES_STEPS_MAX + 1, 2 * TYPES_STEPS_MAX);
    assert_int_equal(list.problems[list.n_problems - 1].reason, TYPES_LIMIT_REACHED);
    types_list_deinit(&list);
}

/* Groups, versions and resources multiply. */
static void test_what_multiplies_is_bounded(void **state)
{
    (void)state;
    enum { MANY = 3000, RULES = 150 * 1000 };
    const char **names = make_names("x", MANY), **others = make_names("other", RULES);
    const char *const everything[] = {"*/*"}, *const any[] = {"*"};
    struct matchrules_rule *rules = test_calloc(RULES, sizeof *rules);
    struct discovery *discovery = served();
    for (size_t i = 0; i < RULES; i++)
        rules[i] = (struct matchrules_rule){any, 1, any, 1, everything, 1, NULL, 0, others[i], NULL, 0};
    expect_limit(&(struct matchrules){.rules = rules, .n_rules = RULES}, discovery, TYPES_FULL);
    const struct matchrules_rule product = {names, MANY, names, MANY, names, MANY, NULL, 0, "", NULL, 0};
    expect_limit(&(struct matchrules){.rules = &product, .n_rules = 1}, discovery, TYPES_UPSTREAM);
    const struct matchrules_rule unknown = {any, 1, any, 1, others, RULES, NULL, 0, "", NULL, 0};
    expect_limit(&(struct matchrules){.rules = &unknown, .n_rules = 1}, discovery, TYPES_FULL);
    test_free(rules);
    free_names(names, MANY);
    free_names(others, RULES);
    discovery_free(discovery);
}

/* What is said again is looked up once: a large rule full of repetitions is checked to its end. */
static void test_repetitions_cost_next_to_nothing(void **state)
{
    (void)state;
    enum { MANY = 3000, RULES = 20 * 1000 };
    static const char *apps[MANY], *v1[MANY], *asked[MANY];
    static struct matchrules_rule rules[RULES];
    const char *const everything[] = {"*/*"}, *const any[] = {"*"};
    const struct types_options options = {.scope = TYPES_FULL, .max_types = 1000};
    struct discovery *discovery = served();
    struct types_list list;
    for (size_t i = 0; i < MANY; i++) {
        apps[i] = "apps";
        v1[i] = "v1";
        asked[i] = i % 2 == 0 ? "things" : "deployments";
    }
    for (size_t i = 0; i < RULES; i++)
        rules[i] = (struct matchrules_rule){any, 1, any, 1, everything, 1, any, 1, "", NULL, 0};
    const struct matchrules_rule product = {apps, MANY, v1, MANY, asked, MANY, any, 1, "", NULL, 0};
    expect_types(&(struct matchrules){.rules = &product, .n_rules = 1}, discovery, TYPES_FULL,
                 "apps/v1 Deployment;!2 the cluster serves no things of the groups that the rule names;");
    struct types_list once;
    types_resolve(&(struct matchrules){.rules = rules, .n_rules = 1}, discovery, &options, &once);
    types_resolve(&(struct matchrules){.rules = rules, .n_rules = RULES}, discovery, &options, &list);
    assert_int_equal(list.n_problems, once.n_problems);
    assert_int_equal(list.n_requests, once.n_requests);
    assert_int_equal(list.n_targets, once.n_targets);
    types_list_deinit(&once);
    types_list_deinit(&list);
    discovery_free(discovery);
}

/* Lists of one object share the steps. */
static void test_steps_are_shared(void **state)
{
    (void)state;
    const char *const any[] = {"*"};
    const struct matchrules_rule rule = {any, 1, any, 1, any, 1, any, 1, "", NULL, 0};
    const struct matchrules match = {.rules = &rule, .n_rules = 1};
    struct types_options options = {.scope = TYPES_FULL, .max_types = 1000};
    struct discovery *discovery = served();
    struct types_list list;
    types_resolve(&match, discovery, &options, &list);
    size_t alone = list.steps, targets = list.n_targets;
    types_list_deinit(&list);
    options.steps = TYPES_STEPS_MAX - alone;
    types_resolve(&match, discovery, &options, &list);
    assert_int_equal(list.steps, TYPES_STEPS_MAX);
    assert_int_equal(list.n_targets, targets);
    types_list_deinit(&list);
    options.steps = TYPES_STEPS_MAX + 1;
    types_resolve(&match, discovery, &options, &list);
    assert_int_equal(list.n_targets, 0);
    assert_int_equal(list.problems[0].reason, TYPES_LIMIT_REACHED);
    types_list_deinit(&list);
    discovery_free(discovery);
}

/* The mapper looks at every resource of a group-version, and an empty group is all of them. */
static void test_what_a_cluster_multiplies_is_bounded(void **state)
{
    (void)state;
    enum { SERVED = 2000, ASKED = 20 * 1000 };
    static struct discovery_resource resources[SERVED];
    const char **unknown = make_names("things", ASKED);
    const char *const core_group[] = {""}, *const v1[] = {"v1"};
    for (size_t i = 0; i < SERVED; i++)
        resources[i] = (struct discovery_resource){.name = "gizmos", .singular = "gizmo", .kind = "Gizmo"};
    struct discovery_version version = {.version = "v1", .resources = resources, .n_resources = SERVED};
    struct discovery_group group = {.name = "example.com", .versions = &version, .n_versions = 1};
    const struct discovery discovery = {.groups = &group, .n_groups = 1};
    const struct matchrules_rule rule = {core_group, 1, v1, 1, unknown, ASKED, NULL, 0, "", NULL, 0};
    expect_limit(&(struct matchrules){.rules = &rule, .n_rules = 1}, &discovery, TYPES_UPSTREAM);
    free_names(unknown, ASKED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_exclusions),
        cmocka_unit_test(test_what_excludes_some_names_excludes_no_type),
        cmocka_unit_test(test_status_in_each_version),
        cmocka_unit_test(test_gated),
        cmocka_unit_test(test_webhooks),
        cmocka_unit_test(test_max_types),
        cmocka_unit_test(test_upstream_limit),
        cmocka_unit_test(test_upstream_misses_capitals),
        cmocka_unit_test(test_what_multiplies_is_bounded),
        cmocka_unit_test(test_repetitions_cost_next_to_nothing),
        cmocka_unit_test(test_steps_are_shared),
        cmocka_unit_test(test_what_a_cluster_multiplies_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
