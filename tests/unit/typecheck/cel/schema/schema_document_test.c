#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/jsonread.h"
#include "typecheck/base/suggest.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/object_type.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/type.h"

/*
 * A document with one kind, Thing of g/v1; %s are the members of its schema
 * and of a component "Other" that refers to itself.
 */
static const char frame[] =
    "{\"components\":{\"schemas\":{"
    "\"Thing\":{%s,\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":"
    "\"Thing\"}]},"
    "\"Meta\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"generateName\":{\"type\":"
    "\"string\"},\"labels\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}}},"
    "\"Time\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"Quantity\":{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]},"
    "\"Self\":{\"$ref\":\"#/components/schemas/Time\"},"
    "\"Node\":{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#/components/schemas/"
    "Node\"},\"v\":{\"type\":"
    "\"integer\"},\"all\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Node\"}}}}"
    "}}}";

/* The schema that most rows use: full metadata, and one property under test. */
#define THING(property)                                                                                      \
    "\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},\"apiVersion\":{\"type\":"           \
    "\"string\"},"                                                                                           \
    "\"metadata\":{\"$ref\":\"#/components/schemas/Meta\"},\"p\":" property "}"

#define REF(name) "{\"$ref\":\"#/components/schemas/" name "\"}"

static const struct {
    const char *schema; /* members of Thing */
    const char *path;   /* fields to select, by "."; "[]" is the element of a list or map */
    const char *upstream, *runtime;
} rows[] = {
    {THING("{\"type\":\"string\"}"), "p", "string", "string"},
    {THING("{\"type\":\"integer\",\"format\":\"int64\"}"), "p", "int", "int"},
    {THING("{\"type\":\"number\"}"), "p", "double", "dyn"},
    {THING("{\"type\":\"boolean\",\"nullable\":true}"), "p", "bool", "bool"},
    {THING("{\"type\":\"string\",\"format\":\"byte\"}"), "p", "bytes", "string"},
    {THING("{\"type\":\"string\",\"format\":\"date\"}"), "p", "timestamp", "string"},
    {THING("{\"type\":\"string\",\"format\":\"duration\"}"), "p", "duration", "string"},
    {THING("{\"type\":\"string\",\"format\":\"uuid\"}"), "p", "string", "string"},
    {THING("{\"type\":\"string\",\"format\":\"int-or-string\"}"), "p", "dyn", "dyn"},
    {THING("{\"x-kubernetes-int-or-string\":true}"), "p", "dyn", "dyn"},
    {THING(REF("Time")), "p", "timestamp", "string"},
    {THING("{\"allOf\":[" REF("Time") "],\"description\":\"d\"}"), "p", "timestamp", "string"},
    {THING(REF("Quantity")), "p", "none", "dyn"},
    {THING(REF("Self")), "p", "none", "dyn"}, /* a reference is followed once */
    {THING("{}"), "p", "none", "dyn"},
    {THING("{\"x-kubernetes-preserve-unknown-fields\":true}"), "p", "none", "dyn"},
    {THING("{\"type\":\"object\"}"), "p", "Thing.p", "dyn"},
    {THING("{\"type\":\"object\"}"), "p.x", "none", "dyn"},
    {THING("{\"type\":\"object\",\"additionalProperties\":true}"), "p", "Thing.p", "dyn"},
    {THING("{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}"), "p",
     "map(string, string)", "map(string, string)"},
    {THING("{\"type\":\"object\",\"additionalProperties\":" REF("Quantity") "}"), "p", "none",
     "map(string, dyn)"},
    {THING(
         "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":"
         "\"integer\"}}}}"),
     "p.[]", "Thing.p.@elem", "Thing.p.@elem"},
    {THING("{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\"}}}"
           "}"),
     "p.[].v", "int", "int"},
    {THING("{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
           "\"v\":"
           "{}}}}}"),
     "p", "list(list(Thing.p.@idx.@idx))", "list(list(Thing.p.@idx.@idx))"},
    {THING("{\"type\":\"array\"}"), "p", "none", "dyn"},
    {THING("{\"type\":\"array\",\"items\":[{\"type\":\"string\"}]}"), "p", "none", "dyn"},
    {THING("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},"
           "\"x-kubernetes-preserve-unknown-fields\":true}"),
     "p.b", "none", "dyn"},
    {THING(REF("Node")), "p.v", "int", "int"},
    {THING(REF("Node")), "p.next", "Thing.p.next", "dyn"},
    {THING(REF("Node")), "p.next.v", "none", "dyn"}, /* cut at the first repetition */
    {THING(REF("Node")), "p.all.[].v", "none", "dyn"},
    {THING("{\"type\":\"object\",\"properties\":{\"x-y\":{\"type\":\"string\"}}}"), "p.x__dash__y", "string",
     "string"},
    {THING("{\"type\":\"object\",\"properties\":{\"x-y\":{\"type\":\"string\"}}}"), "p.x-y", "none", "none"},
    {THING("{\"type\":\"object\",\"properties\":{\"if\":{\"type\":\"string\"}}}"), "p.if", "string",
     "string"},
    {THING("{\"type\":\"object\",\"properties\":{\"if\":{\"type\":\"string\"}}}"), "p.__if__", "string",
     "string"},
    {THING("{\"type\":\"object\",\"x-kubernetes-embedded-resource\":true,\"properties\":{\"z\":{\"type\":"
           "\"string\"}}}"),
     "p.metadata.name", "string", "dyn"},
    {THING("{}"), "metadata.labels.[]", "string", "string"},
    /* no full metadata: kind, apiVersion and a small metadata are added, in place of what is there */
    {"\"type\":\"object\",\"properties\":{\"metadata\":{\"type\":\"string\"}}", "metadata", "Thing.metadata",
     "dyn"},
    {"\"type\":\"object\"", "metadata.name", "string", "dyn"},
    {"\"type\":\"object\",\"default\":{}", "metadata.name", "string", "dyn"},
    {"\"type\":\"object\",\"nullable\":true", "metadata.name", "string", "dyn"},
    {"\"type\":\"object\",\"x-vapcheck-no-metadata\":true,\"properties\":{\"kind\":{\"type\":\"string\"}}",
     "metadata", "none", "none"},
    {"\"type\":\"object\"", "metadata.labels", "none", "dyn"},
    {"\"type\":\"object\"", "kind", "string", "string"},
    {"\"type\":\"object\"", "spec", "none", "dyn"},
    {"\"type\":\"object\",\"properties\":{\"self\":" REF("Thing") "}", "self.self", "none", "dyn"},
};

