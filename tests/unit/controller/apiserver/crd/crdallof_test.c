#include "controller/apiserver/crd/crdallof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

#define RULES "\"x-kubernetes-validations\":[{\"rule\":\"true\"}]"
#define AT    "spec.versions[0].schema.openAPIV3Schema"

static struct json_object *definition(const char *schema)
{
    cleanup_mem char *text = mem_printf(
        "{\"spec\":{\"versions\":[{\"name\":\"v1\",\"schema\":{\"openAPIV3Schema\":%s}}]}}", schema);
    struct json_object *tree;
    struct err err = {0};
    if (jsonval_parse(text, strlen(text), &tree, &err) != 0)
        fail_msg("%s: %s", text, err.msg);
    return tree;
}

/* found: "FIELD KEYWORD BOUND;..." */
static const struct {
    const char *schema, *found;
} rows[] = {
    {"{" RULES ",\"type\":\"string\",\"allOf\":[{\"maxLength\":9},{\"maxLength\":5}]}", AT " maxLength 5;"},
    {"{" RULES ",\"type\":\"string\",\"allOf\":[{\"allOf\":[{\"maxLength\":0}]}]}", AT " maxLength 0;"},
    /* the place has one of its own; there is none; a bound in anyOf is none */
    {"{" RULES ",\"type\":\"string\",\"maxLength\":9,\"allOf\":[{\"maxLength\":5}]}", ""},
    {"{" RULES ",\"type\":\"string\",\"allOf\":[{\"minLength\":5},{\"anyOf\":[{\"maxLength\":5}]}]}", ""},
    {"{" RULES ",\"type\":\"string\",\"allOf\":[1,{\"maxLength\":\"5\"},{\"maxLength\":-5}]}", ""},
    /* below a rule, and above one; elsewhere nothing is estimated */
    {"{" RULES ",\"type\":\"array\",\"allOf\":[{\"maxItems\":3}],"
     "\"items\":{\"type\":\"string\",\"allOf\":[{\"maxLength\":5}]}}",
     AT ".items maxLength 5;" AT " maxItems 3;"},
    {"{\"type\":\"object\",\"allOf\":[{\"maxProperties\":3}],\"additionalProperties\":{\"type\":"
     "\"string\"," RULES "}}",
     AT " maxProperties 3;"},
    {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"allOf\":[{\"maxLength\":5}]},"
     "\"b\":{\"type\":\"string\",\"allOf\":[{\"maxLength\":6}]," RULES "}}}",
     AT ".properties[b] maxLength 6;"},
    {"{\"type\":\"string\",\"allOf\":[{\"maxLength\":5}]}", ""},
    {"[]", ""},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json_object *tree = definition(rows[i].schema);
        cleanup_mem char *before = mem_strdup(json_object_to_json_string(tree));
        struct crdallof found;
        cleanup_buf struct buf shown;
        buf_init(&shown, 4096);
        crdallof_find(tree, &found);
        for (size_t k = 0; k < found.count; k++)
            buf_printf(&shown, "%s %s %lld;", found.items[k].field, found.items[k].keyword,
                       (long long)found.items[k].bound);
        assert_string_equal(shown.len == 0 ? "" : shown.data, rows[i].found);
        assert_int_equal(found.moved != NULL, found.count > 0);
        assert_false(found.is_partial);
        assert_string_equal(json_object_to_json_string(tree), before);
        crdallof_deinit(&found);
        json_object_put(tree);
    }
}

static void test_moved(void **state)
{
    (void)state;
    struct json_object *tree = definition("{" RULES ",\"type\":\"string\",\"allOf\":[{\"maxLength\":5}]}");
    struct crdallof found;
    crdallof_find(tree, &found);
    assert_non_null(strstr(json_object_to_json_string_ext(found.moved, JSON_C_TO_STRING_PLAIN),
                           "\"allOf\":[{\"maxLength\":5}],\"maxLength\":5}"));
    crdallof_deinit(&found);
    json_object_put(tree);
}

/* A field as long as this is not entered; that is said. */
static void test_limit(void **state)
{
    (void)state;
    cleanup_buf struct buf name;
    buf_init(&name, 8192);
    for (size_t i = 0; i < 5000; i++)
        buf_putc(&name, 'a');
    cleanup_mem char *schema =
        mem_printf("{" RULES ",\"properties\":{\"%s\":{\"allOf\":[{\"maxLength\":5}]}}}", name.data);
    struct json_object *tree = definition(schema);
    struct crdallof found;
    crdallof_find(tree, &found);
    assert_true(found.is_partial);
    assert_int_equal(found.count, 0);
    crdallof_deinit(&found);
    json_object_put(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_moved),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
