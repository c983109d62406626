#include "typecheck/policy/check/policy_check.h"

#include "typecheck/cel/checker/expression_cache.h"
#include "typecheck/cel/schema/valid_fields.h"
#include "typecheck/cel/types/kubernetes.h"
#include "typecheck/cel/types/policy_variables.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/check/merge_issues.h"
#include "typecheck/policy/compile/compile_problem.h"

static const struct env *env_of(const struct env *env, enum policy_place place)
{
    return policy_is_mutation(place) ? env_mutating(env) : env;
}

static const struct policy_expression *expression(const struct policy_check *c)
{
    return &c->policy->policy.expressions[c->expression];
}

bool policy_check_is_full(const struct policy_check *c)
{
    return c->policy->typing != SCHEMA_UPSTREAM;
}

/* ---- parsing ---- */

void policy_check_begin(struct policy_check *c)
{
    size_t count = c->policy->policy.count;
    report_init(&c->report, &c->result.arena, &c->scratch,
                policy_check_is_full(c) ? &report_limits_full : &report_limits_upstream, count);
    c->result.truths = ARENA_ARRAY(&c->result.arena, count, uint8_t);
    c->parsed = ARENA_ARRAY(&c->arena, count, struct parsed);
}

void policy_check_parse(struct policy_check *c)
{
    struct parsed *e = &c->parsed[c->expression];
    struct expression *x = &e->expression;
    c->mutation_count += policy_is_mutation(expression(c)->place);
    if (!expression_cache_parse(c->policy->policy.cache, x, &c->arena, &c->scratch,
                                env_of(c->env, expression(c)->place), expression(c)->text)) {
        e->syntax_issues = str_copy(&c->arena, issues_render(&x->issues, &x->source));
        e->syntax_shown = issues_shown(&x->issues);
        e->first_issue = compile_problem_issue(issues_first(&x->issues, &x->source), &x->source);
        e->first_issue.message = str_copy(&c->arena, e->first_issue.message);
        e->first_issue.about = issue_about_copy(&c->arena, e->first_issue.about);
    } else if (policy_check_is_full(c)) {
        references_add(&c->plan.references, &c->arena, &x->ast);
    }
    c->variable_count += expression(c)->place == POLICY_VARIABLE;
}

static bool is_parsed(const struct parsed *e)
{
    return e->syntax_issues.len == 0 && !e->is_limited;
}

/* Returns true if a match condition asks the params about what the rules match. */
static bool chooses_by_params(struct policy_check *c)
{
    struct references of_conditions = {0};
    for (size_t i = 0; i < c->policy->policy.count; i++) {
        if (c->policy->policy.expressions[i].place == POLICY_MATCH_CONDITION && is_parsed(&c->parsed[i]))
            references_add(&of_conditions, &c->arena, &c->parsed[i].expression.ast);
    }
    return of_conditions.params;
}

static void plan_advice(struct policy_check *c)
{
    const struct typecheck_policy *p = c->policy;
    const struct ast **asts = ARENA_ARRAY(&c->arena, p->policy.count, const struct ast *);
    for (size_t i = 0; i < p->policy.count; i++)
        asts[i] = is_parsed(&c->parsed[i]) ? &c->parsed[i].expression.ast : NULL;
    advice_init(&c->advice, &c->arena, p->policy.expressions, asts, p->policy.count);
}

void policy_check_end_classes(struct policy_check *c)
{
    arena_clear(&c->of_classes);
    c->classes = (struct classes){.is_off = true};
}

