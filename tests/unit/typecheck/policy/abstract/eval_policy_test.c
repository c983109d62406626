#include "typecheck/policy/abstract/eval_policy.h"

#include "tests/unit/typecheck/policy/abstract/thing.h"

static void test_operations(void **state)
{
    static const struct expected rows[] = {
        {C, "oldObject.spec.size == 1", "10: undefined field 'spec': oldObject is null here"},
        {CU, "oldObject.spec.size == 1", "10: undefined field 'spec': oldObject is null on CREATE"},
        {C, "oldObject == null", ""},
        {C, "oldObject != null && oldObject.nope", ""},
        {C, "has(oldObject.spec)", ""},
        {D, "object.spec.size == 1", "7: undefined field 'spec': object is null here"},
        {D, "oldObject.spec.size == 1", ""},
        {ALL, "object.spec.size == 1", "7: undefined field 'spec': object is null on DELETE"},
        {C | U | D | POLICY_CONNECT, "object.spec.size > 1 || oldObject.spec.size == 1",
         "7: undefined field 'spec': object is null on DELETE; "
         "34: undefined field 'spec': oldObject is null on CREATE and CONNECT"},
        {ALL, "object.spec.size == 1 || request.operation == 'DELETE'", ""},
        {ALL, "has(object.spec.size)", "11: undefined field 'spec': object is null on DELETE"},
        {ALL, "object == null || object.spec.size == 1", ""},
        {ALL, "object.?spec.?size.orValue(1) == 1", ""},
        {ALL, "(object == null ? oldObject : object).spec.size == 1", ""},
        {ALL, "(object == null ? oldObject : object).nope == 1", "38: undefined field 'nope'"},
        {ALL, "object.size == 1", "7: undefined field 'size'"},
        {ALL, "request.operation == 'DELETE' && object.spec.size == 1",
         "40: undefined field 'spec': object is null on DELETE"},
        {ALL, "request.operation != 'CREATE' || oldObject.spec.size == 1",
         "43: undefined field 'spec': oldObject is null on CREATE"},
        {ALL, "request.operation == 'CREATE' || oldObject.spec.size == 1", ""},
        {ALL, "request.operation in ['CREATE', 'UPDATE'] ? object.spec.size > 1 : oldObject.spec.size > 1",
         ""},
        {CU, "request.operation == 'DELETE' && object.nope == 1", ""},
        /* nothing is said of what comes behind a null, which fails as the null does */
        {ALL, "object.kind != 'Other' || object.nope == 1",
         "7: undefined field 'kind': object is null on DELETE"},
        {ALL, "object.kind == 'Other' ? object.nope == 1 : true",
         "7: undefined field 'kind': object is null on DELETE"},
        {ALL, "object.spec.size != null || object.spec.name == 'x'",
         "7: undefined field 'spec': object is null on DELETE"},
        {ALL, "object.kind == 'Thing' && object.nope == 1",
         "7: undefined field 'kind': object is null on DELETE; 33: undefined field 'nope'"},
        {CU, "request.subResource == 'scale'", "8: undefined field 'subResource'"},
        {CU, "request.subResource == 'scale' || object.spec.size > 1", "8: undefined field 'subResource'"},
        {CU, "request.subResource == 'scale' || true", ""},
        {CU, "request.nope", "8: undefined field 'nope'"},
        {CU, "request.userInfo.username.startsWith('a') && 'a' in request.userInfo.groups", ""},
        {CU, "namespaceObject.metadata.labels['a'] == 'x'", ""},
        {CU, "namespaceObject.metadata.nope == 'x'", "25: undefined field 'nope'"},
        {CU, "quantity('1 Gi').isGreaterThan(quantity('1'))",
         "9: quantities must match the regular expression "
         "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
        {CU, "isQuantity('1 Gi') && quantity('1 Gi').isGreaterThan(quantity('1'))", ""},
        {CU, "quantity(object.spec.name).isGreaterThan(quantity('1'))", ""},
        {CU, "[1][1] == 1", "4: the list has no such index"},
        {CU, "[1][-1] == 1", "4: index out of bounds: -1, the last item of a list is at size() - 1"},
        {CU, "object.spec.words[-2] == 'a'",
         "18: index out of bounds: -2, the last item of a list is at size() - 1"},
        {CU, "object.spec.words[0] == 'a' || {-1: 'a'}[-1] == 'a'", ""},
        {CU, "object.spec.name.charAt(-1) == 'a'", "24: index out of range: -1"},
        {CU, "object.spec.name.substring(-1) == 'a'", "27: index out of range: -1"},
        {CU, "object.spec.name.substring(0, -1) == 'a'", "27: invalid substring range. start: 0, end: -1"},
        {CU, "object.spec.name.substring(3, 1) == 'a'", "27: invalid substring range. start: 3, end: 1"},
        {CU, "object.spec.name.indexOf('a', -1) == 1", "25: index out of range: -1"},
        {CU, "object.spec.name.substring(3, 3) == '' || object.spec.name.indexOf('a', 1) == 1", ""},
        {CU, "object.spec.words.map(w, -1).exists(i, i == -1)", ""},
        {CU, "[1, 2][1] == 1 || [1][object.spec.size] == 1", ""},
        {CU, "[1, 2].all(i, i == 2 || [0, 1][i] == 1)", ""},
        {CU, "[].min() == 1", "7: min of an empty list"},
        {CU, "object.spec.words.min() == 'a'", ""},
        {CU, "cidr('10.0.0.0/8').containsIP('10.0.0')",
         "30: IP Address \"10.0.0\" parse error during conversion from string: ParseAddr(\"10.0.0\"): "
         "IPv4 address too short"},
    };
    EXPECT_ALL(rows);
}

static struct policy_expression at_place(enum policy_place place, const char *name, const char *text)
{
    return (struct policy_expression){.place = place, .name = str_of(name), .text = str_of(text)};
}

#define EXPECT_POLICY(operations, subresource, issues, ...)                                                  \
    do {                                                                                                     \
        const struct policy_expression list[] = {__VA_ARGS__};                                               \
        struct typecheck_result r;                                                                           \
        char got[2048];                                                                                      \
        check_policy(*state, operations, subresource, list, sizeof list / sizeof *list, &r);                 \
        print_issues(&r, got, sizeof got);                                                                   \
        typecheck_result_deinit(&r);                                                                         \
        assert_string_equal(got, issues);                                                                    \
    } while (0)

#define VALIDATION(text)     at_place(POLICY_VALIDATION, "", text)
#define MESSAGE(text)        at_place(POLICY_MESSAGE, "", text)
#define CONDITION(text)      at_place(POLICY_MATCH_CONDITION, "", text)
#define VARIABLE(name, text) at_place(POLICY_VARIABLE, name, text)
#define AUDIT(text)          at_place(POLICY_AUDIT_ANNOTATION, "", text)

static void test_match_conditions(void **state)
{
    EXPECT_POLICY(CU, "", "", VALIDATION("object.nope == 1"), CONDITION("object.kind == 'Other'"));
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("object.nope == 1"),
                  CONDITION("object.kind == 'Thing'"));
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("true"), CONDITION("object.nope == 1"));
    /* a false one wins over the errors of the others */
    EXPECT_POLICY(CU, "", "", VALIDATION("true"), CONDITION("object.nope == 1"), CONDITION("false"));
    EXPECT_POLICY(ALL, "", "10: undefined field 'spec': oldObject is null on CREATE",
                  VALIDATION("oldObject.spec.size == 1"), CONDITION("request.operation == 'CREATE'"));
    EXPECT_POLICY(ALL, "", "", VALIDATION("object.spec.size == 1"),
                  CONDITION("request.operation != 'DELETE'"));
    EXPECT_POLICY(ALL, "", "7: undefined field 'spec': object is null on DELETE", VALIDATION("true"),
                  CONDITION("object.spec.size == 1"));
    EXPECT_POLICY(CU, "", "12: undefined field 'part': has(object.spec.part) is false here",
                  VALIDATION("object.spec.part.name == ''"), CONDITION("!has(object.spec.part)"));
    EXPECT_POLICY(CU, "", "", VALIDATION("namespaceObject.metadata.name == ''"),
                  CONDITION("namespaceObject == null"));
}

