#include "typecheck/policy/abstract/cleared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"
#include "typecheck/cel/schema/schema_document.h"

/* Of a CustomResourceDefinition, of an extension API server, and built-in kinds. */
#define FIELDS                                                                                               \
    "\"type\": \"object\", \"properties\": {\"kind\": {\"type\": \"string\"}, \"apiVersion\": {\"type\": "   \
    "\"string\"},"                                                                                           \
    "\"metadata\": {\"type\": \"object\", \"properties\": {\"namespace\": {\"type\": \"string\"},"           \
    "\"name\": {\"type\": \"string\"}, \"generateName\": {\"type\": \"string\"}, \"selfLink\": {\"type\": "  \
    "\"string\"}}}, \"stringData\": {\"type\": \"object\"},"                                                 \
    "\"status\": {\"type\": \"object\", \"properties\": {\"phase\": {\"type\": \"string\"},"                 \
    "\"loadBalancer\": {\"type\": \"object\", \"properties\": {\"ingress\": {\"type\": \"array\", "          \
    "\"items\": {\"type\": \"string\"}}}},"                                                                  \
    "\"reason\": {\"type\": \"string\"}}}},"
#define KIND(group, kind)                                                                                    \
    "\"x-kubernetes-group-version-kind\": [{\"group\": \"" group                                             \
    "\", \"version\": \"v1\", \"kind\": \"" kind "\"}]}"

static const char json[] =
    "{\"components\": {\"schemas\": {"
    "\"com.example.v1.Thing\": {" FIELDS KIND(
        "example.com",
        "Thing") ","
                 "\"com.example.pkg.v1.Served\": {" FIELDS KIND(
                     "example.com",
                     "Served") ","
                               "\"io.k8s.api.core.v1.Pod\": {" FIELDS KIND(
                                   "",
                                   "Pod") ","
                                          "\"io.k8s.api.core.v1.PersistentVolumeClaim\": {" FIELDS KIND(
                                              "",
                                              "PersistentVolumeClaim") ","
                                                                       "\"io.k8s.api.core.v1.Service\": "
                                                                       "{" FIELDS KIND(
                                                                           "",
                                                                           "Service") ","
                                                                                      "\"io.k8s.api.core.v1."
                                                                                      "Secret\": {" FIELDS
                                                                                          KIND(
                                                                                              "",
                                                                                              "Secret") "}}}";

static int setup(void **state)
{
    return apidoc_setup(state, json);
}

enum { C = POLICY_CREATE, CU = POLICY_CREATE | POLICY_UPDATE };

struct expected {
    const char *group, *kind;
    unsigned operations;
    const char *expression, *issues; /* "" : none */
};

/* What differs from a namespaced resource that has a status. */
struct how {
    bool is_cluster_scoped, has_no_status, is_mutating;
    const char *subresource;
    enum policy_place place;
    const char *mutation; /* an apply configuration that is applied before; NULL: none */
};

/* The message of each issue of each warning. */
static void print_issues(const struct typecheck_result *r, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; i < r->warning_count; i++) {
        const char *at = r->warnings[i].text.at;
        while ((at = strstr(at, "ERROR: <input>:1:")) != NULL) {
            at = strchr(at + strlen("ERROR: <input>:1:"), ' ') + 1;
            size_t len = strcspn(at, "\n"), used = strlen(out);
            snprintf(out + used, size - used, "%s%.*s", used == 0 ? "" : "; ", (int)len, at);
        }
    }
}

static void expect(const struct apidoc *d, const struct how *how, const struct expected *rows, size_t count)
{
    bool is_wrong = false;
    for (size_t i = 0; i < count; i++) {
        struct policy_request request = {.group = str_of(rows[i].group),
                                         .version = STR("v1"),
                                         .resource = STR("things"),
                                         .subresource =
                                             str_of(how->subresource == NULL ? "" : how->subresource),
                                         .is_namespaced = !how->is_cluster_scoped,
                                         .has_status = !how->has_no_status,
                                         .operations = rows[i].operations};
        struct policy_type type = {.group = request.group,
                                   .version = request.version,
                                   .kind = str_of(rows[i].kind),
                                   .doc = d->schema,
                                   .requests = &request,
                                   .request_count = 1};
        type.node = schema_find(d->schema, type.group, type.version, type.kind);
        const size_t before = how->mutation != NULL;
        struct policy_expression e[2] = {{.place = POLICY_APPLY_CONFIGURATION}};
        if (before)
            e[0].text = str_of(how->mutation);
        e[before] = (struct policy_expression){.place = how->place, .text = str_of(rows[i].expression)};
        struct typecheck_policy policy = {
            .typing = SCHEMA_RUNTIME,
            .policy = {.expressions = e, .count = before + 1, .is_mutating = how->is_mutating},
            .types = &type,
            .type_count = 1};
        struct typecheck_result r;
        assert_non_null(type.node);
        typecheck_policy(d->env, &policy, &r);
        char got[1024];
        print_issues(&r, got, sizeof got);
        if (strcmp(got, rows[i].issues) != 0) {
            print_error("%s %s\n  expected: %s\n  got:      %s\n", rows[i].kind, rows[i].expression,
                        rows[i].issues, got);
            is_wrong = true;
        }
        typecheck_result_deinit(&r);
    }
    assert_false(is_wrong);
}

