#include "typecheck/policy/author/assist/assist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"
#include "typecheck/cel/types/type.h"

static const char json[] =
    "{\"components\": {\"schemas\": {"
    "\"One\": {\"type\": \"object\", \"properties\": {\"size\": {\"type\": \"integer\"},"
    " \"both\": {\"type\": \"string\"}, \"a-b\": {\"type\": \"string\"}, \"a b\": {\"type\": \"string\"},"
    " \"items\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": {\"n\": {\"type\": "
    "\"number\"}}}}},"
    " \"x-kubernetes-group-version-kind\": [{\"group\": \"g\", \"version\": \"v1\", \"kind\": \"One\"}]},"
    "\"Two\": {\"type\": \"object\", \"properties\": {\"both\": {\"type\": \"boolean\"}},"
    " \"x-kubernetes-group-version-kind\": [{\"group\": \"g\", \"version\": \"v1\", \"kind\": \"Two\"}]}}}}";

typedef void ask(const struct env *env, const struct typecheck_policy *policy, size_t expression,
                 size_t offset, struct assist *out);

/* Of a policy about both kinds, with a variable before the expression; "^" is the cursor. */
static void find(const struct apidoc *d, ask *ask_for, const char *text, struct assist *found)
{
    static char plain[256];
    const size_t cursor = strcspn(text, "^");
    snprintf(plain, sizeof plain, "%.*s%s", (int)cursor, text, text + cursor + 1);
    const struct policy_expression expressions[] = {
        {.place = POLICY_VARIABLE, .name = STR("list"), .text = STR("[1]")},
        {.place = POLICY_VALIDATION, .text = str_of(plain)},
    };
    const struct policy_type types[] = {apidoc_type(d, "One"), apidoc_type(d, "Two")};
    const struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                            .policy = {.expressions = expressions, .count = 2},
                                            .types = types,
                                            .type_count = 2};
    ask_for(d->env, &policy, 1, cursor, found);
}

/* The fields and variables, "name:detail@type" each. */
static void check(const struct apidoc *d, ask *ask_for, const char *text, const char *wanted)
{
    struct assist found;
    char list[1024] = "";
    find(d, ask_for, text, &found);
    for (size_t i = 0, at = 0; i < found.count; i++) {
        const struct assist_item *item = &found.items[i];
        if (item->kind == ASSIST_FIELD || item->kind == ASSIST_VARIABLE)
            at += (size_t)snprintf(list + at, sizeof list - at, "%.*s:%.*s@%zu ", STR_ARG(item->name),
                                   STR_ARG(item->detail), item->first_type);
    }
    if (strcmp(list, wanted) != 0)
        fail_msg("%s: %s", text, list);
    assist_deinit(&found);
}

static void test_fields(void **state)
{
    check(*state, assist_complete, "object.^",
          "a__dash__b:string@0 both:string@0 items:list(One.items.@idx)@0 size:int@0 ");
    check(*state, assist_complete, "object.items.all(i, i.^", "n:int or double@0 ");
    check(*state, assist_complete, "variables.^", "list:list(int)@0 ");
    check(*state, assist_complete, "request.kind.^", "group:string@0 version:string@0 kind:string@0 ");
    check(*state, assist_complete, "nothing.^", "");
    check(*state, assist_complete, "object.both.^", "");
}

static void test_explanations(void **state)
{
    check(*state, assist_explain, "object.bo^th", "both:string@0 both:bool@1 ");
    check(*state, assist_explain, "object.si^ze", "size:int@0 ");
    check(*state, assist_explain, "variables.li^st", "list:list(int)@0 ");
    check(*state, assist_explain, "obj^ect", "object:One@0 object:Two@1 ");
    check(*state, assist_explain, "object.none^", "");
    check(*state, assist_explain, "1 +^ 1", "");
}

static bool has(const struct assist *found, enum assist_kind kind, const char *name)
{
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].kind == kind && str_eq(found->items[i].name, str_of(name)))
            return true;
    }
    return false;
}

static void test_functions(void **state)
{
    struct assist found;
    find(*state, assist_complete, "object.items.^", &found);
    assert_true(has(&found, ASSIST_MACRO, "all"));
    assert_true(has(&found, ASSIST_FUNCTION, "size"));
    assert_false(has(&found, ASSIST_FUNCTION, "startsWith"));
    assert_false(has(&found, ASSIST_MACRO, "has"));
    assert_false(has(&found, ASSIST_MACRO, "optMap"));
    assist_deinit(&found);
    find(*state, assist_complete, "object.?items.^", &found);
    assert_true(has(&found, ASSIST_MACRO, "optMap"));
    assist_deinit(&found);
    find(*state, assist_complete, "^", &found);
    assert_true(has(&found, ASSIST_MACRO, "has"));
    assert_true(has(&found, ASSIST_FUNCTION, "quantity"));
    assert_true(has(&found, ASSIST_FUNCTION, "sets.contains"));
    assert_false(has(&found, ASSIST_FUNCTION, "startsWith"));
    assist_deinit(&found);
}

/* Where no policy is, only what is declared there is known. */
static void test_elsewhere(void **state)
{
    const struct apidoc *d = *state;
    const struct assist_place place = {STR("user.uid.x"), CEL_PLACE_USER_RULE, {.env = d->env}};
    struct assist found;
    assist_complete_at(&place, 2, &found);
    assert_true(has(&found, ASSIST_VARIABLE, "user"));
    assert_true(has(&found, ASSIST_MACRO, "has"));
    assert_false(has(&found, ASSIST_VARIABLE, "object"));
    assist_deinit(&found);
    assist_complete_at(&place, 9, &found);
    assert_true(has(&found, ASSIST_FUNCTION, "startsWith"));
    assist_deinit(&found);
    assist_explain_at(&place, 2, &found);
    assert_int_equal(found.count, 1);
    assert_true(str_eq(found.items[0].detail, STR("kubernetes.UserInfo")));
    assert_int_equal(found.items[0].holder.len, 0);
    assist_deinit(&found);
}

static void test_holders(void **state)
{
    struct assist found;
    find(*state, assist_explain, "object.items.all(i, i.n^ > 1)", &found);
    assert_true(found.count > 0 && str_eq(found.items[0].holder, STR("One.items.@idx")));
    assist_deinit(&found);
}

/* However long the text is, the work has a bound. */
static void test_bounds(void **state)
{
    const struct apidoc *d = *state;
    static const char *const parts[] = {"(", "[", "{", ".", "a", "a.all(a,", "a.", "f(", "a)."};
    const size_t len = 400000;
    char *text = malloc(len);
    assert_non_null(text);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        for (size_t i = 0; i < len; i++)
            text[i] = parts[k][i % strlen(parts[k])];
        const struct policy_expression expression = {.place = POLICY_VALIDATION, .text = {text, len}};
        const struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                                .policy = {.expressions = &expression, .count = 1}};
        struct assist found;
        assist_complete(d->env, &policy, 0, len, &found);
        assert_true(found.arena.steps <= ASSIST_MAX_STEPS + len);
        assist_deinit(&found);
    }
    free(text);
}

static int setup(void **state)
{
    return apidoc_setup(state, json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),       cmocka_unit_test(test_elsewhere), cmocka_unit_test(test_holders),
        cmocka_unit_test(test_explanations), cmocka_unit_test(test_functions), cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
