#include "typecheck/policy/abstract/patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"

/* tests/e2e/mutations_test.py has what a real server does with such mutations. */
#define QUANTITY "io.k8s.apimachinery.pkg.api.resource.Quantity"

#define KIND(name, kind)                                                                                     \
    "\"" name "\":{\"type\":\"object\",\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":"   \
    "\"v1\",\"kind\":\"" kind "\"}],\"properties\":{"                                                        \
    "\"kind\":{\"type\":\"string\"},\"apiVersion\":{\"type\":\"string\"},\"metadata\":{\"type\":\"object\"," \
    "\"properties\":{\"name\":{\"type\":\"string\"},\"generateName\":{\"type\":\"string\"},\"uid\":{"        \
    "\"type\":"                                                                                              \
    "\"string\"},\"creationTimestamp\":{\"type\":\"string\",\"format\":\"date-time\"},"                      \
    "\"annotations\":{\"type\":\"object\","                                                                  \
    "\"additionalProperties\":{\"type\":\"string\"}}}},"                                                     \
    "\"n\":{\"type\":\"integer\"},\"s\":{\"type\":\"string\"},\"on\":{\"type\":\"boolean\"},"                \
    "\"port\":{\"x-kubernetes-int-or-string\":true},"                                                        \
    "\"amount\":{\"allOf\":[{\"$ref\":\"#/components/schemas/" QUANTITY "\"}]},"                             \
    "\"amounts\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#/components/schemas/" QUANTITY   \
    "\"}},"                                                                                                  \
    "\"any\":{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true},"                           \
    "\"args\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"                                         \
    "\"set\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"set\",\"items\":{\"type\":\"string\"}},"       \
    "\"old\":{\"type\":\"array\",\"x-kubernetes-patch-strategy\":\"merge\",\"items\":{\"type\":\"string\"}}" \
    ","                                                                                                      \
    "\"cut\":{\"type\":\"array\",\"x-kubernetes-patch-strategy\":\"merge\",\"x-kubernetes-list-type\":"      \
    "\"atomic\",\"items\":{\"type\":\"string\"}},"                                                           \
    "\"annotations\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},"                  \
    "\"sel\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Sel\"}]},"                                         \
    "\"sels\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"set\",\"items\":{\"allOf\":[{\"$ref\":"       \
    "\"#/components/schemas/Sel\"}]}},"                                                                      \
    "\"items\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\",\"items\":{\"type\":\"object\","       \
    "\"properties\":{\"name\":{\"type\":\"string\"},\"port\":{\"type\":\"integer\"}}}}}}"

static const char json[] = "{\"components\":{\"schemas\":{"
                           "\"" QUANTITY "\":{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]},"
                           "\"Sel\":{\"type\":\"object\",\"x-kubernetes-map-type\":\"atomic\","
                           "\"properties\":{\"a\":{\"type\":\"string\"}}}," KIND("g.v1.K", "K") "," KIND(
                               "io.k8s.api.g.v1.B", "B") "}}}";

static int setup(void **state)
{
    return apidoc_setup(state, json);
}

static void check_on(const struct apidoc *d, const char *kind, unsigned operations,
                     const struct policy_expression *e, size_t count, struct typecheck_result *r)
{
    struct policy_request request = {.group = STR("g"),
                                     .version = STR("v1"),
                                     .resource = STR("ks"),
                                     .is_namespaced = true,
                                     .operations = operations};
    struct policy_type type = apidoc_type(d, kind);
    type.requests = &request;
    type.request_count = 1;
    struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                      .policy = {.expressions = e, .count = count, .is_mutating = true},
                                      .types = &type,
                                      .type_count = 1};
    typecheck_policy(d->env, &policy, r);
}

static void check(const struct apidoc *d, const char *kind, const struct policy_expression *e, size_t count,
                  struct typecheck_result *r)
{
    check_on(d, kind, POLICY_CREATE, e, count, r);
}

/* The message about the last JSON patch of a policy, "" for none. */
static void expect_last(const struct apidoc *d, const char *kind, const char *const *texts, size_t most,
                        const char *message)
{
    struct policy_expression e[3];
    struct typecheck_result r;
    size_t count = 0;
    for (; count < most && texts[count] != NULL; count++)
        e[count] = (struct policy_expression){
            .place = POLICY_JSON_PATCH, .name = STR(""), .text = str_of(texts[count])};
    check(d, kind, e, count, &r);
    const char *said = "";
    for (size_t i = 0; i < r.warning_count; i++) {
        if (r.warnings[i].expression == count - 1)
            said = r.warnings[i].first.message.at;
    }
    if (strcmp(said, message) != 0)
        fail_msg("%s ... %s: %s", texts[0], texts[count - 1], said);
    typecheck_result_deinit(&r);
}

