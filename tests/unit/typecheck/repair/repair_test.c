#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/repair/repair.h"
#include "typecheck/types/celgo.h"

#define STEPS ((uint64_t)100 * 1000)

static struct env *env;

static int setup(void **state)
{
    (void)state;
    env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    return env == NULL;
}

static int teardown(void **state)
{
    (void)state;
    env_free(env);
    return 0;
}

/* Whether one of the texts that are made is `wanted`. */
static bool makes(const char *text, const char *wanted, bool is_crd_rule)
{
    static const struct str variables[] = {STR_INIT("team")};
    const struct repair_scope scope = {is_crd_rule, variables, 1};
    struct repairs r;
    bool is_made = false;
    repair_find(env, &scope, str_of(text), STEPS, &r);
    for (size_t i = 0; i < r.count; i++) {
        assert_true(r.list[i].hint.len > 0);
        is_made = is_made || str_eq(r.list[i].text, str_of(wanted));
    }
    repair_deinit(&r);
    return is_made;
}

static void test_policies(void **state)
{
    (void)state;
    static const char *const ROWS[][2] = {
        {"x.startswith('a') && y.endswith('b')", "x.startsWith('a') && y.endsWith('b')"},
        {"a and b or c", "a && b || c"},
        {"a & b | c", "a && b || c"},
        {"not a", "!a"},
        {"not a == b && c", "!(a == b) && c"},
        {"a + b not in c", "!(a + b in c)"},
        {"!a in b", "!(a in b)"},
        {"object.labels.a-b == 'c'", "object.labels['a-b'] == 'c'"},
        {"object.labels.x.io/a-b.startsWith('c')", "object.labels['x.io/a-b'].startsWith('c')"},
        {"object.spec.a-b", "object.spec['a-b']"},
        {"object.a__dash__b__slash__c", "object['a-b/c']"},
        {"has(object.labels.a-b)", "'a-b' in object.labels"},
        {"!has(a.b['c'])", "!('c' in a.b)"},
        {"team == 'a'", "variables.team == 'a'"},
        {"request.object.spec", "object.spec"},
        {".spec.a + spec.b", "object.spec.a + object.spec.b"},
        {"[a].all(spec, spec.b)", "[a].all(object.spec, object.spec.b)"},
        {"startsWith(a + b, 'c')", "(a + b).startsWith('c')"},
        {"if (a) b else c", "(a) ? b : c"},
        {"(a", "(a)"},
        {"a == `b`", "a == 'b'"},
        {"\xe2\x80\x9c"
         "a\xe2\x80\x9d",
         "\"a\""},
        {"a.matches('\\d')", "a.matches(r'\\d')"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        bool is_expected = i != 16; /* a macro's variable is no field of the object */
        if (makes(ROWS[i][0], ROWS[i][1], false) != is_expected)
            fail_msg("%s: %s", ROWS[i][0], ROWS[i][1]);
    }
}

static void test_rules(void **state)
{
    (void)state;
    assert_true(makes("object.a > oldObject.a", "self.a > oldSelf.a", true));
    assert_true(makes("self.a != null && self.b == null", "has(self.a) && !has(self.b)", true));
    assert_false(makes("self.a != null && self.b == null", "has(self.a) && !has(self.b)", false));
}

/* Whatever the text, the steps are the bound, and what was made before it is whole. */
static void test_hostile(void **state)
{
    (void)state;
    static const char *const PARTS[] = {"a.len().", "(",   "!",        "a.b-", "has(", "x and ",
                                        "'",        "a?.", "\xe2\x80", "==",   "{{",   "a,"};
    const struct repair_scope scope = {.variable_count = 0};
    static char text[60001];
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        size_t len = strlen(PARTS[i]), at = 0;
        for (; at + len < sizeof text; at += len)
            memcpy(text + at, PARTS[i], len);
        for (uint64_t steps = 1; steps <= STEPS; steps *= 10) {
            struct repairs r;
            repair_find(env, &scope, (struct str){text, at}, steps, &r);
            assert_true(r.arena.steps <= steps + 1 + at);
            for (size_t k = 0; k < r.count; k++)
                assert_true(r.list[k].hint.len > 0 && r.list[k].text.at[r.list[k].text.len] == '\0');
            repair_deinit(&r);
        }
    }
}

/* Every beginning of a text, and every text without one byte. */
static void test_pieces(void **state)
{
    (void)state;
    static const char text[] =
        "!has(a.b['c']) and x.all(y => y?.z-w in (1, 'u')) ? `t` : \"s\" + r.get('q', 1)";
    const struct repair_scope scope = {.variable_count = 0};
    for (size_t i = 0; i < sizeof text; i++) {
        char piece[sizeof text] = "";
        struct repairs r;
        repair_find(env, &scope, (struct str){text, i}, STEPS, &r);
        repair_deinit(&r);
        memcpy(piece, text, i);
        memcpy(piece + i, text + i + (i + 1 < sizeof text), sizeof text - i - (i + 1 < sizeof text));
        repair_find(env, &scope, str_of(piece), STEPS, &r);
        repair_deinit(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
