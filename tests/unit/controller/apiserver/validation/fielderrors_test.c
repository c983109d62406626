#include "controller/apiserver/validation/fielderrors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"

static void test_messages(void **state)
{
    (void)state;
    static const char *const supported[] = {"A", "B", NULL};
    struct json_object *value = json_object_new_string("x<");
    struct fielderrors e = {0};
    fielderrors_add(&e, fielderrors_required(""), "%s.key", "spec");
    fielderrors_add(&e, fielderrors_required("why"), "f[%d]", 3);
    fielderrors_add(&e, fielderrors_forbidden("why"), "f");
    fielderrors_add(&e, fielderrors_internal("why"), "f");
    fielderrors_add(&e, fielderrors_invalid("a\n", "why"), "f");
    fielderrors_add(&e, fielderrors_invalid_bytes("a\0b", 3, ""), "f");
    fielderrors_add(&e, fielderrors_invalid_json(&e, value, "", "why"), "f");
    fielderrors_add(&e, fielderrors_duplicate("a"), "f");
    fielderrors_add(&e, fielderrors_duplicate_json(&e, value), "f");
    fielderrors_add(&e, fielderrors_unsupported(&e, value, supported), "f");
    fielderrors_check_choice(&e, "x<", supported, "%s.choice", "spec");
    fielderrors_check_choice(&e, "A", supported, "f");
    fielderrors_check_choice(&e, NULL, supported, "f");
    fielderrors_add(&e, fielderrors_too_many(65, 64), "f");
    fielderrors_add(&e, fielderrors_too_many(2, 1), "f");
    static const char *const messages[] = {
        "Required value",
        "Required value: why",
        "Forbidden: why",
        "Internal error: why",
        "Invalid value: \"a\\n\": why",
        "Invalid value: \"a\\x00b\"",
        "Invalid value: \"x\\u003c\": why",
        "Duplicate value: \"a\"",
        "Duplicate value: \"x\\u003c\"",
        "Unsupported value: \"x\\u003c\": supported values: \"A\", \"B\"",
        "Unsupported value: \"x\\u003c\": supported values: \"A\", \"B\"",
        "Too many: 65: must have at most 64 items",
        "Too many: 2: must have at most 1 item",
    };
    assert_int_equal(e.count, sizeof messages / sizeof messages[0]);
    for (size_t i = 0; i < e.count; i++)
        assert_string_equal(e.items[i].message, messages[i]);
    assert_string_equal(e.items[0].field, "spec.key");
    assert_string_equal(e.items[1].field, "f[3]");
    assert_string_equal(e.items[10].field, "spec.choice");
    fielderrors_deinit(&e);
    json_object_put(value);
}

static void test_hints_and_moves(void **state)
{
    (void)state;
    struct fielderrors to = {.minor = 33}, from = {0};
    fielderrors_add(&to, fielderrors_required(""), "a");
    fielderrors_add(&from, fielderrors_required(""), "b");
    fielderrors_hint(&from, mem_strdup("this way"));
    fielderrors_take(&to, &from);
    fielderrors_take(&to, &from);
    assert_int_equal(from.count, 0);
    assert_int_equal(to.count, 2);
    assert_int_equal(to.minor, 33);
    assert_null(to.items[0].hint);
    assert_string_equal(to.items[1].field, "b");
    assert_string_equal(to.items[1].hint, "this way");
    fielderrors_deinit(&to);
}

/* Before 1.34 values that are no plain strings read as Go writes them. */
static void test_a_detail_with_nul(void **state)
{
    (void)state;
    struct fielderrors e = {0};
    fielderrors_add(&e, fielderrors_internal(""), "a");
    assert_int_equal(e.items[0].len, strlen("Internal error"));
    fielderrors_detail(&e, (struct str){"x\0y", 3});
    assert_int_equal(e.items[0].len, strlen("Internal error: ") + 3);
    assert_memory_equal(e.items[0].message, "Internal error: x\0y", e.items[0].len + 1);
    fielderrors_deinit(&e);
}