#define EXPECT(how, rows) expect(*state, &(how), rows, sizeof(rows) / sizeof *(rows))

static void test_status(void **state)
{
    static const struct expected rows[] = {
        {"example.com", "Thing", C, "object.status.phase == ''",
         "undefined field 'status': the API server clears it here"},
        {"example.com", "Thing", CU, "object.status.phase == ''",
         "undefined field 'status': the API server clears it on CREATE"},
        {"example.com", "Thing", CU, "object['status']['phase'] == ''",
         "undefined field 'status': the API server clears it on CREATE"},
        {"example.com", "Thing", CU | POLICY_DELETE, "object.status.phase == ''",
         "undefined field 'status': the API server clears it on CREATE; "
         "undefined field 'status': object is null on DELETE"},
        {"example.com", "Thing", CU, "object['sta' + 'tus'].phase == ''", ""},
        {"example.com", "Thing", CU, "has(object.status) && object.status.phase == ''", ""},
        {"example.com", "Thing", CU, "oldObject == null || oldObject.status.phase == ''", ""},
        {"example.com", "Thing", POLICY_UPDATE, "object.status.phase == ''", ""},
        {"example.com", "Served", C, "object.status.phase == ''", ""},
        {"", "Pod", C, "object.status.phase == ''", ""},
        {"", "Pod", C, "object.status.reason == ''",
         "undefined field 'reason': the API server clears it here"},
        {"", "Pod", CU, "object.status.reason == ''",
         "undefined field 'reason': the API server clears it on CREATE"},
        {"", "Secret", C, "object.status.reason == ''", ""},
        {"", "PersistentVolumeClaim", C, "object.status.phase == ''",
         "undefined field 'phase': the API server clears it here"},
        {"", "Service", C, "object.status.loadBalancer == null", ""},
        {"", "Service", CU, "object.status.loadBalancer.ingress.size() == 0",
         "undefined field 'ingress': the API server clears it on CREATE"},
    };
    static const struct expected kept[] = {
        {"example.com", "Thing", C, "object.status.phase == ''", ""},
        {"", "Pod", C, "object.status.reason == ''", ""},
    };
    static const struct how plain = {0}, no_status = {.has_no_status = true},
                            mutating = {.is_mutating = true}, subresource = {.subresource = "part"};
    EXPECT(plain, rows);
    EXPECT(no_status, kept);
    EXPECT(mutating, kept);
    EXPECT(subresource, kept);
}

static void test_metadata(void **state)
{
    static const struct expected cluster[] = {
        {"example.com", "Thing", CU, "object.metadata.namespace == ''",
         "undefined field 'namespace': the kind is cluster-scoped"},
        {"example.com", "Thing", CU, "oldObject != null && oldObject.metadata.namespace == ''",
         "undefined field 'namespace': the kind is cluster-scoped"},
        {"example.com", "Thing", CU,
         "!has(object.metadata.namespace) && object.metadata[?'namespace'] != null", ""},
    };
    static const struct expected namespaced[] = {
        {"example.com", "Thing", CU, "object.metadata.namespace == ''", ""},
        {"example.com", "Thing", CU, "object.metadata.selfLink == ''",
         "undefined field 'selfLink': the API server clears it on CREATE"},
    };
    static const struct how plain = {0}, cluster_scoped = {.is_cluster_scoped = true};
    EXPECT(cluster_scoped, cluster);
    EXPECT(plain, namespaced);
}

/* A mutation can set what the API server has cleared before; only the next mutation sees that. */
static void test_after_a_mutation(void **state)
{
#define READS_NAMESPACE                                                                                      \
    "[JSONPatch{op: 'add', path: '/metadata/generateName', value: object.metadata.namespace}]"
    static const struct expected first[] = {
        {"example.com", "Thing", CU, READS_NAMESPACE,
         "undefined field 'namespace': the kind is cluster-scoped"},
    };
    static const struct expected second[] = {{"example.com", "Thing", CU, READS_NAMESPACE, ""}};
    static const struct how alone = {
        .is_cluster_scoped = true, .is_mutating = true, .place = POLICY_JSON_PATCH};
    struct how after = alone;
    after.mutation = "Object{metadata: Object.metadata{namespace: 'web'}}";
    EXPECT(alone, first);
    EXPECT(after, second);
}

static void test_string_data(void **state)
{
    static const struct expected rows[] = {
        {"", "Secret", CU, "object.stringData.size() > 0",
         "undefined field 'stringData': the API server moves it to data"},
        {"", "Secret", CU, "!has(object.stringData) || object.stringData.size() > 0", ""},
        {"", "Pod", CU, "object.stringData.size() > 0", ""},
    };
    static const struct how plain = {0};
    EXPECT(plain, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status),
        cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_after_a_mutation),
        cmocka_unit_test(test_string_data),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
