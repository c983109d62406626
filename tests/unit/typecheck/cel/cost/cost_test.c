#include "typecheck/cel/cost/cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/typecheck/selfschema.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/policy/crdrules/crd_rule.h"
#include "typecheck/typecheck.h"

/* What tests/upstream/costs/tool answers: the API server's own number. */
/* clang-format off */
struct row {
    const char *rule;
    uint64_t cost;
};

static const struct row rows[] = {
    {"self.n == 1", 2u},
    {"self.s == self.t", 8u},
    {"self.t == self.t", 314577u},
    {"self.s + self.t == 'abc'", 314582u},
    {"self.s < 'a'", 3u},
    {"self.e == 'abcdefghijklmnopqrstuvwxyz'", 3u},
    {"has(self.s)", 1u},
    {"self.y == b'abc'", 3u},
    {"self.u < duration('1h')", 4u},
    {"self.w > timestamp('2020-01-01T00:00:00Z')", 4u},
    {"self.i == 5", 3u},
    {"self.i == 'x'", 3u},
    {"self.l.all(x, x == 'abc')", 28u},
    {"self.k.all(x, x == 'abc')", 5242878u},
    {"self.l.exists(x, self.l.exists(y, x == y))", 238u},
    {"self.k.all(x, self.k.all(y, x != y))", 345881509131242703u},
    {"self.m.all(k, self.m[k] == 'a')", 27u},
    {"self.m.all(k, v, k == v)", 18u},
    {"self.l.all(i, v, v.size() > i)", 38u},
    {"self.a.all(x, x.s == self.s)", 3460295u},
    {"self.a.map(x, x.s).all(y, y == 'a')", 5662310u},
    {"self.l.map(x, x + 'a').join(',') == 'b'", 1844674407370955353u},
    {"self.l.filter(x, x != 'a').size() == 1", 90u},
    {"[1, 2, 3].all(x, x > self.n)", 32u},
    {"['a'].all(x, x == self.t)", 17u},
    {"{'a': self.s}.all(k, k == 'b')", 37u},
    {"self.n in [1, 2, 3]", 15u},
    {"self.s in self.k", 1048579u},
    {"self.s in self.m", 5u},
    {"self.s.matches('^[a-z]+$')", 12u},
    {"matches(self.t, 'a')", 3u},
    {"self.t.contains(self.s)", 1258296u},
    {"self.t.startsWith(self.s)", 8u},
    {"self.s.replace('a', 'bcd') == 'x'", 11u},
    {"self.s.replace('', 'b').size() == 1", 12u},
    {"self.t.replace('abc', 'b') == self.t", 943723u},
    {"string(self.n).replace('a', 'bb') == self.t", 3689348814742225106u},
    {"self.s.split(',').all(x, x == 'a')", 171u},
    {"self.t.split(',', 3).size() == 2", 629150u},
    {"self.s.find('a+') == 'a'", 8u},
    {"self.t.findAll('a').size() == 3", 314577u},
    {"self.l.isSorted()", 17u},
    {"self.k.isSorted()", 329854432052u},
    {"self.l.max() == 'a'", 18u},
    {"self.k.indexOf('a') == 1", 329854432053u},
    {"self.s.indexOf('a') == 1", 7u},
    {"self.s.lowerAscii() == self.t", 12u},
    {"url(self.t).getHost() == 'a'", 314577u},
    {"url(self.s) == url(self.t)", 629154u},
    {"quantity(self.s) == quantity(self.t)", 314582u},
    {"ip(self.s).isLoopback()", 7u},
    {"ip.isCanonical(self.t)", 629148u},
    {"isCIDR(self.s) && cidr(self.s).containsIP(self.t)", 314591u},
    {"cidr(self.s).containsCIDR(cidr(self.s))", 19u},
    {"cidr(self.s).ip() == ip(self.s)", 14u},
    {"format.dns1123Label().validate(self.s).hasValue()", 132u},
    {"format.named('x').hasValue()", 2u},
    {"semver(self.s).isGreaterThan(semver(self.s))", 13u},
    {"sets.contains(self.l, self.k)", 5242880u},
    {"sets.equivalent(self.l, self.l)", 55u},
    {"self.l.sort() == self.l", 69u},
    {"self.k.distinct() == self.l", 2199019061266u},
    {"self.l.slice(1, 3).all(x, x == 'a')", 24u},
    {"lists.range(10).all(x, x > 0)", 72u},
    {"[self.l, self.k].flatten() == self.l", 30u},
    {"self.l.reverse() == self.k", 21u},
    {"self.a.sortBy(x, x.s) == self.a", 207811076191u},
    {"(self.n > 1 ? self.s : self.t) == self.t", 314580u},
    {"dyn(self.s) == dyn(self.t)", 10u},
    {"self.?s.orValue('a') == self.t", 314578u},
    {"self.?t.optMap(x, x + 'a').orValue('') == self.t", 1844674407371269858u},
    {"self.l[0] == self.s", 7u},
    {"self.m['a'] == self.t", 7u},
    {"string(self.y) == self.t", 8u},
    {"bytes(self.s) == self.y", 10u},
    {"strings.quote(self.s) == self.t", 17u},
    {"'%s'.format([self.t]) == self.t", 314588u},
    {"self.metadata.name == self.s", 9u},
    {"oldSelf.t == self.t", 314577u},
    {"type(self.i) == int && self.i > 5", 7u},
    {"self.l + self.k == self.l", 8u},
    {"self.l.transformList(i, v, v + 'a').all(x, x == self.t)", 119u},
    {"self.m.transformMap(k, v, v + 'a').all(k, k == self.t)", 70u},
    {"google.protobuf.Int64Value{value: self.n} == 1", 43u},
    {"self.n > 0 || self.n < 0 && self.n == 5", 8u},
    {"{'a': self.k}['a'] == self.l", 36u},
    {"self.l.exists_one(x, x == 'a')", 24u},
    {"self.namespace == 'a'", 3u},
};
/* What Kubernetes 1.37 with its cel-go answers otherwise. The costs of includes() are those of its own tests. */
static const struct row rows_1_37[] = {
    {"matches(self.t, 'a')", 314575u},
    {"matches(self.s, self.t)", 3932164u},
    {"self.s.matches(self.t)", 3932164u},
    {"[1, 2, 3, 4, 5].includes(3)", 15u},
    {"self.l.includes('a')", 17u},
    {"'01234567890123456789012345678901234567890123456789'.includes('123')", 50u},
};
/* What Kubernetes 1.38 answers otherwise. */
static const struct row rows_1_38[] = {
    {"self.k.distinct() == self.l", 2308970014329u},
    {"self.?t.optMap(x, x + 'a').orValue('') == self.t", 18446744073709551615u},
    {"url(self.s).getHost().matches('a+')", 12u},
    {"url(self.s).getEscapedPath().matches('a+')", 20u},
    {"url(self.t).getQuery().all(k, k == 'a')", 12897481u},
    {"strings.quote(string(self.n)) == self.t", 18446744073709551615u},
    {"bytes(string(self.n)) == self.y", 18446744073709551615u},
    {"string(bytes(self.t)).startsWith(string(self.w))", 18446744073709551615u},
    {"['a', 'bb'].distinct() == self.l", 33u},
    {"dyn(self.a[0]).s == 'a'", 6u},
    {"[[self.l]][0][0][self.n] == self.t", 31u},
    {"self.l.map(x, x == 'a' ? [x] : [])[0].all(y, y == self.t)", 146u},
    {"self.k.flatten(-1) == self.k", 18446744073709551615u},
    {"[self.k].flatten(-1).size() == 1", 18446744073709551615u},
};
/* What Kubernetes 1.32 answers, whose cel-go follows no variable. */
static const struct row rows_1_32[] = {
    {"dyn(self.s) == dyn(self.t)", 1844674407370955270u},
    {"self.?t.optMap(x, x + 'a').orValue('') == self.t", 314595u},
    {"{'a': self.k}['a'] == self.l", 35u},
    {"self.l.all(x, x == 'a') == self.l.all(y, y == 'b')", 57u},
    {"[[self.s]].all(x, x.all(y, y == 'a'))", 28u},
    {"[self.s, self.t].all(x, x == 'abcdefghijklmnop')", 23u},
    {"optional.of(self.n) == optional.of(1)", 1844674407370955268u},
    {"self.a.map(x, x.s).exists(y, y == self.t)", 6606026u},
    {"quantity(self.s) == quantity(self.t)", 314582u},
    {"(self.n > 1 ? url(self.s) : url(self.t)) == url('a')", 314580u},
};
/* clang-format on */

