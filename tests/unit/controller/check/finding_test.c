#include "controller/check/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *message, const char *id)
{
    assert_string_equal(finding_pages[finding_of_issue(message)].id, id);
}

static void test_issues(void **state)
{
    (void)state;
    expect("undefined field 'x'", "undefined-field");
    expect("undefined field 'x': has(object.x) is false here", "undefined-field");
    expect("undefined field 'spec': object is null on DELETE", "null-object");
    expect("undeclared reference to 'objct' (in container '')", "undeclared-reference");
    expect("Syntax error: mismatched input '<EOF>'", "syntax-error");
    expect("found no matching overload for '_==_' applied to '(int, string)'", "never-equal");
    expect("found no matching overload for '@in' applied to '(int, list(string))'", "never-equal");
    expect("found no matching overload for '_>_' applied to '(string, int)'", "no-such-overload");
    expect("expected type 'bool' but found 'int'", "type-mismatch");
    expect("type 'int' does not support field selection", "no-fields");
    expect("expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
           "no-range");
    expect("division by zero", "wrong-constant");
    expect("unable to parse quantity's suffix", "wrong-constant");
    expect(
        "IP Address \"1.2\" parse error during conversion from string: ParseAddr(\"1.2\"): IPv4 address too "
        "short",
        "wrong-constant");
    expect("IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed", "wrong-constant");
    expect("Minor number must not contain leading zeroes \"01\"", "wrong-constant");
    expect("'x' is no operation of a JSON patch", "wrong-mutation");
    expect("optional.none() dereference", "evaluation-error");
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
