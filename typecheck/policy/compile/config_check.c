#include "typecheck/policy/compile/config_check.h"

#include "typecheck/cel/syntax/selection.h"
#include "typecheck/cel/types/admission_types.h"
#include "typecheck/cel/types/kubernetes.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/compile/expression_compile.h"
#include "typecheck/typecheck.h"

void config_check_init(struct config_check *c, const struct env *env, uint64_t max_steps)
{
    *c = (struct config_check){.env = env};
    arena_init(&c->arena, typecheck_default_caps.bytes);
    c->arena.max_steps = max_steps;
}

void config_check_deinit(struct config_check *c)
{
    arena_deinit(&c->arena);
}

size_t config_check_declare(const void *of, struct types *types, struct variable *out)
{
    const struct config_check_scope *scope = of;
    const struct type *claims = types_map(types, &type_string, &type_any);
    switch (scope->place) {
    case CONFIG_CLAIM_RULE:
    case CONFIG_CLAIM_MAPPING:
        *out = (struct variable){.name = STR("claims"), .type = claims, .from_schema = claims};
        break;
    case CONFIG_USER_RULE:
        *out = (struct variable){.name = STR("user"), .type = admission_types_user_type(types)};
        break;
    case CONFIG_ACCESS_REVIEW:
        *out = (struct variable){.name = STR("request"),
                                 .type = admission_types_access_review_type(
                                     types, kubernetes_in(scope->level).authorizes_selectors)};
        break;
    }
    return 1;
}

/* Messages about authentication do not say the type that is there instead. */
static struct str describe(struct config_check *c, enum config_place place, enum expression_failure failure,
                           struct str detail)
{
    if (failure == EXPRESSION_HAS_ISSUES)
        return str_join(&c->arena, STR_PARTS(STR("compilation failed: "), detail));
    if (failure == EXPRESSION_HAS_NO_PROGRAM)
        return str_join(&c->arena, STR_PARTS(STR("program instantiation failed: "), detail));
    return place == CONFIG_ACCESS_REVIEW
               ? str_join(&c->arena, STR_PARTS(STR("must evaluate to bool but got "), detail))
               : STR("must evaluate to bool");
}

/* claims.NAME, claims.?NAME or has(claims.NAME) */
static bool is_claim(const struct node *n, struct str name)
{
    struct str field = STR("");
    const bool is_dot = n->kind == NODE_SELECT || n->op == AST_OPTIONAL_SELECT;
    const struct node *operand = is_dot ? selection_field(n, &field) : NULL;
    return operand != NULL && operand->kind == NODE_IDENT && str_eq(operand->ident, STR("claims")) &&
           str_eq(field, name);
}

/* Recurses as deep as expressions nest. */
static void find_claims(struct arena *a, const struct node *n, struct config_checked *out)
{
    const struct node *child;
    arena_step(a);
    out->uses_email = out->uses_email || is_claim(n, STR("email"));
    out->uses_email_verified = out->uses_email_verified || is_claim(n, STR("email_verified"));
    for (size_t i = 0; (child = ast_child(n, i)) != NULL; i++)
        find_claims(a, child, out);
}

bool config_check_compile(struct config_check *c, enum config_place place, struct str text,
                          struct config_checked *out)
{
    static const struct type *const results[CONFIG_ACCESS_REVIEW + 1][2] = {
        [CONFIG_CLAIM_RULE] = {&type_bool},
        [CONFIG_USER_RULE] = {&type_bool},
        [CONFIG_ACCESS_REVIEW] = {&type_bool},
    };
    *out = (struct config_checked){.problem = {.text = STR("")}};
    if (c->is_exhausted || setjmp(c->arena.escape) != 0) {
        c->is_exhausted = true;
        return false;
    }
    if (c->types == NULL)
        c->types = types_new(&c->arena, env_types(c->env));
    struct expression *x = ARENA_NEW(&c->arena, struct expression);
    struct checked checked;
    struct str detail = STR("");
    const struct config_check_scope config = {place, env_level(c->env)};
    struct variable variable;
    (void)config_check_declare(&config, c->types, &variable);
    const struct expression_scope scope = {c->types, c->env, &variable, 1, NULL};
    enum expression_failure failure =
        expression_compile(x, &c->arena, &scope, text, results[place], &checked, NULL, &detail);
    /* to the server a wrapper is another type here */
    if (failure == EXPRESSION_COMPILES && results[place][0] != NULL && checked.result != results[place][0]) {
        detail = type_text(&c->arena, checked.result);
        failure = EXPRESSION_HAS_WRONG_TYPE;
    }
    if (failure == EXPRESSION_COMPILES)
        find_claims(&c->arena, x->ast.root, out);
    else
        compile_problem_init(&out->problem, &c->arena, x, describe(c, place, failure, detail));
    if (failure == EXPRESSION_HAS_WRONG_TYPE)
        compile_problem_result(&out->problem, &c->arena, results[place][0], checked.result);
    out->problem.is_internal = failure == EXPRESSION_HAS_NO_PROGRAM;
    return true;
}
