#include "typecheck/policy/compile/create_check.h"

#include "typecheck/policy/compile/policy_compile.h"

struct create_check_run {
    struct arena self; /* holds the run */
    struct create_check_result result;
    const struct policy *policy;
    struct policy_compile compile;
    struct typecheck_caps caps;
    size_t at; /* the next expression */
};

struct create_check_run *create_check_start(const struct env *env, const struct policy *policy,
                                            const struct typecheck_caps *caps)
{
    struct arena holds_it;
    struct create_check_run *run = arena_init_holder(&holds_it, SIZE_MAX, sizeof *run);
    if (run == NULL)
        return NULL;
    struct arena *a = &run->result.arena;
    run->self = holds_it;
    run->policy = policy;
    run->caps = *caps;
    arena_init(a, caps->bytes);
    if (setjmp(a->escape) != 0) {
        run->result.is_exhausted = true;
        return run;
    }
    run->result.problems = ARENA_ARRAY(a, policy->count, struct compile_problem);
    policy_compile_init(&run->compile, a, env, policy);
    return run;
}

/* Compiles the next expression. */
static void advance(struct create_check_run *run)
{
    struct arena *a = &run->result.arena;
    const uint64_t left = run->caps.steps > a->steps ? run->caps.steps - a->steps : 0;
    const size_t at = run->at++;
    struct cel_place_compiled compiled;
    a->max_steps = a->steps + (run->caps.unit_steps < left ? run->caps.unit_steps : left);
    if (!policy_compile_next(&run->compile, &run->policy->expressions[at], &compiled))
        run->result.problems[at] = compiled.problem;
}

bool create_check_step(struct create_check_run *run, uint64_t steps)
{
    struct arena *a = &run->result.arena;
    const uint64_t before = a->steps;
    if (run->result.is_exhausted)
        return false;
    if (setjmp(a->escape) != 0) {
        run->result.is_exhausted = true;
        return false;
    }
    while (run->at < run->policy->count && a->steps - before < steps)
        advance(run);
    return run->at < run->policy->count;
}

const struct create_check_result *create_check_found(const struct create_check_run *run)
{
    return &run->result;
}

/* Frees the run, but not what it found. */
static void leave(struct create_check_run *run)
{
    struct arena holds_it = run->self;
    arena_deinit(&holds_it);
}

void create_check_end(struct create_check_run *run)
{
    if (run == NULL)
        return;
    create_check_result_deinit(&run->result);
    leave(run);
}

void create_check_policy(const struct env *env, const struct policy *policy,
                         struct create_check_result *result)
{
    struct typecheck_caps caps = typecheck_default_caps;
    caps.unit_steps = caps.steps;
    struct create_check_run *run = create_check_start(env, policy, &caps);
    *result = (struct create_check_result){.is_exhausted = true};
    if (run == NULL)
        return;
    create_check_step(run, UINT64_MAX);
    *result = run->result;
    leave(run);
}

void create_check_result_deinit(struct create_check_result *result)
{
    arena_deinit(&result->arena);
}
