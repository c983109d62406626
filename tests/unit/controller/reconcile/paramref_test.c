#include "controller/reconcile/paramref.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/discovery/discovery_parse.h"
#include "client/text/jsonval.h"

static const char core[] = "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/"
                           "v2\",\"items\":[{\"versions\":[{\"version\":\"v1\",\"resources\":["
                           "{\"resource\":\"configmaps\",\"responseKind\":{\"group\":\"\",\"version\":\"v1\","
                           "\"kind\":\"ConfigMap\"},"
                           "\"scope\":\"Namespaced\",\"verbs\":[\"get\"]}]}]}]}";
static const char groups[] =
    "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/"
    "v2\",\"items\":[{\"metadata\":{\"name\":\"x.io\"},\"versions\":[{\"version\":\"v2\",\"resources\":["
    "{\"resource\":\"limits\",\"responseKind\":{\"group\":\"x.io\",\"version\":\"v2\",\"kind\":\"Limit\"},"
    "\"scope\":\"Cluster\",\"verbs\":[\"get\"]}]}]}]}";

static struct discovery *discovery;

static int make_discovery(void **state)
{
    struct err err = {0};
    (void)state;
    assert_int_equal(discovery_parse(core, sizeof core - 1, groups, sizeof groups - 1, &discovery, &err), 0);
    return 0;
}

static int drop_discovery(void **state)
{
    (void)state;
    discovery_free(discovery);
    return 0;
}

/* param_kind: JSON of the policy, or NULL for no policy at all; ref: JSON of paramRef. */
static bool init(struct paramref *out, const char *param_kind, const char *ref)
{
    struct err err = {0};
    cleanup_json struct json_object *binding = NULL;
    cleanup_mem char *text = mem_printf("{\"spec\":{\"policyName\":\"p\",\"paramRef\":%s}}", ref);
    cleanup_mem char *policy = mem_printf(
        "{\"metadata\":{\"name\":\"p\",\"uid\":\"u\",\"resourceVersion\":\"1\"},\"spec\":{\"paramKind\":%s,"
        "\"validations\":[{\"expression\":\"true\"}]}}",
        param_kind == NULL ? "null" : param_kind);
    struct store *store = store_new(NULL, NULL);
    assert_int_equal(jsonval_parse(text, strlen(text), &binding, &err), 0);
    if (param_kind != NULL)
        assert_int_equal(store_put(store, policy, strlen(policy), NULL, &err), 0);
    const bool is_there = paramref_init(out, binding, store_get(store, "p"), discovery);
    store_free(store);
    return is_there;
}

static void expect(const char *param_kind, const char *ref, const char *path, const char *what)
{
    struct paramref got;
    assert_true(init(&got, param_kind, ref));
    if (path == NULL)
        assert_null(got.path);
    else
        assert_string_equal(got.path, path);
    assert_string_equal(got.what, what);
    assert_true(path == NULL || strstr(got.accept, got.is_list ? "PartialObjectMetadataList;"
                                                               : "PartialObjectMetadata;") != NULL);
    assert_int_equal(got.is_list, path != NULL && strstr(path, "limit=1") != NULL);
    paramref_deinit(&got);
}

#define CONFIGMAP "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"}"
#define LIMIT     "{\"apiVersion\":\"x.io/v2\",\"kind\":\"Limit\"}"

