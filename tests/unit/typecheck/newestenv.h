/*
 * newestenv: one environment, of the newest release, for all tests of a file.
 *
 *     return cmocka_run_group_tests(tests, newestenv_setup, newestenv_teardown);
 */
#ifndef TESTS_NEWESTENV_H
#define TESTS_NEWESTENV_H

#include "typecheck/cel/types/celgo.h"
#include "typecheck/typecheck.h"

static struct env *newestenv;

static inline int newestenv_setup(void **state)
{
    (void)state;
    newestenv = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    return newestenv == NULL;
}

static inline int newestenv_teardown(void **state)
{
    (void)state;
    env_free(newestenv);
    return 0;
}

#endif
