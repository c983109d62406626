#include "controller/apiserver/validation/objectmeta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/controller/errorrows.h"

#define SUBDOMAIN                                                                                            \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and "    \
    "must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "   \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

static const struct errorrow rows[] = {
    {"{}", "metadata.name: Required value: name or generateName is required\n"},
    {"{\"name\":\"a.b\",\"labels\":{\"a\":\"b\"},\"annotations\":{\"A.com/x\":\"any thing\"}}", ""},
    {"{\"generateName\":\"a-\"}", ""},
    {"{\"generateName\":\"A-\"}", "metadata.name: Invalid value: \"A-xxxxx\": " SUBDOMAIN "\n"},
    {"{\"generateName\":\"Ab-\"}", "metadata.generateName: Invalid value: \"Ab-\": " SUBDOMAIN "\n"
                                   "metadata.name: Invalid value: \"Ab-xxxxx\": " SUBDOMAIN "\n"},
    {"{\"name\":\"A\"}", "metadata.name: Invalid value: \"A\": " SUBDOMAIN "\n"},
    {"{\"name\":\"a\",\"labels\":{\"a b\":\"c d\"}}",
     "metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' "
     "or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
     "'123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"
     "metadata.labels: Invalid value: \"c d\": a valid label must be an empty string or consist of "
     "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
     "'MyValue',  or 'my_value',  or '12345', regex used for validation is "
     "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')\n"},
    {"{\"name\":\"a\",\"finalizers\":[\"orphan\",\"foregroundDeletion\"]}",
     "metadata.finalizers: Invalid value: [\"orphan\",\"foregroundDeletion\"]: finalizer orphan and "
     "foregroundDeletion cannot be both set\n"},
    {"{\"name\":\"a\",\"ownerReferences\":[{\"kind\":\"K\",\"uid\":\"u\"}]}",
     "metadata.ownerReferences[0].apiVersion: Required value: must not be empty\n"
     "metadata.ownerReferences[0].name: Required value: must not be empty\n"},
    {"{\"name\":\"a\",\"ownerReferences\":[{\"apiVersion\":\"a/b/"
     "c\",\"kind\":\"K\",\"name\":\"n\",\"uid\":\"u\"}]}",
     "metadata.ownerReferences[0].apiVersion: Invalid value: \"a/b/c\": must be <group>/<version> or "
     "<version>\n"},
    {"{\"name\":\"a\",\"managedFields\":[{}]}", ""},
    {"{\"name\":\"a.static.k8s.io\",\"managedFields\":[{}]}",
     "metadata.managedFields[0].operation: Required value: must not be empty\n"},
};

static const struct errorrow rows_of_1_36[] = {
    {"{\"name\":\"a.static.k8s.io\",\"ownerReferences\":[{\"kind\":\"K\",\"uid\":\"u\"}]}",
     "metadata.ownerReferences.apiVersion: Invalid value: \"\": version must not be empty\n"
     "metadata.ownerReferences.name: Invalid value: \"\": must not be empty\n"},
    {"{\"name\":\"a\",\"ownerReferences\":[{\"apiVersion\":\"a/b/"
     "c\",\"kind\":\"K\",\"name\":\"n\",\"uid\":\"u\"}]}",
     "metadata.ownerReferences.apiVersion: Invalid value: \"a/b/c\": version must not be empty\n"},
};

static void check(const struct errorrow *row, struct json_object *json, struct fielderrors *found)
{
    (void)row;
    objectmeta_check(json, found);
}

static void check_as_1_36(const struct errorrow *row, struct json_object *json, struct fielderrors *found)
{
    found->minor = 36;
    check(row, json, found);
}

static void test_rows(void **state)
{
    (void)state;
    errorrows_check(rows, sizeof rows / sizeof *rows, check);
    errorrows_check(rows_of_1_36, sizeof rows_of_1_36 / sizeof *rows_of_1_36, check_as_1_36);
}

static void test_selectors(void **state)
{
    (void)state;
    static const char text[] =
        "{\"matchLabels\":{\"/\":\"\"},\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\"},"
        "{\"key\":\"a\",\"operator\":\"Exists\",\"values\":[\"b\"]},{\"operator\":\"=\"}]}";
    static const char *const fields[] = {"s.matchLabels",
                                         "s.matchLabels",
                                         "s.matchLabels",
                                         "s.matchExpressions[0].values",
                                         "s.matchExpressions[1].values",
                                         "s.matchExpressions[2].operator",
                                         "s.matchExpressions[2].key",
                                         "s.matchExpressions[2].key"};
    struct json_object *json = NULL;
    struct err err = {0};
    struct fielderrors e = {0};
    assert_int_equal(jsonval_parse(text, strlen(text), &json, &err), 0);
    objectmeta_check_selector(json, "s", &e);
    assert_int_equal(e.count, sizeof fields / sizeof fields[0]);
    for (size_t i = 0; i < e.count; i++)
        assert_string_equal(e.items[i].field, fields[i]);
    fielderrors_deinit(&e);
    json_object_put(json);
    objectmeta_check_selector(NULL, "s", &(struct fielderrors){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_selectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
