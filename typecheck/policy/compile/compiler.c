#include "typecheck/policy/compile/compiler.h"

#include "typecheck/cel/types/type.h"
#include "typecheck/typecheck.h"

void compiler_init(struct compiler *c, const struct cel_place_scope *scope, uint64_t max_steps)
{
    *c = (struct compiler){.scope = *scope};
    arena_init(&c->arena, typecheck_default_caps.bytes);
    c->arena.max_steps = max_steps;
}

void compiler_deinit(struct compiler *c)
{
    arena_deinit(&c->arena);
}

const struct cel_place_compiled *compiler_compile(struct compiler *c, enum cel_place place, struct str text)
{
    if (c->is_exhausted || setjmp(c->arena.escape) != 0) {
        c->is_exhausted = true;
        return NULL;
    }
    if (c->scope.types == NULL)
        c->scope.types = types_new(&c->arena, env_types(c->scope.env));
    struct cel_place_compiled *compiled = ARENA_NEW(&c->arena, struct cel_place_compiled);
    (void)cel_place_compile(place, &c->scope, &c->arena, text, compiled);
    return compiled;
}

uint64_t compiler_cost(struct compiler *c, const struct cel_place_compiled *compiled)
{
    struct arena *a = &c->arena;
    struct arena_mark mark = arena_mark(a);
    if (setjmp(a->escape) != 0)
        return UINT64_MAX;
    uint64_t cost = cel_place_cost(compiled, &c->scope, a);
    arena_release(a, mark);
    return cost;
}
