#include "typecheck/typecheck.h"

#include <string.h>

#include "typecheck/admission.h"
#include "typecheck/checker.h"
#include "typecheck/evaluate.h"
#include "typecheck/issue.h"
#include "typecheck/parser.h"
#include "typecheck/report.h"
#include "typecheck/source.h"
#include "typecheck/type.h"
#include "typecheck/variables.h"
#include "typecheck/verdict.h"

/* The result's arena: the bounded texts and what groups them. */
#define RESULT_BYTES ((size_t)32 * 1024 * 1024)

bool typecheck_is_mutation(enum typecheck_place place)
{
    return place == TYPECHECK_APPLY_CONFIGURATION || place == TYPECHECK_JSON_PATCH;
}

static const struct env *env_of(const struct env *env, enum typecheck_place place)
{
    return typecheck_is_mutation(place) ? env_mutating(env) : env;
}

/* An expression, parsed. */
struct parsed {
    struct source source;
    struct ast ast;
    struct str syntax_issues; /* rendered; empty when it parsed */
    struct str first_issue;
};

struct work {
    struct arena arena; /* of the check */
    const struct env *env;
    const struct typecheck_policy *policy;
    struct report report;
    struct parsed *parsed; /* by expression */
    struct evaluate_policy evaluated;
    size_t variable_count;
    size_t expression, type; /* being checked, for exhausted() */
};

/* The issue that is shown first: the first by place. */
static const struct issue *first_issue(const struct issues *issues)
{
    size_t first = 0;
    for (size_t i = 1; i < issues->count && i < ISSUES_SHOWN; i++) {
        /* no place at all sorts before every place */
        uint32_t here = issues->list[i].offset + 1, there = issues->list[first].offset + 1;
        if (here < there)
            first = i;
    }
    return &issues->list[first];
}

static void parse_all(struct work *w)
{
    const struct typecheck_policy *p = w->policy;
    w->parsed = ARENA_ARRAY(&w->arena, p->expression_count, struct parsed);
    for (size_t i = 0; i < p->expression_count; i++) {
        struct parsed *e = &w->parsed[i];
        struct issues issues;
        w->expression = i;
        issues_init(&issues, &w->arena);
        source_init(&e->source, &w->arena, p->expressions[i].text);
        const struct env *env = env_of(w->env, p->expressions[i].place);
        if (!parse(&w->arena, &e->source, env, &issues, &e->ast)) {
            e->syntax_issues = issues_render(&issues, &e->source);
            e->first_issue = first_issue(&issues)->message;
        }
        w->variable_count += p->expressions[i].place == TYPECHECK_VARIABLE;
    }
}

/* What scope full evaluates, for each type alike. */
static void plan_evaluation(struct work *w)
{
    const struct typecheck_policy *p = w->policy;
    struct evaluate_expression *expressions =
        ARENA_ARRAY(&w->arena, p->expression_count, struct evaluate_expression);
    for (size_t i = 0; i < p->expression_count; i++) {
        const struct typecheck_expression *e = &p->expressions[i];
        const struct ast *ast = w->parsed[i].syntax_issues.len == 0 ? &w->parsed[i].ast : NULL;
        expressions[i] = (struct evaluate_expression){e->place, e->name, ast};
        if (ast != NULL)
            looks_add(&w->evaluated.looks, ast);
    }
    w->evaluated.expressions = expressions;
    w->evaluated.expression_count = p->expression_count;
}

static const struct type *root_type(struct types *ts, const struct typecheck_type *t,
                                    enum schema_typing typing)
{
    if (t->doc == NULL || t->node == NULL)
        return &type_dyn;
    const struct type *type = schema_resource_type(ts, t->doc, t->node, t->kind, typing);
    return type == NULL ? &type_dyn : type;
}

/* What is declared, those last that not every place has. */
enum { DECLARED_ALWAYS = 5, DECLARED_MAX = DECLARED_ALWAYS + 3 };

struct declared {
    struct variable list[DECLARED_MAX];
    size_t count; /* with authorizer */
    size_t without_authorizer;
};

static void declare(struct declared *d, struct str name, const struct type *type)
{
    d->list[d->count++] = (struct variable){.name = name, .type = type};
}

/* k8s.io/apiserver/pkg/admission/plugin/cel/compile.go and, for the types,
 * plugin/policy/validating/typechecking.go */