static const struct type *select_path(struct types *ts, const struct type *t, const char *path)
{
    while (t != NULL && *path != '\0') {
        size_t len = strcspn(path, ".");
        struct str name = {path, len};
        if (t->kind == TYPE_DYN)
            return t;
        if (str_eq(name, STR("[]")))
            t = t->params[t->param_count - 1];
        else
            t = t->kind == TYPE_OBJECT ? t->ops->field(t, name, ts) : NULL;
        path += len + (path[len] == '.');
    }
    return t;
}

/* The type of Thing. */
static const struct type *derive_thing(struct types *ts, const struct schema *doc, enum schema_typing typing)
{
    const struct schema_node *node = schema_find(doc, STR("g"), STR("v1"), STR("Thing"));
    assert_non_null(node);
    return object_type_of_resource(ts, doc, node, STR("Thing"), typing);
}

static void check_row(const struct schema *doc, const char *path, enum schema_typing typing,
                      const char *expected)
{
    struct arena a;
    arena_init(&a, 1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    struct types *ts = types_new(&a, NULL);
    const struct type *root = derive_thing(ts, doc, typing);
    const struct type *t = select_path(ts, root, path);
    struct text out = {.arena = &a};
    if (t != NULL)
        type_print(&out, t);
    if (!str_eq(t == NULL ? STR("none") : text_str(&out), str_of(expected)))
        fail_msg("%s: %s instead of %s", path, t == NULL ? "none" : text_str(&out).at, expected);
    assert_ptr_equal(t, select_path(ts, root, path)); /* asked again, the very same */
    arena_deinit(&a);
}

static void test_types(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char json[4096], message[256];
        snprintf(json, sizeof json, frame, rows[i].schema);
        struct schema *doc = schema_new(json, strlen(json), message, sizeof message, NULL);
        if (doc == NULL)
            fail_msg("row %zu: %s", i, message);
        check_row(doc, rows[i].path, SCHEMA_UPSTREAM, rows[i].upstream);
        check_row(doc, rows[i].path, SCHEMA_RUNTIME, rows[i].runtime);
        schema_free(doc);
    }
}