/* The first message, "" for none. */
static void expect_of(const struct apidoc *d, const char *kind, enum policy_place place, const char *text,
                      const char *first)
{
    struct policy_expression e = {.place = place, .name = STR(""), .text = str_of(text)};
    struct typecheck_result r;
    check(d, kind, &e, 1, &r);
    const char *said = r.warning_count == 0 ? "" : r.warnings[0].first.message.at;
    if (strcmp(said, first) != 0)
        fail_msg("%s: %s", text, said);
    typecheck_result_deinit(&r);
}

static void expect(const struct apidoc *d, enum policy_place place, const char *text, const char *first)
{
    expect_of(d, "K", place, text, first);
}

static void add_expression(struct policy_expression *e, size_t *count, enum policy_place place,
                           const char *text)
{
    if (text != NULL)
        e[(*count)++] = (struct policy_expression){.place = place, .name = STR("v"), .text = str_of(text)};
}

/* The message about each of the expressions, on CREATE and UPDATE; NULL and "" for none. */
static void expect_each(const struct apidoc *d, const char *kind, const struct policy_expression *e,
                        size_t count, const char *const *messages)
{
    struct typecheck_result r;
    check_on(d, kind, POLICY_CREATE | POLICY_UPDATE, e, count, &r);
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_told = next < r.warning_count && r.warnings[next].expression == i;
        const char *said = is_told ? r.warnings[next].first.message.at : "";
        next += is_told;
        if (strcmp(said, messages[i] == NULL ? "" : messages[i]) != 0)
            fail_msg("%s ... %s: %s", e[0].text.at, e[i].text.at, said);
    }
    typecheck_result_deinit(&r);
}