/* Plans the evaluation of scope full, which is the same for each type. */
void policy_check_plan(struct policy_check *c)
{
    const struct typecheck_policy *p = c->policy;
    struct policy_tree *expressions = ARENA_ARRAY(&c->arena, p->policy.count, struct policy_tree);
    for (size_t i = 0; i < p->policy.count; i++) {
        const struct policy_expression *e = &p->policy.expressions[i];
        const struct ast *ast = is_parsed(&c->parsed[i]) ? &c->parsed[i].expression.ast : NULL;
        expressions[i] = (struct policy_tree){e->place, e->name, ast};
    }
    if (policy_check_is_full(c) && p->type_count > report_limits_full.equal_blocks && chooses_by_params(c))
        c->report.limits = &report_limits_by_params;
    c->plan.expressions = expressions;
    c->plan.expression_count = p->policy.count;
    if (p->wants_advice)
        plan_advice(c);
    if (policy_check_is_full(c) && p->has_all_types) {
        claims_init(&c->claims, &c->arena, &c->plan);
        names_init(&c->names, &c->arena, p->types, p->type_count, p->has_name, p->user);
    }
    if (policy_check_is_full(c))
        kept_begin(&c->kept, &c->arena, p, c->claims.nodes == NULL ? NULL : &c->claims, &c->names);
}

void policy_check_begin_classes(struct policy_check *c)
{
    const struct typecheck_policy *p = c->policy;
    policy_check_end_classes(c);
    if (policy_check_is_full(c) && p->type_count > 1 && !p->policy.is_mutating && !p->checks_each_type)
        classes_init(&c->classes, &c->of_classes, &c->plan, p);
}

/* ---- one type ---- */

size_t policy_check_type_count(const struct policy_check *c)
{
    return c->policy->type_count + (c->policy->has_strangers && c->claims.nodes != NULL);
}

bool policy_check_is_stranger(const struct policy_check *c)
{
    return c->type >= c->policy->type_count && c->type < policy_check_type_count(c);
}

static const struct policy_type *type_at_hand(const struct policy_check *c)
{
    enum { EVERY = POLICY_CREATE | POLICY_UPDATE | POLICY_DELETE | POLICY_CONNECT };
    static const struct policy_request requests[] = {{.operations = EVERY, .is_namespaced = true},
                                                     {.operations = EVERY}};
    static const struct policy_type stranger = {
        .requests = requests, .request_count = sizeof requests / sizeof *requests, .is_stranger = true};
    return policy_check_is_stranger(c) ? &stranger : &c->policy->types[c->type];
}

static const struct type *root_type(struct types *ts, const struct policy_type *t, enum schema_typing typing)
{
    if (t->doc == NULL || t->node == NULL)
        return &type_dyn;
    const struct type *type = object_type_of_resource(ts, t->doc, t->node, t->kind, typing);
    return type == NULL ? &type_dyn : type;
}

/* `variables` is an object type. */
static void declare_roots(const struct policy_check *c, struct root_variables *r, struct types *ts,
                          const struct type *object, const struct type *params, const struct type *variables)
{
    const struct typecheck_policy *p = c->policy;
    root_variables_init(
        r, policy_check_is_full(c) ? ROOT_VARIABLES_AT_RUN_TIME : ROOT_VARIABLES_IN_TYPE_CHECK, ts, object,
        p->policy.has_params ? params : NULL, p->policy.lacks_variables ? NULL : variables);
}

/*
 * Mutations find an object as the match conditions before them asked for it; they do not ask for typed values
 * themselves. The object that they make is typed again, if it was before. All mutating policies of a request
 * share the old object, in the form that the first of them asked for.
 */
static void choose_forms(struct policy_check *c, const struct type *object,
                         struct activation_subject *subject)
{
    const bool is_built_in = object_type_is_built_in(object);
    subject->form = subject->old_form = ABS_PLAIN;
    if (!is_built_in && c->policy->policy.is_mutating)
        subject->form = ABS_UNVALIDATED;
    if (!is_built_in || !env_kubernetes(c->env)->has_typed_objects)
        return;
    bool has_mutations = false, has_conditions = false;
    arena_pay(&c->of_type, c->policy->policy.count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < c->policy->policy.count; i++) {
        const enum policy_place place = c->policy->policy.expressions[i].place;
        has_mutations = has_mutations || policy_is_mutation(place);
        has_conditions = has_conditions || place == POLICY_MATCH_CONDITION;
    }
    if (!has_mutations || has_conditions)
        subject->form = ABS_TYPED;
    if (!has_mutations)
        subject->old_form = ABS_TYPED;
}

