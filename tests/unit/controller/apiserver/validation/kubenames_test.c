#include "controller/apiserver/validation/kubenames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define A10 "aaaaaaaaaa"
#define A63 A10 A10 A10 A10 A10 A10 "aaa"
#define A250                                                                                                 \
    A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10

/* The beginnings of the messages; NULL ends the list. */
static const struct {
    kubenames_form *check;
    const char *value;
    const char *problems[5];
} rows[] = {
    {kubenames_subdomain, "a", {NULL}},
    {kubenames_subdomain, "a.b-c.9", {NULL}},
    {kubenames_subdomain, A250 "aaa", {NULL}},
    {kubenames_subdomain, A250 "aaaa", {"must be no more than 253 characters"}},
    {kubenames_subdomain, "", {"a lowercase RFC 1123 subdomain"}},
    {kubenames_subdomain, "a..b", {"a lowercase"}},
    {kubenames_subdomain, "a-.b", {"a lowercase"}},
    {kubenames_subdomain, "a.-b", {"a lowercase"}},
    {kubenames_subdomain, "a.", {"a lowercase"}},
    {kubenames_subdomain, "-", {"a lowercase"}},
    {kubenames_subdomain, "aB", {"a lowercase"}},
    {kubenames_label_1035, "v1", {NULL}},
    {kubenames_label_1035, A63, {NULL}},
    {kubenames_label_1035, A63 "a", {"must be no more than 63 characters"}},
    {kubenames_label_1035, "1v", {"a DNS-1035 label"}},
    {kubenames_label_1035, "a.b", {"a DNS-1035 label"}},
    {kubenames_qualified_name, "a", {NULL}},
    {kubenames_qualified_name, "example.com/My_Name.x", {NULL}},
    {kubenames_qualified_name, "a/b/c", {"a valid label key must consist of"}},
    {kubenames_qualified_name, "/a", {"prefix part must be non-empty"}},
    {kubenames_qualified_name, "a/", {"name part must be non-empty", "name part must consist of"}},
    {kubenames_qualified_name,
     A250 "AAAA/" A63 "-",
     {"prefix part must be no more than 253 bytes", "prefix part a lowercase",
      "name part must be no more than 63", "name part must consist of"}},
    {kubenames_label_value, "", {NULL}},
    {kubenames_label_value, "A-b_c.d", {NULL}},
    {kubenames_label_value, "a ", {"a valid label must be"}},
    {kubenames_label_value, A63 "-", {"must be no more than 63 bytes", "a valid label must be"}},
    {kubenames_path_segment, "a b", {NULL}},
    {kubenames_path_segment, "..", {"may not be '..'"}},
    {kubenames_path_segment, "%/", {"may not contain '/'", "may not contain '%'"}},
};

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cleanup_kubenames struct kubenames problems = {0};
        size_t wanted = 0;
        rows[i].check(rows[i].value, &problems);
        for (; rows[i].problems[wanted] != NULL; wanted++) {
            const char *begin = rows[i].problems[wanted];
            if (wanted >= problems.count || strncmp(problems.messages[wanted], begin, strlen(begin)) != 0)
                fail_msg("%s: not %s", rows[i].value, begin);
        }
        assert_int_equal(problems.count, wanted);
    }
}

static void test_errors(void **state)
{
    (void)state;
    struct fielderrors errors = {.minor = 34};
    kubenames_check(kubenames_path_segment, "%/", "shown", "a", &errors);
    assert_true(kubenames_check_joined(kubenames_path_segment, "fine", "fine", "", "b", &errors));
    assert_false(kubenames_check_joined(kubenames_path_segment, "%/", "%/", "it ", "b", &errors));
    kubenames_check(kubenames_label_value, A63 "a", "", "c", &errors);
    assert_int_equal(errors.count, 4);
    assert_string_equal(errors.items[0].field, "a");
    assert_string_equal(errors.items[0].message, "Invalid value: \"shown\": may not contain '/'");
    assert_string_equal(errors.items[1].message, "Invalid value: \"shown\": may not contain '%'");
    assert_string_equal(errors.items[2].field, "b");
    assert_string_equal(errors.items[2].message,
                        "Invalid value: \"%/\": it may not contain '/',may not contain '%'");
    assert_string_equal(errors.items[3].message, "Invalid value: \"\": must be no more than 63 characters");
    fielderrors_deinit(&errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
