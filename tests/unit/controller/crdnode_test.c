#include "controller/crdnode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/jsonval.h"
#include "client/mem.h"

/* "field: message" of each error, one a line. tests/golden/crdrules.py has more, beside a real server. */
static const struct {
    const char *schema, *errors;
} rows[] = {
    {"{\"type\":\"string\",\"x-kubernetes-map-type\":\"atomic\"}",
     "s.type: Invalid value: \"string\": must be object if x-kubernetes-map-type is specified\n"},
    {"{\"type\":\"null\",\"default\":1,\"additionalItems\":true}",
     "s.additionalItems: Forbidden: additionalItems is not supported\n"
     "s.type: Unsupported value: \"null\": supported values: \"array\", \"boolean\", \"integer\", "
     "\"number\", "
     "\"object\", \"string\"\n"
     "s.type: Forbidden: type cannot be set to null, use nullable as an alternative\n"
     "s.default: Forbidden: must not be set in top-level metadata\n"},
    {"{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"k\",\"k\"],"
     "\"items\":{\"type\":\"object\",\"properties\":{\"k\":{\"type\":\"string\",\"default\":\"\"}}}}",
     "s.x-kubernetes-list-map-keys: Invalid value: [\"k\",\"k\"]: must not contain duplicate entries\n"},
    {"{\"type\":\"object\",\"x-kubernetes-embedded-resource\":true}",
     "s.x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta\n"},
};

static void check_row(size_t row)
{
    struct json_object *schema;
    struct fielderrors found = {0};
    struct err err = {0};
    char *text = mem_strdup("");
    assert_int_equal(jsonval_parse(rows[row].schema, strlen(rows[row].schema), &schema, &err), 0);
    static const struct crdnode_place place = {"in top-level metadata", true};
    static const struct fielderrors words = {0};
    bool is_hopeless = strstr(rows[row].errors, "not supported") != NULL;
    assert_true(crdnode_check(schema, "s", &place, &words, &found) == !is_hopeless);
    for (size_t i = 0; i < found.count; i++) {
        char *longer = mem_printf("%s%s: %s\n", text, found.items[i].field, found.items[i].message);
        mem_free(text);
        text = longer;
    }
    assert_string_equal(text, rows[row].errors);
    mem_free(text);
    fielderrors_deinit(&found);
    json_object_put(schema);
}

static void test_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