/* Returns true if claims depend on what validation lets pass. */
static bool asks_for_validation(const struct policy_check *c)
{
    const struct policy *p = &c->policy->policy;
    return c->claims.nodes != NULL && !p->is_mutating && !p->lacks_variables && !p->is_template;
}

/*
 * "A built-in object is validated by the server before its validating policies are asked"; a custom one, too,
 * but an update may keep what an older definition let pass.
 */
static void find_validation(struct policy_check *c, struct types *ts, struct activation_subject *subject)
{
    const struct policy_type *kind = subject->kind;
    if (!asks_for_validation(c))
        return;
    if (subject->is_custom)
        subject->validated = POLICY_CREATE;
    else if (subject->is_built_in && valid_fields_has_root(kind->group, kind->version, kind->kind))
        subject->validated = POLICY_CREATE | POLICY_UPDATE;
    if (subject->validated == 0)
        return;
    subject->valid_type = object_type_validated(ts, subject->type);
    if (subject->valid_type == NULL)
        subject->valid_type = root_type(ts, kind, SCHEMA_VALIDATED);
}

/* The roots of the type; its subject then is whole. */
static void declare(struct policy_check *c)
{
    const struct typecheck_policy *p = c->policy;
    const struct type *variables = policy_variables_type(c->types, c->variable_count, &c->variables);
    const struct type *params = root_type(c->types, &p->params, p->typing);
    c->found = ARENA_ARRAY(&c->of_type, p->policy.count, struct found);
    if (p->policy.has_params)
        c->subject.params = params;
    declare_roots(c, &c->roots, c->types, c->subject.type, params, variables);
}

/* Makes the types and the subject of the type at hand. */
static void make_subject(struct policy_check *c)
{
    const struct typecheck_policy *p = c->policy;
    const struct policy_type *kind = type_at_hand(c);
    struct types *ts = types_new(&c->of_type, env_types(c->env));
    types_set_scratch(ts, &c->scratch);
    types_set_minor(ts, p->minor);
    types_set_validating_minor(ts, p->validating_minor == 0 ? p->minor : p->validating_minor);
    types_set_reads(ts, c->classes.is_off ? NULL : &c->reads);
    const struct type *object = root_type(ts, kind, p->typing);
    c->types = ts;
    c->subject = (struct activation_subject){
        .kind = kind,
        .type = object,
        .reads = types_reads(ts),
        .names = c->claims.nodes == NULL ? NULL : &c->names,
        .is_custom = object_type_is_custom(ts, object, kind->group, kind->version, kind->kind),
        .is_built_in = object_type_is_built_in(object),
        .is_mutating = p->policy.is_mutating,
        .is_created_clear = env_kubernetes(c->env)->clears_all_created,
        .has_null_objects = env_kubernetes(c->env)->requests_hold_nulls,
    };
    choose_forms(c, object, &c->subject);
    find_validation(c, ts, &c->subject);
}

static void make_classified(struct classes_type *type)
{
    struct policy_check *c = type->user;
    make_subject(c);
    type->ts = c->types;
}

/* Reports what was reported for the type that made the class. */
static void find_class(struct policy_check *c)
{
    c->classified = (struct classes_type){.kind = type_at_hand(c),
                                          .reads = &c->reads,
                                          .is_validated = asks_for_validation(c),
                                          .subject = &c->subject,
                                          .make = make_classified,
                                          .user = c};
    c->is_classified = true;
    const struct classes_class *class = classes_find(&c->classes, &c->classified, &c->class_start);
    c->is_classified = false;
    for (size_t i = 0; class != NULL && i < class->count; i++)
        report_add(&c->report, class->blocks[i].expression, type_at_hand(c), c->type, class->blocks[i].block);
    c->is_known = class != NULL;
    if (class == NULL)
        return;
    classes_add_claims(&c->classes, class, &c->claims);
    kept_put(&c->kept, type_at_hand(c)->identity, class->outcome, c->arena.steps - c->steps_before);
}

