#include "typecheck/policy/crd/crd_rule.h"

#include <string.h>

#include "typecheck/cel/cost/cost.h"
#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/compile/expression_compile.h"
#include "typecheck/policy/crd/crd_rule_plan.h"
#include "typecheck/typecheck.h"

enum { SELF, OLD_SELF, VARIABLES };

/* A compiled rule, as far as an estimate of its cost reads it. */
struct crd_rule_program {
    struct expression expression;
    struct checked checked;
    const struct celgo *celgo;
};

struct work {
    struct arena *arena;
    const struct env *env;
    const struct crd_type *self;
    struct types *types;
    struct variable variables[VARIABLES];
};

/* The differences between a rule and its messageExpression. */
struct place {
    const char *words[EXPRESSION_HAS_NO_PROGRAM + 1]; /* by failure */
    const struct type *results[2];
};

static const struct place of_rule = {
    .words = {[EXPRESSION_HAS_ISSUES] = "compilation failed: ",
              [EXPRESSION_HAS_WRONG_TYPE] = "cel expression must evaluate to a bool",
              [EXPRESSION_HAS_NO_PROGRAM] = "program instantiation failed: "},
    .results = {&type_bool},
};
static const struct place of_message = {
    .words = {[EXPRESSION_HAS_ISSUES] = "messageExpression compilation failed: ",
              [EXPRESSION_HAS_WRONG_TYPE] = "messageExpression must evaluate to a string",
              [EXPRESSION_HAS_NO_PROGRAM] = "messageExpression instantiation failed: "},
    .results = {&type_string},
};

static bool names_old_self(const struct crd_rule_program *p)
{
    for (size_t i = 0; i <= p->expression.ast.max_id; i++) {
        if (str_eq(p->checked.names[i], STR("oldSelf")))
            return true;
    }
    return false;
}

/* NULL, and the problem, where it does not compile. */
static const struct crd_rule_program *compile(struct work *w, struct str text, const struct place *place,
                                              struct compile_problem *problem, bool *uses_old_self)
{
    struct crd_rule_program *p = ARENA_NEW(w->arena, struct crd_rule_program);
    const struct expression_scope scope = {w->types, w->env, w->variables, VARIABLES, NULL};
    struct str detail;
    p->celgo = env_celgo(w->env);
    enum expression_failure failure = expression_compile(&p->expression, w->arena, &scope, text,
                                                         place->results, &p->checked, NULL, &detail);
    if (failure == EXPRESSION_COMPILES || failure == EXPRESSION_HAS_NO_PROGRAM)
        *uses_old_self = names_old_self(p);
    if (failure == EXPRESSION_COMPILES)
        return p;
    if (failure == EXPRESSION_HAS_WRONG_TYPE)
        detail = STR("");
    compile_problem_init(problem, w->arena, &p->expression,
                         str_join(w->arena, STR_PARTS(str_of(place->words[failure]), detail)));
    if (failure == EXPRESSION_HAS_WRONG_TYPE)
        compile_problem_result(problem, w->arena, place->results[0], p->checked.result);
    return NULL;
}

static uint64_t estimate(struct arena *a, const struct crd_type *self, const struct crd_rule_program *p)
{
    return cost_estimate(a, &p->expression.ast, &p->checked, p->celgo, sizes_of_crd(self)).max;
}

static void compile_rule(struct work *w, const struct crd_rule *rule, struct crd_rule_result *r)
{
    bool ignored;
    if (rule->expression.len == 0)
        return;
    const struct crd_rule_program *p = r->program =
        compile(w, rule->expression, &of_rule, &r->problem, &r->uses_old_self);
    if (p == NULL)
        return;
    r->cost = estimate(w->arena, w->self, p);
    if (rule->message_expression.len == 0)
        return;
    p = r->message_program = compile(w, rule->message_expression, &of_message, &r->message_problem, &ignored);
    r->has_message = p != NULL;
    if (p != NULL)
        r->message_cost = estimate(w->arena, w->self, p);
}

size_t crd_rule_declare(const void *of, struct types *types, struct variable *out)
{
    const struct crd_rule_place *place = of;
    const struct type *self = crd_type_type(types, place->self, STR("selfType"));
    out[SELF] = (struct variable){.name = STR("self"), .type = self, .anonymous = true, .from_schema = self};
    out[OLD_SELF] =
        (struct variable){.name = STR("oldSelf"),
                          .type = place->has_optional_old_self ? types_optional(types, self) : self,
                          .anonymous = true};
    return VARIABLES;
}

void crd_rule_compile(const struct env *env, const struct crd_type *self, const struct crd_rule *rules,
                      size_t count, uint64_t max_steps, struct crd_rule_results *results)
{
    struct work w = {.arena = &results->arena, .env = env, .self = self};
    memset(results, 0, sizeof *results);
    arena_init(&results->arena, typecheck_default_caps.bytes);
    results->arena.max_steps = max_steps;
    results->self = self;
    if (setjmp(results->arena.escape) != 0)
        return;
    results->items = ARENA_ARRAY(&results->arena, count, struct crd_rule_result);
    w.types = types_new(w.arena, env_types(env));
    for (size_t i = 0; i < count; i++) {
        const struct crd_rule_place place = {self, rules[i].has_optional_old_self};
        (void)crd_rule_declare(&place, w.types, w.variables);
        compile_rule(&w, &rules[i], &results->items[i]);
        results->done++;
    }
}

uint64_t crd_rule_cost(struct crd_rule_results *results, const struct crd_rule_program *program)
{
    struct arena *a = &results->arena;
    struct arena_mark mark = arena_mark(a);
    if (setjmp(a->escape) != 0)
        return UINT64_MAX;
    uint64_t cost = estimate(a, results->self, program);
    arena_release(a, mark);
    return cost;
}

enum plan_outcome crd_rule_plan(struct arena *a, const struct env *env,
                                const struct crd_rule_program *program, struct plan *out, struct str *why)
{
    return plan_make(a, env, &program->expression.ast, &program->checked, out, why);
}

void crd_rule_results_deinit(struct crd_rule_results *results)
{
    arena_deinit(&results->arena);
}
