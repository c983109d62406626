#include "typecheck/cel/checker/expression_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"

enum { BUDGET_BYTES = 1024 * 1024, ENVS = 3 };

static struct env *envs[ENVS]; /* of a server, of what users can create there, of a server without sortBy() */
static struct expression_cache cache;
static struct arena arena;

static int start(void **state)
{
    (void)state;
    static const int levels[ENVS] = {37, 36, 33};
    for (size_t i = 0; i < ENVS; i++) {
        envs[i] = env_new(levels[i], celgo_in(37));
        if (envs[i] == NULL)
            return -1;
    }
    expression_cache_init(&cache);
    arena_init(&arena, BUDGET_BYTES);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    arena_deinit(&arena);
    expression_cache_deinit(&cache);
    for (size_t i = 0; i < ENVS; i++)
        env_free(envs[i]);
    return 0;
}

/* Returns the tree, or NULL if it has issues. *steps: those that were paid. */
static const struct node *parse(struct expression_cache *in, const struct env *env, const char *text,
                                uint64_t *steps)
{
    static struct expression x;
    const uint64_t before = arena.steps;
    const bool is_good = expression_cache_parse(in, &x, &arena, &arena, env, str_of(text));
    assert_int_equal(is_good, x.issues.count == 0);
    *steps = arena.steps - before;
    return is_good ? x.ast.root : NULL;
}

static void test_once(void **state)
{
    (void)state;
    static const char text[] = "[3, 1].sortBy(i, i)", wrong[] = "1 +";
    uint64_t first, second;
    const struct node *root = parse(&cache, envs[0], text, &first);
    assert_ptr_equal(parse(&cache, envs[1], text, &second), root);
    assert_int_equal(second, first);
    assert_ptr_not_equal(parse(&cache, envs[2], text, &second), root); /* no macro there */
    assert_ptr_not_equal(parse(NULL, envs[0], text, &second), root);
    assert_null(parse(&cache, envs[0], wrong, &first));
    assert_null(parse(&cache, envs[0], wrong, &first));
    expression_cache_forget(&cache);
    assert_int_equal(cache.count, 0);
}

/* Another text may lie where one was parsed before. */
static void test_place(void **state)
{
    (void)state;
    char text[] = "a || b";
    uint64_t steps;
    const struct node *root = parse(&cache, envs[0], text, &steps);
    text[0] = 'c';
    assert_ptr_not_equal(parse(&cache, envs[0], text, &steps), root);
    text[0] = 'a';
    assert_ptr_equal(parse(&cache, envs[0], text, &steps), root);
    expression_cache_forget(&cache);
}

/* What is too much work is so with a cache, too. */
static void test_limit(void **state)
{
    (void)state;
    static const char text[] = "a.b.c.d.e.f.g && [1, 2, 3, 4, 5, 6, 7, 8].all(i, i < 9 || i in [10, 11, 12])";
    uint64_t steps;
    assert_non_null(parse(NULL, envs[0], text, &steps));
    arena.max_steps = arena.steps + steps / 2;
    if (setjmp(arena.escape) == 0) {
        (void)parse(&cache, envs[0], text, &steps);
        fail();
    }
    assert_int_equal(arena.failure, ARENA_STEPS);
    assert_int_equal(cache.count, 0);
    arena.max_steps = UINT64_MAX;
    arena.failure = ARENA_OK;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
