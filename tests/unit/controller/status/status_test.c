#include "controller/status/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

#define NOW    "2026-01-01T00:00:00Z"
#define BEFORE "2025-01-01T00:00:00Z"

#define TEXT(literal) .text = (literal), .len = sizeof(literal) - 1

static struct check_warning warnings[] = {
    {.expression = 0, TEXT("apps/v1, Kind=Deployment: one\n"), .hint = ""},
    {.expression = 1, TEXT("apps/v1, Kind=Deployment: two\n"), .hint = ""},
};

/* What the test wants; `observed` is the object as the server has it. */
struct fixture {
    struct check_result result;
    struct conditions conditions;
    bool is_conditions_only, is_release;
    size_t text_cap_bytes;
    char type_checked[64];
};

static void set_up(struct fixture *f, size_t n_warnings)
{
    *f = (struct fixture){.result = {.warnings = warnings, .n_warnings = n_warnings}};
    snprintf(f->type_checked, sizeof f->type_checked, "4 expressions checked");
    f->conditions = (struct conditions){
        .items = {{"TypeChecked", "True", "AllTypesChecked", f->type_checked}}, .count = 1};
}

/* status and managed_fields are JSON text; the plan's left_to is not used after the policy is gone. */
static void plan(struct fixture *f, const char *status, const char *managed_fields, struct status_plan *out,
                 char *left_to, size_t left_to_size)
{
    cleanup_mem char *text = mem_printf(
        "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":\"ValidatingAdmissionPolicy\","
        "\"metadata\":{\"name\":\"p\",\"uid\":\"u-1\",\"resourceVersion\":\"17\",\"generation\":3,"
        "\"managedFields\":[%s]},\"spec\":{\"validations\":[{\"expression\":\"a\"},"
        "{\"expression\":\"b\"}]},\"status\":%s}",
        managed_fields, status);
    cleanup_json struct json_object *json = NULL;
    struct policyview *policy = NULL;
    struct err err = {0};
    if (jsonval_parse(text, strlen(text), &json, &err) != 0 || policyview_new(json, &policy, &err) != 0)
        fail_msg("%s: %s", err.msg, text);
    status_plan_init(out, &(struct status_wanted){.policy = policy,
                                                  .conditions = f->is_release ? NULL : &f->conditions,
                                                  .result = &f->result,
                                                  .is_conditions_only = f->is_conditions_only,
                                                  .text_cap_bytes = f->text_cap_bytes,
                                                  .now = NOW});
    snprintf(left_to, left_to_size, "%s", out->left_to == NULL ? "" : out->left_to);
    policyview_free(policy);
}

#define HEAD                                                                                                 \
    "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":\"ValidatingAdmissionPolicy\","            \
    "\"metadata\":{\"name\":\"p\",\"uid\":\"u-1\",\"resourceVersion\":\"17\"}"
#define WARNING1                                                                                             \
    "{\"fieldRef\":\"spec.validations[0].expression\",\"warning\":\"apps/v1, Kind=Deployment: one\\n\"}"
#define WARNING2                                                                                             \
    "{\"fieldRef\":\"spec.validations[1].expression\",\"warning\":\"apps/v1, Kind=Deployment: two\\n\"}"
#define CONDITION(message, time)                                                                             \
    "{\"type\":\"TypeChecked\",\"status\":\"True\",\"reason\":\"AllTypesChecked\",\"message\":\"" message    \
    "\",\"lastTransitionTime\":\"" time "\",\"observedGeneration\":3}"
#define TYPE_CHECKED(time) CONDITION("4 expressions checked", time)
#define STATUS(warnings, conditions)                                                                         \
    "{\"observedGeneration\":3,\"typeChecking\":{\"expressionWarnings\":[" warnings                          \
    "]},\"conditions\":[" conditions "]}"

