#include "typecheck/policy/abstract/mutated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"

/* tests/golden/admission/cases.py (CHANGED) has what a real server does with such mutations. */
#define KIND(name, group, kind, fields)                                                                      \
    "\"" name "\":{\"type\":\"object\",\"x-kubernetes-group-version-kind\":[{\"group\":\"" group             \
    "\",\"version\":\"v1\",\"kind\":\"" kind "\"}],\"properties\":{\"kind\":" TEXT ",\"apiVersion\":" TEXT   \
    ",\"metadata\":{\"type\":\"object\","                                                                    \
    "\"properties\":{\"name\":" TEXT ",\"generateName\":" TEXT                                               \
    ",\"namespace\":{\"type\":\"string\"},\"labels\":" MAP ",\"annotations\":" MAP "}}," fields "}}"
#define TEXT "{\"type\":\"string\"}"
#define MAP  "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}"
#define SPEC                                                                                                 \
    "\"spec\":{\"type\":\"object\",\"properties\":{\"size\":{\"type\":\"integer\"},\"name\":{\"type\":"      \
    "\"string\"}}}"

static const char json[] = "{\"components\":{\"schemas\":{" KIND(
    "io.k8s.api.core.v1.Secret", "", "Secret",
    "\"data\":" MAP
    ",\"stringData\":" MAP) "," KIND("io.k8s.api.core.v1.ReplicationController", "", "ReplicationController",
                                     SPEC) "," KIND("io.k8s.api.core.v1.Node", "", "Node",
                                                    SPEC) "," KIND("Widget", "g", "Widget", SPEC) "}}}";

static int setup(void **state)
{
    return apidoc_setup(state, json);
}

#define MOST             3
#define PUT(path, value) "[JSONPatch{op: 'add', path: '" path "', value: " value "}]"
#define REMOVE(path)     "[JSONPatch{op: 'remove', path: '" path "'}]"
#define NOTE(value)      PUT("/metadata/labels/seen", value)
#define ANNOTATE         "Object{metadata: Object.metadata{annotations: {'a': 'b'}}}"
#define LABEL            "Object{metadata: Object.metadata{labels: {'a': 'b'}}}"
#define OTHER            "expected type of field 'labels' is 'map(string, string)' but provided type is 'int'"
#define UNDEFINED(name)  "undefined field '" name "'"

struct row {
    const char *kind, *condition, *variable;
    const char *mutations[MOST];
    const char *said[MOST]; /* parts of what is reported; NULL after the last one */
};

static void expect(const struct apidoc *d, const struct row *row)
{
    const bool is_core = strcmp(row->kind, "Widget") != 0, is_namespaced = strcmp(row->kind, "Node") != 0;
    struct policy_expression e[MOST + 2] = {{.place = POLICY_MATCH_CONDITION}};
    size_t count = 0, before;
    if (row->condition != NULL)
        e[count++] = (struct policy_expression){
            .place = POLICY_MATCH_CONDITION, .name = STR("c"), .text = str_of(row->condition)};
    if (row->variable != NULL)
        e[count++] = (struct policy_expression){
            .place = POLICY_VARIABLE, .name = STR("v"), .text = str_of(row->variable)};
    before = count;
    for (size_t i = 0; i < MOST && row->mutations[i] != NULL; i++)
        e[count++] = (struct policy_expression){
            .place = row->mutations[i][0] == 'O' ? POLICY_APPLY_CONFIGURATION : POLICY_JSON_PATCH,
            .name = STR(""),
            .text = str_of(row->mutations[i])};
    struct policy_request request = {.version = STR("v1"),
                                     .resource = STR("r"),
                                     .is_namespaced = is_namespaced,
                                     .operations = POLICY_CREATE};
    struct policy_type type = apidoc_type(d, row->kind);
    type.group = is_core ? STR("") : type.group;
    type.node = schema_find(d->schema, type.group, STR("v1"), str_of(row->kind));
    assert_non_null(type.node);
    type.requests = &request;
    type.request_count = 1;
    struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                      .policy = {.expressions = e, .count = count, .is_mutating = true},
                                      .types = &type,
                                      .type_count = 1};
    struct typecheck_result r;
    typecheck_policy(d->env, &policy, &r);
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_told = next < r.warning_count && r.warnings[next].expression == i;
        const char *said = is_told ? r.warnings[next].first.message.at : "";
        const char *wanted = i < before || row->said[i - before] == NULL ? "" : row->said[i - before];
        next += is_told;
        if (strcmp(said, wanted) != 0)
            fail_msg("%s: %s: %s", row->mutations[0], e[i].text.at, said);
    }
    typecheck_result_deinit(&r);
}

