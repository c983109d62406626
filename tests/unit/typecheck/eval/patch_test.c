#include "typecheck/eval/patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"

/* tests/e2e/mutations_test.py has what a real server does with such mutations. */
static const char json[] =
    "{\"components\":{\"schemas\":{"
    "\"Sel\":{\"type\":\"object\",\"x-kubernetes-map-type\":\"atomic\",\"properties\":{\"a\":{\"type\":"
    "\"string\"}}},"
    "\"K\":{\"type\":\"object\",\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\","
    "\"kind\":\"K\"}],\"properties\":{"
    "\"n\":{\"type\":\"integer\"},\"s\":{\"type\":\"string\"},\"on\":{\"type\":\"boolean\"},"
    "\"port\":{\"x-kubernetes-int-or-string\":true},"
    "\"any\":{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true},"
    "\"args\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"set\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"set\",\"items\":{\"type\":\"string\"}},"
    "\"old\":{\"type\":\"array\",\"x-kubernetes-patch-strategy\":\"merge\",\"items\":{\"type\":\"string\"}},"
    "\"cut\":{\"type\":\"array\",\"x-kubernetes-patch-strategy\":\"merge\",\"x-kubernetes-list-type\":"
    "\"atomic\","
    "\"items\":{\"type\":\"string\"}},"
    "\"labels\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},"
    "\"sel\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Sel\"}]},"
    "\"items\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\",\"items\":{\"type\":\"object\","
    "\"properties\":{\"name\":{\"type\":\"string\"},\"port\":{\"type\":\"integer\"}}}}}}}}}";

static int setup(void **state)
{
    return apidoc_setup(state, json);
}

/* The first message, "" for none. */
static void expect(const struct apidoc *d, enum policy_place place, const char *text, const char *first)
{
    struct policy_expression e = {.place = place, .name = STR(""), .text = str_of(text)};
    struct policy_request request = {.group = STR("g"),
                                     .version = STR("v1"),
                                     .resource = STR("ks"),
                                     .is_namespaced = true,
                                     .operations = POLICY_CREATE};
    struct policy_type type = apidoc_type(d, "K");
    type.requests = &request;
    type.request_count = 1;
    struct typecheck_policy policy = {SCHEMA_RUNTIME, &e, 1, &type, 1, .has_params = false};
    struct typecheck_result r;
    typecheck_policy(d->env, &policy, &r);
    const char *said = r.warning_count == 0 ? "" : r.warnings[0].first.at;
    if (strcmp(said, first) != 0)
        fail_msg("%s: %s", text, said);
    typecheck_result_deinit(&r);
}

