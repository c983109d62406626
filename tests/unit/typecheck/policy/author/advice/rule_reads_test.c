#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/newestenv.h"
#include "typecheck/policy/author/advice/rule_reads.h"

#define STEPS ((uint64_t)1000 * 1000)

static size_t put(char *out, const char *text, size_t len)
{
    memcpy(out, text, len);
    out[len] = '\0';
    return len;
}

/* "spec.*.a": an element is a star, the key of a map may be one. */
static size_t write_steps(char *out, const struct rule_step *steps, size_t count)
{
    size_t len = 0;
    for (size_t i = 0; i < count; i++) {
        len += i == 0 ? 0 : put(out + len, ".", 1);
        len += steps[i].field.len == 0 ? put(out + len, steps[i].is_key ? "?" : "*", 1)
                                       : put(out + len, steps[i].field.at, steps[i].field.len);
    }
    return len;
}

/* The reads of the first rule, with spaces between them; `corrected` is with tests for all of them. */
static void check(const char *rule, const char *other, const char *reads, const char *corrected)
{
    const struct str rules[] = {str_of(rule), str_of(other)};
    struct rule_reads found;
    char text[500] = "";
    size_t len = 0;
    assert_true(rule_reads_init(&found, newestenv, rules, 2, 0, STEPS));
    for (size_t i = 0; i < found.count; i++) {
        len += i == 0 ? 0 : put(text + len, " ", 1);
        len += write_steps(text + len, found.items[i].steps, found.items[i].step_count);
        assert_true(rule[found.items[i].offset] == '.' || rule[found.items[i].offset] == '[');
    }
    assert_string_equal(text, reads);
    bool *all = test_malloc((found.count + 1) * sizeof *all);
    memset(all, 1, found.count + 1);
    if (found.count > 0) {
        const struct str made = rule_reads_correct(&found, rules[0], all, 0);
        assert_int_equal(made.len, strlen(corrected));
        assert_memory_equal(made.at, corrected, made.len);
    }
    test_free(all);
    rule_reads_deinit(&found);
}

