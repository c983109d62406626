#include "typecheck/typecheck.h"

#include <string.h>

#include "typecheck/admission.h"
#include "typecheck/checker.h"
#include "typecheck/issue.h"
#include "typecheck/parser.h"
#include "typecheck/report.h"
#include "typecheck/source.h"
#include "typecheck/type.h"
#include "typecheck/variables.h"

/* The result's arena: the bounded texts and what groups them. */
#define RESULT_BYTES ((size_t)32 * 1024 * 1024)

/* An expression, parsed. */
struct parsed {
    struct source source;
    struct ast ast;
    struct str syntax_issues; /* rendered; empty when it parsed */
    struct str first_issue;
};

/* What one variable's check against one type left. */
struct variable_finding {
    size_t expression;
    struct str issues, first; /* empty: none */
    const bool *asked;        /* which earlier variables it asked for */
    bool is_used;             /* by an expression that is evaluated anyhow */
};

struct work {
    struct arena arena; /* of the check */
    const struct env *env;
    const struct typecheck_policy *policy;
    struct report report;
    struct parsed *parsed; /* by expression */
    size_t variable_count;
    size_t expression, type; /* being checked, for exhausted() */
};

/* The message that is shown first: the first by place. */
static struct str first_message(const struct issues *issues)
{
    size_t first = 0;
    for (size_t i = 1; i < issues->count && i < ISSUES_SHOWN; i++) {
        /* no place at all sorts before every place */
        uint32_t here = issues->list[i].offset + 1, there = issues->list[first].offset + 1;
        if (here < there)
            first = i;
    }
    return issues->list[first].message;
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
        if (!parse(&w->arena, &e->source, w->env, &issues, &e->ast)) {
            e->syntax_issues = issues_render(&issues, &e->source);
            e->first_issue = first_message(&issues);
        }
        w->variable_count += p->expressions[i].place == TYPECHECK_VARIABLE;
    }
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
static void declare_all(struct work *w, struct types *ts, const struct type *variables, struct declared *d)
{
    const struct typecheck_policy *p = w->policy;
    const struct type *object = root_type(ts, &p->types[w->type], p->typing);
    d->count = 0;
    declare(d, STR("object"), object);
    declare(d, STR("oldObject"), object);
    declare(d, STR("request"), admission_request_type(ts));
    declare(d, STR("namespaceObject"), admission_namespace_type(ts));
    declare(d, STR("variables"), variables);
    if (p->has_params)
        declare(d, STR("params"), root_type(ts, &p->params, p->typing));
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

/* Checks the current expression. Its type, or NULL with *text and *first telling why. */
static const struct type *check_expression(struct work *w, struct types *ts, const struct declared *d,
                                           struct str *text, struct str *first)
{
    struct parsed *e = &w->parsed[w->expression];
    *text = e->syntax_issues;
    *first = e->first_issue;
    if (text->len != 0)
        return NULL;
    struct issues issues;
    struct checked checked;
    issues_init(&issues, &w->arena);
    if (check(ts, w->env, &e->ast, d->list, declared_count(w, d), &issues, &checked))
        return checked.result;
    *text = issues_render(&issues, &e->source);
    *first = first_message(&issues);
    return NULL;
}

static void report_current(struct work *w, struct str text, struct str first)
{
    report_add(&w->report, w->expression, &w->policy->types[w->type], w->type, text, first);
}

/* The variables, in order: each may use those before it. */
static struct variable_finding *check_variables(struct work *w, struct types *ts, const struct declared *d,
                                                struct variables *variables)
{
    const struct typecheck_policy *p = w->policy;
    struct variable_finding *findings = ARENA_ARRAY(&w->arena, w->variable_count, struct variable_finding);
    for (size_t i = 0; i < p->expression_count; i++) {
        if (p->expressions[i].place != TYPECHECK_VARIABLE)
            continue;
        w->expression = i;
        struct variable_finding *f = &findings[variables->count];
        variables_forget_asked(variables);
        const struct type *type = check_expression(w, ts, d, &f->issues, &f->first);
        bool *asked = ARENA_ARRAY(&w->arena, variables->count, bool);
        for (size_t j = 0; j < variables->count; j++)
            asked[j] = variables->slots[j].is_asked;
        f->asked = asked;
        f->expression = i;
        variables_declare(variables, ts, p->expressions[i].name, type);
    }
    variables_forget_asked(variables);
    return findings;
}

/* A variable is evaluated when something that is evaluated uses it: only then its issues are told. */
static void report_used_variables(struct work *w, const struct variables *variables,
                                  struct variable_finding *findings)
{
    for (size_t i = variables->count; i-- > 0;) {
        struct variable_finding *f = &findings[i];
        f->is_used = f->is_used || variables->slots[i].is_asked;
        for (size_t j = 0; f->is_used && j < i; j++)
            findings[j].is_used = findings[j].is_used || f->asked[j];
    }
    for (size_t i = 0; i < variables->count; i++) {
        w->expression = findings[i].expression;
        if (findings[i].is_used && findings[i].issues.len != 0)
            report_current(w, findings[i].issues, findings[i].first);
    }
}

static void check_type(struct work *w)
{
    const struct typecheck_policy *p = w->policy;
    struct types *ts = types_new(&w->arena, env_types(w->env));
    struct variables *variables;
    const struct type *variables_object = variables_type(ts, w->variable_count, &variables);
    struct declared d;
    declare_all(w, ts, variables_object, &d);
    struct variable_finding *findings = check_variables(w, ts, &d, variables);
    for (size_t i = 0; i < p->expression_count; i++) {
        struct str text, first;
        w->expression = i;
        if (p->expressions[i].place != TYPECHECK_VARIABLE &&
            check_expression(w, ts, &d, &text, &first) == NULL)
            report_current(w, text, first);
    }
    if (p->typing == SCHEMA_RUNTIME)
        report_used_variables(w, variables, findings);
}

/* Each step that may run out of its arena is entered with the escape armed; false when it did. */
static bool parse_within(struct work *w)
{
    if (setjmp(w->arena.escape) != 0)
        return false;
    parse_all(w);
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
    report_current(w, text, text);
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
                (struct typecheck_warning){i, text_str(&e->text), e->first, e->first_type};
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
