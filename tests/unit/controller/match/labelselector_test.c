#include "controller/match/labelselector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

static void expect(const char *selector, const char *labels, bool is_match)
{
    cleanup_json struct json_object *json = NULL;
    struct labelselector *s = NULL;
    struct err err = {0};
    assert_int_equal(jsonval_parse(labels, strlen(labels), &json, &err), 0);
    if (labelselector_parse(selector, &s, &err) != 0)
        fail_msg("%s", err.msg);
    if (labelselector_matches(s, json) != is_match)
        fail_msg("'%s' on %s is not %d", selector, labels, is_match);
    labelselector_free(s);
}

static void test_requirements(void **state)
{
    (void)state;
    static const char labels[] = "{\"team\":\"a\",\"env\":\"prod\",\"example.com/x\":\"\"}";
    expect("team=a", labels, true);
    expect("team==a", labels, true);
    expect(" team = b ", labels, false);
    expect("team!=b", labels, true);
    expect("team!=a", labels, false);
    expect("team", labels, true);
    expect("!team", labels, false);
    expect("!other", labels, true);
    expect("other", labels, false);
    expect("other!=a", labels, true);
    expect("env in (prod, test)", labels, true);
    expect("env in (test)", labels, false);
    expect("env notin (test,dev)", labels, true);
    expect("other notin (test)", labels, true);
    expect("env notin (prod)", labels, false);
    expect("example.com/x=", labels, true);
    expect("example.com/x in (,y)", labels, true);
    expect("team=a,env in (prod),!other", labels, true);
    expect("team=a,env in (prod),other", labels, false);
    expect("team=a", "null", false);
    expect("team!=a", "null", true);
}

static void expect_of_json(const char *selector, const char *labels, bool is_match)
{
    cleanup_json struct json_object *json = NULL, *of = NULL;
    struct labelselector *s = NULL;
    struct err err = {0};
    assert_int_equal(jsonval_parse(selector, strlen(selector), &json, &err), 0);
    assert_int_equal(jsonval_parse(labels, strlen(labels), &of, &err), 0);
    assert_int_equal(labelselector_from_json(json, &s, &err), 0);
    assert_int_equal(labelselector_is_empty(s), labelselector_steps(s) == 0);
    if (labelselector_matches(s, of) != is_match)
        fail_msg("%s on %s is not %d", selector, labels, is_match);
    labelselector_free(s);
}

#define EXPRESSION(key, operator, values)                                                                    \
    "{\"matchExpressions\":[{\"key\":\"" key "\",\"operator\":\"" operator"\"" values "}]}"

static void test_of_objects(void **state)
{
    (void)state;
    static const char labels[] = "{\"team\":\"a\",\"env\":\"prod\"}";
    expect_of_json("null", "null", true);
    expect_of_json("{}", labels, true);
    expect_of_json("{\"matchLabels\":{\"team\":\"a\",\"env\":\"prod\"}}", labels, true);
    expect_of_json("{\"matchLabels\":{\"team\":\"a\",\"env\":\"test\"}}", labels, false);
    expect_of_json("{\"matchLabels\":{\"team\":\"a\"}}", "null", false);
    expect_of_json(EXPRESSION("team", "In", ",\"values\":[\"b\",\"a\"]"), labels, true);
    expect_of_json(EXPRESSION("team", "NotIn", ",\"values\":[\"b\",\"a\"]"), labels, false);
    expect_of_json(EXPRESSION("tier", "NotIn", ",\"values\":[\"b\"]"), labels, true);
    expect_of_json(EXPRESSION("team", "Exists", ""), labels, true);
    expect_of_json(EXPRESSION("team", "DoesNotExist", ""), labels, false);
    expect_of_json(EXPRESSION("tier", "DoesNotExist", ",\"values\":[]"), labels, true);
}

static const struct {
    const char *text;
    bool is_contradictory;
} EXCLUSIONS[] = {
    {"a=1,a=1", false},
    {"a=1,a=2", true},
    {"a=1,a!=1", true},
    {"a=1,b!=1", false},
    {"a,!a", true},
    {"a,!b", false},
    {"!a,a=1", true},
    {"!a,a!=1", false},
    {"a in (1, 2),a in (2, 3)", false},
    {"a in (1, 2),a in (3, 4)", true},
    {"a in (1, 2),a notin (1)", false},
    {"a in (1, 2),a notin (2, 1)", true},
    {"a,a notin (1)", false},
    {"a in (1, 2),a in (2, 3),a in (3, 1)", true},
};

static void test_requirements_that_exclude_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof EXCLUSIONS / sizeof *EXCLUSIONS; i++) {
        struct labelselector *s;
        struct err err = {0};
        assert_int_equal(labelselector_parse(EXCLUSIONS[i].text, &s, &err), 0);
        if (labelselector_is_contradictory(s) != EXCLUSIONS[i].is_contradictory)
            fail_msg("%s", EXCLUSIONS[i].text);
        labelselector_free(s);
    }
}

static void test_what_no_object_holds(void **state)
{
    (void)state;
    static const char *const texts[] = {
        EXPRESSION("team", "", ""), EXPRESSION("team", "Gt", ",\"values\":[\"1\"]"),
        EXPRESSION("team", "In", ""), EXPRESSION("team", "Exists", ",\"values\":[\"a\"]")};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cleanup_json struct json_object *json = NULL;
        struct labelselector *s = NULL;
        struct err err = {0};
        assert_int_equal(jsonval_parse(texts[i], strlen(texts[i]), &json, &err), 0);
        if (labelselector_from_json(json, &s, &err) == 0)
            fail_msg("%s is taken", texts[i]);
        assert_null(s);
    }
}

static void test_what_is_no_selector(void **state)
{
    (void)state;
    static const char *const texts[] = {"",           ",",       "team=a,",    "=a",
                                        "team a",     "team in", "team in (a", "team in (a)b",
                                        "team=a;x=b", "!",       "!team=a"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct labelselector *s = NULL;
        struct err err = {0};
        if (labelselector_parse(texts[i], &s, &err) == 0)
            fail_msg("'%s' was taken", texts[i]);
        assert_int_equal(err.code, ERR_INVALID);
        assert_null(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requirements),
        cmocka_unit_test(test_of_objects),
        cmocka_unit_test(test_requirements_that_exclude_each_other),
        cmocka_unit_test(test_what_no_object_holds),
        cmocka_unit_test(test_what_is_no_selector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