static void test_reads(void **state)
{
    (void)state;
    check("self.a > 1", "true", "a", "!has(self.a) || self.a > 1");
    check("self.a.b > 1", "true", "a.b a", "!(has(self.a) && has(self.a.b)) || self.a.b > 1");
    check("self.a != 1 || oldSelf.b == 2", "true", "a b",
          "(!has(self.a) || self.a != 1) || (has(oldSelf.b) && oldSelf.b == 2)");
    check("!(self.a && self.b)", "true", "a b", "!((has(self.a) && self.a) && (has(self.b) && self.b))");
    check("self.l.all(i, i.a > 1)", "true", "l l.?.a",
          "!has(self.l) || self.l.all(i, (!has(i.a) || i.a > 1))");
    check("self.l.exists(i, i.a > 1)", "true", "l l.?.a",
          "has(self.l) && self.l.exists(i, (has(i.a) && i.a > 1))");
    check("self.all(i, self.exists_one(j, j.a == i.a))", "true", "?.a ?.a",
          "self.all(i, (!has(i.a) || self.exists_one(j, (has(j.a) && j.a == i.a))))");
    check("self.all(i, self.exists_one(j, i.a == j.a && j.b))", "true", "?.a ?.a ?.b",
          "self.all(i, (!has(i.a) || self.exists_one(j, (has(j.a) && i.a == j.a) && (has(j.b) && j.b))))");
    check("self.exists_one(j, j.a == j.b)", "true", "?.a ?.b",
          "self.exists_one(j, (has(j.a) == has(j.b) && (!has(j.a) || j.a == j.b)))");
    check("self.all(i, self.exists(j, j.a == i.a))", "true", "?.a ?.a",
          "self.all(i, self.exists(j, (has(j.a) == has(i.a) && (!has(j.a) || j.a == i.a))))");
    check("self.m['a/b'] == 'c'", "true", "m.a/b m",
          "has(self.m) && 'a/b' in self.m && self.m['a/b'] == 'c'");
    check("self.a ? self.b > 1 : self.c", "true", "a b c",
          "(has(self.a) && self.a) ? (!has(self.b) || self.b > 1) : (has(self.c) && self.c)");
    check("has(self.r) && self.r.a > 1 ? self.b == 'x' : true", "true", "r.a b",
          "has(self.r) && (has(self.r.a) && self.r.a > 1) ? (has(self.b) && self.b == 'x') : true");
    check("self.a < 1 ? true : self.b.matches('x')", "true", "a b",
          "(has(self.a) && self.a < 1) ? true : (!has(self.b) || self.b.matches('x'))");
    check("self.a != 'x' ? true : self.l.all(i, i.a > 1)", "true", "a l l.?.a",
          "(!has(self.a) || self.a != 'x') ? true : (!has(self.l) || self.l.all(i, (!has(i.a) || i.a > 1)))");
    check("!(self.a > 1 && self.b) || self.c == 'x'", "true", "a b c",
          "!((has(self.a) && self.a > 1) && (has(self.b) && self.b)) || (has(self.c) && self.c == 'x')");
    check("!self.l.exists(i, i.a < 1)", "true", "l l.?.a",
          "!has(self.l) || !self.l.exists(i, (has(i.a) && i.a < 1))");
    check("self.a.matches('x') || self.a.matches('y') || self.b.matches('z')", "true", "a a b",
          "(!has(self.a) || self.a.matches('x')) || self.a.matches('y') || (!has(self.b) || "
          "self.b.matches('z'))");
    check("self.a == 'x' || self.a == 'y'", "true", "a a",
          "(has(self.a) && self.a == 'x') || (has(self.a) && self.a == 'y')");
    check("self.b && self.a != 'x' || self.a != 'y'", "true", "b a a",
          "(has(self.b) && self.b) && (!has(self.a) || self.a != 'x') || (!has(self.a) || self.a != 'y')");
    check("self[0].a == 'x'", "true", "*.a", "");
    check("has(self.a) && self.a > 1", "true", "", "");
    check("self.a > 1", "has(self.a)", "", "");
    check("self.?a.orValue(1) > 1", "true", "", "");
    check("'a' in self && self.a > 1", "true", "", "");
    check("[1, 2].all(i, i > 1)", "true", "", "");
}

static void test_what_it_says_besides(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        bool is_immutable, uses_old;
        size_t settings;
    } ROWS[] = {
        {"self == oldSelf", true, true, 0},
        {"oldSelf == self", true, true, 0},
        {"self.a == oldSelf.a", false, true, 0},
        {"self == 1", false, false, 0},
        {"self.a == 'x' || has(self.b) && self.c in ['y', 'z'] || self.d != 3 || self.e && true", false,
         false, 5},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct str rule = str_of(ROWS[i].rule);
        struct rule_reads found;
        assert_true(rule_reads_init(&found, newestenv, &rule, 1, 0, STEPS));
        assert_int_equal(found.is_immutable, ROWS[i].is_immutable);
        assert_int_equal(found.uses_old, ROWS[i].uses_old);
        assert_int_equal(found.setting_count, ROWS[i].settings);
        rule_reads_deinit(&found);
    }
}

static void test_limits(void **state)
{
    (void)state;
    const struct str rules[] = {STR("self.a.b.c > 1 && self.l.all(i, i.a > 1)"), STR("self.a +")};
    struct rule_reads found;
    assert_false(rule_reads_init(&found, newestenv, rules, 2, 1, STEPS));
    rule_reads_deinit(&found);
    for (uint64_t steps = 1; steps <= STEPS; steps *= 2) {
        if (!rule_reads_init(&found, newestenv, rules, 2, 0, steps))
            assert_int_equal(found.count, 0);
        rule_reads_deinit(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_what_it_says_besides),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, newestenv_setup, newestenv_teardown);
}
