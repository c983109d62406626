#include "typecheck/rule.h"

#include <string.h>

#include "typecheck/checker.h"
#include "typecheck/cost.h"
#include "typecheck/issue.h"
#include "typecheck/parser.h"
#include "typecheck/program.h"
#include "typecheck/source.h"
#include "typecheck/type.h"
#include "typecheck/typecheck.h"

/* ORDER RULE_VARIABLES: self, oldSelf */
enum { VARIABLES = 2 };

struct work {
    struct arena *arena;
    const struct env *env;
    const struct selftype *self;
    struct types *types;
    struct variable variables[VARIABLES];
};

/* The words that differ between a rule and its message. */
struct words {
    const char *compilation, *instantiation, *result;
    const struct type *type;
};

static const struct words of_rule = {"compilation failed: ", "program instantiation failed: ",
                                     "cel expression must evaluate to a bool", &type_bool};
static const struct words of_message = {
    "messageExpression compilation failed: ", "messageExpression instantiation failed: ",
    "messageExpression must evaluate to a string", &type_string};

static struct str join(struct work *w, const char *what, struct str detail)
{
    return str_join(w->arena, STR_PARTS(str_of(what), detail));
}

static bool names_old_self(const struct ast *ast, const struct checked *checked)
{
    for (size_t i = 0; i <= ast->max_id; i++) {
        if (str_eq(checked->names[i], STR("oldSelf")))
            return true;
    }
    return false;
}

/* True and the cost, or false and the problem. */
static bool compile(struct work *w, struct str text, const struct words *words, struct str *problem,
                    uint64_t *cost, bool *uses_old_self)
{
    struct source source;
    struct issues issues;
    struct ast ast;
    struct checked checked;
    struct str message;
    source_init(&source, w->arena, text);
    issues_init(&issues, w->arena);
    if (!parse(w->arena, &source, w->env, &issues, &ast) ||
        !check(w->types, w->env, &ast, w->variables, VARIABLES, &issues, &checked)) {
        *problem = join(w, words->compilation, issues_render(&issues, &source));
        return false;
    }
    if (!type_is_exact(checked.result, words->type)) {
        *problem = str_of(words->result);
        return false;
    }
    *uses_old_self = names_old_self(&ast, &checked);
    if (!program_plan(w->arena, &ast, &message)) {
        *problem = join(w, words->instantiation, message);
        return false;
    }
    *cost = cost_estimate(w->arena, &ast, &checked, w->self).max;
    return true;
}

static void compile_rule(struct work *w, const struct rule *rule, struct rule_result *r)
{
    bool ignored;
    if (rule->expression.len == 0)
        return;
    if (!compile(w, rule->expression, &of_rule, &r->problem, &r->cost, &r->uses_old_self) ||
        rule->message_expression.len == 0)
        return;
    r->has_message =
        compile(w, rule->message_expression, &of_message, &r->message_problem, &r->message_cost, &ignored);
}

static void declare(struct work *w, bool is_optional)
{
    const struct type *self = selftype_type(w->types, w->self, STR("selfType"));
    w->variables[0] =
        (struct variable){.name = STR("self"), .type = self, .anonymous = true, .from_schema = self};
    w->variables[1] = (struct variable){.name = STR("oldSelf"),
                                        .type = is_optional ? types_optional(w->types, self) : self,
                                        .anonymous = true};
}

void rule_compile(const struct env *env, const struct selftype *self, const struct rule *rules, size_t count,
                  struct rule_results *results)
{
    struct work w = {.arena = &results->arena, .env = env, .self = self};
    memset(results, 0, sizeof *results);
    arena_init(&results->arena, typecheck_default_caps.bytes);
    results->arena.max_steps = typecheck_default_caps.steps;
    if (setjmp(results->arena.escape) != 0)
        return;
    results->items = ARENA_ARRAY(&results->arena, count, struct rule_result);
    w.types = types_new(w.arena, env_types(env));
    for (size_t i = 0; i < count; i++) {
        declare(&w, rules[i].has_optional_old_self);
        compile_rule(&w, &rules[i], &results->items[i]);
        results->done++;
    }
}

void rule_results_deinit(struct rule_results *results)
{
    arena_deinit(&results->arena);
}