static void test_variables(void **state)
{
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("variables.a == 1"),
                  VARIABLE("a", "object.nope"));
    EXPECT_POLICY(CU, "", "", VALIDATION("true || variables.a == 1"), VARIABLE("a", "object.nope"));
    EXPECT_POLICY(CU, "", "", VALIDATION("variables.a == 1 || true"), VARIABLE("a", "object.nope"));
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("variables.b == 1"),
                  VARIABLE("a", "object.nope"), VARIABLE("b", "variables.a"));
    EXPECT_POLICY(CU, "", "15: undefined field 'nope'", VALIDATION("variables.part.nope == 1"),
                  VARIABLE("part", "object.spec.part"));
    EXPECT_POLICY(CU, "", "", VALIDATION("variables.isOther ? object.nope == 1 : true"),
                  VARIABLE("isOther", "object.kind == 'Other'"));
    /* on CREATE first used behind an error that the operations after it do not have, then behind none */
    EXPECT_POLICY(
        ALL, "", "10: undefined field 'spec': oldObject is null on CREATE; 7: undefined field 'nope'",
        VALIDATION("oldObject.spec.size > 0 && (request.operation != 'CREATE' || variables.a == 1)"),
        VALIDATION("request.operation != 'CREATE' || variables.a == 1"), VARIABLE("a", "object.nope"));
}

