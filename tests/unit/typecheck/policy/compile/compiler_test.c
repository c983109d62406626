#include "typecheck/policy/compile/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/cel/types/celgo.h"

/* All texts pay from one budget; what comes behind its end is not known. */
static void test_a_budget_for_all(void **state)
{
    (void)state;
    struct env *env = env_new(37, celgo_in(37));
    struct compiler c;
    size_t n = 0;
    compiler_init(&c, &(struct cel_place_scope){.env = env}, 2000);
    while (compiler_compile(&c, CEL_PLACE_CLAIM_RULE, STR("claims.x == 'a'")) != NULL && n < 100000)
        n++;
    assert_in_range(n, 1, 1000);
    assert_true(c.is_exhausted);
    assert_null(compiler_compile(&c, CEL_PLACE_CLAIM_RULE, STR("true")));
    compiler_deinit(&c);
    env_free(env);
}

/* What was compiled before a cap is reached stays; a first expression can be too much, too. */
static void test_exhausted(void **state)
{
    (void)state;
    struct env *env = env_new(36, celgo_in(37));
    const struct cel_place_scope scope = {.env = env, .minor = 37};
    struct compiler c;
    compiler_init(&c, &scope, 3);
    assert_null(compiler_compile(&c, CEL_PLACE_SELECTOR, STR("device.driver == 'a'")));
    compiler_deinit(&c);
    compiler_init(&c, &scope, 2000);
    const struct cel_place_compiled *first = compiler_compile(&c, CEL_PLACE_SELECTOR, STR("device.driver"));
    assert_non_null(first);
    while (compiler_compile(&c, CEL_PLACE_SELECTOR, STR("device.driver == 'a'")) != NULL)
        ;
    assert_true(str_has_prefix(first->problem.text, STR("must evaluate to bool")));
    compiler_deinit(&c);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_budget_for_all),
        cmocka_unit_test(test_exhausted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