static void report_kept(struct policy_check *c)
{
    const struct policy_type *t = &c->policy->types[c->type];
    size_t count;
    const struct classes_block *blocks = kept_blocks(&c->kept, t->identity, &count);
    for (size_t i = 0; i < count; i++)
        report_add(&c->report, blocks[i].expression, t, c->type, blocks[i].block);
}

/* Does all for the types that have an outcome, from the one at hand on, up to as many as fit into a unit.
 * Returns true if the last of them is at hand, and false if a type that is to be checked is. */
static bool skip_kept(struct policy_check *c)
{
    enum { AT_ONCE = 256 };
    const struct typecheck_policy *p = c->policy;
    size_t i = c->type, count = 0;
    while (count < AT_ONCE && i < p->type_count &&
           kept_add(&c->kept, p->types[i].identity, c->result.truths)) {
        c->type = i++;
        count++;
        report_kept(c);
    }
    arena_pay(&c->arena, count / ARENA_LOOKS_PER_STEP);
    if (count == AT_ONCE || (count > 0 && i == p->type_count))
        return true;
    c->type = i;
    return false;
}

void policy_check_begin_type(struct policy_check *c)
{
    c->is_known = !policy_check_is_stranger(c) && skip_kept(c);
    if (c->is_known)
        return;
    c->limits_before = c->result.limit_count;
    c->steps_before = c->arena.steps;
    kept_begin_type(&c->kept);
    reads_begin(&c->reads, &c->of_type, activation_name, type_at_hand(c));
    if (!c->classes.is_off)
        find_class(c);
    if (c->is_known)
        return;
    if (c->types == NULL)
        make_subject(c);
    declare(c);
}

/* Returns true if the issues from one on are of comparisons alone: with null, of values that are never
 * equal. */
static bool are_comparisons(const struct issues *issues, size_t first)
{
    size_t i = first;
    while (i < issues_shown(issues) && issues->list[i].code == ISSUE_NEVER_EQUAL)
        i++;
    return i == issues->count;
}

static const struct type *object_of(const struct variable *variables, size_t count)
{
    size_t i = 0;
    while (i < count && !str_eq(variables[i].name, STR("object")))
        i++;
    return i < count ? variables[i].type : NULL;
}

/* Checks the current expression. Returns its type, or NULL with issues that say why. */
static const struct type *check_within(struct policy_check *c, struct types *ts,
                                       const struct root_variables *r, struct issues *issues)
{
    enum policy_place place = expression(c)->place;
    struct variable variables[ROOT_VARIABLES];
    struct checked checked;
    size_t count = root_variables_of(r, place, variables);
    const size_t issues_before = issues->count;
    bool is_good = checker_run(ts, env_of(c->env, place), &c->parsed[c->expression].expression.ast, variables,
                               count, issues, &checked);
    if (are_comparisons(issues, issues_before) && ts == c->types && c->policy->wants_advice &&
        policy_check_is_full(c) && !c->is_again)
        advice_look(&c->advice, c->type, c->expression, &checked, ts, object_of(variables, count));
    return is_good ? checked.result : NULL;
}

static const struct type *check_current(struct policy_check *c)
{
    if (!is_parsed(&c->parsed[c->expression]))
        return NULL;
    issues_init(&c->found[c->expression].issues, &c->of_type);
    return check_within(c, c->types, &c->roots, &c->found[c->expression].issues);
}

void policy_check_variable(struct policy_check *c)
{
    /* declared in any case: the check may end by a cap */
    policy_variables_declare(c->variables, c->types, expression(c)->name);
    const struct type *type = check_current(c);
    if (type != NULL)
        policy_variables_set_type(c->variables, c->types, type);
}

void policy_check_other(struct policy_check *c)
{
    check_current(c);
}

void policy_check_begin_evaluation(struct policy_check *c)
{
    c->evaluated = (struct claims_evaluated){0};
    c->evaluated.plain = c->evaluation =
        eval_policy_new(c->types, c->env, &c->plan, &c->subject, NULL, &c->of_way, &c->scratch);
}

