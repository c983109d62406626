#include "controller/apiserver/crd/crdnode.h"

#include "tests/unit/controller/errorrows.h"

/* "field: message" of each error, one a line. tests/golden/crdrules has more, beside a real server. */
static const struct errorrow rows[] = {
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

static void check(const struct errorrow *row, struct json_object *json, struct fielderrors *found)
{
    static const struct crdnode_place place = {"in top-level metadata", true};
    bool is_hopeless = strstr(row->errors, "not supported") != NULL;
    struct crdwork work = {.left = UINT64_MAX, .text_left = SIZE_MAX};
    assert_true(crdnode_check(json, "s", &place, &work, found) == !is_hopeless);
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