static void test_old_words(void **state)
{
    (void)state;
    static const char *const supported[] = {"A", NULL};
    struct json_object *text = json_object_new_string("x<"), *list = json_object_new_array();
    struct json_object *entry = json_object_new_object();
    struct fielderrors e = {.minor = 33};
    json_object_array_add(list, text);
    fielderrors_add(&e, fielderrors_invalid_json(&e, list, "string", ""), "f");
    fielderrors_add(&e, fielderrors_duplicate_json(&e, text), "f");
    fielderrors_add(&e, fielderrors_unsupported(&e, text, supported), "f");
    json_object_object_add(entry, "Key", json_object_get(text));
    json_object_object_add(entry, "Reason", NULL);
    json_object_array_put_idx(list, 0, entry);
    fielderrors_add(&e, fielderrors_invalid_json(&e, list, "a.B", ""), "f");
    static const char *const messages[] = {
        "Invalid value: []string{\"x<\"}",
        "Duplicate value: \"x<\"",
        "Unsupported value: \"x<\": supported values: \"A\"",
        "Invalid value: []a.B{a.B{Key:\"x<\", Reason:(*apiextensions.FieldValueErrorReason)(nil)}}",
    };
    for (size_t i = 0; i < e.count; i++)
        assert_string_equal(e.items[i].message, messages[i]);
    assert_false(fielderrors_server(&e).shows_json);
    assert_true(fielderrors_server(&e).reads_urls_as_go_1_25);
    assert_true(fielderrors_server(&(struct fielderrors){0}).shows_json);
    fielderrors_deinit(&e);
    json_object_put(list);
}

static void test_only_what_is_new_is_taken(void **state)
{
    (void)state;
    struct fielderrors to = {.minor = 33}, from = {.is_limited = true};
    fielderrors_add(&to, fielderrors_required(""), "a");
    fielderrors_add(&from, fielderrors_required(""), "a");
    fielderrors_add(&from, fielderrors_required("x"), "a");
    fielderrors_add(&from, fielderrors_required(""), "b");
    fielderrors_hint(&from, mem_strdup("hint"));
    fielderrors_take_new(&to, &from);
    assert_int_equal(from.count, 0);
    assert_int_equal(to.count, 3);
    assert_int_equal(to.minor, 33);
    assert_true(to.is_limited);
    assert_string_equal(to.items[1].message, "Required value: x");
    assert_string_equal(to.items[2].field, "b");
    assert_string_equal(to.items[2].hint, "hint");
    fielderrors_deinit(&to);
}

static void test_briefly(void **state)
{
    (void)state;
    static const struct typecheck_issue issues[] = {
        {.code = ISSUE_UNDEFINED_FIELD, .message = STR_INIT("undefined field 'x'"), .line = 1, .column = 8},
        {.code = ISSUE_SYNTAX, .message = STR_INIT("token recognition error at: '\"\n'"), .line = 2}};
    const struct compile_problem problem = {.text = STR("compilation failed: ERROR: <input>:1:8: ..."),
                                            .brief_len = strlen("compilation failed"),
                                            .issues = issues,
                                            .issue_count = 2};
    struct fielderrors e = {.minor = 37};
    fielderrors_add(&e, fielderrors_invalid("self.n", ""), "a");
    fielderrors_compiled(&e, &problem);
    fielderrors_add(&e, fielderrors_required("rule is not specified"), "b");
    fielderrors_add(&e, fielderrors_internal(""), "c");
    fielderrors_issues(&e, &(struct compile_problem){.issues = &issues[1], .issue_count = 1});
    e.minor = 31;
    fielderrors_add(&e, fielderrors_invalid("self.n", ""), "d");
    fielderrors_compiled(&e, &(struct compile_problem){.text = problem.text, .brief_len = problem.brief_len});
    static const char *const briefs[] = {"undefined field 'x'", "Required value: rule is not specified",
                                         "token recognition error at: '\"",
                                         "Invalid value: \"self.n\": compilation failed"};
    for (size_t i = 0; i < sizeof briefs / sizeof *briefs; i++) {
        char *brief = fielderrors_brief(&e.items[i]);
        assert_string_equal(brief, briefs[i]);
        mem_free(brief);
    }
    assert_string_equal(e.items[0].message + e.items[0].detail, problem.text.at);
    assert_int_equal(e.items[0].n_issues, 2);
    assert_int_equal(e.items[0].issues[0].column, 8);
    assert_int_equal(e.items[0].issues[1].code, ISSUE_SYNTAX);
    assert_int_equal(e.items[1].detail, 0);
    fielderrors_deinit(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),          cmocka_unit_test(test_hints_and_moves),
        cmocka_unit_test(test_a_detail_with_nul), cmocka_unit_test(test_old_words),
        cmocka_unit_test(test_briefly),           cmocka_unit_test(test_only_what_is_new_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