void policy_check_evaluate(struct policy_check *c)
{
    const struct eval_doubts *doubts = claims_doubts(&c->claims);
    if (eval_policy_step(c->evaluation))
        return;
    c->is_evaluated = doubts == NULL || c->evaluated.doubted != NULL || eval_policy_is_limited(c->evaluation);
    if (!c->is_evaluated)
        c->evaluated.doubted = c->evaluation =
            eval_policy_new(c->types, c->env, &c->plan, &c->subject, doubts, &c->of_way, &c->scratch);
}

/* ---- claims ---- */

void policy_check_add_claims(struct policy_check *c)
{
    if (c->claims.nodes != NULL)
        claims_add(&c->claims, c->types, c->evaluation);
    if (policy_check_is_stranger(c) && eval_policy_has_limit(c->evaluation))
        c->is_open = true;
}

void policy_check_settle_claims(struct policy_check *c)
{
    const struct report_limits *limits = c->report.limits;
    c->goes_again =
        c->claims.nodes != NULL && !c->is_open && c->result.limit_count == 0 && claims_settle(&c->claims);
    if (!c->goes_again)
        return;
    c->is_again = true;
    c->kept.kept = NULL;
    c->claims.is_kept = false;
    arena_clear(&c->result.arena);
    report_init(&c->report, &c->result.arena, &c->scratch, limits, c->policy->policy.count);
    c->result.truths = ARENA_ARRAY(&c->result.arena, c->policy->policy.count, uint8_t);
    c->result.notes = NULL; /* they lay in its arena */
    c->result.note_count = c->result.note_cap = 0;
}

/* ---- reports ---- */

/* Keeps a block for the class; it lies in the memory of the type. */
static const struct classes_block *keep_block(struct policy_check *c, struct report_block block)
{
    struct typecheck_issue *list = ARENA_ARRAY(&c->of_type, block.count, struct typecheck_issue);
    for (size_t i = 0; i < block.count; i++) {
        list[i] = block.list[i];
        list[i].message = str_copy(&c->of_type, list[i].message);
    }
    block.list = list;
    block.issues = str_copy(&c->of_type, block.issues);
    block.hint = str_copy(&c->of_type, block.hint);
    ARENA_ROOM(&c->of_type, c->blocks, c->block_count, c->block_cap, 4);
    c->blocks[c->block_count] = (struct classes_block){c->expression, block};
    return &c->blocks[c->block_count++];
}

static void report_current(struct policy_check *c, struct report_block block)
{
    reads_report(types_reads(c->types));
    if (c->kept.kept != NULL)
        kept_report(&c->kept, keep_block(c, block));
    else if (!c->classes.is_off && !c->reads.is_lost)
        keep_block(c, block);
    report_add(&c->report, c->expression, &c->policy->types[c->type], c->type, block);
}

/* The number of issues of an expression for which a change that was meant is searched: a search costs more
 * than an issue. */
enum { CHANGES_MAX = 8 };

/* Until the issues are reported; NULL: nothing is known. */
static const struct hint_change *keep_change(struct policy_check *c, struct hint_change change)
{
    if (change.sort == HINT_NOTHING)
        return NULL;
    struct hint_change *kept = ARENA_NEW(&c->scratch, struct hint_change);
    *kept = change;
    return kept;
}

/* The same as data. change: what was meant at the first issue. */
static void list_issues(struct policy_check *c, const struct issues *issues, const struct issue *first,
                        const struct hint_change *change, const struct eval_policy_result *evaluated,
                        struct report_block *block)
{
    const struct source *source = &c->parsed[c->expression].expression.source;
    const size_t count = issues_shown(issues);
    struct typecheck_issue *list = ARENA_ARRAY(&c->scratch, count, struct typecheck_issue);
    bool is_of_pods;
    for (size_t i = 0; i < count; i++) {
        const struct issue *issue = &issues->list[i];
        arena_pay_bytes(&c->scratch, source->text.len); /* the column is counted */
        list[i] = compile_problem_issue(issue, source);
        list[i].is_unequal = merge_issues_is_unequal(evaluated, issue);
        list[i].is_claim = merge_issues_is_claim(evaluated, issue);
        list[i].first_type = c->type;
        list[i].site = merge_issues_site(evaluated, issue);
        if (issue == first)
            list[i].change = keep_change(c, *change);
        else if (i < CHANGES_MAX)
            list[i].change = keep_change(c, merge_issues_change(c->types, evaluated, issue, &is_of_pods));
    }
    block->list = list;
    block->count = count;
    block->is_cut = issues->count > count;
}

