#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/newestenv.h"
#include "typecheck/policy/author/repair/repair.h"

#define STEPS ((uint64_t)100 * 1000)

/* Returns true if one of the texts that are made is `wanted`. */
static bool makes(const char *text, const char *wanted, bool is_crd_rule)
{
    static const struct str variables[] = {STR_INIT("team")};
    const struct repair_scope scope = {
        .is_crd_rule = is_crd_rule, .variables = variables, .variable_count = 1};
    struct repairs r;
    bool is_made = false;
    repair_find(newestenv, &scope, str_of(text), STEPS, &r);
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
        {"startsWith(a + b, 'c')", "(a + b).startsWith('c')"},
        {"if (a) b else c", "(a) ? b : c"},
        {"(a", "(a)"},
        {"a == `b`", "a == 'b'"},
        {"\xe2\x80\x9c"
         "a\xe2\x80\x9d",
         "\"a\""},
        {"a.matches('\\d')", "a.matches(r'\\d')"},
        {"a like 'b%' || c like '%d%'", "a.startsWith('b') || c.contains('d')"},
        {"m.keys().all(k, k == 'a')", "m.all(k, k == 'a')"},
        {"m.keys() == n.values()", "m.map(k, k) == n.map(k, n[k])"},
        {"a.b[*].c == 'd' && e", "a.b.all(c, c.c == 'd') && e"},
        {"a.b[].c == c", "a.b.exists(x, x.c == c)"},
        {"a.?b == 5", "a.?b == optional.of(5)"},
        {"a.?b > 5 && c", "a.?b.orValue(0) > 5 && c"},
        {"a + 1 == 'b'", "a + '1' == 'b'"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        if (!makes(ROWS[i][0], ROWS[i][1], false))
            fail_msg("%s: %s", ROWS[i][0], ROWS[i][1]);
    }
    /* A macro's variable is no field of the object. */
    assert_false(makes("[a].all(spec, spec.b)", "[a].all(object.spec, object.spec.b)", false));
}

static void test_rules(void **state)
{
    (void)state;
    assert_true(makes("object.a > oldObject.a", "self.a > oldSelf.a", true));
    assert_true(makes("self.a != null && self.b == null", "has(self.a) && !has(self.b)", true));
    assert_false(makes("self.a != null && self.b == null", "has(self.a) && !has(self.b)", false));
}

/* Returns true if the edits of each text make it. */
static void test_edits(void **state)
{
    (void)state;
    static const char text[] = "a and not b.startswith('x') or c.d-e == 1";
    const struct repair_scope scope = {.variable_count = 0};
    struct repairs r;
    repair_find(newestenv, &scope, str_of(text), STEPS, &r);
    assert_true(r.count > 3);
    for (size_t i = 0; i < r.count; i++) {
        const struct repair *one = &r.list[i];
        size_t at = 0, from = 0; /* in the text that is made, in the first text */
        for (size_t k = 0; k < one->edit_count; k++) {
            const struct repair_edit *edit = &one->edits[k];
            const size_t kept = edit->start - from;
            assert_memory_equal(one->text.at + at, text + from, kept);
            assert_memory_equal(one->text.at + at + kept, edit->text.at, edit->text.len);
            at += kept + edit->text.len;
            from = edit->end;
        }
        assert_string_equal(one->text.at + at, text + from);
    }
    repair_deinit(&r);
}

#define CHANGE(sort, from, to) ((struct hint_change){(sort), STR_INIT(from), STR_INIT(to)})

