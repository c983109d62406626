#include "controller/findings/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_issues(void **state)
{
    (void)state;
    static const char *const ids[] = {
        [ISSUE_OTHER] = "evaluation-error",
        [ISSUE_SYNTAX] = "syntax-error",
        [ISSUE_UNDECLARED_REFERENCE] = "undeclared-reference",
        [ISSUE_UNDEFINED_FIELD] = "undefined-field",
        [ISSUE_NULL_OBJECT] = "null-object",
        [ISSUE_NO_FIELDS] = "no-fields",
        [ISSUE_NO_OVERLOAD] = "no-such-overload",
        [ISSUE_NEVER_EQUAL] = "never-equal",
        [ISSUE_TYPE_MISMATCH] = "type-mismatch",
        [ISSUE_NO_RANGE] = "no-range",
        [ISSUE_RESERVED] = "evaluation-error",
        [ISSUE_WRONG_CONSTANT] = "wrong-constant",
        [ISSUE_WRONG_MUTATION] = "wrong-mutation",
        [ISSUE_ALWAYS_TRUE] = "always-true",
        [ISSUE_ALWAYS_FALSE] = "always-false",
        [ISSUE_NEVER_APPLIES] = "never-applies",
        [ISSUE_NO_SUCH_KEY] = "evaluation-error",
        [ISSUE_COST_LIMIT] = "evaluation-error",
    };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        assert_string_equal(finding_pages[finding_of_issue((enum issue_code)i)].id, ids[i]);
}

/* A table in which two rows have one identifier, or a row lacks a part, cannot be looked up in. */
static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const struct finding_page *page = &finding_pages[i];
        assert_int_equal(finding_of_name(page->id), i);
        assert_int_equal(strspn(page->id, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(page->id));
        assert_int_equal(page->summary[strlen(page->summary) - 1], '.');
        assert_int_equal(page->text[strlen(page->text) - 1], '.');
    }
    assert_int_equal(finding_of_name("undefined-fields"), FINDING_COUNT);
    assert_string_equal(finding_severity_name(FINDING_ADVICE), "advice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_issues),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