static void test_find(void **state)
{
    (void)state;
    char json[4096], message[256];
    snprintf(json, sizeof json, frame, THING("{}"));
    struct schema *doc = schema_new(json, strlen(json), message, sizeof message, NULL);
    assert_non_null(doc);
    assert_null(schema_find(doc, STR("g"), STR("v1"), STR("Nothing")));
    assert_null(schema_find(doc, STR("g"), STR("v2"), STR("Thing")));
    assert_null(schema_find(doc, STR(""), STR("v1"), STR("Thing")));
    schema_free(doc);
}

#define KIND(type, group, version, kind)                                                                     \
    "{\"type\":\"" type "\",\"x-kubernetes-group-version-kind\":[{\"group\":\"" group                        \
    "\",\"version\":\"" version "\",\"kind\":\"" kind "\"}]}"

/* Each kind is found whatever the order; of several of one kind the document's first counts. */
static void test_find_among_many(void **state)
{
    (void)state;
    static const char json[] =
        "{\"components\":{\"schemas\":{\"Z\":" KIND("integer", "g", "v1", "Twice") ",\"C\":" KIND(
            "string", "g", "v2", "Twice") ",\"A\":" KIND("boolean", "g", "v1",
                                                         "Twice") ",\"B\":" KIND("number", "a", "v1",
                                                                                 "Twice") "}}}";
    static const struct {
        const char *group, *version;
        enum schema_json_type type;
    } wanted[] = {{"g", "v1", JSON_INTEGER}, {"g", "v2", JSON_STRING}, {"a", "v1", JSON_NUMBER}};
    char message[256];
    struct schema *doc = schema_new(json, strlen(json), message, sizeof message, NULL);
    assert_non_null(doc);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct schema_node *found =
            schema_find(doc, str_of(wanted[i].group), str_of(wanted[i].version), STR("Twice"));
        assert_non_null(found);
        assert_int_equal(found->type, wanted[i].type);
    }
    assert_null(schema_find(doc, STR("a"), STR("v2"), STR("Twice")));
    schema_free(doc);
}

/* What is nearest among the names of the type's fields, as JSON has them. */
static const char *find_nearest(struct arena *a, const struct type *t, const char *asked, bool looks_at_all)
{
    struct suggest nearest;
    struct str name, plain;
    suggest_init(&nearest, asked);
    for (size_t i = 0;; i++) {
        if (!looks_at_all)
            i = t->ops->find_near(t, i, &nearest);
        if (!t->ops->name(t, i, &name))
            return nearest.best;
        suggest_offer(&nearest, str_copy(a, property_name_unescape(a, name, &plain) ? plain : name).at);
    }
}

