#include "controller/findings/suppress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

/* message: of the error; NULL: there is none. */
static void expect(bool is_selection, const char *list, size_t count, const char *message)
{
    struct finding_set set = {0};
    struct err err = {0};
    size_t found = 0;
    const int answer =
        is_selection ? suppress_read_selected(list, &set, &err) : suppress_read(list, &set, &err);
    for (size_t i = 0; i < FINDING_COUNT; i++)
        found += finding_set_has(set, (enum finding_id)i);
    assert_string_equal(err.msg, message == NULL ? "" : message);
    assert_int_equal(answer, message == NULL ? 0 : -1);
    assert_int_equal(found, count);
}

static void test_lists(void **state)
{
    (void)state;
    expect(false, "undefined-field", 1, NULL);
    expect(false, " undefined-field , never-equal,\n\tnull-object ", 3, NULL);
    expect(false, "undefined-feild", 0, "\"undefined-feild\" is no finding, did you mean undefined-field?");
    expect(false, "what,never-equal", 1, "\"what\" is no finding");
    expect(false, "first,secnd", 0, "\"first\" is no finding");
    expect(false, "refused,never-equal", 1, "refused cannot be ignored: it is always reported");
    expect(false, "unreadable-file", 0, "unreadable-file cannot be ignored: it is always reported");
    expect(false, "limit-reached", 0, "limit-reached cannot be ignored: it is always reported");
    expect(false, "", 0, "no finding is named: write identifiers, as in undefined-field,never-equal");
    expect(false, " , ", 0, "no finding is named: write identifiers, as in undefined-field,never-equal");
    expect(false, "default", 0, "\"default\" is no finding");
}

static void test_selections(void **state)
{
    (void)state;
    size_t n_advice = 0;
    for (size_t i = 0; i < FINDING_COUNT; i++)
        n_advice += finding_pages[i].severity == FINDING_ADVICE;
    expect(true, "refused,never-equal", 2, NULL);
    expect(true, "default", FINDING_COUNT - n_advice, NULL);
    expect(true, "advice", n_advice, NULL);
    expect(true, "default, advice", FINDING_COUNT, NULL);
    expect(true, "defalt", 0, "\"defalt\" is no finding, did you mean default?");
}

static void test_annotations(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        bool is_skipped, ignores_unequal, is_wrong;
    } rows[] = {
        {"{}", false, false, false},
        {"{\"metadata\":{\"annotations\":{\"vapcheck/skip\":\"true\"}}}", true, false, false},
        {"{\"metadata\":{\"annotations\":{\"vapcheck/skip\":\"false\"}}}", false, false, false},
        {"{\"metadata\":{\"annotations\":{\"vapcheck/skip\":true}}}", false, false, false},
        {"{\"metadata\":{\"annotations\":{\"vapcheck/ignore\":\"never-equal\"}}}", false, true, false},
        {"{\"metadata\":{\"annotations\":{\"vapcheck/ignore\":\"x,never-equal\"}}}", false, true, true},
        {"{\"metadata\":{\"annotations\":{\"vapcheck/ignore\":\"\"}}}", false, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cleanup_json struct json_object *object = NULL;
        struct err err = {0};
        assert_int_equal(jsonval_parse(rows[i].json, strlen(rows[i].json), &object, &err), 0);
        const struct finding_set ignored = suppress_ignored(object, &err);
        assert_int_equal(suppress_is_skipped(object), rows[i].is_skipped);
        assert_int_equal(finding_set_has(ignored, FINDING_NEVER_EQUAL), rows[i].ignores_unequal);
        assert_int_equal(err.code != ERR_NONE, rows[i].is_wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_selections),
        cmocka_unit_test(test_annotations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
