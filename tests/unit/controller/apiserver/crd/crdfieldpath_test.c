#include "controller/apiserver/crd/crdfieldpath.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

static const char schema[] =
    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},\"a.b\":{\"type\":\"string\"},"
    "\"it's\":{\"type\":\"string\"},\"m\":{\"additionalProperties\":{\"properties\":{\"x\":{}}}},"
    "\"any\":{\"additionalProperties\":true},\"l\":{\"items\":{\"properties\":{\"x\":{}}}}}}";

static const struct {
    const char *path;
    bool is_valid;
} rows[] = {
    {".n", true},        {"['n']", true},      {"n", false},        {".", false},
    {".nope", false},    {"['a.b']", true},    {".a.b", false},     {".m.anything", true},
    {".m['k'].x", true}, {".m['k'].y", false}, {".m.k['x']", true}, {".l.x", false},
    {".l[0]", false},    {"['n'", false},      {"['n", false},      {"['it\\'s']", true},
    {"['\\x']", false},  {".n.x", false},      {"['n']]", false},   {".any.x", false},
    {".n\n", false},     {"[", false},         {"['n'].", false},   {".['n']", false},
};

static void test_paths(void **state)
{
    (void)state;
    struct json_object *tree;
    struct err err = {0};
    assert_int_equal(jsonval_parse(schema, strlen(schema), &tree, &err), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (crdfieldpath_is_valid(tree, str_of(rows[i].path)) != rows[i].is_valid)
            fail_msg("%s", rows[i].path);
    }
    json_object_put(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