/* A name that is nearest is never passed over, however the graph writes it. */
static void test_near_names(void **state)
{
    (void)state;
    static const char *const asked[] = {"replica", "REPLICAS", "max-surge", "max_surge", "namespaces", "a__c",
                                        "1_st",    "xyz",      "",          "zone",      "dns.polic"};
    char json[4096], message[256];
    snprintf(json, sizeof json, frame,
             THING("{\"type\":\"object\",\"properties\":{\"replicas\":{},\"max-surge\":{},\"namespace\":{},"
                   "\"a__b\":{},\"1st\":{},\"dns.policy\":{},\"zones\":{},\"z\":{}}}"));
    struct schema *doc = schema_new(json, strlen(json), message, sizeof message, NULL);
    assert_non_null(doc);
    struct arena a;
    arena_init(&a, 1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("out of memory");
    struct types *ts = types_new(&a, NULL);
    const struct type *p = select_path(ts, derive_thing(ts, doc, SCHEMA_RUNTIME), "p");
    size_t found = 0;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const char *of_all = find_nearest(&a, p, asked[i], true),
                   *near = find_nearest(&a, p, asked[i], false);
        assert_int_equal(of_all == NULL, near == NULL);
        if (of_all != NULL)
            assert_string_equal(of_all, near);
        found += of_all != NULL;
    }
    assert_int_equal(found, sizeof asked / sizeof *asked - 2); /* all but two are near some name */
    arena_deinit(&a);
    schema_free(doc);
}

/* Upstream takes a kind from which a $ref leads nowhere for one without a schema. */
static void test_missing_reference(void **state)
{
    (void)state;
    char json[4096], message[256];
    snprintf(json, sizeof json, frame, THING("{\"type\":\"array\",\"items\":" REF("Nowhere") "}"));
    struct schema *doc = schema_new(json, strlen(json), message, sizeof message, NULL);
    assert_non_null(doc);
    assert_null(schema_find(doc, STR("g"), STR("v1"), STR("Thing")));
    schema_free(doc);
}

static void test_bad_documents(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } bad[] = {
        {"", "malformed JSON at byte 0: continue"},
        {"{\"components\":", "malformed JSON at byte 14: continue"},
        {"[]", "document: not an object"},
        {"null", "document: not an object"},
        {"{}x", "malformed JSON at byte 2: unexpected character"},
        {"{\"a\":'b'}", "malformed JSON at byte 5: unexpected character"},
        {"{\"a\":\"\xff\"}", "malformed JSON at byte 6: invalid utf-8 string"},
        {"{\"components\":7,}", "malformed JSON at byte 16: quoted object property name expected"},
        {"{\"components\":[]}", "components: not an object"},
        {"{\"components\":{\"schemas\":7}}", "components.schemas: not an object"},
        {"{\"components\":{\"schemas\":{\"A\":null}}}", "components.schemas.A: not an object"},
        {"{\"components\":{\"schemas\":{\"A\":{\"type\":7}}}}", "components.schemas.A.type: not a string"},
        {"{\"components\":{\"schemas\":{\"A\":{\"properties\":{\"b\":{\"items\":3}}}}}}",
         "components.schemas.A.properties.b.items: not an object"},
        {"{\"components\":{\"schemas\":{\"A\":{\"$ref\":{}}}}}", "components.schemas.A.$ref: not a string"},
        {"{\"components\":{\"schemas\":{\"A\":{\"allOf\":[1]}}}}",
         "components.schemas.A.allOf: an element is not an object"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char message[256] = "";
        assert_null(schema_new(bad[i].json, strlen(bad[i].json), message, sizeof message, NULL));
        assert_string_equal(message, bad[i].message);
    }
}