#define ITEM_FIELDS                                                                                          \
    "{\".\":{},\"f:lastTransitionTime\":{},\"f:message\":{},\"f:observedGeneration\":{},\"f:reason\":{},"    \
    "\"f:status\":{},\"f:type\":{}}"
#define CONDITION_FIELDS "\"f:conditions\":{\"k:{\\\"type\\\":\\\"TypeChecked\\\"}\":" ITEM_FIELDS "}"
#define ALL_FIELDS                                                                                           \
    CONDITION_FIELDS ",\"f:observedGeneration\":{},\"f:typeChecking\":{\"f:expressionWarnings\":{}}"
#define MANAGED(manager, operation, fields)                                                                  \
    "{\"manager\":\"" manager "\",\"operation\":\"" operation                                                \
    "\",\"subresource\":\"status\",\"fieldsV1\":{\"f:status\":{" fields "}}}"
#define OURS MANAGED("vapcheck-controller", "Apply", ALL_FIELDS)

/* body NULL: nothing is to be written */
static void expect(struct fixture *f, const char *status, const char *managed_fields, const char *body)
{
    struct status_plan p;
    char left_to[64];
    plan(f, status, managed_fields, &p, left_to, sizeof left_to);
    assert_string_equal(left_to, "");
    assert_int_equal(p.is_needed, body != NULL);
    assert_string_equal(p.body.data, body == NULL ? "" : body);
    status_plan_deinit(&p);
}

static void test_the_first_apply(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, 2);
    expect(&f, "{}", "", HEAD ",\"status\":" STATUS(WARNING1 "," WARNING2, TYPE_CHECKED(NOW)) "}");
    set_up(&f, 0);
    expect(&f, "{}", "", HEAD ",\"status\":" STATUS("", TYPE_CHECKED(NOW)) "}");
}

static void test_equal_is_not_written(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, 2);
    expect(&f, STATUS(WARNING1 "," WARNING2, TYPE_CHECKED(BEFORE)), OURS, NULL);
    set_up(&f, 0);
    expect(&f, STATUS("", TYPE_CHECKED(BEFORE)), OURS, NULL);
    expect(&f, "{\"observedGeneration\":3,\"typeChecking\":{},\"conditions\":[" TYPE_CHECKED(BEFORE) "]}",
           OURS, NULL);
    /* another manager's condition is no difference */
    expect(&f, STATUS("", "{\"type\":\"Other\",\"status\":\"True\"}," TYPE_CHECKED(BEFORE)), OURS, NULL);
}

static void test_every_difference_in_values_counts(void **state)
{
    (void)state;
    static const char *const observed[] = {
        STATUS(WARNING1, TYPE_CHECKED(BEFORE)),
        STATUS(WARNING2 "," WARNING1, TYPE_CHECKED(BEFORE)),
        STATUS(WARNING1 "," WARNING1, TYPE_CHECKED(BEFORE)),
        "{\"typeChecking\":{\"expressionWarnings\":[" WARNING1 "," WARNING2
        "]},\"conditions\":[" TYPE_CHECKED(BEFORE) "]}",
        STATUS(WARNING1 "," WARNING2, CONDITION("3 expressions checked", BEFORE)),
        STATUS(WARNING1 "," WARNING2,
               "{\"type\":\"TypeChecked\",\"status\":\"True\",\"reason\":\"AllTypesChecked\","
               "\"message\":\"4 expressions checked\",\"lastTransitionTime\":\"" BEFORE
               "\",\"observedGeneration\":2}"),
    };
    struct fixture f;
    set_up(&f, 2);
    for (size_t i = 0; i < sizeof observed / sizeof observed[0]; i++)
        expect(&f, observed[i], OURS,
               HEAD ",\"status\":" STATUS(WARNING1 "," WARNING2, TYPE_CHECKED(BEFORE)) "}");
}