static void test_messages(void **state)
{
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("object.spec.open"),
                  MESSAGE("object.nope"));
    EXPECT_POLICY(CU, "", "", VALIDATION("true"), MESSAGE("object.nope"));
    EXPECT_POLICY(CU, "", "12: undefined field 'part': has(object.spec.part) is false here",
                  VALIDATION("has(object.spec.part)"), MESSAGE("object.spec.part.name"));
    EXPECT_POLICY(CU, "", "7: undefined field 'nope'", VALIDATION("true"), AUDIT("object.nope"));
}

static void test_subresources(void **state)
{
    EXPECT_POLICY(CU, "scale", "", VALIDATION("request.subResource == 'scale' || object.nope == 1"));
    EXPECT_POLICY(CU, "scale", "41: undefined field 'nope'",
                  VALIDATION("request.subResource == 'scale' && object.nope == 1"));
}

/* The kinds of request that fail. */
static void test_kinds_of_request(void **state)
{
    static const struct {
        const char *resource, *subresource;
        unsigned operations;
    } requests[] = {{"others", "", CU}, {"others", "status", U}, {"things", "", ALL}, {"things", "parts", U}};
    static const struct {
        const char *expression, *issues;
    } rows[] = {
        {"request.subResource != 'parts'", "8: undefined field 'subResource' for others and things"},
        {"request.subResource == 'parts' || object.spec.size > 1",
         "8: undefined field 'subResource' for others and things; "
         "41: undefined field 'spec': object is null on DELETE"},
        {"has(request.subResource) || oldObject.spec.size > 1",
         "38: undefined field 'spec': oldObject is null on CREATE"},
        {"oldObject != null || request.resource.resource == 'things' || request.subResource != 'x'",
         "70: undefined field 'subResource'"},
        {"request.operation == 'CREATE' || request.subResource != 'x'",
         "41: undefined field 'subResource' on UPDATE of others, and on UPDATE and DELETE of things"},
        {"request.resource.resource == 'others' ? oldObject.spec.size > 1 : true",
         "50: undefined field 'spec': oldObject is null on CREATE of others"},
        {"object.nope == 1", "7: undefined field 'nope'"},
        {"!(request.resource.resource == 'things' && !has(request.subResource)) || object.nope == 1",
         "80: undefined field 'nope'"},
    };
    struct apidoc *d = *state;
    struct policy_request list[4];
    bool is_wrong = false;
    for (size_t i = 0; i < 4; i++)
        list[i] = (struct policy_request){.group = STR("g"),
                                          .version = STR("v1"),
                                          .resource = str_of(requests[i].resource),
                                          .subresource = str_of(requests[i].subresource),
                                          .is_namespaced = true,
                                          .operations = requests[i].operations};
    struct policy_type type = apidoc_type(d, "Thing");
    type.requests = list;
    type.request_count = 4;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct policy_expression e = {.place = POLICY_VALIDATION, .text = str_of(rows[i].expression)};
        struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                          .policy = {.expressions = &e, .count = 1},
                                          .types = &type,
                                          .type_count = 1};
        struct typecheck_result r;
        typecheck_policy(d->env, &policy, &r);
        is_wrong = is_other(rows[i].expression, rows[i].issues, &r) || is_wrong;
    }
    assert_false(is_wrong);
}

