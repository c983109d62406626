/* The code and the span of each sort of issue, by whatever part of the checker it is found. */
#include "tests/unit/typecheck/policy/abstract/thing.h"

struct row {
    enum issue_code code;
    const char *spanned, *expression;
    enum policy_place place;
    unsigned operations;
};

static bool is_wrong_row(const struct apidoc *d, const struct row *row)
{
    const struct policy_expression e = {.place = row->place, .text = str_of(row->expression)};
    struct typecheck_result r;
    check_kind(d, "Thing", row->operations, "", &e, 1, &r);
    bool is_wrong = r.warning_count != 1 || r.warnings[0].issue_count == 0;
    if (!is_wrong) {
        const struct typecheck_issue *issue = &r.warnings[0].issues[0];
        const size_t len = issue->at.end - issue->at.begin;
        is_wrong = issue->code != row->code || len != strlen(row->spanned) ||
                   strncmp(row->expression + issue->at.begin, row->spanned, len) != 0 ||
                   (size_t)issue->column != issue->at.offset + 1;
        if (is_wrong)
            print_error("%s: code %d, '%.*s'\n", row->expression, (int)issue->code, (int)len,
                        row->expression + issue->at.begin);
    } else {
        print_error("%s: no issue\n", row->expression);
    }
    typecheck_result_deinit(&r);
    return is_wrong;
}

static void check(const struct apidoc *d, const struct row *rows, size_t count)
{
    bool is_wrong = false;
    for (size_t i = 0; i < count; i++)
        is_wrong = is_wrong_row(d, &rows[i]) || is_wrong;
    assert_false(is_wrong);
}

#define CHECK(rows) check(*state, rows, sizeof(rows) / sizeof *(rows))

static void validations(void **state)
{
    static const struct row rows[] = {
        {ISSUE_SYNTAX, "", "object.spec.size >", POLICY_VALIDATION, U},
        {ISSUE_UNDECLARED_REFERENCE, "objekt", "objekt.spec.size > 1", POLICY_VALIDATION, U},
        {ISSUE_UNDECLARED_REFERENCE, "startswith", "object.kind.startswith('T')", POLICY_VALIDATION, U},
        {ISSUE_UNDEFINED_FIELD, "sise", "object.spec.sise > 1", POLICY_VALIDATION, U},
        {ISSUE_NO_OVERLOAD, "['sise']", "object.spec['sise'] > 1", POLICY_VALIDATION, U},
        {ISSUE_NULL_OBJECT, "spec", "oldObject.spec.size > 1", POLICY_VALIDATION, C},
        {ISSUE_NO_FIELDS, "x", "object.spec.size.x == 1", POLICY_VALIDATION, U},
        {ISSUE_NO_OVERLOAD, "+", "object.spec.size + 'a' == ''", POLICY_VALIDATION, U},
        {ISSUE_NO_OVERLOAD, "startsWith(1)", "object.kind.startsWith(1)", POLICY_VALIDATION, U},
        {ISSUE_NEVER_EQUAL, "==", "object.spec.size == 'a'", POLICY_VALIDATION, U},
        {ISSUE_NEVER_EQUAL, "in", "object.spec.size in ['a']", POLICY_VALIDATION, U},
        {ISSUE_TYPE_MISMATCH, "object", "object && true", POLICY_VALIDATION, U},
        {ISSUE_TYPE_MISMATCH, "dyn(1)", "dyn(1) && true", POLICY_VALIDATION, U},
        {ISSUE_TYPE_MISMATCH, "'a'", "object.spec.size in [1, 'a']", POLICY_VALIDATION, U},
        {ISSUE_NO_RANGE, "size", "object.spec.size.all(x, x > 1)", POLICY_VALIDATION, U},
        {ISSUE_WRONG_CONSTANT, "/", "object.spec.size > 1 / 0", POLICY_VALIDATION, U},
        {ISSUE_WRONG_CONSTANT, "quantity('1 Gi')", "quantity('1 Gi').isInteger()", POLICY_VALIDATION, U},
        {ISSUE_WRONG_CONSTANT, "'['", "object.kind.matches('[')", POLICY_VALIDATION, U},
        {ISSUE_WRONG_CONSTANT, "duration(dyn('a'))", "duration(dyn('a')) > duration('1s')", POLICY_VALIDATION,
         U},
        {ISSUE_WRONG_CONSTANT, "format([1])", "'%q'.format([1]) == ''", POLICY_VALIDATION, U},
        {ISSUE_OTHER, "asInteger()", "quantity('1.5').asInteger() == 1", POLICY_VALIDATION, U},
        {ISSUE_OTHER, "[2]", "[1][2] == 1", POLICY_VALIDATION, U},
        {ISSUE_NO_OVERLOAD, "url(dyn(1))", "url(dyn(1)).getHost() == ''", POLICY_VALIDATION, U},
    };
    CHECK(rows);
}

static void mutations(void **state)
{
    static const struct row rows[] = {
        {ISSUE_WRONG_MUTATION, "words", "Object{spec: Object.spec{words: ['a']}}", POLICY_APPLY_CONFIGURATION,
         CU},
        {ISSUE_WRONG_MUTATION, "op", "[JSONPatch{op: 'remove it', path: '/spec'}]", POLICY_JSON_PATCH, CU},
    };
    CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(validations, thing_setup, apidoc_teardown),
        cmocka_unit_test_setup_teardown(mutations, thing_setup, apidoc_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
