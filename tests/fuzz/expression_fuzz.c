#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "typecheck/base/arena.h"
#include "typecheck/check/checker.h"
#include "typecheck/syntax/issue.h"
#include "typecheck/syntax/parser.h"
#include "typecheck/syntax/source.h"
#include "typecheck/types/celgo.h"

#define BUDGET ((size_t)64 << 20)
#define STEPS  ((uint64_t)10000000)

/* Variables of each sort that an expression can tell apart. */
static bool check_with_variables(struct arena *a, const struct env *env, const struct ast *ast,
                                 struct issues *issues)
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
    bool ok = check(ts, env, ast, variables, sizeof variables / sizeof *variables, issues, &checked);
    if (ok && checked.result == NULL)
        abort();
    return ok;
}

static void run(struct arena *a, const struct env *env, struct str text)
{
    struct source source;
    struct issues issues;
    struct ast ast;
    issues_init(&issues, a);
    source_init(&source, a, text);
    bool ok = parse(a, &source, env_dialect(env), &issues, &ast);
    if (ok != (issues.count == 0))
        abort();
    if (ok && check_with_variables(a, env, &ast, &issues) != (issues.count == 0))
        abort();
    if ((issues_render(&issues, &source).len == 0) != (issues.count == 0))
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
