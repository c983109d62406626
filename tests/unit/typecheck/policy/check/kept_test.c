#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"

/* The kinds of group g are K0, K1 ...; all have a spec, and fields of it differ. A few of them are matched,
 * and from check to check some come and some go. */
enum { KINDS = 120, FEW_KINDS = 24, CHECKS = 100, SEEDS = 4 };

static struct policy_type types[KINDS], matched[KINDS];
static struct policy_request requests[KINDS];
static char names[KINDS][8];

static size_t add_kind(char *at, size_t size, int i)
{
    return (size_t)snprintf(
        at, size,
        "%s\"g.v1.%s\":{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},\"spec\":{"
        "\"type\":"
        "\"object\",\"properties\":{%s%s\"n\":{\"type\":\"%s\"}}}},\"x-kubernetes-group-version-kind\":[{"
        "\"group\":\"g\",\"version\":\"v1\",\"kind\":\"%s\"}]}",
        i == 0 ? "" : ",", names[i], i % 5 == 0 ? "\"extra\":{\"type\":\"integer\"}," : "",
        i % 3 == 0 ? "\"size\":{\"type\":\"integer\"}," : "", i % 7 == 0 ? "string" : "integer", names[i]);
}

static int setup(void **state)
{
    static char json[KINDS * 512];
    size_t len = (size_t)snprintf(json, sizeof json, "{\"components\":{\"schemas\":{");
    for (int i = 0; i < KINDS; i++) {
        snprintf(names[i], sizeof names[i], "K%d", i);
        len += add_kind(json + len, sizeof json - len, i);
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
                                              .operations = i % 11 == 0 ? POLICY_DELETE : POLICY_CREATE};
        types[i].requests = &requests[i];
        types[i].request_count = 1;
        types[i].identity = (uint32_t)i + 1;
    }
    return 0;
}

static size_t add_issues(char *got, size_t size, const struct typecheck_warning *w)
{
    size_t len = (size_t)snprintf(got, size, "%.*s (%.*s) %d", STR_ARG(w->text), STR_ARG(w->hint),
                                  (int)w->consequence);
    for (size_t i = 0; i < w->issue_count; i++)
        len += (size_t)snprintf(got + len, size - len, " %u %zu", w->issues[i].type_count,
                                w->issues[i].first_type);
    return len;
}

/* The steps that the check took; what it found is in `got`. */
static uint64_t check(const struct apidoc *d, const char *text, size_t count, bool has_all_types,
                      struct typecheck_kept *kept, char *got, size_t size)
{
    const struct policy_expression e = {
        .place = POLICY_VALIDATION, .field_ref = STR("v"), .text = str_of(text)};
    const struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                            .policy = {.expressions = &e, .count = 1},
                                            .types = matched,
                                            .type_count = count,
                                            .most_identity = count == 0 ? 0 : matched[count - 1].identity,
                                            .has_all_types = has_all_types,
                                            .kept = kept};
    struct typecheck *t = typecheck_new(d->env, &policy, NULL);
    while (typecheck_step(t, 1000))
        ;
    const struct typecheck_result *r = typecheck_result(t);
    size_t len = (size_t)snprintf(got, size, "%zu limits, truths %d\n", r->limit_count, r->truths[0]);
    for (size_t i = 0; i < r->warning_count; i++)
        len += add_issues(got + len, size - len, &r->warnings[i]);
    for (size_t i = 0; i < r->note_count; i++)
        len += (size_t)snprintf(got + len, size - len, "note %.*s\n", STR_ARG(r->notes[i].message));
    const uint64_t steps = typecheck_steps(t);
    typecheck_free(t);
    return steps;
}

/* Some kinds come and some go. Of few kinds more facts are universal. */
static size_t choose(bool *is_there, int kinds)
{
    const int changes = rand() % 10 == 0 ? kinds : 1 + rand() % 4;
    const int one_of = 1 + rand() % 8;
    size_t count = 0;
    for (int i = 0; i < changes; i++)
        is_there[rand() % kinds] = rand() % one_of == 0;
    for (int i = 0; i < kinds; i++) {
        if (is_there[i])
            matched[count++] = types[i];
    }
    return count;
}