static void declare_all(struct work *w, struct types *ts, const struct type *object,
                        const struct type *params, const struct type *variables, struct declared *d)
{
    const struct typecheck_policy *p = w->policy;
    d->count = 0;
    declare(d, STR("object"), object);
    declare(d, STR("oldObject"), object);
    declare(d, STR("request"), admission_request_type(ts));
    declare(d, STR("namespaceObject"), admission_namespace_type(ts));
    if (!p->lacks_variables)
        declare(d, STR("variables"), variables);
    if (p->has_params)
        declare(d, STR("params"), params);
    d->list[0].anonymous = d->list[1].anonymous = true;
    d->list[d->count - 1].anonymous = p->has_params;
    d->without_authorizer = d->count;
    declare(d, STR("authorizer"), types_object(ts, STR("kubernetes.authorization.Authorizer"), NULL, NULL));
    if (p->typing == SCHEMA_RUNTIME) /* upstream's type checker leaves this one out */
        declare(d, STR("authorizer.requestResource"),
                types_object(ts, STR("kubernetes.authorization.ResourceCheck"), NULL, NULL));
}

/* A message expression has no authorizer at run time; upstream's type checker declares it all the same. */
static size_t declared_count(const struct work *w, const struct declared *d)
{
    bool is_message = w->policy->expressions[w->expression].place == TYPECHECK_MESSAGE;
    return is_message && w->policy->typing == SCHEMA_RUNTIME ? d->without_authorizer : d->count;
}

/* Checks the current expression. Its type, or NULL with issues telling why. */
static const struct type *check_expression(struct work *w, struct types *ts, const struct declared *d,
                                           struct issues *issues)
{
    struct checked checked;
    const struct env *env = env_of(w->env, w->policy->expressions[w->expression].place);
    issues_init(issues, &w->arena);
    bool is_good =
        check(ts, env, &w->parsed[w->expression].ast, d->list, declared_count(w, d), issues, &checked);
    return is_good ? checked.result : NULL;
}

static bool is_parsed(const struct work *w)
{
    return w->parsed[w->expression].syntax_issues.len == 0;
}

static void report_current(struct work *w, struct str text, struct str first, struct str hint)
{
    report_add(&w->report, w->expression, &w->policy->types[w->type], w->type,
               (struct report_block){text, first, hint});
}

/* `issues` NULL: of the syntax. */
static void report_issues(struct work *w, const struct issues *issues)
{
    const struct parsed *e = &w->parsed[w->expression];
    if (issues == NULL)
        report_current(w, e->syntax_issues, e->first_issue, STR(""));
    else if (issues->count != 0)
        report_current(w, issues_render(issues, &e->source), first_issue(issues)->message,
                       first_issue(issues)->hint);
}

/* The variables first, in order: each may use those before it. */
static void check_all(struct work *w, struct types *ts, const struct declared *d, struct variables *variables,
                      struct issues *found)
{
    const struct typecheck_policy *p = w->policy;
    for (int wants_variables = 1; wants_variables >= 0; wants_variables--) {
        for (size_t i = 0; i < p->expression_count; i++) {
            const struct typecheck_expression *e = &p->expressions[i];
            if ((e->place == TYPECHECK_VARIABLE) != wants_variables)
                continue;
            w->expression = i;
            const struct type *type = is_parsed(w) ? check_expression(w, ts, d, &found[i]) : NULL;
            if (wants_variables)
                variables_declare(variables, ts, e->name, type);
        }
    }
}

/* Scope upstream: what the checker finds; variables are not looked at. */
static void report_all(struct work *w, const struct issues *found)
{
    const struct typecheck_policy *p = w->policy;
    for (size_t i = 0; i < p->expression_count; i++) {
        w->expression = i;
        if (p->expressions[i].place != TYPECHECK_VARIABLE)
            report_issues(w, is_parsed(w) ? &found[i] : NULL);
    }
}

/* The current expression as the API server checks it at create: no object has a type, nor has a variable. */
static void check_created(struct work *w, struct issues *issues)
{
    const struct typecheck_policy *p = w->policy;
    struct types *ts = types_new(&w->arena, env_types(w->env));
    struct variables *variables;
    const struct type *variables_object = variables_type(ts, w->variable_count, &variables);
    for (size_t i = 0; i < p->expression_count; i++) {
        if (p->expressions[i].place == TYPECHECK_VARIABLE)
            variables_declare(variables, ts, p->expressions[i].name, NULL);
    }
    struct declared d;
    declare_all(w, ts, &type_dyn, &type_dyn, variables_object, &d);
    check_expression(w, ts, &d, issues);
}

/* Scope full: what the checker finds, judged by what evaluation does. */
static void report_judged(struct work *w, struct types *ts, const struct issues *found,
                          const struct evaluate_result *evaluated)
{
    for (size_t i = 0; i < w->policy->expression_count; i++) {
        const struct issues *checked = &found[i];
        const struct evaluate_result *result = &evaluated[i];
        struct issues told, created;
        w->expression = i;
        if (!is_parsed(w)) {
            report_issues(w, NULL);
            continue;
        }
        bool needs_created = verdict_needs_created(checked, result);
        if (needs_created)
            check_created(w, &created);
        issues_init(&told, &w->arena);
        verdict_make(ts, &told, checked, result, needs_created ? &created : NULL);
        report_issues(w, &told);
    }
}