static void test_fields(void **state)
{
    static const char *const rows[][2] = {
        {"Object{n: 1, s: 'a', on: true, port: 'http', set: ['a'], old: ['a'], labels: {'a': 'b'}}", ""},
        {"Object{n: object.n + 1, s: object.s, labels: object.labels, items: object.items}", ""},
        {"Object{m: 1}", "undefined field 'm'"},
        {"Object{?m: optional.of(1)}", "undefined field 'm'"},
        {"Object{?n: optional.of('a')}", ""},
        {"Object{n: 'a'}", "expected type of field 'n' is 'int' but provided type is 'string'"},
        {"Object{n: 1.5}", ""},
        {"Object{n: 1u}", "expected type of field 'n' is 'int' but provided type is 'uint'"},
        {"Object{n: object.s}", "expected type of field 'n' is 'int' but provided type is 'string'"},
        {"Object{s: null}", "expected type of field 's' is 'string' but provided type is 'null'"},
        {"Object{on: object.n > 1 ? 'a' : 'b'}",
         "expected type of field 'on' is 'bool' but provided type is 'string'"},
        {"Object{on: object.n > 1 ? 'a' : dyn(true)}", ""},
        {"Object{port: true}", ""},
        {"Object{labels: ['a']}",
         "expected type of field 'labels' is 'map(string, string)' but provided type is 'list'"},
        {"Object{labels: {'a': 1}}", "expected type of field 'a' is 'string' but provided type is 'int'"},
        {"Object{labels: {object.s: 1}}", ""},
        {"Object{any: {'a': {'b': [1]}}}", ""},
        {"Object{any: 1}", ""},
        {"Object{items: [{'name': 'a'}]}",
         "a map or list within the list of 'items' cannot be applied: only Object.items{...} can hold one"},
        {"Object{items: []}", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(*state, POLICY_APPLY_CONFIGURATION, rows[i][0], rows[i][1]);
}

static void test_atomic(void **state)
{
    static const char *const rows[][2] = {
        {"Object{args: ['a']}", "may not mutate atomic arrays, maps or structs: 'args' is one"},
        {"Object{cut: ['a']}", "may not mutate atomic arrays, maps or structs: 'cut' is one"},
        {"Object{args: object.args + ['a']}", "may not mutate atomic arrays, maps or structs: 'args' is one"},
        {"Object{sel: Object.sel{a: 'b'}}", "may not mutate atomic arrays, maps or structs: 'sel' is one"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(*state, POLICY_APPLY_CONFIGURATION, rows[i][0], rows[i][1]);
}

#define OTHER_NAME(name, expected)                                                                           \
    "unexpected type name '" name "', expected '" expected                                                   \
    "', which matches field name path from root Object type"

static void test_names(void **state)
{
    static const char *const rows[][2] = {
        {"Object{items: object.items.map(i, Object.items{name: i.name, port: 1})}", ""},
        {"Object{items: object.items.map(i, Object.items{name: i.name, prt: 1})}", "undefined field 'prt'"},
        {"Object{items: [Object.item{name: 'a'}]}", OTHER_NAME("Object.item", "Object.items")},
        {"Object{items: (object.n > 1 ? [Object{}] : []) + [Object{}]}",
         OTHER_NAME("Object", "Object.items")},
        {"Object{n: dyn(Object.m{})}", OTHER_NAME("Object.m", "Object.n")},
        {"object.kind == 'K' ? Object{} : Object{m: 1}", ""},
        {"object.n > 1 ? Object{} : Object{m: 1}", "undefined field 'm'"},
        {"[Object{m: 1}].size() == 1 ? Object{} : Object{}", ""}, /* no part of the result */
        {"Object{n: [Object.m{}].size()}", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(*state, POLICY_APPLY_CONFIGURATION, rows[i][0], rows[i][1]);
}

static void test_patches(void **state)
{
    static const char *const rows[][2] = {
        {"[JSONPatch{op: 'add', path: '/n', value: 1}]", ""},
        {"[JSONPatch{op: 'set', path: '/n'}]", "'set' is no operation of a JSON patch"},
        {"[JSONPatch{op: object.s, path: object.s}]", ""},
        {"[JSONPatch{path: '/n'}]", "a JSON patch without an 'op'"},
        {"[JSONPatch{?op: optional.of('add'), path: '/n'}]", ""},
        {"[JSONPatch{op: 'remove', path: 'n'}]", "'n' is no path: it has no '/'"},
        {"[JSONPatch{op: 'remove', path: ''}]", "'' is no path: it has no '/'"},
        {"[JSONPatch{op: 'test', path: '', value: {}}, JSONPatch{op: 'replace', path: '', value: {}}]", ""},
        {"object.items.map(i, JSONPatch{op: 'set', path: '/n'})", "'set' is no operation of a JSON patch"},
        {"[JSONPatch{op: 'add', path: '/n', value: Object.x{a: Object.y{}}}]",
         OTHER_NAME("Object.y", "Object.x.a")},
        {"[JSONPatch{op: 'add', path: '/n', value: Object{m: 1}}]", ""}, /* a schema has no part in it */
        {"object.kind == 'K' ? [] : [JSONPatch{}]", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(*state, POLICY_JSON_PATCH, rows[i][0], rows[i][1]);
}

/* What 1.36 does with them, by its own libraries: "+" makes JSON by another way. */
static void test_objects_in_lists(void **state)
{
#define PANICS(name)                                                                                         \
    "before Kubernetes 1.37 a list or map in a JSON patch cannot hold " name "{...}: the API server panics"
    static const char *const rows[][2] = {
        {"[JSONPatch{op: 'add', path: '/n', value: Object.x{a: 1}}]", ""},
        {"[JSONPatch{op: 'add', path: '/n', value: [Object.x{a: 1}]}]", PANICS("Object.x")},
        {"[JSONPatch{op: 'add', path: '/n', value: [[Object.x{a: 1}]]}]", PANICS("Object.x")},
        {"[JSONPatch{op: 'add', path: '/n', value: {'k': Object.x{a: 1}}}]", PANICS("Object.x")},
        {"[JSONPatch{op: 'add', path: '/n', value: {'j': [], 'k': [Object.x{}]}}]", PANICS("Object.x")},
        {"[JSONPatch{op: 'add', path: '/n', value: Object.x{a: [Object.x.a{b: 1}]}}]", ""},
        {"[JSONPatch{op: 'add', path: '/n', value: Object.x{a: {'k': Object.x.a{b: 1}}}}]", ""},
        {"[JSONPatch{op: 'add', path: '/n', value: [Object.x{a: 1}] + [Object.x{a: 2}]}]", ""},
        {"[JSONPatch{op: 'add', path: '/n', value: [?optional.none()]}]", ""},
        {"[JSONPatch{op: 'add', path: '/n', ?value: optional.none()}]", ""},
        {"[JSONPatch{op: 'add', path: '/n', value: object.n > 1 ? [Object.x{}] : []}]", ""},
        {"[JSONPatch{op: 'add', path: '/n', value: [{'a': 1}, {'a': 2}]}]", ""},
    };
    struct apidoc *d = *state;
    struct env *newest = d->env, *older = env_new(36, celgo_in(36));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(d, POLICY_JSON_PATCH, rows[i][0], "");
    d->env = older;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(d, POLICY_JSON_PATCH, rows[i][0], rows[i][1]);
    d->env = newest;
    env_free(older);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),  cmocka_unit_test(test_atomic),           cmocka_unit_test(test_names),
        cmocka_unit_test(test_patches), cmocka_unit_test(test_objects_in_lists),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