static void test_the_time_changes_with_the_status_only(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, 0);
    expect(&f,
           STATUS("", "{\"type\":\"TypeChecked\",\"status\":\"False\",\"reason\":\"TooManyTypes\","
                      "\"message\":\"x\",\"lastTransitionTime\":\"" BEFORE "\",\"observedGeneration\":3}"),
           OURS, HEAD ",\"status\":" STATUS("", TYPE_CHECKED(NOW)) "}");
}

static void test_ownership_counts(void **state)
{
    (void)state;
    static const char *const managed[] = {
        "",
        MANAGED("vapcheck-controller", "Update", ALL_FIELDS),
        MANAGED("validatingadmissionpolicy-status", "Apply", ALL_FIELDS),
        MANAGED("vapcheck-controller", "Apply", CONDITION_FIELDS),
        MANAGED("vapcheck-controller", "Apply", ALL_FIELDS ",\"f:stale\":{}"),
    };
    struct fixture f;
    set_up(&f, 0);
    for (size_t i = 0; i < sizeof managed / sizeof managed[0]; i++)
        expect(&f, STATUS("", TYPE_CHECKED(BEFORE)), managed[i],
               HEAD ",\"status\":" STATUS("", TYPE_CHECKED(BEFORE)) "}");
}

static void test_conditions_only(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, 2);
    f.is_conditions_only = true;
    expect(&f, STATUS("", TYPE_CHECKED(BEFORE)), MANAGED("vapcheck-controller", "Apply", CONDITION_FIELDS),
           NULL);
    /* what was ours before is given up */
    expect(&f, STATUS("", TYPE_CHECKED(BEFORE)), OURS,
           HEAD ",\"status\":{\"conditions\":[" TYPE_CHECKED(BEFORE) "]}}");
}

static void test_release(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, 0);
    f.is_release = true;
    expect(&f, STATUS("", TYPE_CHECKED(BEFORE)), OURS, HEAD "}");
    expect(&f, STATUS("", TYPE_CHECKED(BEFORE)), MANAGED("other", "Apply", ALL_FIELDS), NULL);
}

#define THEIRS STATUS("", CONDITION("theirs", BEFORE))
#define LEFT                                                                                                 \
    HEAD ",\"status\":{\"observedGeneration\":3,\"typeChecking\":{\"expressionWarnings\":[]},"               \
         "\"conditions\":[]}}"

static void test_a_condition_that_is_another_managers(void **state)
{
    (void)state;
    static const struct {
        const char *managed, *left_to, *body;
    } cases[] = {
        /* held by others before us */
        {MANAGED("kubectl", "Update", CONDITION_FIELDS), "kubectl", LEFT},
        {MANAGED("argo", "Apply", CONDITION_FIELDS), "argo", LEFT},
        /* taken over on purpose */
        {OURS "," MANAGED("argo", "Apply", CONDITION_FIELDS), "argo", LEFT},
        /* ours, overwritten */
        {OURS "," MANAGED("kubectl", "Update", CONDITION_FIELDS), "",
         HEAD ",\"status\":" STATUS("", TYPE_CHECKED(BEFORE)) "}"},
    };
    struct fixture f;
    set_up(&f, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct status_plan p;
        char left_to[64];
        plan(&f, THEIRS, cases[i].managed, &p, left_to, sizeof left_to);
        assert_string_equal(left_to, cases[i].left_to);
        assert_string_equal(p.body.data, cases[i].body);
        status_plan_deinit(&p);
    }
    /* at rest beside it */
    struct status_plan p;
    char left_to[64];
    plan(&f, THEIRS,
         MANAGED("argo", "Apply",
                 CONDITION_FIELDS) "," MANAGED("vapcheck-controller", "Apply",
                                               "\"f:conditions\":{},\"f:observedGeneration\":{},"
                                               "\"f:typeChecking\":{\"f:expressionWarnings\":{}}"),
         &p, left_to, sizeof left_to);
    assert_false(p.is_needed);
    assert_string_equal(p.left_type, "TypeChecked");
    status_plan_deinit(&p);
}

