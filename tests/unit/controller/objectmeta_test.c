#include "controller/objectmeta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/jsonval.h"

/* JSON and what is said of it: "field: how its message begins", a line each. */
static const struct {
    const char *json, *said;
} rows[] = {
    {"{}", "metadata.name: Required value: name or generateName is required"},
    {"{\"name\":\"a.b\",\"labels\":{\"a\":\"b\"},\"annotations\":{\"A.com/x\":\"any thing\"}}", ""},
    {"{\"generateName\":\"a-\"}", ""},
    {"{\"generateName\":\"A-\"}", "metadata.name: Invalid value: \"A-"},
    {"{\"generateName\":\"Ab-\"}",
     "metadata.generateName: Invalid value: \"Ab-\"\nmetadata.name: Invalid value: \"Ab-"},
    {"{\"name\":\"A\"}", "metadata.name: Invalid value: \"A\": a lowercase RFC 1123"},
    {"{\"name\":\"a\",\"labels\":{\"a b\":\"c d\"}}",
     "metadata.labels: Invalid value: \"a b\": name part\nmetadata.labels: Invalid value: \"c d\": a valid "
     "label"},
    {"{\"name\":\"a\",\"finalizers\":[\"orphan\",\"foregroundDeletion\"]}",
     "metadata.finalizers: Invalid value: [\"orphan\",\"foregroundDeletion\"]: finalizer"},
    {"{\"name\":\"a\",\"ownerReferences\":[{\"kind\":\"K\",\"uid\":\"u\"}]}",
     "metadata.ownerReferences.apiVersion: Invalid value: \"\": version must\nmetadata.ownerReferences.name: "
     "Invalid"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *json = NULL;
        struct err err = {0};
        struct fielderrors e = {0};
        const char *wanted = rows[i].said;
        assert_int_equal(jsonval_parse(rows[i].json, strlen(rows[i].json), &json, &err), 0);
        objectmeta_check(json, &e);
        for (size_t j = 0; j < e.count; j++) {
            size_t line = strcspn(wanted, "\n"), field = strlen(e.items[j].field);
            if (line < field + 2 || strncmp(wanted, e.items[j].field, field) != 0 ||
                strncmp(wanted + field + 2, e.items[j].message, line - field - 2) != 0)
                fail_msg("%s: %s: %s", rows[i].json, e.items[j].field, e.items[j].message);
            wanted += line + (wanted[line] == '\n');
        }
        assert_string_equal(wanted, "");
        fielderrors_deinit(&e);
        json_object_put(json);
    }
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