static char anew[1 << 16], again[1 << 16];

static void compare(const struct apidoc *d, const char *expression, unsigned seed)
{
    bool is_there[KINDS] = {false};
    struct typecheck_kept *kept = typecheck_kept_new();
    srand(seed);
    for (int i = 0; i < CHECKS; i++) {
        const size_t count = choose(is_there, seed % 2 == 0 ? KINDS : FEW_KINDS);
        const bool has_all_types = rand() % 4 != 0;
        check(d, expression, count, has_all_types, NULL, anew, sizeof anew);
        check(d, expression, count, has_all_types, kept, again, sizeof again);
        if (strcmp(anew, again) != 0)
            fail_msg("%s, seed %u, check %d of %zu types: %s\ninstead of %s", expression, seed, i, count,
                     again, anew);
    }
    assert_true(typecheck_kept_bytes(kept) < (size_t)64 * 1024);
    typecheck_kept_free(kept);
}

static void test_same_result(void **state)
{
    static const char *const expressions[] = {
        "object.spec.n > 1",
        "has(object.spec.extra)",
        "has(object.spec.extras)",
        "has(object.spec.sizes) || has(object.spec.extras)",
        "!has(object.spec.sizes) || object.spec.sizes > 1",
        "has(object.spec.zzz)",
        "!has(object.spec.extra) || object.spec.extra > 1",
        "object.kind == 'k5' || object.spec.n == 1",
        "object.kind == 'K5'",
        "object.kind in ['K5', 'k7']",
        "request.resource.resource != 'K9x' || has(object.spec.size)",
        "request.operation == 'create'",
        "request.operation == 'DELETE' || has(object.spec)",
        "object.kind.startsWith('K1') || object.spec.n == 'a'",
        "object.kind.startsWith('K')",
        "true",
        "object == oldObject",
        "object == null || has(object.spec.extras)",
        "object == null || has(object.spec.sizes) || has(object.spec.zzz)",
        "object == null || object.kind == 'k5' || object.spec.n == object.spec.n",
        "object == null || !(object.kind in ['K5', 'k7', 'X'])",
        "object == null || has(object.spec.extra) && object.spec.extra > 1",
        "request.resource.resource == 'K9' || request.resource.resource == 'k19'",
    };
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        for (unsigned seed = 1; seed <= SEEDS; seed++)
            compare(*state, expressions[i], seed);
    }
}

/* One type that comes costs about its own check. */
static void test_cost(void **state)
{
    static const char expression[] =
        "request.operation == 'DELETE' || object.kind.startsWith('K1') || has(object.spec)";
    struct typecheck_kept *kept = typecheck_kept_new();
    memcpy(matched, types, sizeof types);
    const uint64_t first = check(*state, expression, KINDS - 1, true, kept, again, sizeof again);
    const uint64_t second = check(*state, expression, KINDS, true, kept, again, sizeof again);
    const uint64_t third = check(*state, expression, KINDS, true, kept, again, sizeof again);
    if (second > first / 6 || third > first / 8)
        fail_msg("%d steps, then %d and %d: %s", (int)first, (int)second, (int)third, again);
    typecheck_kept_free(kept);
}

/* A type that has no identity is checked each time. */
static void test_no_identity(void **state)
{
    struct typecheck_kept *kept = typecheck_kept_new();
    matched[0] = types[0];
    matched[0].identity = 0;
    const uint64_t first = check(*state, "has(object.spec)", 1, true, kept, anew, sizeof anew);
    const uint64_t second = check(*state, "has(object.spec)", 1, true, kept, again, sizeof again);
    assert_string_equal(anew, again);
    assert_int_equal(first, second);
    typecheck_kept_free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_result),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_no_identity),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
