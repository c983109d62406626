#include "typecheck/policy/compile/device_check.h"

#include "typecheck/cel/cost/cost.h"
#include "typecheck/cel/types/admission_types.h"
#include "typecheck/cel/types/kubernetes.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/compile/expression_compile.h"
#include "typecheck/typecheck.h"

void device_check_init(struct device_check *c, const struct env *env, int minor, uint64_t max_steps)
{
    *c = (struct device_check){.env = env_binding(env), .minor = minor};
    arena_init(&c->arena, typecheck_default_caps.bytes);
    c->arena.max_steps = max_steps;
}

void device_check_deinit(struct device_check *c)
{
    arena_deinit(&c->arena);
}

size_t device_check_declare(const void *of, struct types *types, struct variable *out)
{
    const int minor = *(const int *)of;
    const struct type *device =
        admission_types_device_type(types, kubernetes_in(minor).has_multiple_allocations);
    *out = (struct variable){.name = STR("device"), .type = device, .from_schema = device};
    return 1;
}

static struct str describe(struct device_check *c, enum expression_failure failure, struct str detail)
{
    const struct str words = failure == EXPRESSION_HAS_ISSUES ? STR("compilation failed: ")
                             : failure == EXPRESSION_HAS_NO_PROGRAM
                                 ? STR("program instantiation failed: ")
                                 : STR("must evaluate to bool or the unknown type, not ");
    return str_join(&c->arena, STR_PARTS(words, detail));
}

bool device_check_compile(struct device_check *c, struct str text, struct device_checked *out)
{
    static const struct type *const results[] = {&type_bool, &type_any, NULL};
    *out = (struct device_checked){.problem = {.text = STR("")}};
    if (c->is_exhausted || setjmp(c->arena.escape) != 0) {
        c->is_exhausted = true;
        return false;
    }
    if (c->types == NULL)
        c->types = types_new(&c->arena, env_types(c->env));
    struct variable variable;
    (void)device_check_declare(&c->minor, c->types, &variable);
    const struct expression_scope scope = {c->types, c->env, &variable, 1, NULL};
    struct expression *x = ARENA_NEW(&c->arena, struct expression);
    struct checked checked;
    struct str detail = STR("");
    enum expression_failure failure =
        expression_compile(x, &c->arena, &scope, text, results, &checked, NULL, &detail);
    const bool is_wrapper = failure == EXPRESSION_COMPILES && checked.result->nullable;
    if (is_wrapper && !kubernetes_in(c->minor).takes_bool_wrappers) {
        detail = type_text(&c->arena, checked.result);
        failure = EXPRESSION_HAS_WRONG_TYPE;
    }
    if (failure == EXPRESSION_COMPILES)
        out->cost = cost_estimate(&c->arena, &x->ast, &checked, env_celgo(c->env), sizes_of_device()).max;
    else
        compile_problem_init(&out->problem, &c->arena, x, describe(c, failure, detail));
    if (failure == EXPRESSION_HAS_WRONG_TYPE)
        compile_problem_result(&out->problem, &c->arena, results[0], checked.result);
    out->problem.is_internal = failure == EXPRESSION_HAS_NO_PROGRAM;
    return true;
}