#define EXPECT_ALL(state, rows)                                                                              \
    for (size_t row_ = 0; row_ < sizeof(rows) / sizeof *(rows); row_++)                                      \
    expect((state), &(rows)[row_])

/* What the conditions say, and what is cleared, as far as no mutation changed it. */
static void test_what_lasts(void **state)
{
#define ABSENT    "undefined field 'annotations': has(object.metadata.annotations) is false here"
#define NAMESPACE "undefined field 'namespace': the kind is cluster-scoped"
    static const char none[] = "!has(object.metadata.annotations)",
                      read[] = NOTE("object.metadata.annotations.a");
    static const struct row rows[] = {
        {"Secret", none, NULL, {read}, {ABSENT}},
        {"Secret", none, NULL, {LABEL, read}, {NULL, ABSENT}},
        {"Secret", none, NULL, {NOTE("'x'"), read}, {NULL, ABSENT}},
        {"Secret", none, NULL, {ANNOTATE, read}, {NULL}},
        {"Secret", none, NULL, {LABEL, ANNOTATE, read}, {NULL}},
        {"Secret", none, NULL, {PUT("/metadata/annotations", "{'a': 'b'}"), read}, {NULL}},
        {"Secret",
         none,
         NULL,
         {PUT("/metadata/annotations", "{}"), read},
         {NULL, "undefined field 'annotations': it is left out while it is empty"}},
        {"Secret", none, NULL, {PUT("/metadata", "{'name': 'x'}"), read}, {NULL, UNDEFINED("annotations")}},
        {"Secret", none, NULL, {PUT("/' + object.metadata.name + '", "1"), read}, {NULL}},
        {"Secret",
         none,
         NULL,
         {PUT("/metadata/annotations/x", "'y'")},
         {"the path '/metadata/annotations/x' is never there: " ABSENT}},
        {"Secret",
         "!has(object['metadata'].annotations)",
         NULL,
         {LABEL, PUT("/metadata/annotations/x", "'y'")},
         {NULL, "the path '/metadata/annotations/x' is never there: undefined field 'annotations': "
                "has(_[_](object, \"metadata\").annotations) is false here"}},
        {"Secret",
         "!has(object.data)",
         NULL,
         {LABEL, NOTE("object.data.x")},
         {NULL, "undefined field 'data': has(object.data) is false here"}},
        {"Secret",
         "!has(oldObject.data)",
         NULL,
         {PUT("/data", "{'x': 'eA=='}"), NOTE("oldObject.data.x")},
         {NULL, "undefined field 'data': has(oldObject.data) is false here"}},
        {"ReplicationController",
         "!has(object.metadata.labels)",
         NULL,
         {ANNOTATE, NOTE("object.metadata.labels.x")},
         {NULL}},
        {"Secret",
         "!has(object.metadata.labels)",
         NULL,
         {ANNOTATE, NOTE("object.metadata.labels.x")},
         {NULL, "undefined field 'labels': has(object.metadata.labels) is false here"}},
        {"Node", "!has(object.spec.size)", NULL, {LABEL, NOTE("string(object.spec.size)")}, {NULL}},
        {"Node", NULL, NULL, {NOTE("object.metadata.namespace")}, {NAMESPACE}},
        {"Node", NULL, NULL, {LABEL, NOTE("object.metadata.namespace")}, {NULL, NAMESPACE}},
        {"Node",
         NULL,
         NULL,
         {"Object{metadata: Object.metadata{namespace: 'x'}}", NOTE("object.metadata.namespace")},
         {NULL}},
        {"Node",
         NULL,
         NULL,
         {"Object{metadata: object.spec.size > 1 ? Object.metadata{} : Object.metadata{namespace: 'x'}}",
          NOTE("object.metadata.namespace")},
         {NULL}},
        {"Node", NULL, NULL, {PUT("/metadata/namespace", "'x'"), NOTE("object.metadata.namespace")}, {NULL}},
        {"Node", NULL, NULL, {PUT("/spec/size", "1"), NOTE("object.metadata.namespace")}, {NULL, NAMESPACE}},
        {"Secret",
         NULL,
         NULL,
         {NOTE("object.stringData.x")},
         {"undefined field 'stringData': the API server moves it to data"}},
        {"Secret", NULL, NULL, {"Object{stringData: {'x': 'y'}}", NOTE("object.stringData.x")}, {NULL}},
        {"Secret",
         NULL,
         NULL,
         {"['x'].map(k, JSONPatch{op: 'remove', path: '/' + object.metadata.labels[k]})",
          NOTE("object.nope")},
         {NULL, UNDEFINED("nope")}},
        {"Secret",
         NULL,
         NULL,
         {"object.metadata.labels.map(k, JSONPatch{op: 'remove', path: '/metadata/labels/' + k})",
          NOTE("object.nope")},
         {NULL, UNDEFINED("nope")}},
        {"Node",
         NULL,
         NULL,
         {"object.metadata.labels.map(k, JSONPatch{op: 'remove', path: k})",
          NOTE("object.metadata.namespace")},
         {NULL}},
        {"Secret",
         NULL,
         NULL,
         {PUT("/metadata", "{'labels': 1}"), NOTE("object.metadata.annotations.x")},
         {OTHER, NULL}},
        {"Secret",
         NULL,
         NULL,
         {PUT("/data", "{}"), NOTE("object.data.x")},
         {NULL, "undefined field 'data': it is left out while it is empty"}},
        {"Secret", NULL, NULL, {PUT("/kind", "'Node'"), NOTE("object.nope")}, {NULL}},
        {"Secret", NULL, NULL, {PUT("/kind", "object.metadata.name"), NOTE("object.nope")}, {NULL}},
        {"Secret", NULL, NULL, {PUT("/kind", "null"), NOTE("object.nope")}, {NULL, UNDEFINED("nope")}},
    };
    EXPECT_ALL(*state, rows);
}

