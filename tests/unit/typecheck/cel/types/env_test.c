#include "typecheck/cel/types/env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"

static void test_levels(void **state)
{
    (void)state;
    static const struct {
        int asked, got;
    } cases[] = {{-1, ENV_OLDEST_LEVEL}, {29, 29}, {33, 33}, {36, 36}, {99, ENV_NEWEST_LEVEL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct env *env = env_new(cases[i].asked, celgo_in(ENV_NEWEST_LEVEL));
        assert_non_null(env);
        assert_int_equal(env_level(env), cases[i].got);
        env_free(env);
    }
    env_free(NULL);
}

static void test_functions(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    assert_non_null(env);
    const struct function *size = env_function(env, STR("size"));
    assert_non_null(size);
    assert_int_equal(size->count, 8);
    assert_false(size->is_namespace);
    assert_true(str_eq(size->overloads[0].id, STR("size_bytes")));
    assert_ptr_equal(size->overloads[0].function, size);
    assert_null(env_function(env, STR("sizes")));
    assert_null(env_function(env, STR("")));

    /* a namespace alone, and a function that is one, too */
    const struct function *sets = env_function(env, STR("sets"));
    assert_true(sets != NULL && sets->is_namespace && sets->count == 0);
    const struct function *ip = env_function(env, STR("ip"));
    assert_true(ip != NULL && ip->is_namespace && ip->count == 2);
    env_free(env);
}

static void test_mutating(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_OLDEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    assert_non_null(env);
    const struct env *mutating = env_mutating(env);
    size_t count, more;
    (void)env_functions(env, &count);
    (void)env_functions(mutating, &more);
    assert_int_equal(more, count + 2); /* the function and its namespace */
    assert_null(env_function(env, STR("jsonpatch")));
    assert_null(env_function(env, STR("jsonpatch.escapeKey")));
    assert_true(env_function(mutating, STR("jsonpatch"))->is_namespace);
    assert_int_equal(env_function(mutating, STR("jsonpatch.escapeKey"))->count, 1);
    assert_ptr_equal(env_function(mutating, STR("size")), env_function(env, STR("size")));
    assert_true(env_is_mutating(mutating) && !env_is_mutating(env));
    env_free(env);
}

/* Overloads of a function come from several tables, in an order that depends on the level. */
static void test_overload_order(void **state)
{
    (void)state;
    static const struct {
        int level;
        struct str first, last;
    } cases[] = {
        {ENV_OLDEST_LEVEL, STR_INIT("list_a_index_of_int"), STR_INIT("string_index_of_string_int")},
        {36, STR_INIT("list_a_index_of_int"), STR_INIT("string_index_of_string_int")},
        {37, STR_INIT("string_index_of_string"), STR_INIT("list_a_index_of_int")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct env *env = env_new(cases[i].level, celgo_in(ENV_NEWEST_LEVEL));
        assert_non_null(env);
        const struct function *index_of = env_function(env, STR("indexOf"));
        assert_int_equal(index_of->count, 3);
        assert_true(str_eq(index_of->overloads[0].id, cases[i].first));
        assert_true(str_eq(index_of->overloads[2].id, cases[i].last));
        env_free(env);
    }
}

/* Overload ids are unique within a function. */
static void test_ids(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    assert_non_null(env);
    size_t count;
    const struct function *functions = env_functions(env, &count);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(env_function(env, functions[i].name), &functions[i]);
        for (size_t k = 0; k < functions[i].count; k++) {
            for (size_t l = 0; l < k; l++)
                assert_false(str_eq(functions[i].overloads[k].id, functions[i].overloads[l].id));
        }
    }
    env_free(env);
}

static void test_servers(void **state)
{
    (void)state;
    for (int server = 29; server <= ENV_NEWEST_LEVEL; server++) {
        struct env *env = env_new(server - 1, celgo_in(server));
        assert_int_equal(env_level(env), server - 1 < ENV_OLDEST_LEVEL ? ENV_OLDEST_LEVEL : server - 1);
        assert_int_equal(env_celgo(env)->validates_formats, server >= 31);
        assert_int_equal(env_celgo(env_mutating(env))->validates_formats, server >= 31);
        env_free(env);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),   cmocka_unit_test(test_functions),
        cmocka_unit_test(test_mutating), cmocka_unit_test(test_overload_order),
        cmocka_unit_test(test_ids),      cmocka_unit_test(test_servers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