static bool is_ignored(const struct policy_check *c, const struct typecheck_issue *issue)
{
    return c->policy->ignore != NULL && c->policy->ignore(c->policy->user, c->expression, issue);
}

/* The issues without those that are ignored; where one is, those that are only counted go, too. */
static struct issues without_ignored(struct policy_check *c, const struct issues *issues)
{
    const struct source *source = &c->parsed[c->expression].expression.source;
    const size_t count = issues_shown(issues);
    struct issues kept = *issues;
    kept.arena = &c->scratch;
    if (c->policy->ignore == NULL)
        return kept;
    size_t n = 0;
    kept.list = ARENA_ARRAY(&c->scratch, count, struct issue);
    for (size_t i = 0; i < count; i++) {
        arena_pay_bytes(&c->scratch, source->text.len); /* the column is counted */
        const struct typecheck_issue issue = compile_problem_issue(&issues->list[i], source);
        if (!is_ignored(c, &issue))
            kept.list[n++] = issues->list[i];
    }
    kept.count = n == count ? issues->count : n;
    return kept;
}

/* evaluated NULL: nothing was; the issues are not listed. */
static void report_issues(struct policy_check *c, const struct issues *issues,
                          const struct eval_policy_result *evaluated)
{
    const struct source *source = &c->parsed[c->expression].expression.source;
    const struct issues shown = without_ignored(c, issues);
    if (shown.count == 0)
        return;
    const struct issue *first = issues_first(&shown, source);
    arena_pay_bytes(&c->scratch, source->text.len); /* the column is counted */
    struct report_block block = {.issues = issues_render(&shown, source),
                                 .shown = issues_shown(&shown),
                                 .first = compile_problem_issue(first, source),
                                 .hint = STR("")};
    if (evaluated != NULL) {
        const struct hint_change change =
            merge_issues_change(c->types, evaluated, first, &block.is_hint_of_pods);
        block.hint = hint_text(&c->scratch, &change);
        list_issues(c, &shown, first, &change, evaluated, &block);
    }
    report_current(c, block);
}

/* The current expression as the API server checks it at create: no object has a type, nor has a variable. */
static const struct issues *check_created(struct policy_check *c)
{
    const struct typecheck_policy *p = c->policy;
    struct parsed *e = &c->parsed[c->expression];
    if (e->created != NULL)
        return e->created;
    struct types *ts = types_new(&c->scratch, env_types(c->env));
    struct policy_variables *variables;
    const struct type *variables_object = policy_variables_type(ts, c->variable_count, &variables);
    for (size_t i = 0; i < p->policy.count; i++) {
        if (p->policy.expressions[i].place == POLICY_VARIABLE)
            policy_variables_declare(variables, ts, p->policy.expressions[i].name);
    }
    struct root_variables roots;
    struct issues *created = ARENA_NEW(&c->arena, struct issues);
    declare_roots(c, &roots, ts, &type_dyn, &type_dyn, variables_object);
    issues_init(created, &c->arena);
    check_within(c, ts, &roots, created);
    return e->created = created;
}

static bool is_noted(const struct policy_check *c, const struct typecheck_issue *issue)
{
    for (size_t i = 0; i < c->result.note_count; i++) {
        const struct typecheck_note *note = &c->result.notes[i];
        if (note->expression == c->expression && note->at.offset == issue->at.offset &&
            str_eq(note->message, issue->message))
            return true;
    }
    return c->result.note_count == REPORT_ISSUES_MAX;
}