static void check_costs(const struct env *env, const struct row *expected, size_t count)
{
    struct schema *schema = selfschema_read();
    struct crd_type self = selfschema_root(schema);
    struct compiler compiler;
    compiler_init(&compiler, &(struct cel_place_scope){.env = env, .self = &self},
                  typecheck_default_caps.steps);
    for (size_t i = 0; i < count; i++) {
        const struct cel_place_compiled *compiled =
            compiler_compile(&compiler, CEL_PLACE_RULE, str_of(expected[i].rule));
        assert_non_null(compiled);
        if (!compiled->compiles)
            fail_msg("%s: %s", expected[i].rule, compiled->problem.text.at);
        if (compiled->cost != expected[i].cost)
            fail_msg("%s: %llu, not %llu", expected[i].rule, (unsigned long long)compiled->cost,
                     (unsigned long long)expected[i].cost);
    }
    compiler_deinit(&compiler);
    schema_free(schema);
}

static void test_costs(void **state)
{
    (void)state;
    struct env *env = env_new(35, celgo_in(36)), *newer = env_new(37, celgo_in(37)),
               *newest = env_new(38, celgo_in(38)), *older = env_new(31, celgo_in(32));
    check_costs(env, rows, sizeof rows / sizeof *rows);
    check_costs(newer, rows_1_37, sizeof rows_1_37 / sizeof *rows_1_37);
    check_costs(newest, rows_1_38, sizeof rows_1_38 / sizeof *rows_1_38);
    check_costs(older, rows_1_32, sizeof rows_1_32 / sizeof *rows_1_32);
    env_free(env);
    env_free(newer);
    env_free(newest);
    env_free(older);
}

/* The checker notes which overloads matched in 64 bits. */
static void test_functions_have_few_overloads(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    size_t count;
    const struct function *functions = env_functions(env, &count);
    for (size_t i = 0; i < count; i++)
        assert_true(functions[i].count <= 64);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_functions_have_few_overloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
