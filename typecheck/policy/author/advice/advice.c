#include "typecheck/policy/author/advice/advice.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/author/advice/guards.h"
#include "typecheck/policy/author/advice/optional_field.h"
#include "typecheck/policy/author/advice/unused_variable.h"

void advice_init(struct advice *a, struct arena *arena, const struct policy_expression *expressions,
                 const struct ast *const *asts, size_t expression_count)
{
    *a = (struct advice){
        .arena = arena, .expressions = expressions, .asts = asts, .expression_count = expression_count};
    a->guards = guards_new(arena, asts, expression_count);
    a->last = ARENA_ARRAY(arena, expression_count, size_t);
    a->variables = ARENA_ARRAY(arena, expression_count, const struct type *);
}

void advice_look(struct advice *a, size_t type, size_t expression, const struct checked *checked,
                 struct types *types, const struct type *object)
{
    optional_field_look(a, type, expression, checked, types, object);
}

void advice_find(struct advice *a)
{
    optional_field_correct(a);
    unused_variable_find(a);
}