/* An equal condition is shared. */
static void test_an_equal_condition_of_another_manager(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, 0);
    expect(&f, STATUS("", TYPE_CHECKED(BEFORE)), MANAGED("argo", "Apply", CONDITION_FIELDS),
           HEAD ",\"status\":" STATUS("", TYPE_CHECKED(BEFORE)) "}");
}

static void test_the_digest_knows_no_versions_and_times(void **state)
{
    (void)state;
    struct fixture f;
    struct status_plan a, b, c;
    char left_to[64];
    set_up(&f, 1);
    plan(&f, "{}", "", &a, left_to, sizeof left_to);
    plan(&f, STATUS("", TYPE_CHECKED(BEFORE)), OURS, &b, left_to, sizeof left_to);
    set_up(&f, 2);
    plan(&f, "{}", "", &c, left_to, sizeof left_to);
    assert_true(a.digest == b.digest);
    assert_true(a.digest != c.digest);
    status_plan_deinit(&a);
    status_plan_deinit(&b);
    status_plan_deinit(&c);
}

static void test_texts_are_cut_to_a_cap(void **state)
{
    (void)state;
    char big[2001];
    struct check_warning two[2] = {{.expression = 0, .text = big, .len = sizeof big - 1, .hint = ""},
                                   {.expression = 1, .text = big, .len = sizeof big - 1, .hint = ""}};
    struct fixture f;
    struct status_plan p, again;
    char left_to[64];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    set_up(&f, 2);
    f.result.warnings = two;
    plan(&f, "{}", "", &p, left_to, sizeof left_to);
    assert_int_equal(p.text_bytes, 4000);
    status_plan_deinit(&p);

    f.text_cap_bytes = 2100;
    plan(&f, "{}", "", &p, left_to, sizeof left_to);
    assert_int_equal(p.text_bytes, 2200); /* the second keeps its beginning */
    assert_non_null(strstr(p.body.data, "xxx...\\n\"}]"));
    /* what was cut is equal to what is cut again */
    cleanup_json struct json_object *body = NULL;
    struct err err = {0};
    assert_int_equal(jsonval_parse(p.body.data, p.body.len, &body, &err), 0);
    plan(&f, json_object_to_json_string(jsonval_get(body, "status")), OURS, &again, left_to, sizeof left_to);
    assert_false(again.is_needed);
    status_plan_deinit(&p);
    status_plan_deinit(&again);
}

static void test_a_text_may_hold_nul(void **state)
{
    (void)state;
#define WITH_NUL(rest)                                                                                       \
    "{\"fieldRef\":\"spec.validations[0].expression\",\"warning\":\"one\\u0000" rest "\\n\"}"
    struct check_warning one[] = {{.expression = 0, TEXT("one\0two\n"), .hint = ""}};
    struct fixture f;
    set_up(&f, 1);
    f.result.warnings = one;
    expect(&f, "{}", "", HEAD ",\"status\":" STATUS(WITH_NUL("two"), TYPE_CHECKED(NOW)) "}");
    expect(&f, STATUS(WITH_NUL("two"), TYPE_CHECKED(NOW)), OURS, NULL);
    expect(&f, STATUS(WITH_NUL("three"), TYPE_CHECKED(NOW)), OURS,
           HEAD ",\"status\":" STATUS(WITH_NUL("two"), TYPE_CHECKED(NOW)) "}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_apply),
        cmocka_unit_test(test_equal_is_not_written),
        cmocka_unit_test(test_every_difference_in_values_counts),
        cmocka_unit_test(test_the_time_changes_with_the_status_only),
        cmocka_unit_test(test_ownership_counts),
        cmocka_unit_test(test_conditions_only),
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_a_condition_that_is_another_managers),
        cmocka_unit_test(test_an_equal_condition_of_another_manager),
        cmocka_unit_test(test_the_digest_knows_no_versions_and_times),
        cmocka_unit_test(test_texts_are_cut_to_a_cap),
        cmocka_unit_test(test_a_text_may_hold_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
