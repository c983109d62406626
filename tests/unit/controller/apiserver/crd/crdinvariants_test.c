#include "controller/apiserver/crd/crdinvariants.h"

#include "tests/unit/controller/errorrows.h"

/* "field: message" of each error, one a line. tests/golden/crdrules has more, beside a real server. */
static const struct errorrow rows[] = {
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

static void check(const struct errorrow *row, struct json_object *json, struct fielderrors *found)
{
    (void)row;
    struct crdwork work = {.left = UINT64_MAX, .text_left = SIZE_MAX};
    crdinvariants_check(json, "s", &work, found);
    assert_false(work.is_exhausted);
}

static void test_errors(void **state)
{
    (void)state;
    errorrows_check(rows, sizeof rows / sizeof *rows, check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
