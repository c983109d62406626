#include "controller/crdinvariants.h"

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
    {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}", ""},
    {"{\"properties\":{\"b\":{},\"a\":{\"type\":\"array\"}}}",
     "s.properties[a].items: Required value: must be specified\n"
     "s.properties[b].type: Required value: must not be empty for specified object fields\n"
     "s.type: Required value: must not be empty at the root\n"},
    {"{\"type\":\"object\",\"properties\":{\"a\":{\"x-kubernetes-int-or-string\":true,"
     "\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}}}",
     ""},
    {"{\"type\":\"object\",\"not\":{\"properties\":{\"x\":{\"nullable\":true}}}}",
     "s.not.properties[x].nullable: Forbidden: must be false to be structural\n"
     "s.properties[x]: Required value: because it is defined in s.not.properties[x]\n"},
    {"{\"type\":\"object\",\"properties\":{\"metadata\":{\"type\":\"object\",\"maxProperties\":0}}}",
     "s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but "
     "metadata is "
     "implicitly specified\n"},
};

static void check_row(size_t row)
{
    struct json_object *schema;
    struct fielderrors found = {0};
    struct err err = {0};
    char *text = mem_strdup("");
    assert_int_equal(jsonval_parse(rows[row].schema, strlen(rows[row].schema), &schema, &err), 0);
    crdinvariants_check(schema, "s", &found);
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