static void add_note(struct policy_check *c, const struct eval_policy_finding *found)
{
    struct typecheck_result *r = &c->result;
    const struct source *source = &c->parsed[c->expression].expression.source;
    arena_pay_bytes(&c->scratch, source->text.len); /* the column is counted */
    struct typecheck_issue issue = compile_problem_issue(
        &(struct issue){
            .at = found->span, .code = found->code, .message = found->message, .about = found->about},
        source);
    issue.is_claim = true;
    arena_pay(&c->scratch, 1 + r->note_count / ARENA_LOOKS_PER_STEP);
    reads_report(types_reads(c->types));
    if (is_noted(c, &issue) || is_ignored(c, &issue))
        return;
    ARENA_ROOM(&r->arena, r->notes, r->note_count, r->note_cap, 2);
    r->notes[r->note_count++] =
        (struct typecheck_note){c->expression, issue.code, str_copy(&r->arena, issue.message), issue.at};
}

/* Each once, for the first type that has it. */
static void add_notes(struct policy_check *c)
{
    size_t count;
    struct eval_policy_finding verdict;
    const struct eval_policy_finding *list =
        claims_list(&c->claims, &c->scratch, &c->evaluated, c->expression, true, &count);
    for (size_t i = 0; i < count; i++)
        add_note(c, &list[i]);
    if (claims_judge(&c->claims, &c->scratch, &c->evaluated, c->expression, &verdict) && verdict.is_note)
        add_note(c, &verdict);
}

static void add_claims(struct policy_check *c, struct eval_policy_result *result)
{
    claims_put(&c->claims, &c->scratch, &c->evaluated, c->expression, result);
    add_notes(c);
}

/* Scope full: what the checker finds, judged by what evaluation does. */
static void judge(struct policy_check *c)
{
    const struct issues *checked = &c->found[c->expression].issues;
    struct eval_policy_result result = claims_result(&c->scratch, &c->evaluated, c->expression);
    struct issues merged;
    if (result.limit != ARENA_OK)
        arena_fail(&c->arena, result.limit);
    c->result.truths[c->expression] |= result.truths;
    if (c->kept.kept != NULL)
        kept_truths(&c->kept)[c->expression] = result.truths;
    const bool is_judged = claims_verdict_of(&c->claims, c->expression).code != ISSUE_OTHER;
    if (c->is_again && (claims_has(&c->claims, c->expression) || is_judged))
        add_claims(c, &result);
    issues_init(&merged, &c->scratch);
    merge_issues_make(&merged, checked, &result,
                      merge_issues_needs_created(checked, &result) ? check_created(c) : NULL);
    report_issues(c, &merged, &result);
}

/* Scope upstream: what the checker finds; nothing of variables is reported. */
void policy_check_judge(struct policy_check *c)
{
    const struct parsed *e = &c->parsed[c->expression];
    bool is_silent = !policy_check_is_full(c) && expression(c)->place == POLICY_VARIABLE;
    if (is_silent || e->is_limited || c->found[c->expression].is_limited)
        return;
    if (e->syntax_issues.len != 0 && is_ignored(c, &e->first_issue))
        return;
    if (e->syntax_issues.len != 0)
        report_current(c, (struct report_block){.issues = e->syntax_issues,
                                                .shown = e->syntax_shown,
                                                .first = e->first_issue,
                                                .hint = STR(""),
                                                .list = &e->first_issue,
                                                .count = 1});
    else if (policy_check_is_full(c))
        judge(c);
    else
        report_issues(c, &c->found[c->expression].issues, NULL);
}

/* made: the class of the type; NULL: it made none. */
static void keep_outcome(struct policy_check *c, struct classes_class *made)
{
    const bool has_outcome = c->result.limit_count == c->limits_before;
    const unsigned outcome = has_outcome ? kept_outcome(&c->kept, c->blocks, c->block_count) : 0;
    kept_put(&c->kept, type_at_hand(c)->identity, outcome, c->arena.steps - c->steps_before);
    if (made != NULL && outcome != 0)
        made->outcome = kept_outcome_of_class(&c->kept, c->blocks, c->block_count);
}

