#include "controller/findings/conditionnews.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* A condition's status, reason, message; status NULL: it has none. */
struct side {
    const char *status, *reason, *message;
};

static void expect(const char *type, struct side was, struct side is, bool is_warning, const char *reason)
{
    struct err err = {0};
    cleanup_json struct json_object *json = NULL;
    struct policyview *policy;
    struct conditionnews found[CONDITIONNEWS_MAX];
    char message[64] = "";
    cleanup_mem char *text = mem_printf(
        "{\"metadata\":{\"name\":\"p\"},\"status\":{\"conditions\":[{\"type\":\"Other\",\"status\":\"False\"}"
        "%s%s%s%s%s%s%s%s%s]}}",
        was.status == NULL ? "" : ",{\"type\":\"", was.status == NULL ? "" : type,
        was.status == NULL ? "" : "\",\"status\":\"", was.status == NULL ? "" : was.status,
        was.status == NULL ? "" : "\",\"reason\":\"", was.status == NULL ? "" : was.reason,
        was.status == NULL ? "" : "\",\"message\":\"", was.status == NULL ? "" : was.message,
        was.status == NULL ? "" : "\"}");
    assert_int_equal(jsonval_parse(text, strlen(text), &json, &err), 0);
    assert_int_equal(policyview_new(json, &policy, &err), 0);
    strncpy(message, is.message, sizeof message - 1);
    const struct conditions conditions = {.items = {{type, is.status, is.reason, message}}, .count = 1};
    size_t count = conditionnews_find(policy, &conditions, found);
    assert_int_equal(count, reason == NULL ? 0 : 1);
    if (reason != NULL) {
        assert_string_equal(found[0].reason, reason);
        assert_string_equal(found[0].note, is.message);
        assert_int_equal(found[0].is_warning, is_warning);
    }
    policyview_free(policy);
}

static const struct side none = {0};

static void test_warnings(void **state)
{
    (void)state;
    const char *type = CONDITIONS_VALID;
    const struct side clean = {"True", "NoWarnings", "none"}, partly = {"Unknown", "PartlyChecked", "some"},
                      bad = {"False", "WarningsFound", "1 of 2"},
                      worse = {"False", "WarningsFound", "2 of 2"};
    expect(type, none, clean, false, NULL);
    expect(type, none, partly, false, NULL);
    expect(type, none, bad, true, "WarningsFound");
    expect(type, clean, bad, true, "WarningsFound");
    expect(type, partly, bad, true, "WarningsFound");
    expect(type, bad, bad, true, NULL);
    expect(type, bad, worse, true, "WarningsChanged");
    expect(type, worse, clean, false, "WarningsResolved");
    expect(type, worse, partly, false, "WarningsResolved");
    expect(type, clean, clean, false, NULL);
    expect(type, clean, partly, false, NULL);
    expect(type, partly, clean, false, NULL);
}

static void test_types(void **state)
{
    (void)state;
    const char *type = CONDITIONS_CHECKED;
    const struct side all = {"True", "AllTypesChecked", "4"}, more = {"True", "AllTypesChecked", "5"},
                      nowhere = {"False", "ResourceNotFound", "a"},
                      other = {"False", "ResourceNotFound", "b"}, bare = {"False", "SchemaNotFound", "c"},
                      down = {"Unknown", "ClusterUnavailable", "d"}, outside = {"False", "OutOfScope", "e"},
                      limited = {"False", "LimitReached", "f"};
    expect(type, none, all, false, NULL);
    expect(type, none, nowhere, true, "ResourceNotFound");
    expect(type, none, outside, true, NULL);
    expect(type, all, more, false, NULL);
    expect(type, all, nowhere, true, "ResourceNotFound");
    expect(type, nowhere, other, true, NULL);
    expect(type, nowhere, bare, true, "SchemaNotFound");
    expect(type, all, down, true, "ClusterUnavailable");
    expect(type, down, all, false, "AllTypesChecked");
    expect(type, bare, all, false, "AllTypesChecked");
    expect(type, all, limited, true, "LimitReached");
    expect(type, bare, limited, true, "LimitReached");
    expect(type, limited, limited, true, NULL);
    expect(type, limited, all, false, "AllTypesChecked");
}

static void test_param_kind(void **state)
{
    (void)state;
    const char *type = CONDITIONS_PARAM_KIND;
    const struct side found = {"True", "Found", "a"}, lost = {"False", "NotFound", "b"},
                      down = {"Unknown", "ClusterUnavailable", "c"};
    expect(type, none, found, false, NULL);
    expect(type, none, lost, true, "ParamKindNotFound");
    expect(type, found, lost, true, "ParamKindNotFound");
    expect(type, lost, lost, true, NULL);
    expect(type, lost, found, false, "ParamKindFound");
    expect(type, lost, down, true, NULL);
    expect(type, down, lost, true, "ParamKindNotFound");
}

static void test_others_are_no_news(void **state)
{
    (void)state;
    expect("Bound", none, (struct side){"False", "NoBinding", "a"}, true, NULL);
    assert_int_equal(conditionnews_find(NULL, NULL, NULL), 0);
}

static void expect_since(const struct side *was, struct side is, const char *reason)
{
    struct conditionnews found[CONDITIONNEWS_MAX];
    char before_text[64] = "", now_text[64] = "";
    const char *type = CONDITIONS_RULES_VALID;
    if (was != NULL)
        strncpy(before_text, was->message, sizeof before_text - 1);
    strncpy(now_text, is.message, sizeof now_text - 1);
    struct conditions before = {.count = was != NULL};
    if (was != NULL)
        before.items[0] = (struct condition){type, was->status, was->reason, before_text};
    const struct conditions now = {.items = {{type, is.status, is.reason, now_text}}, .count = 1};
    size_t count = conditionnews_since(&before, &now, found);
    assert_int_equal(count, reason != NULL);
    if (reason != NULL) {
        assert_string_equal(found[0].reason, reason);
        assert_string_equal(found[0].type, type);
    }
}

/* Of objects without a status of ours. */
static void test_since_another_check(void **state)
{
    (void)state;
    const struct side clean = {"True", "NoWarnings", "none"}, bad = {"False", "WarningsFound", "a"},
                      worse = {"False", "WarningsFound", "b"};
    struct conditionnews found[CONDITIONNEWS_MAX];
    expect_since(NULL, clean, NULL);
    expect_since(NULL, bad, "WarningsFound");
    expect_since(&clean, bad, "WarningsFound");
    expect_since(&bad, bad, NULL);
    expect_since(&bad, worse, "WarningsChanged");
    expect_since(&worse, clean, "WarningsResolved");
    assert_int_equal(conditionnews_since(NULL, NULL, found), 0);
    char text[] = "1 of 2 rules take too much work or memory to check";
    const struct conditions limited = {.items = {{CONDITIONS_RULES_CHECKED, "False", "LimitReached", text}},
                                       .count = 1};
    assert_int_equal(conditionnews_since(NULL, &limited, found), 1);
    assert_string_equal(found[0].reason, "LimitReached");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_param_kind),
        cmocka_unit_test(test_others_are_no_news),
        cmocka_unit_test(test_since_another_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
