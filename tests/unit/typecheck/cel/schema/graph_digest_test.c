#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/schema.h"

#define KIND(name, properties, rest)                                                                         \
    "\"g.v1." name "\":{\"type\":\"object\",\"properties\":{" properties                                     \
    "},\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"" name            \
    "\"}]" rest "}"
#define SPEC(properties) "\"spec\":{\"type\":\"object\",\"properties\":{" properties "}}"
#define META             "\"metadata\":{\"$ref\":\"#/components/schemas/meta\"}"
#define OTHER            KIND("Other", SPEC("\"m\":{\"type\":\"string\",\"default\":\"x\"}"), "")
#define META_OF(type)    "\"meta\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"" type "\"}}}"

/* The digest of K in a document of these schemas. */
static struct schema_digest digest(const char *schemas)
{
    char json[4096], message[SCHEMA_MESSAGE_BYTES];
    snprintf(json, sizeof json, "{\"components\":{\"schemas\":{%s}}}", schemas);
    struct schema *doc = schema_new(json, strlen(json), message, sizeof message, NULL);
    assert_non_null(doc);
    schema_digest_kinds(doc);
    const struct schema_node *node = schema_find(doc, STR("g"), STR("v1"), STR("K"));
    assert_non_null(node);
    const struct schema_digest d = schema_digest_of(doc, node);
    assert_true(d.first != 0 && d.second != 0);
    schema_free(doc);
    return d;
}

static bool is_same(struct schema_digest one, struct schema_digest two)
{
    return one.first == two.first && one.second == two.second;
}

#define N(rest) KIND("K", META "," SPEC("\"n\":{\"type\":\"integer\"" rest "}"), "") "," META_OF("string")

/* Whatever else is in the document. */
static void test_same(void **state)
{
    (void)state;
    const struct schema_digest d = digest(N(""));
    assert_true(is_same(d, digest(OTHER "," N(""))));
    assert_true(is_same(d, digest(META_OF("string") "," OTHER "," KIND("K",
                                                                       META "," SPEC("\"n\":{\"type\":"
                                                                                     "\"integer\"}"),
                                                                       ""))));
}

static void test_different(void **state)
{
    (void)state;
    static const char *const others[] = {
        N(",\"nullable\":true"),
        N(",\"default\":1"),
        KIND("K", META "," SPEC("\"n\":{\"type\":\"string\"}"), "") "," META_OF("string"),
        KIND("K", META "," SPEC("\"n\":{\"type\":\"string\",\"enum\":[\"a\"]}"), "") "," META_OF("string"),
        KIND("K", META "," SPEC("\"n\":{\"type\":\"string\",\"enum\":[\"b\"]}"), "") "," META_OF("string"),
        KIND("K", META "," SPEC("\"n\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}"),
             "") "," META_OF("string"),
        KIND("K", META "," SPEC("\"o\":{\"type\":\"integer\"}"), "") "," META_OF("string"),
        KIND("K", META "," SPEC("\"n\":{\"type\":\"integer\"}"),
             ",\"required\":[\"spec\"]") "," META_OF("string"),
        KIND("K", META "," SPEC("\"n\":{\"type\":\"integer\"}"), "") "," META_OF("integer"),
        KIND("K", SPEC("\"n\":{\"type\":\"integer\"}"), ""),
    };
    enum { COUNT = sizeof others / sizeof *others };
    struct schema_digest digests[COUNT + 1] = {digest(N(""))};
    for (size_t i = 1; i <= COUNT; i++) {
        digests[i] = digest(others[i - 1]);
        for (size_t k = 0; k < i; k++)
            assert_false(is_same(digests[k], digests[i]));
    }
}

/* A schema that holds itself. */
static void test_recursion(void **state)
{
    (void)state;
    static const char list[] = "\"l\":{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":"
                               "\"#/components/schemas/l\"},\"n\":{\"type\":\"%s\"}}}";
    char of_integers[512], of_strings[512], schemas[2048];
    snprintf(of_integers, sizeof of_integers, list, "integer");
    snprintf(of_strings, sizeof of_strings, list, "string");
    snprintf(schemas, sizeof schemas, "%s,%s", of_integers,
             KIND("K", "\"spec\":{\"$ref\":\"#/components/schemas/l\"}", ""));
    const struct schema_digest one = digest(schemas);
    assert_true(is_same(one, digest(schemas)));
    snprintf(schemas, sizeof schemas, "%s,%s", of_strings,
             KIND("K", "\"spec\":{\"$ref\":\"#/components/schemas/l\"}", ""));
    assert_false(is_same(one, digest(schemas)));
}

/* Before it was made, and of a node that is no kind's. */
static void test_not_known(void **state)
{
    (void)state;
    static const char json[] = "{\"components\":{\"schemas\":{" KIND("K", SPEC(""), "") "}}}";
    char message[SCHEMA_MESSAGE_BYTES];
    struct schema *doc = schema_new(json, sizeof json - 1, message, sizeof message, NULL);
    const struct schema_node *node = schema_find(doc, STR("g"), STR("v1"), STR("K"));
    assert_int_equal(schema_digest_of(doc, node).first, 0);
    schema_digest_kinds(doc);
    assert_int_not_equal(schema_digest_of(doc, node).first, 0);
    assert_int_equal(schema_digest_of(doc, &doc->nodes[0]).first, 0);
    schema_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_different),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
