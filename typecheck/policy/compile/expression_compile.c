#include "typecheck/policy/compile/expression_compile.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/expression_cache.h"
#include "typecheck/cel/interpreter/plan.h"

static bool is_wanted(const struct type *const *wanted, const struct type *t)
{
    bool takes_all = *wanted == NULL;
    while (*wanted != NULL && !type_is_exact(t, *wanted))
        wanted++;
    return takes_all || *wanted != NULL;
}

/* Plans the expression. If the caller does not want the plan, its memory is released. */
static enum expression_failure make_program(const struct expression *x, struct arena *a,
                                            const struct env *env, const struct checked *checked,
                                            struct plan *out, struct str *detail)
{
    struct arena_mark mark = arena_mark(a);
    switch (plan_make(a, env, &x->ast, checked, out, detail)) {
    case PLAN_READY:
        break;
    case PLAN_REFUSED:
        return EXPRESSION_HAS_NO_PROGRAM;
    case PLAN_MISSING:
        if (out != NULL)
            return EXPRESSION_LACKS_PLAN;
        break;
    }
    if (out == NULL)
        arena_release(a, mark);
    return EXPRESSION_COMPILES;
}

enum expression_failure expression_compile(struct expression *x, struct arena *a,
                                           const struct expression_scope *scope, struct str text,
                                           const struct type *const *wanted, struct checked *out,
                                           struct plan *plan, struct str *detail)
{
    if (!expression_cache_parse(scope->cache, x, a, a, scope->env, text) ||
        !expression_check(x, scope, out)) {
        *detail = issues_render(&x->issues, &x->source);
        return EXPRESSION_HAS_ISSUES;
    }
    if (!is_wanted(wanted, out->result)) {
        struct text type = {.arena = a};
        type_print_long(&type, out->result);
        *detail = text_str(&type);
        return EXPRESSION_HAS_WRONG_TYPE;
    }
    return make_program(x, a, scope->env, out, plan, detail);
}