/* What the check proposes at the place of an issue. */
static void test_issues(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
        struct repair_issue issue;
    } ROWS[] = {
        {"a.replcas > 1 && b.replcas < a.replcas",
         "a.replicas > 1 && b.replcas < a.replicas",
         {.code = ISSUE_UNDEFINED_FIELD,
          .offset = 1,
          .end = 9,
          .change = CHANGE(HINT_NAME, "replcas", "replicas")}},
        {"'nam' in a", "'name' in a", {.offset = 6, .end = 8, .change = CHANGE(HINT_NAME, "nam", "name")}},
        {"request.operation == 'create'",
         "request.operation == 'CREATE'",
         {.offset = 18, .end = 20, .change = CHANGE(HINT_VALUE, "create", "CREATE")}},
        {"a.b.orValue(1) == 1",
         "a.?b.orValue(1) == 1",
         {.offset = 11, .end = 14, .change = CHANGE(HINT_OPTIONAL, "b", "b")}},
        {"a.b < timestamp('x')",
         "timestamp(a.b) < timestamp('x')",
         {.offset = 4, .end = 5, .change = CHANGE(HINT_WRAP, "", "timestamp")}},
        {"oldObject.a ? b : c",
         "request.operation == 'CREATE' || (oldObject.a ? b : c)",
         {.code = ISSUE_NULL_OBJECT, .offset = 9, .end = 11}},
        {"x && a.list.b == 'c'",
         "x && a.list.exists(c, c.b == 'c')",
         {.code = ISSUE_NO_FIELDS, .offset = 11, .end = 13}},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct repair_scope scope = {.is_validation = true, .issues = &ROWS[i].issue, .issue_count = 1};
        struct repairs r;
        bool is_made = false;
        repair_find(newestenv, &scope, str_of(ROWS[i].text), STEPS, &r);
        for (size_t k = 0; k < r.count; k++)
            is_made = is_made || str_eq(r.list[k].text, str_of(ROWS[i].wanted));
        repair_deinit(&r);
        if (!is_made)
            fail_msg("%s: %s", ROWS[i].text, ROWS[i].wanted);
    }
}

static void test_words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted; /* how the words begin */
        uint32_t offset;
        enum issue_code code;
    } ROWS[] = {
        {"a.matches('a(?!b)')", "RE2 has no look-ahead", 9, ISSUE_WRONG_CONSTANT},
        {"a.matches('(?<=b)c')", "RE2 has no look-behind", 9, ISSUE_WRONG_CONSTANT},
        {"a.matches(r'(a)\\1')", "RE2 has no back-references", 9, ISSUE_WRONG_CONSTANT},
        {"a.matches('[]a-z')", "in the pattern, the ']'", 9, ISSUE_WRONG_CONSTANT},
        {"a.matches('[)]')", "", 9, ISSUE_WRONG_CONSTANT},
        {"a.matches('((a)')", "in the pattern, the ')'", 9, ISSUE_WRONG_CONSTANT},
        {"now() > a", "CEL has no clock", 3, ISSUE_UNDECLARED_REFERENCE},
        {"variables.x == 1", "declare 'x' in spec.variables", 0, ISSUE_UNDECLARED_REFERENCE},
        {"params.x == 1", "the policy has no params", 0, ISSUE_UNDECLARED_REFERENCE},
        {"a ? 'b' : 1", "both results", 2, ISSUE_NO_OVERLOAD},
        {"a == 1", "", 0, ISSUE_UNDECLARED_REFERENCE},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct repair_issue issue = {
            .code = ROWS[i].code, .offset = ROWS[i].offset, .end = ROWS[i].offset + 1};
        const struct repair_scope scope = {.is_policy = true, .issues = &issue, .issue_count = 1};
        struct repairs r;
        const struct str words = repair_words(&scope, str_of(ROWS[i].text), STEPS, &r);
        const struct str wanted = str_of(ROWS[i].wanted);
        if (!str_has_prefix(words, wanted) || (wanted.len == 0) != (words.len == 0))
            fail_msg("%s: %.*s", ROWS[i].text, (int)words.len, words.at);
        repair_deinit(&r);
    }
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
            repair_find(newestenv, &scope, (struct str){text, at}, steps, &r);
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
        repair_find(newestenv, &scope, (struct str){text, i}, STEPS, &r);
        repair_deinit(&r);
        memcpy(piece, text, i);
        memcpy(piece + i, text + i + (i + 1 < sizeof text), sizeof text - i - (i + 1 < sizeof text));
        repair_find(newestenv, &scope, str_of(piece), STEPS, &r);
        repair_deinit(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policies), cmocka_unit_test(test_rules), cmocka_unit_test(test_edits),
        cmocka_unit_test(test_issues),   cmocka_unit_test(test_words), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, newestenv_setup, newestenv_teardown);
}
