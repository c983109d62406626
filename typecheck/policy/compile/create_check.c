#include "typecheck/policy/compile/create_check.h"

#include <string.h>

#include "typecheck/policy/compile/policy_compile.h"

void create_check_policy(const struct env *env, const struct policy *policy,
                         struct create_check_result *result)
{
    create_check_policy_within(env, policy, typecheck_default_caps.steps, result);
}

void create_check_policy_within(const struct env *env, const struct policy *policy, uint64_t max_steps,
                                struct create_check_result *result)
{
    struct policy_compile compile;
    memset(result, 0, sizeof *result);
    arena_init(&result->arena, typecheck_default_caps.bytes);
    result->arena.max_steps = max_steps;
    if (setjmp(result->arena.escape) != 0) {
        result->is_exhausted = true;
        return;
    }
    result->problems = ARENA_ARRAY(&result->arena, policy->count, struct compile_problem);
    policy_compile_init(&compile, &result->arena, env, policy);
    for (size_t i = 0; i < policy->count; i++) {
        struct policy_compiled compiled;
        if (!policy_compile_next(&compile, &policy->expressions[i], &compiled))
            result->problems[i] = compiled.problem;
    }
}

void create_check_result_deinit(struct create_check_result *result)
{
    arena_deinit(&result->arena);
}