static void check_type(struct work *w)
{
    const struct typecheck_policy *p = w->policy;
    struct types *ts = types_new(&w->arena, env_types(w->env));
    struct variables *variables;
    const struct type *variables_object = variables_type(ts, w->variable_count, &variables);
    const struct type *object = root_type(ts, &p->types[w->type], p->typing);
    const struct type *params = root_type(ts, &p->params, p->typing);
    struct issues *found = ARENA_ARRAY(&w->arena, p->expression_count, struct issues);
    struct declared d;
    declare_all(w, ts, object, params, variables_object, &d);
    check_all(w, ts, &d, variables, found);
    struct evaluate_subject subject = {&p->types[w->type], object, p->has_params ? params : NULL};
    if (p->typing == SCHEMA_UPSTREAM)
        report_all(w, found);
    else
        report_judged(w, ts, found, evaluate(ts, w->env, &w->evaluated, &subject));
}

/* Each step that may run out of its arena is entered with the escape armed; false when it did. */
static bool parse_within(struct work *w)
{
    if (setjmp(w->arena.escape) != 0)
        return false;
    parse_all(w);
    if (w->policy->typing != SCHEMA_UPSTREAM)
        plan_evaluation(w);
    return true;
}

static bool check_type_within(struct work *w)
{
    if (setjmp(w->arena.escape) != 0)
        return false;
    check_type(w);
    return true;
}

/* Tells where the work ended, as a warning about that expression and type. */
static void report_exhausted(struct work *w, struct typecheck_result *result)
{
    static const char *const words[] = {
        [ARENA_OK] = "not checked",
        [ARENA_BUDGET] = "not checked: the check of this policy needs too much memory",
        [ARENA_STEPS] = "not checked: the check of this policy takes too many steps",
    };
    struct str text = str_of(words[w->arena.failure]);
    result->is_exhausted = true;
    report_current(w, text, text, STR(""));
}

static void check_types(struct work *w, struct typecheck_result *result)
{
    struct arena_mark parsed = arena_mark(&w->arena);
    for (w->type = 0; w->type < w->policy->type_count; w->type++) {
        if (!check_type_within(w))
            report_exhausted(w, result);
        arena_release(&w->arena, parsed);
        if (w->arena.failure == ARENA_STEPS)
            return;
    }
}

static void collect_warnings(struct work *w, struct typecheck_result *result)
{
    struct report *r = &w->report;
    report_finish(r);
    result->warnings = ARENA_ARRAY(&result->arena, r->count, struct typecheck_warning);
    result->left_out = r->left_out;
    for (size_t i = 0; i < r->count; i++) {
        struct report_entry *e = &r->entries[i];
        if (e->groups != NULL)
            result->warnings[result->warning_count++] =
                (struct typecheck_warning){i, text_str(&e->text), e->first, e->hint, e->first_type};
    }
}

/* Armed by the caller for the result's arena. */
static void check_policy(struct work *w, struct typecheck_result *result)
{
    const struct typecheck_policy *p = w->policy;
    bool is_upstream = p->typing == SCHEMA_UPSTREAM;
    report_init(&w->report, &result->arena, is_upstream ? &report_limits_upstream : &report_limits_full,
                p->expression_count);
    if (p->type_count != 0) {
        if (parse_within(w))
            check_types(w, result);
        else
            report_exhausted(w, result);
    }
    collect_warnings(w, result);
}

void typecheck_policy_within(const struct env *env, const struct typecheck_policy *policy, size_t arena_bytes,
                             uint64_t max_steps, struct typecheck_result *result)
{
    struct work w = {.env = env, .policy = policy};
    memset(result, 0, sizeof *result);
    arena_init(&result->arena, RESULT_BYTES);
    arena_init(&w.arena, arena_bytes);
    w.arena.max_steps = max_steps;
    if (setjmp(result->arena.escape) == 0)
        check_policy(&w, result);
    else
        result->is_exhausted = true;
    result->peak_bytes = w.arena.peak_bytes;
    arena_deinit(&w.arena);
}

void typecheck_policy(const struct env *env, const struct typecheck_policy *policy,
                      struct typecheck_result *result)
{
    typecheck_policy_within(env, policy, TYPECHECK_ARENA_BYTES, TYPECHECK_MAX_STEPS, result);
}

void typecheck_result_deinit(struct typecheck_result *result)
{
    arena_deinit(&result->arena);
}
