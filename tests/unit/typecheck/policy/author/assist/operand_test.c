#include "typecheck/policy/author/assist/operand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/env.h"

/* "^" is the cursor; "#" in what is wanted is the field that nobody has. */
static void check(const char *text, const char *wanted, const char *name, const char *locals)
{
    struct arena a;
    struct operand o;
    char plain[512], found[512], names[128] = "";
    const size_t cursor = strcspn(text, "^");
    snprintf(plain, sizeof plain, "%.*s%s", (int)cursor, text, text + cursor + 1);
    arena_init(&a, 1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("no memory");
    operand_find(&a, ENV_NEWEST_LEVEL, str_of(plain), (uint32_t)cursor, &o);
    const char *field = o.whole.len == 0 ? NULL : strstr(o.whole.at, OPERAND_FIELD);
    if (field != NULL)
        snprintf(found, sizeof found, "%.*s#%s", (int)(field - o.whole.at), o.whole.at,
                 field + strlen(OPERAND_FIELD));
    else
        snprintf(found, sizeof found, "%s", o.place == OPERAND_PRIMARY ? "primary" : "nowhere");
    for (size_t i = 0, at = 0; i < o.local_count; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%.*s ", STR_ARG(o.locals[i]));
    if (strcmp(found, wanted) != 0 || o.to - o.from != strlen(name) ||
        strncmp(plain + o.from, name, strlen(name)) != 0 || strcmp(names, locals) != 0)
        fail_msg("%s: %s, '%.*s', locals '%s'", text, found, (int)(o.to - o.from), plain + o.from, names);
    arena_deinit(&a);
}

static void test_operands(void **state)
{
    (void)state;
    check("^", "primary", "", "");
    check("obj^", "primary", "obj", "");
    check("o^bject.spec", "primary", "object", "");
    check("a && b^", "primary", "b", "");
    check("!^", "primary", "", "");
    check("object.^", "object.#", "", "");
    check("object.spec.rep^", "object.spec.#", "rep", "");
    check("object.spec.r^ep > 1 && (", "object.spec.#", "rep", "");
    check("object.sp^ec.replicas", "object.#", "spec", "");
    check("1 + a.b.^ + c", "a.b.#", "", "");
    check("a ? b.^ ", "b.#", "", "");
    check("f(a, b.^", "b.#", "", "");
    check("has(object.^", "object.#", "", "");
    check("a[0].^", "a[0].#", "", "");
    check("a.b['x'][1].c^", "a.b['x'][1].#", "c", "");
    check("a.f(1, [2]).^", "a.f(1, [2]).#", "", "");
    check("f(1).^", "f(1).#", "", "");
    check("(a + b).^", "(a + b).#", "", "");
    check("[1, 2].^", "[1, 2].#", "", "");
    check("{'a': 1}.^", "{'a': 1}.#", "", "");
    check("'x'.^", "'x'.#", "", "");
    check("a.?b.?^", "a.?b.#", "", "");
    check("^object.spec", "primary", "object", "");
    check("object.^spec", "object.#", "spec", "");
    check("a && ^b", "primary", "b", "");
    check("x in a.^", "a.#", "", "");
    check("object\n  .spec\n  .^", "object\n  .spec.#", "", "");
}

static void test_macros(void **state)
{
    (void)state;
    check("a.all(c, c.^", "a.all(c,c.#)", "", "c ");
    check("x && a.b.all(c, 1 < 2 || c.n^) && d", "a.b.all(c,c.#)", "n", "c ");
    check("a.all(c, c.b.exists(d, d.^", "a.all(c,c.b.exists(d,d.#))", "", "c d ");
    check("a.all(c, f(c.x, [c.^", "a.all(c,c.#)", "", "c ");
    check("a.map(c, c.x > 1, c.^", "a.map(c, c.x > 1,c.#)", "", "c ");
    check("a.all(i, v, v.^", "a.all(i, v,v.#)", "", "i v ");
    check("a.all(c, ^", "primary", "", "c ");
    check("a.all(^", "primary", "", "");
    check("a.f(c, c.^", "c.#", "", "");
    check("a.all(c, true) && b.^", "b.#", "", "");
    check("[1].all(x, x.^", "[1].all(x,x.#)", "", "x ");
}

static void test_nowhere(void **state)
{
    (void)state;
    check("'a.^b'", "nowhere", "", "");
    check("'a.^", "nowhere", "", "");
    check("1^", "nowhere", "", "");
    check("f()^", "nowhere", "", "");
    check(".^", "nowhere", "", "");
    check("+ .^", "nowhere", "", "");
    check(").^", "nowhere", "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_macros),
        cmocka_unit_test(test_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