static void test_what_is_asked_for(void **state)
{
    (void)state;
    expect(CONFIGMAP, "{\"name\":\"c\",\"namespace\":\"n\"}", "/api/v1/namespaces/n/configmaps/c",
           "ConfigMap c in namespace n");
    expect(CONFIGMAP, "{\"name\":\"c\"}", "/api/v1/configmaps?limit=1&fieldSelector=metadata.name%3Dc",
           "ConfigMap c in any namespace");
    expect(CONFIGMAP, "{\"namespace\":\"n\",\"selector\":{}}", "/api/v1/namespaces/n/configmaps?limit=1",
           "ConfigMap at all in namespace n");
    expect(CONFIGMAP,
           "{\"selector\":{\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":[{\"key\":\"c\",\"operator\":"
           "\"In\",\"values\":[\"d\",\"e\"]},{\"key\":\"f\",\"operator\":\"Exists\"},{\"key\":\"g\","
           "\"operator\":\"DoesNotExist\"}]}}",
           "/api/v1/configmaps?limit=1&labelSelector=a%3Db%2Cc%20in%20%28d%2Ce%29%2Cf%2C%21g",
           "ConfigMap with the labels a=b,c in (d,e),f,!g in any namespace");
    expect(LIMIT, "{\"name\":\"l\"}", "/apis/x.io/v2/limits/l", "Limit l");
    expect("{\"apiVersion\":\"y.io/v1\",\"kind\":\"Y\"}", "{\"name\":\"l\"}", NULL,
           "kind Y of y.io/v1, the paramKind of policy p");
}

/* A server has no such object, and a path with such a name in it would be another path. */
static void test_names_that_lead_elsewhere(void **state)
{
    (void)state;
    static const char *const refs[] = {"{\"name\":\"c\",\"namespace\":\"..\"}",
                                       "{\"name\":\"..\",\"namespace\":\"n\"}",
                                       "{\"name\":\".\",\"namespace\":\".\"}", "{\"name\":\"..\"}",
                                       "{\"selector\":{},\"namespace\":\"..\"}"};
    for (size_t i = 0; i < sizeof refs / sizeof *refs; i++) {
        struct paramref got;
        struct conditions c = {0};
        assert_true(init(&got, CONFIGMAP, refs[i]));
        assert_null(got.path);
        paramref_add(&c, &got, PARAMREF_THERE, "");
        assert_string_equal(c.items[0].status, "False");
        assert_string_equal(c.items[0].reason, "NotFound");
        assert_non_null(strstr(c.items[0].message, "there is no ConfigMap "));
        conditions_deinit(&c);
        paramref_deinit(&got);
    }
    /* an empty text names nothing */
    expect(CONFIGMAP, "{\"name\":\"\",\"namespace\":\"n\",\"selector\":{}}",
           "/api/v1/namespaces/n/configmaps?limit=1", "ConfigMap at all in namespace n");
    expect(CONFIGMAP, "{\"name\":\"a/../b\",\"namespace\":\"n\"}",
           "/api/v1/namespaces/n/configmaps/a%2F..%2Fb", "ConfigMap a/../b in namespace n");
}

static void test_nothing_to_look_for(void **state)
{
    struct paramref ref;
    (void)state;
    assert_false(init(&ref, NULL, "{\"name\":\"c\"}"));
    assert_false(init(&ref, "null", "{\"name\":\"c\"}"));
    assert_false(init(&ref, CONFIGMAP, "null"));
}

/* code: of the request; answer: its body. */
static void expect_answer(const char *ref_text, enum err_code code, const char *answer, const char *wanted)
{
    struct paramref ref;
    struct conditions c = {0};
    struct err err = {0};
    assert_true(init(&ref, CONFIGMAP, ref_text));
    if (code != ERR_NONE)
        err_set(&err, code, "no");
    const enum paramref_answer found = paramref_read(&ref, answer, strlen(answer), &err);
    paramref_add(&c, &ref, found, err.msg);
    assert_int_equal(c.count, 1);
    cleanup_mem char *got = mem_printf("%s %s: %s", c.items[0].status, c.items[0].reason, c.items[0].message);
    assert_string_equal(got, wanted);
    conditions_deinit(&c);
    paramref_deinit(&ref);
}

static void test_what_the_answer_means(void **state)
{
    static const char named[] = "{\"name\":\"c\",\"namespace\":\"n\",\"parameterNotFoundAction\":\"Deny\"}";
    static const char chosen[] = "{\"selector\":{},\"parameterNotFoundAction\":\"Allow\"}";
    (void)state;
    expect_answer(named, ERR_NONE, "{}", "True Found: the cluster has a ConfigMap c in namespace n");
    expect_answer(
        named, ERR_NOT_FOUND, "",
        "False NotFound: there is no ConfigMap c in namespace n; parameterNotFoundAction is Deny, so "
        "that each request is answered as failurePolicy says");
    expect_answer(chosen, ERR_NONE, "{\"items\":[{}]}",
                  "True Found: the cluster has a ConfigMap at all in any namespace");
    expect_answer(chosen, ERR_NONE, "{\"items\":[]}",
                  "False NotFound: there is no ConfigMap at all in any namespace; parameterNotFoundAction is "
                  "Allow, so that the binding has no effect");
    expect_answer(named, ERR_FORBIDDEN, "",
                  "Unknown Unreadable: it cannot be seen whether there is a ConfigMap c in namespace n: no");
    expect_answer(
        chosen, ERR_NONE, "{",
        "Unknown Unreadable: it cannot be seen whether there is a ConfigMap at all in any namespace: "
        "JSON ends in the middle, after 1 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_asked_for),
        cmocka_unit_test(test_names_that_lead_elsewhere),
        cmocka_unit_test(test_nothing_to_look_for),
        cmocka_unit_test(test_what_the_answer_means),
    };
    return cmocka_run_group_tests(tests, make_discovery, drop_discovery);
}