/* Each mutation has the variables evaluated anew. */
static void test_variables(void **state)
{
    static const char none[] = "!has(object.metadata.annotations)";
    static const struct row rows[] = {
        {"Secret", none, "object.metadata.annotations.a", {ANNOTATE, NOTE("variables.v")}, {NULL}},
        {"Widget", NULL, "object.spec.extra", {PUT("/spec/extra", "'a'"), NOTE("variables.v")}, {NULL}},
        {"Widget",
         NULL,
         "has(object.spec.extra) ? object.spec.extra : 'x'",
         {PUT("/spec/extra", "variables.v"), NOTE("variables.v")},
         {NULL}},
    };
    EXPECT_ALL(*state, rows);
}

/* Before its validation a custom resource has whatever a mutation puts there. */
static void test_custom_resources(void **state)
{
    static const struct row rows[] = {
        {"Widget", NULL, NULL, {NOTE("object.spec.extra")}, {UNDEFINED("extra")}},
        {"Widget", NULL, NULL, {PUT("/spec/extra", "'a'"), NOTE("object.spec.extra")}, {NULL}},
        {"Widget",
         NULL,
         NULL,
         {PUT("/spec/extra", "'a'"), NOTE("object.spec.other")},
         {NULL, UNDEFINED("other")}},
        {"Widget", NULL, NULL, {PUT("/spec/extra", "'a'"), LABEL, NOTE("object.spec.extra")}, {NULL}},
        {"Widget",
         NULL,
         NULL,
         {PUT("/spec/extra", "'a'"), LABEL, NOTE("object.spec.other")},
         {NULL, NULL, UNDEFINED("other")}},
        {"Widget", NULL, NULL, {PUT("/spec", "{'other': 1}"), NOTE("object.spec.extra")}, {NULL}},
        {"Widget", NULL, NULL, {LABEL, NOTE("object.nope")}, {NULL, UNDEFINED("nope")}},
        {"Widget", NULL, NULL, {PUT("/nope", "'a'"), NOTE("object.nope")}, {NULL}},
        {"Widget", NULL, NULL, {PUT("/spec/size", "'a'"), NOTE("object.spec.size")}, {NULL}},
        {"Widget", NULL, NULL, {REMOVE("/spec/size"), NOTE("string(object.spec.size)")}, {NULL}},
        {"Widget", NULL, NULL, {PUT("/' + object.spec.name + '", "1"), NOTE("object.nope")}, {NULL}},
        {"Widget",
         NULL,
         NULL,
         {"Object{spec: Object.spec{size: 1}}", REMOVE("/nope")},
         {NULL, "the path '/nope' is never there: undefined field 'nope'"}},
    };
    EXPECT_ALL(*state, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_lasts),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_custom_resources),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