/* Of a key that is there several times the last counts, as null too. */
static void test_duplicate_keys(void **state)
{
    (void)state;
    static const struct {
        const char *p; /* the schema of the property p */
        const char *expected;
    } same[] = {
        {"{\"type\":\"string\",\"type\":\"integer\"}", "int"},
        {"{\"type\":\"string\",\"type\":null}", "none"},
        {"{\"type\":[\"integer\",\"null\"]}", "int"},
        {"{\"type\":\"string\",\"format\":\"byte\",\"format\":\"uuid\"}", "string"},
        {"{\"type\":\"string\",\"format\":\"byte\",\"format\":null}", "string"},
        {"{\"type\":\"string\",\"format\":\"int-or-string\",\"format\":\"x\"}", "string"},
        {"{\"type\":\"string\",\"x-kubernetes-int-or-string\":true,\"x-kubernetes-int-or-string\":1}",
         "string"},
        {"{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"items\":[]}", "none"},
        {"{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"},\"additionalProperties\":true}",
         "Thing.p"},
        {"{\"type\":\"object\",\"additionalProperties\":true,\"additionalProperties\":{\"type\":\"string\"}}",
         "map(string, string)"},
        {"{\"$ref\":\"#/components/schemas/Time\",\"$ref\":null,\"type\":\"string\"}", "string"},
        {"{\"allOf\":[" REF("Time") "],\"allOf\":[],\"type\":\"integer\"}", "int"},
        {"{},\"p\":{\"type\":\"string\"},\"p\":{\"type\":\"integer\"}", "int"},
        {"{},\"\\u0070\":{\"type\":\"integer\"}", "int"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char thing[2048], json[4096], message[256];
        snprintf(thing, sizeof thing, THING("%s"), same[i].p);
        snprintf(json, sizeof json, frame, thing);
        struct schema *doc = schema_new(json, strlen(json), message, sizeof message, NULL);
        if (doc == NULL)
            fail_msg("row %zu: %s", i, message);
        check_row(doc, "p", SCHEMA_UPSTREAM, same[i].expected);
        schema_free(doc);
    }
}

#define KINDS         "\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"Thing\"}]"
#define A_THING(type) "\"T\":{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"" type "\"}}," KINDS "}"

/* The same of what lies around schemas. */
static void test_duplicate_sections(void **state)
{
    (void)state;
    static const struct {
        const char *json, *expected; /* of p; NULL: there is no such kind */
    } same[] = {
        {"{\"components\":{\"schemas\":{" A_THING("string") "," A_THING("integer") "}}}", "int"},
        {"{\"components\":{\"schemas\":{" A_THING("string") ",\"T\":{}}}}", NULL},
        {"{\"components\":{\"schemas\":{\"T\":7," A_THING("string") "}}}", "string"},
        {"{\"components\":{\"schemas\":{" A_THING("string") "},\"schemas\":{" A_THING("integer") "}}}",
         "int"},
        {"{\"components\":{\"schemas\":{" A_THING("string") "},\"schemas\":null}}", NULL},
        {"{\"components\":{\"schemas\":{" A_THING("string") "}},\"components\":{\"schemas\":{" A_THING(
             "integer") "}}}",
         "int"},
        {"{\"components\":{\"schemas\":{" A_THING("string") "}},\"components\":{}}", NULL},
        {"{\"components\":[],\"components\":{\"schemas\":7,\"schemas\":{" A_THING("string") "}}}", "string"},
        {"{\"components\":{\"schemas\":{\"T\":{" KINDS ",\"x-kubernetes-group-version-kind\":[]}}}}", NULL},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char message[256];
        struct schema *doc = schema_new(same[i].json, strlen(same[i].json), message, sizeof message, NULL);
        if (doc == NULL)
            fail_msg("row %zu: %s", i, message);
        if (same[i].expected != NULL)
            check_row(doc, "p", SCHEMA_UPSTREAM, same[i].expected);
        else
            assert_null(schema_find(doc, STR("g"), STR("v1"), STR("Thing")));
        schema_free(doc);
    }
}

static void test_limits(void **state)
{
    (void)state;
    char message[256];
    /* only the length is looked at */
    assert_null(schema_new("{}", SCHEMA_MAX_DOCUMENT_BYTES + 1, message, sizeof message, NULL));
    assert_string_equal(message, "the document has 16777217 bytes, more than the limit of 16777216");

    char deep[4 * JSONREAD_MAX_DEPTH];
    memset(deep, '[', sizeof deep);
    assert_null(schema_new(deep, sizeof deep, message, sizeof message, NULL));
    assert_string_equal(message, "malformed JSON at byte 256: nesting too deep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_find_among_many),
        cmocka_unit_test(test_near_names),
        cmocka_unit_test(test_missing_reference),
        cmocka_unit_test(test_bad_documents),
        cmocka_unit_test(test_duplicate_keys),
        cmocka_unit_test(test_duplicate_sections),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