static void test_fields(void **state)
{
    static const char *const rows[][2] = {
        {"Object{n: 1, s: 'a', on: true, port: 'http', set: ['a'], old: ['a'], annotations: {'a': 'b'}}", ""},
        {"Object{n: object.n + 1, s: object.s, annotations: object.annotations, items: object.items}", ""},
        {"Object{m: 1}", "undefined field 'm'"},
        {"Object{?m: optional.of(1)}", "undefined field 'm'"},
        {"Object{?n: optional.of('a')}", ""},
        {"Object{n: 'a'}", "expected type of field 'n' is 'int' but provided type is 'string'"},
        {"Object{n: 1.5}", ""},
        {"Object{n: 1u}", "expected type of field 'n' is 'int' but provided type is 'uint'"},
        {"Object{n: object.kind}", "expected type of field 'n' is 'int' but provided type is 'string'"},
        {"Object{s: null}", "expected type of field 's' is 'string' but provided type is 'null'"},
        {"Object{on: object.n > 1 ? 'a' : 'b'}",
         "expected type of field 'on' is 'bool' but provided type is 'string'"},
        {"Object{on: object.n > 1 ? 'a' : dyn(true)}", ""},
        {"Object{port: true}", ""},
        {"Object{amount: 100, amounts: {'a': 1, 'b': 2}}", ""},
        {"Object{amount: true}", "expected type of field 'amount' is 'string' but provided type is 'bool'"},
        {"Object{amounts: {'a': [1]}}", "a map or list within the map of 'amounts' cannot be applied: only "
                                        "Object.amounts{...} can hold one"},
        {"Object{annotations: ['a']}",
         "expected type of field 'annotations' is 'map(string, string)' but provided type is 'list'"},
        {"Object{annotations: {'a': 1}}",
         "expected type of field 'a' is 'string' but provided type is 'int'"},
        {"Object{annotations: {object.s: 1}}", ""},
        {"Object{any: {'a': {'b': [1]}}}", ""},
        {"Object{any: 1}", ""},
        {"Object{items: [{'name': 'a'}]}",
         "a map or list within the list of 'items' cannot be applied: only Object.items{...} can hold one"},
        {"Object{items: []}", ""},
        {"Object{items: [false]}",
         "expected type of field 'items' is 'Object.items' but provided type is 'bool'"},
        {"Object{set: ['a', 0]}", "expected type of field 'set' is 'string' but provided type is 'int'"},
        {"Object{set: [object.s, object.kind], old: [object.n > 1 ? dyn('a') : dyn(1)]}", ""},
        {"Object{set: [null], amounts: {}}", ""},
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
        {"Object{sels: [Object.sels{a: 'b'}]}",
         "may not mutate atomic arrays, maps or structs: an item 'Object.sels' is one"},
        {"Object{sels: [1].map(i, Object.sels{a: 'b'})}",
         "may not mutate atomic arrays, maps or structs: an item 'Object.sels' is one"},
        {"Object{sels: []}", ""},
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

/* Operations of one patch, one after the other. K is a custom kind. */
static void test_sequences(void **state)
{
#define OP(op, path)         "JSONPatch{op: '" op "', path: '" path "', value: 'x'}"
#define COPY(from, path)     "JSONPatch{op: 'copy', from: '" from "', path: '" path "'}"
#define MOVE(from, path)     "JSONPatch{op: 'move', from: '" from "', path: '" path "'}"
#define NEVER(path, why)     "the path '" path "' is never there: " why
#define NO_FIELD(path, name) NEVER(path, "undefined field '" name "'")
    static const char *const rows[][2] = {
        /* behind a test nothing is certain */
        {"[" OP("test", "/s") ", " OP("set", "/s") "]", ""},
        {"[" OP("test", "/s") ", " OP("remove", "s") "]", ""},
        {"[" OP("test", "/s") ", " OP("remove", "/nope") "]", ""},
        {"[" OP("remove", "/nope") ", " OP("test", "/s") "]", NO_FIELD("/nope", "nope")},
        {"[" OP("test", "/nope") "]", ""},
        {"[" OP("test", "/nope/x") "]", NO_FIELD("/nope/x", "nope")},
        {"[JSONPatch{op: object.s, path: '/s'}, " OP("set", "/s") "]", ""},
        {"(object.n > 1 ? [" OP("test", "/s") "] : []) + [" OP("set", "/s") "]", ""},
        {"(object.kind == 'X' ? [" OP("test", "/s") "] : []) + [" OP("set", "/s") "]",
         "'set' is no operation of a JSON patch"},
        {"object.args.map(a, " OP("test", "/s") ") + [" OP("set", "/s") "]", ""},
        {"object.args.map(a, JSONPatch{op: 'add', path: a}) + [" OP("set", "/s") "]",
         "'set' is no operation of a JSON patch"},
        {"[?optional.of(" OP("test", "/s") "), " OP("set", "/s") "]", ""},
        {"[object.n > 1 ? " OP("test", "/s") " : " OP("add", "/s") ", " OP("set", "/s") "]", ""},
        /* what an operation makes, and takes away */
        {"[" OP("add", "/annotations/x") "]", ""},
        {"[" OP("remove", "/annotations") ", " OP("add", "/annotations/x") "]",
         NEVER("/annotations/x", "undefined field 'annotations': an operation before removes it")},
        {"[" OP("remove", "/annotations") ", JSONPatch{op: 'add', path: '/annotations', value: {}}, " OP(
             "add", "/annotations/x") "]",
         ""},
        {"[" OP("remove", "/annotations") "] + (object.n > 1 ? [JSONPatch{op: 'add', path: '/annotations', "
                                          "value: {}}] : []) + "
                                          "[" OP("add", "/annotations/x") "]",
         ""},
        {"[" OP("remove", "/annotations") "] + (object.n > 1 ? [" OP("add", "/s") "] : []) + [" OP(
             "add", "/annotations/x") "]",
         NEVER("/annotations/x", "undefined field 'annotations': an operation before removes it")},
        {"[" OP("remove", "/annotations") ", JSONPatch{op: 'add', path: object.s}, " OP("add",
                                                                                        "/annotations/x") "]",
         ""},
        {"[" MOVE("/annotations", "/any/x") ", " OP("remove", "/annotations") "]",
         NEVER("/annotations", "undefined field 'annotations': an operation before removes it")},
        {"[" COPY("/annotations", "/any/x") ", " OP("remove", "/annotations") "]", ""},
        {"[" COPY("/nope/x", "/any/x") "]", NO_FIELD("/nope/x", "nope")},
        {"[" COPY("nope", "/any/x") "]", "'nope' is no path: it has no '/'"},
        {"[" OP("move", "/s") "]", "a JSON patch without a 'from', which 'move' needs"},
        {"[" OP("remove", "/any/x/y/z") ", " OP("remove", "/any/x/y/z") "]",
         NEVER("/any/x/y/z", "undefined field 'z': an operation before removes it")},
        {"[" OP("replace", "") ", " OP("remove", "/nope") "]", ""},
        {"[" OP("replace", "/nope") ", " OP("remove", "/nope") "]", ""}, /* K is not decoded strictly */
        {"[" OP("add", "/kind/x") "]", NEVER("/kind/x", "'kind' is of the type 'string'")},
        {"[" OP("add", "/items/0/port") "]", ""},
        {"[JSONPatch{op: 'add', path: '/' + jsonpatch.escapeKey('a/b~c') + '/x'}]",
         NO_FIELD("/a~1b~0c/x", "a/b~c")},
        {"[JSONPatch{op: 'add', path: '/annotations/' + jsonpatch.escapeKey(object.s)}, " OP("set", "/s") "]",
         "'set' is no operation of a JSON patch"},
        {"[" OP("remove", "/items/0/prt") "]", NO_FIELD("/items/0/prt", "prt")},
        {"object.items.map(i, " OP("remove", "/items/0/prt") ")", NO_FIELD("/items/0/prt", "prt")},
        {"object.args.map(a, JSONPatch{op: 'remove', path: '/annotations/' + a})", ""},
        /* a path of which the beginning is known */
        {"[JSONPatch{op: 'add', path: '/annotations/' + object.s}, " OP("remove", "/nope") "]",
         NO_FIELD("/nope", "nope")},
        {"[JSONPatch{op: 'add', path: '/nope/' + object.s}]", NO_FIELD("/nope/...", "nope")},
        {"[JSONPatch{op: 'add', path: '/kind/' + object.s + '/x'}]",
         NEVER("/kind/...", "'kind' is of the type 'string'")},
        {"object.args.map(a, JSONPatch{op: 'remove', path: '/nope/' + a})", NO_FIELD("/nope/...", "nope")},
        {"[JSONPatch{op: 'add', path: '/' + object.s}, " OP("set", "/s") "]",
         "'set' is no operation of a JSON patch"},
        {"[JSONPatch{op: 'add', path: object.s + '/nope/x'}]", ""},
        {"[JSONPatch{op: 'add', path: '/args/' + object.s}]", ""},
        {"[JSONPatch{op: 'test', path: '/annotations/' + object.s}, " OP("set", "/s") "]", ""},
        {"[" OP("remove", "/annotations/x") ", JSONPatch{op: 'add', path: '/annotations/' + object.s}, " OP(
             "remove", "/annotations/x") "]",
         ""},
        {"[JSONPatch{op: 'move', from: '/nope', path: '/annotations/' + object.s}]",
         NO_FIELD("/nope", "nope")},
        /* what CEL does first */
        {"[" OP("remove", "/nope") ", JSONPatch{op: 'add', path: object.nope}]", "undefined field 'nope'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(*state, POLICY_JSON_PATCH, rows[i][0], rows[i][1]);
}

/* A custom resource comes pruned, and not validated: what is there may have any type. B is built in. */
static void test_unvalidated(void **state)
{
#define OTHER_TYPE(name, wanted, given)                                                                      \
    "expected type of field '" name "' is '" wanted "' but provided type is '" given "'"
#define SHIFT    "[JSONPatch{op: 'move', from: '/s/0', path: '/s'}]"
#define NO_INDEX "[JSONPatch{op: 'remove', path: '/args/x'}]"
    static const struct {
        enum policy_place place;
        const char *text, *custom, *built_in;
    } rows[] = {
        {POLICY_JSON_PATCH, SHIFT, "", NEVER("/s/0", "'s' is of the type 'string'")},
        {POLICY_JSON_PATCH, NO_INDEX, NO_FIELD("/args/x", "x"),
         NEVER("/args/x", "'x' is no index of a list")},
        {POLICY_JSON_PATCH, "[JSONPatch{op: 'remove', path: '/items/0/name/0'}]", "",
         NEVER("/items/0/name/0", "'name' is of the type 'string'")},
        {POLICY_JSON_PATCH, "[JSONPatch{op: 'add', path: '/n/-', value: 1}]", "",
         NEVER("/n/-", "'n' is of the type 'int'")},
        {POLICY_APPLY_CONFIGURATION, "Object{n: object.s}", "",
         "expected type of field 'n' is 'int' but provided type is 'string'"},
        /* the server sets them itself, whatever a custom resource has there */
        {POLICY_APPLY_CONFIGURATION, "Object{metadata: Object.metadata{creationTimestamp: 100}}", "",
         OTHER_TYPE("creationTimestamp", "string", "int")},
        {POLICY_APPLY_CONFIGURATION, "Object{metadata: Object.metadata{creationTimestamp: ['a']}}",
         OTHER_TYPE("creationTimestamp", "string", "list"),
         OTHER_TYPE("creationTimestamp", "string", "list")},
        {POLICY_APPLY_CONFIGURATION, "Object{metadata: Object.metadata{uid: 100}}",
         OTHER_TYPE("uid", "string", "int"), OTHER_TYPE("uid", "string", "int")},
        {POLICY_MATCH_CONDITION, "object.n + 'a' == 'a'", "",
         "found no matching overload for '_+_' applied to '(int, string)'"},
        {POLICY_MATCH_CONDITION, "object.s[0] == 'a'", "",
         "found no matching overload for '_[_]' applied to '(string, int)'"},
        /* pruned: no field that the schema has not, in whatever is there */
        {POLICY_MATCH_CONDITION, "object.nope == 1", "undefined field 'nope'", "undefined field 'nope'"},
        {POLICY_MATCH_CONDITION, "object.items[0].nope == 1", "undefined field 'nope'",
         "undefined field 'nope'"},
        {POLICY_MATCH_CONDITION, "object.any.nope == 1", "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_of(*state, "K", rows[i].place, rows[i].text, rows[i].custom);
        expect_of(*state, "B", rows[i].place, rows[i].text, rows[i].built_in);
    }
}

/* What the API server decodes strictly: the object of a built-in kind, when the whole patch is applied. */
static void test_decoded(void **state)
{
#define PUT(path, value) "JSONPatch{op: 'add', path: '" path "', value: " value "}"
    static const char *const rows[][2] = {
        {"[" PUT("/nope", "1") "]", "undefined field 'nope'"},
        {"[" PUT("/Labels", "{}") "]", "undefined field 'Labels'"},
        {"[" PUT("/nope", "{}") ", " PUT("/nope/x", "1") "]", "undefined field 'nope'"},
        {"[" PUT("/nope", "1") ", " OP("remove", "/nope") "]", ""},
        {"[" PUT("/nope", "1") ", JSONPatch{op: 'remove', path: object.s}]", ""},
        {"[" PUT("/nope", "1") ", " OP("remove", "/annotations/nope") "]", "undefined field 'nope'"},
        {"[" PUT("/items/0/nope", "1") ", " OP("remove", "/items/1") "]", ""},
        {"[" PUT("/nope", "1") "] + (object.n > 1 ? [" OP("remove", "/nope") "] : [])", ""},
        {"[" PUT("/nope", "1") "] + (object.n > 1 ? [" OP("add", "/s") "] : [])", "undefined field 'nope'"},
        {"[" PUT("/nope", "1") ", " OP("test", "/s") "]", ""},
        {"[" OP("test", "/s") ", " PUT("/nope", "1") "]", ""},
        {"[" MOVE("/s", "/nope") "]", "undefined field 'nope'"},
        {"[" PUT("/s", "1") "]", OTHER_TYPE("s", "string", "int")},
        {"[" PUT("/s", "1u") "]", OTHER_TYPE("s", "string", "uint")},
        {"[" PUT("/s", "9007199254740993") "]", ""}, /* a string of JSON */
        {"[" PUT("/s", "object.n") "]", ""},
        {"[" PUT("/amount", "1") "]", ""},
        {"[" PUT("/amount", "true") "]", OTHER_TYPE("amount", "string", "bool")},
        {"[" PUT("/amounts", "{'cpu': 1.5}") "]", ""},
        {"[" PUT("/amounts/cpu", "1u") "]", ""},
        {"[" PUT("/s", "true") "]", OTHER_TYPE("s", "string", "bool")},
        {"[" PUT("/s", "null") "]", ""},
        {"[" PUT("/s", "timestamp('2024-01-02T03:04:05Z')") "]", ""},
        {"[" PUT("/s", "[1]") "]", ""}, /* bytes, for all that the schema says */
        {"[" PUT("/s", "object.annotations") "]", OTHER_TYPE("s", "string", "map")},
        {"[" PUT("/n", "1u") "]", ""},
        {"[" PUT("/n", "1.0") "]", ""},
        {"[" PUT("/n", "'1'") "]", OTHER_TYPE("n", "int", "string")},
        {"[" PUT("/n", "object.n > 1 ? dyn('1') : dyn(1)") "]", ""},
        {"[" PUT("/port", "true") "]", ""},
        {"[" PUT("/annotations", "'x'") "]", OTHER_TYPE("annotations", "map(string, string)", "string")},
        {"[" PUT("/annotations", "{'a': 1}") "]", OTHER_TYPE("a", "string", "int")},
        {"[" PUT("/set", "['a', true]") "]", OTHER_TYPE("set", "string", "bool")},
        {"[" PUT("/set/-", "false") "]", OTHER_TYPE("-", "string", "bool")},
        {"[" PUT("/items", "[{'nme': 'a'}]") "]", "undefined field 'nme'"},
        {"[" PUT("/items", "[{object.s: 'a'}]") "]", ""},
        {"[" PUT("/items/0", "{'port': 'a'}") "]", OTHER_TYPE("port", "int", "string")},
        {"[" PUT("/any", "{'a': {'b': [1]}}") "]", ""},
        {"[" PUT("/items", "[{'nme': 'a'}]") ", " OP("remove", "/items/0/nme") "]", ""},
        {"[" PUT("/items", "[{'port': 'a'}]") ", JSONPatch{op: 'replace', path: '/items/-1/port', value: 1}]",
         ""},
        {"[" PUT("/items", "[{'nme': 'a'}]") ", " OP("remove", "/annotations/x") "]",
         "undefined field 'nme'"},
        {"[" PUT("/items/-", "Object.items{name: 'a', port: 1}") "]", ""},
        {"[" PUT("/items/-", "Object.items{name: 'a', prt: 1}") "]", "undefined field 'prt'"},
        {"[" PUT("/items/-", "Object.items{name: 'a', ?prt: optional.none()}") "]", ""},
        {"[" PUT("/items/-", "Object.items{name: 'a', port: 'x'}") "]", OTHER_TYPE("port", "int", "string")},
        {"[" PUT("/items", "[Object.items{name: 'a', port: 'x'}]") "]", OTHER_TYPE("port", "int", "string")},
        {"[" PUT("/n", "Object.n{}") "]", OTHER_TYPE("n", "int", "map")},
        {"[" PUT("/items", "object.items.map(i, Object.items{name: i.name})") "]", ""},
        {"[" PUT("/sel", "1") "]", OTHER_TYPE("sel", "object", "int")},
        {"object.args.map(a, " PUT("/nope", "a") ")", "undefined field 'nope'"},
        {"object.args.map(a, " PUT("/s", "a") ")", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_of(*state, "B", POLICY_JSON_PATCH, rows[i][0], rows[i][1]);
}

/* A changed kind or apiVersion: 'must stay'; and what only a later mutation can put right. */
static void test_identity(void **state)
{
#define STAYS(name, own, other)                                                                              \
    "'" name "' must stay '" own "': the API server refuses the object with '" other "'"
#define NOT_WITHOUT(name) "the API server refuses an object without '" name "'"
    static const char whole[] = "[" PUT("/kind", "'X'") ", " PUT("/kind", "'K'") "]";
    static const struct {
        const char *kind;
        const char *texts[2]; /* the message is about the last */
        const char *last;
    } rows[] = {
        {"B", {"[" PUT("/kind", "'X'") "]"}, STAYS("kind", "B", "X")},
        {"B", {"[" PUT("/kind", "'B'") "]"}, ""},
        {"B", {"[" PUT("/kind", "''") "]"}, ""},
        {"B", {"[" PUT("/kind", "null") "]"}, ""},
        {"B", {"[" OP("remove", "/kind") "]"}, ""},
        {"B", {"[" PUT("/kind", "object.s") "]"}, ""},
        {"B", {"[" PUT("/apiVersion", "'g/v2'") "]"}, STAYS("apiVersion", "g/v1", "g/v2")},
        {"B", {"[" PUT("/apiVersion", "'g/v1'") "]"}, ""},
        {"B", {"has(object.s) ? [" PUT("/kind", "'X'") "] : []"}, STAYS("kind", "B", "X")},
        {"B", {"[" OP("test", "/s") ", " PUT("/kind", "'X'") "]"}, ""},
        {"K", {"[" PUT("/kind", "'X'") "]"}, STAYS("kind", "K", "X")},
        {"K", {"[" PUT("/kind", "1") "]"}, OTHER_TYPE("kind", "string", "int")},
        {"K", {"[" PUT("/kind", "''") "]"}, NOT_WITHOUT("kind")},
        {"K", {"[" OP("remove", "/kind") "]"}, NOT_WITHOUT("kind")},
        {"K", {"[" OP("remove", "/apiVersion") "]"}, NOT_WITHOUT("apiVersion")},
        {"K", {"[" PUT("/apiVersion", "'h/v1'") "]"}, STAYS("apiVersion", "g/v1", "h/v1")},
        {"K", {"[" PUT("/apiVersion", "'g/v2'") "]"}, ""},
        {"K", {whole}, ""},
        {"K", {"[]", "[" PUT("/kind", "'X'") "]"}, STAYS("kind", "K", "X")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_last(*state, rows[i].kind, rows[i].texts, 2, rows[i].last);
    const char *const first[] = {NULL, NULL};
    struct policy_expression e[2];
    size_t count = 0;
    add_expression(e, &count, POLICY_JSON_PATCH, "[" PUT("/kind", "'X'") "]");
    add_expression(e, &count, POLICY_JSON_PATCH, "[" OP("replace", "/s") "]");
    expect_each(*state, "B", e, count, first);
    expect_each(*state, "K", e, count, first);
}

/* What copy and move put there is JSON already; and places of lists whose items are known. */
static void test_taken(void **state)
{
#define TAKE(op, from, path) "JSONPatch{op: '" op "', from: '" from "', path: '" path "'}"
#define FEWER(path, index)   NEVER(path, "the list has fewer items than '" index "' needs")
    static const char *const rows[][2] = {
        {"[" TAKE("move", "/n", "/sel") "]", OTHER_TYPE("sel", "object", "int")},
        {"[" TAKE("move", "/n", "/s") "]", OTHER_TYPE("s", "string", "int")},
        {"[" TAKE("move", "/n", "/amount") "]", ""},
        {"[" TAKE("move", "/n", "/any") "]", ""},
        {"[" TAKE("copy", "/kind", "/n") "]", OTHER_TYPE("n", "int", "string")},
        {"[" TAKE("copy", "/kind", "/s") "]", ""},
        {"[" TAKE("copy", "/n", "/s") "]", ""}, /* null is copied where there is none */
        {"[" TAKE("copy", "/kind", "/n") ", " OP("remove", "/n") "]", ""},
        {"[" TAKE("copy", "/kind", "/args/-") "]", ""},
        {"[" TAKE("copy", "/kind", "/items/-") "]", OTHER_TYPE("-", "object", "string")},
        {"[" PUT("/args", "[]") ", " PUT("/args/0", "'a'") "]", ""},
        {"[" PUT("/args", "[]") ", " PUT("/args/1", "'a'") "]", FEWER("/args/1", "1")},
        {"[" PUT("/args", "[]") ", " PUT("/args/99999999999999999999", "'a'") "]",
         FEWER("/args/99999999999999999999", "99999999999999999999")},
        {"[" PUT("/args", "['a']") ", " OP("remove", "/args/0") "]", ""},
        {"[" PUT("/args", "['a']") ", " OP("remove", "/args/1") "]", FEWER("/args/1", "1")},
        {"[" PUT("/args", "['a']") ", " OP("replace", "/args/-1") "]", ""},
        {"[" PUT("/args", "['a']") ", " OP("replace", "/args/00") "]", ""},
        {"[" PUT("/args", "['a']") ", " OP("test", "/args/1") "]", FEWER("/args/1", "1")},
        {"[" PUT("/args", "[?object.?s]") ", " OP("remove", "/args/0") "]", ""},
        {"[" PUT("/args", "object.args") ", " OP("remove", "/args/7") "]", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_of(*state, "B", POLICY_JSON_PATCH, rows[i][0], rows[i][1]);
}

/* The last of several mutations. What one leaves is decoded before the next, and may get defaults. */
static void test_mutations(void **state)
{
#define NONE "it is left out while it is empty"
    static const struct {
        const char *kind;
        const char *texts[3];
        const char *last;
    } rows[] = {
        {"B",
         {"[" OP("remove", "/metadata/annotations") "]", "[" OP("remove", "/metadata/annotations") "]"},
         NEVER("/metadata/annotations", "undefined field 'annotations': an operation before removes it")},
        {"B",
         {"[" PUT("/metadata/annotations", "{}") "]", "[" OP("add", "/metadata/annotations/x") "]"},
         NEVER("/metadata/annotations/x", "undefined field 'annotations': " NONE)},
        {"B",
         {"[" PUT("/metadata", "{'namespace': 'x'}") "]", "[" OP("remove", "/metadata/annotations") "]"},
         ""},
        {"B",
         {"[" PUT("/metadata/annotations", "{'a': 'b'}") "]", "[" OP("add", "/metadata/annotations/x") "]"},
         ""},
        {"K", {"[" PUT("/metadata/annotations", "{}") "]", "[" OP("add", "/metadata/annotations/x") "]"}, ""},
        {"B", {"[" OP("remove", "/annotations") "]", "[" OP("remove", "/annotations") "]"}, ""},
        {"K", {"[" OP("add", "/nope") "]", "[" OP("remove", "/nope") "]"}, ""},
        {"B",
         {"[" OP("test", "/s") ", " OP("remove", "/metadata/annotations") "]",
          "[" OP("remove", "/metadata/annotations") "]"},
         ""},
        {"B",
         {"[" OP("replace", "/s") ", " OP("remove", "/metadata/annotations") "]",
          "[" OP("remove", "/metadata/annotations") "]"},
         ""}, /* the first may fail, and leave the annotations */
        {"B",
         {"has(object.s) ? [" OP("remove", "/metadata/annotations") "] : []",
          "[" OP("remove", "/metadata/annotations") "]"},
         ""},
        {"B",
         {"[" OP("remove", "/metadata/annotations") "]", "[" PUT("/metadata/annotations", "{'a': 'b'}") "]",
          "[" OP("remove", "/metadata/annotations") "]"},
         ""},
        {"B",
         {"[" OP("remove", "/metadata/annotations") "]", "[" OP("add", "/s") "]",
          "[" OP("remove", "/metadata/annotations") "]"},
         NEVER("/metadata/annotations", "undefined field 'annotations': an operation before removes it")},
        {"B",
         {"[" OP("remove", "/metadata/annotations") "]", "1 +",
          "[" OP("remove", "/metadata/annotations") "]"},
         ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_last(*state, rows[i].kind, rows[i].texts, 3, rows[i].last);
}

/*
 * Since Kubernetes 1.37 conditions make typed values of a built-in kind's object, and mutations find those;
 * without conditions they find JSON. The old object stays what the first policy of the request made of it.
 */
static void test_typed_objects(void **state)
{
#define HOLDS(kind)                                                                                          \
    "a JSON patch cannot hold a " kind                                                                       \
    " of the object: since Kubernetes 1.37 the API server cannot make JSON "                                 \
    "of it in a policy with match conditions"
    static const char index[] = "found no matching overload for '_[_]' applied to '(list(string), uint)'";
    static const char list[] = HOLDS("list"), map[] = HOLDS("map");
    static const char condition[] = "object.s == 'a'", labels[] = "[" OP("add", "/s") "]";
    static const struct {
        const char *kind, *condition, *variable, *patches[2], *said[4];
    } rows[] = {
        {"B", "object.args[0u] == 'a'", NULL, {"[]"}, {index}},
        {"B", condition, NULL, {labels, "[" PUT("/s", "object.args[0u]") "]"}, {"", "", index}},
        {"B", condition, "object.args[0u]", {"[" PUT("/s", "variables.v") "]"}, {"", index}},
        {"B", condition, NULL, {"[" PUT("/args", "object.args") "]"}, {"", list}},
        {"B", condition, NULL, {"[" PUT("/args", "dyn(object.args)") "]", labels}, {"", list}},
        {"B", condition, NULL, {"[" PUT("/items", "[object.items[0]]") "]"}, {"", map}},
        {"B", condition, NULL, {"[" PUT("/annotations", "object.annotations") "]"}, {"", map}},
        {"B", condition, NULL, {"has(object.s) ? [" PUT("/args", "object.args") "] : []"}, {"", list}},
        {"B", condition, NULL, {"[" PUT("/args", "has(object.s) ? object.args : []") "]"}, {""}},
        {"B", condition, NULL, {"[" PUT("/args", "object.args + ['a']") "]"}, {""}},
        {"B", condition, NULL, {"[" PUT("/args", "object.args.filter(x, x != 'a')") "]"}, {""}},
        {"B", condition, NULL, {"[" PUT("/args", "oldObject == null ? [] : oldObject.args") "]"}, {""}},
        {"B", NULL, NULL, {"[" PUT("/s", "object.args[0u]") "]"}, {""}},
        {"B", NULL, "object.args[0u]", {"[" PUT("/s", "variables.v") "]"}, {""}},
        {"B", NULL, NULL, {"[" PUT("/args", "object.args") "]"}, {""}},
        {"B", "oldObject == null || oldObject.args[0u] == 'a'", NULL, {"[]"}, {""}},
        {"K", "object.args[0u] == 'a'", NULL, {"[" PUT("/args", "object.args") "]"}, {""}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct policy_expression e[4];
        size_t count = 0;
        add_expression(e, &count, POLICY_MATCH_CONDITION, rows[i].condition);
        add_expression(e, &count, POLICY_VARIABLE, rows[i].variable);
        add_expression(e, &count, POLICY_JSON_PATCH, rows[i].patches[0]);
        add_expression(e, &count, POLICY_JSON_PATCH, rows[i].patches[1]);
        expect_each(*state, rows[i].kind, e, count, rows[i].said);
    }
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
        cmocka_unit_test(test_fields),        cmocka_unit_test(test_atomic),
        cmocka_unit_test(test_names),         cmocka_unit_test(test_patches),
        cmocka_unit_test(test_sequences),     cmocka_unit_test(test_unvalidated),
        cmocka_unit_test(test_decoded),       cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_identity),      cmocka_unit_test(test_taken),
        cmocka_unit_test(test_typed_objects), cmocka_unit_test(test_objects_in_lists),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