void policy_check_keep_class(struct policy_check *c)
{
    struct classes_class *made = NULL;
    if (!c->classes.is_off && c->result.limit_count == c->limits_before)
        made = classes_keep(&c->classes, c->class_start, &c->reads, &c->claims, c->blocks, c->block_count);
    keep_outcome(c, made);
    if (classes_are_rare(&c->classes))
        policy_check_end_classes(c);
}

void policy_check_advise(struct policy_check *c)
{
    struct typecheck_result *result = &c->result;
    advice_find(&c->advice);
    struct typecheck_advice *list = ARENA_ARRAY(&result->arena, c->advice.count, struct typecheck_advice);
    for (size_t i = 0; i < c->advice.count; i++) {
        const struct advice_item *item = &c->advice.items[i];
        list[i] = (struct typecheck_advice){.sort = item->sort,
                                            .expression = item->expression,
                                            .message = str_copy(&result->arena, item->message),
                                            .fails = item->fails,
                                            .failure = item->failure,
                                            .hint = str_copy(&result->arena, item->hint),
                                            .correction = str_copy(&result->arena, item->correction),
                                            .chain = item->chain,
                                            .type = item->type,
                                            .node = item->node,
                                            .is_operand = item->is_operand,
                                            .at = item->at};
    }
    result->advice = list;
    result->advice_count = c->advice.count;
}

/* The warnings; nothing else is needed any more. */
void policy_check_finish(struct policy_check *c)
{
    struct report *r = &c->report;
    struct typecheck_result *result = &c->result;
    report_finish(r, c->policy->type_count);
    result->warnings = ARENA_ARRAY(&result->arena, r->count, struct typecheck_warning);
    result->left_out = r->left_out;
    result->peak_bytes = c->arena.peak_bytes;
    for (size_t i = 0; i < r->count; i++) {
        struct report_entry *e = &r->entries[i];
        const enum issue_code verdict = claims_verdict_of(&c->claims, i).code;
        if (e->groups != NULL)
            result->warnings[result->warning_count++] =
                (struct typecheck_warning){.expression = i,
                                           .text = text_str(&e->text),
                                           .shown = e->shown,
                                           .first = e->first,
                                           .consequence = e->first.code == verdict ? ISSUE_OTHER : verdict,
                                           .hint = e->hint,
                                           .issues = e->issues,
                                           .issue_count = e->issue_count,
                                           .has_more_issues = e->has_more_issues};
    }
}

/* ---- limits ---- */

void policy_check_add_limit(struct policy_check *c, size_t of_expression, size_t of_type)
{
    struct typecheck_result *r = &c->result;
    if (of_type != TYPECHECK_EVERY && of_type >= c->policy->type_count)
        of_type = TYPECHECK_EVERY; /* it is no type of the policy's */
    if (r->limit_count < TYPECHECK_LIMITS_SHOWN)
        r->limits[r->limit_count] = (struct typecheck_limit){
            of_expression, of_type, c->arena.failure == ARENA_BUDGET ? TYPECHECK_MEMORY : TYPECHECK_STEPS};
    r->limit_count++;
}

void policy_check_limit_expression(struct policy_check *c, bool is_of_type)
{
    bool *is_limited =
        is_of_type ? &c->found[c->expression].is_limited : &c->parsed[c->expression].is_limited;
    if (!*is_limited)
        policy_check_add_limit(c, c->expression, is_of_type ? c->type : TYPECHECK_EVERY);
    *is_limited = true;
}

void policy_check_set_type(struct policy_check *c, size_t type)
{
    arena_clear(&c->of_type);
    arena_clear(&c->of_way);
    arena_clear(&c->scratch);
    c->type = type;
    c->types = NULL;
    c->found = NULL;
    c->evaluation = NULL;
    c->evaluated = (struct claims_evaluated){0};
    c->is_evaluated = c->is_known = c->is_classified = false;
    c->blocks = NULL;
    c->block_count = c->block_cap = 0;
    c->claims.open_count = 0;
}
