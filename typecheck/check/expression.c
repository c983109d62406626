#include "typecheck/check/expression.h"

#include "typecheck/base/arena.h"
#include "typecheck/check/planner.h"
#include "typecheck/syntax/parser.h"
#include "typecheck/types/provider.h"

bool expression_parse(struct expression *x, struct arena *a, struct arena *scratch, const struct env *env,
                      struct str text)
{
    source_init(&x->source, a, text);
    issues_init(&x->issues, scratch);
    return parser_run(a, scratch, &x->source, env_dialect(env), &x->issues, &x->ast);
}

bool expression_check(struct expression *x, const struct expression_scope *scope, struct checked *out)
{
    return checker_run(scope->types, scope->env, &x->ast, scope->variables, scope->variable_count, &x->issues,
                       out);
}

static bool is_wanted(const struct type *const *wanted, const struct type *t)
{
    bool takes_all = *wanted == NULL;
    while (*wanted != NULL && !type_is_exact(t, *wanted))
        wanted++;
    return takes_all || *wanted != NULL;
}

enum expression_failure expression_compile(struct expression *x, struct arena *a,
                                           const struct expression_scope *scope, struct str text,
                                           const struct type *const *wanted, struct checked *out,
                                           struct str *detail)
{
    if (!expression_parse(x, a, a, scope->env, text) || !expression_check(x, scope, out)) {
        *detail = issues_render(&x->issues, &x->source);
        return EXPRESSION_HAS_ISSUES;
    }
    if (!is_wanted(wanted, out->result)) {
        struct text type = {.arena = a};
        type_print_long(&type, out->result);
        *detail = text_str(&type);
        return EXPRESSION_HAS_WRONG_TYPE;
    }
    struct provider provider;
    provider_init(&provider, scope->types, scope->env, scope->variables, scope->variable_count);
    const struct planner_names names = {out, &provider};
    return planner_plan(a, env_celgo(scope->env), &x->ast, &names, detail) ? EXPRESSION_COMPILES
                                                                           : EXPRESSION_HAS_NO_PROGRAM;
}
