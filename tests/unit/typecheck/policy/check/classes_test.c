#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"

/* The kinds of group g are K0, K1 ...; each has a spec with `n`, which is a string in every seventh. Every
 * fifth kind also has `extra`. */
enum { KINDS = 1000, FEW_KINDS = 60 };

static struct policy_type types[KINDS];
static struct policy_request requests[KINDS];
static char names[KINDS][8];

static int setup(void **state)
{
    static char json[KINDS * 512];
    size_t len = (size_t)snprintf(json, sizeof json, "{\"components\":{\"schemas\":{");
    for (int i = 0; i < KINDS; i++) {
        snprintf(names[i], sizeof names[i], "K%d", i);
        len += (size_t)snprintf(
            json + len, sizeof json - len,
            "%s\"g.v1.%s\":{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},\"spec\":{"
            "\"type\":"
            "\"object\",\"properties\":{%s\"n\":{\"type\":\"%s\"}}}},\"x-kubernetes-group-version-kind\":[{"
            "\"group\":\"g\",\"version\":\"v1\",\"kind\":\"%s\"}]}",
            i == 0 ? "" : ",", names[i], i % 5 == 0 ? "\"extra\":{\"type\":\"integer\"}," : "",
            i % 7 == 0 ? "string" : "integer", names[i]);
    }
    snprintf(json + len, sizeof json - len, "}}}");
    if (apidoc_setup(state, json) != 0)
        return -1;
    for (int i = 0; i < KINDS; i++) {
        types[i] = apidoc_type(*state, names[i]);
        requests[i] = (struct policy_request){.group = STR("g"),
                                              .version = STR("v1"),
                                              .resource = str_of(names[i]),
                                              .subresource = STR(""),
                                              .is_namespaced = i % 2 == 0,
                                              .operations = POLICY_CREATE | POLICY_DELETE};
        types[i].requests = &requests[i];
        types[i].request_count = 1;
    }
    return 0;
}

/* The steps that the check took; its warnings are in `got`. */
static uint64_t check(const struct apidoc *d, const char *text, size_t kinds, bool checks_each_type,
                      char *got, size_t size)
{
    const struct policy_expression e = {
        .place = POLICY_VALIDATION, .field_ref = STR("v"), .text = str_of(text)};
    const struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                            .policy = {.expressions = &e, .count = 1},
                                            .types = types,
                                            .type_count = kinds,
                                            .has_all_types = true,
                                            .checks_each_type = checks_each_type};
    struct typecheck *t = typecheck_new(d->env, &policy, NULL);
    while (typecheck_step(t, 1000))
        ;
    const struct typecheck_result *r = typecheck_result(t);
    size_t len = (size_t)snprintf(got, size, "%zu limits, truths %d\n", r->limit_count, r->truths[0]);
    for (size_t i = 0; i < r->warning_count; i++) {
        len += (size_t)snprintf(got + len, size - len, "%.*s (%.*s)", STR_ARG(r->warnings[i].text),
                                STR_ARG(r->warnings[i].hint));
        for (size_t k = 0; k < r->warnings[i].issue_count; k++)
            len += (size_t)snprintf(got + len, size - len, " %u", r->warnings[i].issues[k].type_count);
    }
    const uint64_t steps = typecheck_steps(t);
    typecheck_free(t);
    return steps;
}

static char once[1 << 16], each[1 << 16];

static void test_same_result(void **state)
{
    static const struct {
        const char *expression;
        bool is_cheap; /* few types are checked: that saves more than it costs to find classes */
    } cases[] = {
        {"object.spec.n > 1", true},
        {"object.spec.x > 1", true},
        {"has(object.spec.extra)", true},
        {"has(object.spec.extras)", true},
        {"object.spec.extras == 1", true},
        {"'n' in object.spec", false}, /* an issue is reported, and the static checker's names the type */
        {"object.spec.all(k, k != 'n')", false},
        {"object.kind == 'K5' || object.spec.x > 1", true},
        {"object.kind in ['K5', 'K6'] && object.spec.n == 'a'", true},
        {"request.resource.resource != 'K9' || object.spec.n == 'a'", true},
        {"request.kind.group == 'g' && object == oldObject", true},
        {"request.operation == 'DELETE' || object.spec.n == 'a'", true},
        {"object.kind.startsWith('K1') || object.spec.n == 'a'", false},
        {"object.kind == object.spec.n", false},
        {"object[object.kind] == 1", false},
        {"object.spec == 1", false},
        {"object == K3{}", true},
        {"object.spec.n + 1 == ''", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint64_t few = check(*state, cases[i].expression, FEW_KINDS, false, once, sizeof once);
        const uint64_t all = check(*state, cases[i].expression, FEW_KINDS, true, each, sizeof each);
        assert_string_equal(once, each);
        if (cases[i].is_cheap != (few < all))
            fail_msg("%s takes %d steps instead of %d", cases[i].expression, (int)few, (int)all);
    }
}

/* If no type is like another one, that is noticed before it costs much. */
static void test_no_classes(void **state)
{
    static const char *const expressions[] = {
        "object.kind.startsWith('K1') || object.spec.n == 'a'",
        "object[object.kind] == 1",
        "object.spec == 1",
    };
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        const uint64_t few = check(*state, expressions[i], KINDS, false, once, sizeof once);
        const uint64_t all = check(*state, expressions[i], KINDS, true, each, sizeof each);
        assert_string_equal(once, each);
        assert_true(few < all * 5 / 4);
    }
}

/* To read them all must not end the check. */
static void test_many_identifiers(void **state)
{
    static char text[1 << 17];
    size_t len = 0;
    for (int i = 0; i < 5000; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%sn%d == 1", i == 0 ? "" : " || ", i);
    check(*state, text, 2, false, once, sizeof once);
    check(*state, text, 2, true, each, sizeof each);
    assert_string_equal(once, each);
    assert_non_null(strstr(once, "undeclared reference to 'n0'"));
}

/* With any budget the answer is the same, or a limit. */
static void test_every_number_of_steps(void **state)
{
    const struct policy_expression e = {
        .place = POLICY_VALIDATION, .field_ref = STR("v"), .text = STR("object.spec.x > 1")};
    const struct apidoc *d = *state;
    const struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                            .policy = {.expressions = &e, .count = 1},
                                            .types = types,
                                            .type_count = FEW_KINDS,
                                            .has_all_types = true};
    size_t whole = 0, limited = 0;
    for (uint64_t steps = 1; steps < 40000; steps += 101) {
        const struct typecheck_caps caps = {
            .bytes = typecheck_default_caps.bytes, .steps = steps, .unit_steps = 2000};
        struct typecheck_result r;
        typecheck_policy_within(d->env, &policy, &caps, &r);
        if (r.limit_count == 0)
            assert_int_equal(r.warnings[0].issues[0].type_count, FEW_KINDS);
        whole += r.limit_count == 0;
        limited += r.limit_count != 0;
        typecheck_result_deinit(&r);
    }
    assert_true(whole > 0 && limited > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_result),
        cmocka_unit_test(test_no_classes),
        cmocka_unit_test(test_many_identifiers),
        cmocka_unit_test(test_every_number_of_steps),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
