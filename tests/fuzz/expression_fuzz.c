#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/types/celgo.h"

#define BUDGET ((size_t)64 << 20)
#define STEPS  ((uint64_t)10000000)

/* Variables of each sort that an expression can tell apart. */
static bool check_with_variables(struct arena *a, const struct env *env, struct expression *x)
{
    struct types *ts = types_new(a, env_types(env));
    const struct variable variables[] = {
        {.name = STR("d"), .type = &type_dyn},
        {.name = STR("i"), .type = &type_int},
        {.name = STR("s"), .type = &type_string},
        {.name = STR("w"), .type = types_wrapper(ts, &type_int)},
        {.name = STR("o"), .type = types_optional(ts, &type_string)},
        {.name = STR("l"), .type = types_list(ts, &type_string)},
        {.name = STR("m"), .type = types_map(ts, &type_string, &type_dyn)},
    };
    struct checked checked = {0};
    const struct expression_scope scope = {ts, env, variables, sizeof variables / sizeof *variables, NULL};
    bool ok = expression_check(x, &scope, &checked);
    if (ok && checked.result == NULL)
        abort();
    return ok;
}

static void run(struct arena *a, const struct env *env, struct str text)
{
    struct expression x;
    bool ok = expression_parse(&x, a, a, env, text);
    if (ok != (x.issues.count == 0))
        abort();
    if (ok && check_with_variables(a, env, &x) != (x.issues.count == 0))
        abort();
    if ((issues_render(&x.issues, &x.source).len == 0) != (x.issues.count == 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct env *env;
    if (env == NULL)
        env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    /* First with memory for all there is, then with so little that somewhere it ends. */
    const size_t budgets[] = {BUDGET, 16384 + 16 * size};
    for (size_t i = 0; i < 2; i++) {
        struct arena a;
        arena_init(&a, budgets[i]);
        a.max_steps = STEPS;
        if (setjmp(a.escape) == 0)
            run(&a, env, (struct str){(const char *)data, size});
        arena_deinit(&a);
    }
    return 0;
}
