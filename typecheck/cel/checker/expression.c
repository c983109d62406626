#include "typecheck/cel/checker/expression.h"

#include "typecheck/cel/syntax/parser.h"

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