/* What the API server refuses at create is told in dead code, too. */
static void test_refused(void **state)
{
    static const struct expected rows[] = {
        {CU, "false && nope()", "14: undeclared reference to 'nope'"},
        {CU, "true || 1 + 'a' == 2", "11: found no matching overload for '_+_' applied to '(int, string)'"},
        {CU, "false && duration('1 hour') > duration('1h')", "19: invalid duration argument"},
    };
    EXPECT_ALL(rows);
}

static void test_hints(void **state)
{
    static const struct {
        const char *expression, *hint;
    } rows[] = {
        {"object.size > 1", "did you mean 'spec.size'?"},
        {"object.spec.sise > 1", "did you mean 'size'?"},
        {"object.spec.parts.all(p, p.imgae == '')", "did you mean 'image'?"},
        {"object.spec.zzzzzz > 1", ""},
        {"request.operatoin == 'x'", "did you mean 'operation'?"},
        {"object.name == 'x'", ""}, /* metadata.name or spec.name */
        {"object.spec['sise'] > 1", "did you mean 'size'?"},
        {"object.metadata.creationTimestamp == timestamp('2020-01-01T00:00:00Z')",
         "a string at run time: wrap it in timestamp()"},
        {"object.metadata.creationTimestamp < timestamp('2020-01-01T00:00:00Z')",
         "a string at run time: wrap it in timestamp()"},
        {"object.metadata.creationTimestamp.getFullYear() > 1",
         "a string at run time: wrap it in timestamp()"},
        {"object.spec.limit.isGreaterThan(quantity('1Gi'))", "a string at run time: wrap it in quantity()"},
        {"object.spec.name > 1", ""},
        {"object.spec.size.orValue(3) == 1", "did you mean '.?size'?"},
        {"object.spec.part.orValue({}) == {}", "did you mean '.?part'?"},
        {"object.spec['name'].orValue('') == ''", ""},
        {"object.metadata.labels.`a/b`.orValue('') == ''", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct policy_expression e = at_place(POLICY_VALIDATION, "", rows[i].expression);
        struct typecheck_result r;
        check_policy(*state, CU, "", &e, 1, &r);
        assert_int_equal(r.warning_count, 1);
        assert_string_equal(r.warnings[0].hint.at, rows[i].hint);
        typecheck_result_deinit(&r);
    }
}

/* Loops within loops over what is known end, and so does the knowledge. */
static void test_many_steps(void **state)
{
    char text[4096] = "";
    for (size_t i = 0; i < 5; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16].all(x%zu, ", i);
    }
    strncat(text, "object.nope == 1)))))", sizeof text - strlen(text) - 1);
    EXPECT_POLICY(CU, "", "", VALIDATION(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),   cmocka_unit_test(test_match_conditions),
        cmocka_unit_test(test_variables),    cmocka_unit_test(test_messages),
        cmocka_unit_test(test_subresources), cmocka_unit_test(test_kinds_of_request),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_hints),
        cmocka_unit_test(test_many_steps),
    };
    return cmocka_run_group_tests(tests, thing_setup, apidoc_teardown);
}
