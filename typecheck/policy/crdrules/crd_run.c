#include "typecheck/policy/crdrules/crd_run.h"

#include "typecheck/cel/interpreter/functions/strings.h"
#include "typecheck/cel/interpreter/run.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/sent_object.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/types/kubernetes.h"
#include "typecheck/golang/goquote.h"
#include "typecheck/policy/crdrules/crd_error.h"
#include "typecheck/policy/crdrules/crd_fit.h"
#include "typecheck/policy/crdrules/crd_twin.h"
#include "typecheck/policy/crdrules/custom_value.h"
#include "typecheck/policy/crdrules/rule_tree.h"

#define COMPILE_ARENA_BYTES  ((size_t)256 * 1024 * 1024)
#define COMPILE_MAX_STEPS    ((uint64_t)500 * 1000 * 1000)
#define EVALUATE_ARENA_BYTES ((size_t)1024 * 1024 * 1024)
#define EVALUATE_MAX_STEPS   ((uint64_t)1000 * 1000 * 1000)

/* celconfig.MaxEvaluatedMessageExpressionSizeBytes */
enum { MESSAGE_MAX_BYTES = 5 * 1024 };
enum { ERRORS_MAX = 1000, INPUTS = 2, DEPTH = 1000 };

/* The first 1.N whose errors show the value itself, and not the name of its type. */

#define TOO_MUCH STR("vapcheck does not evaluate rules that take so much work")
#define OUT_OF_BUDGET                                                                                        \
    STR("validation failed due to running out of cost budget, no further validation rules will be run")

struct crd_run {
    struct arena arena; /* holds this */
    struct rule_tree tree;
    struct crd_run_count *counts; /* by rule */
    bool is_exhausted;
};

static void compile(struct crd_run *run, const struct env *env, const struct schema *schema, struct str json)
{
    const struct value *read = json_value_read(&run->arena, str_copy(&run->arena, json));
    run->tree = (struct rule_tree){.arena = &run->arena, .env = env, .doc = schema};
    if (read != NULL)
        rule_tree_compile(&run->tree, read);
    run->counts = ARENA_ARRAY(&run->arena, run->tree.rule_count + 1, struct crd_run_count);
}

static void name_counts(struct crd_run *run)
{
    for (const struct rule_tree_node *p = run->tree.compiled; p != NULL; p = p->compiled_before) {
        for (size_t i = 0; i < p->rule_count; i++)
            run->counts[p->rules[i].index].rule = p->rules[i].at;
    }
}

struct crd_run *crd_run_new(const struct env *env, const struct schema *schema, struct str json)
{
    struct arena a;
    struct crd_run *run = arena_init_holder(&a, COMPILE_ARENA_BYTES, sizeof *run);
    if (run == NULL)
        return NULL;
    run->arena = a;
    run->arena.max_steps = COMPILE_MAX_STEPS;
    run->is_exhausted = true;
    if (setjmp(run->arena.escape) == 0) {
        compile(run, env, schema, json);
        name_counts(run);
        run->is_exhausted = false;
    }
    return run;
}

void crd_run_free(struct crd_run *run)
{
    if (run == NULL)
        return;
    struct arena a = run->arena;
    rule_tree_free(&run->tree);
    arena_deinit(&a);
}

const struct crd_run_count *crd_run_counts(const struct crd_run *run, size_t *count)
{
    *count = run->is_exhausted ? 0 : run->tree.rule_count;
    return run->counts;
}

/* ---- one resource ---- */

struct evaluation {
    struct crd_run *run;
    const struct crd_run_request *request;
    struct crd_run_result *out;
    struct arena *arena;
    int64_t budget;
    bool is_over; /* no further rule is evaluated */
};

/* A value at a place. */
struct spot {
    const struct rule_tree_node *place;
    const struct value *now, *before; /* before: NULL: there is none */
    const struct crd_error_way *way;
    struct crd_twin twin, parent; /* now NULL: there is none */
    unsigned depth;
};

static void set_missing(struct evaluation *e, struct str what)
{
    if (e->out->missing.len == 0)
        e->out->missing = what;
    e->is_over = true;
}

/* ---- errors ---- */

/* body: behind the path. */
static void add_error(struct evaluation *e, const struct spot *s, const struct rule_tree_rule *rule,
                      struct str below, struct str body, struct str detail)
{
    struct crd_run_result *out = e->out;
    if (out->error_count == ERRORS_MAX) {
        set_missing(e, TOO_MUCH);
        return;
    }
    const struct str path = crd_error_path(e->arena, s->way, below);
    out->errors[out->error_count++] =
        (struct crd_run_error){.rule = rule == NULL ? STR("") : rule->at,
                               .text = str_join(e->arena, STR_PARTS(path, STR(": "), body)),
                               .detail = detail};
}

/* About the place as a whole: the server shows the name of its type. */
static void add_failure(struct evaluation *e, const struct spot *s, const struct rule_tree_rule *rule,
                        struct str below, struct str detail)
{
    const struct value *type = value_string(e->arena, s->place->type);
    const size_t before = e->out->error_count;
    add_error(e, s, rule, below, crd_error_body(e->arena, STR(""), type, detail), detail);
    if (e->out->error_count > before)
        e->out->errors[before].is_failure = true;
}

/* An error of a rule that is false about what did not change is only a warning. */
static bool is_unchanged(struct evaluation *e, const struct spot *s)
{
    return s->twin.now != NULL ? crd_twin_is_equal(e->arena, &s->twin)
                               : s->parent.now != NULL && crd_twin_is_equal(e->arena, &s->parent);
}

static void note_unchanged(struct evaluation *e, const struct spot *s, const struct rule_tree_rule *rule,
                           size_t before)
{
    if (e->out->error_count > before && !rule->uses_old_self && is_unchanged(e, s))
        e->out->errors[before].is_warning = true;
}

static struct str text_of_rule(struct evaluation *e, const struct rule_tree_rule *rule)
{
    return strings_trim_space(e->arena, rule->message.len != 0 ? rule->message : rule->text);
}

/* ---- rules ---- */

/* Returns false if no further rule is to be evaluated. */
static bool pay(struct evaluation *e, uint64_t cost)
{
    const bool is_enough = cost <= (uint64_t)e->budget;
    e->budget -= is_enough ? (int64_t)cost : e->budget;
    e->out->cost += cost;
    e->is_over = e->is_over || !is_enough;
    return is_enough;
}

/* Makes the message by the rule's expression. Returns false if it makes none, or if *end is the error that
 * ends everything. */
static bool make_message(struct evaluation *e, const struct rule_tree_rule *rule,
                         const struct run_activation *activation, struct str *message, struct str *end)
{
    struct arena *a = e->arena;
    *end = STR("");
    if (rule->message_expression.len == 0)
        return false;
    const struct run_result result = run_evaluate(&rule->message_plan, a, activation, RUN_EXPRESSION_COST);
    if (result.end == RUN_MISSING) {
        set_missing(e, result.text);
        return false;
    }
    if (!pay(e, result.cost)) {
        *end = STR("messageExpression evaluation failed due to running out of cost budget, no further "
                   "validation rules will be run");
        return false;
    }
    if (result.end == RUN_ERROR && result.code == ISSUE_COST_LIMIT) {
        struct text quoted = {.arena = a};
        goquote_add(&quoted, rule->message_expression);
        *end = str_join(a, STR_PARTS(STR("no further validation rules will be run due to call cost exceeds "
                                         "limit for messageExpression: "),
                                     text_str(&quoted)));
        e->is_over = true;
        return false;
    }
    if (result.end == RUN_ERROR || result.value->kind != VALUE_STRING)
        return false;
    *message = strings_trim_space(a, result.value->text);
    return message->len != 0 && message->len <= MESSAGE_MAX_BYTES &&
           memchr(message->at, '\n', message->len) == NULL;
}

static void add_false(struct evaluation *e, const struct spot *s, const struct rule_tree_rule *rule,
                      const struct run_activation *activation)
{
    struct arena *a = e->arena;
    struct str detail, end;
    const size_t before = e->out->error_count;
    const bool has_message = make_message(e, rule, activation, &detail, &end);
    if (end.len != 0) {
        add_failure(e, s, rule, rule->field, end);
        note_unchanged(e, s, rule, before);
        return;
    }
    if (!has_message)
        detail = rule->message.len != 0 ? strings_trim_space(a, rule->message)
                                        : str_join(a, STR_PARTS(STR("failed rule: "), text_of_rule(e, rule)));
    const bool is_collection = str_eq(s->place->type, STR("object")) || str_eq(s->place->type, STR("array"));
    const struct value *shown = !kubernetes_in(e->request->minor).shows_values
                                    ? value_string(a, s->place->type)
                                : is_collection ? NULL
                                                : s->now;
    add_error(e, s, rule, rule->field, crd_error_body(a, rule->reason, shown, detail), detail);
    note_unchanged(e, s, rule, before);
}

static void add_run_error(struct evaluation *e, const struct spot *s, const struct rule_tree_rule *rule,
                          const struct run_result *result)
{
    struct arena *a = e->arena;
    const struct str text = text_of_rule(e, rule), error = result->text;
    struct str detail;
    e->run->counts[rule->index].n_failed++;
    if (result->code == ISSUE_NO_OVERLOAD) {
        detail = str_join(a, STR_PARTS(STR("'"), error,
                                       STR("': call arguments did not match a supported operator, function "
                                           "or macro signature for rule: "),
                                       text));
    } else if (result->code == ISSUE_COST_LIMIT) {
        detail = str_join(a, STR_PARTS(STR("'"), error,
                                       STR("': no further validation rules will be run due to call cost "
                                           "exceeds limit for rule: "),
                                       text));
        e->is_over = true;
    } else {
        detail = str_join(a, STR_PARTS(error, STR(" evaluating rule: "), text));
    }
    const size_t before = e->out->error_count;
    add_failure(e, s, rule, STR(""), detail);
    if (e->out->error_count > before && result->value != NULL)
        e->out->errors[before].missing_key = value_missing_key(result->value);
}

/* The values of self and oldSelf, of the message and of a rule with an optional oldSelf. */
struct selves {
    struct run_input plain[INPUTS], optional[INPUTS];
    size_t plain_count, optional_count;
};

static bool make_selves(struct evaluation *e, const struct spot *s, struct selves *out)
{
    struct arena *a = e->arena;
    const struct rule_tree_node *p = s->place;
    const struct value *self = custom_value_of(a, s->now, p->schema, p->is_resource, &e->out->missing),
                       *old = NULL;
    if (self != NULL && s->before != NULL && p->uses_old_self)
        old = custom_value_of(a, s->before, p->schema, p->is_resource, &e->out->missing);
    if (e->out->missing.len != 0) {
        e->is_over = true;
        return false;
    }
    const struct run_input input = {.name = STR("self"), .value = self};
    *out = (struct selves){{input}, {input}, 1, 1};
    if (!p->uses_old_self)
        return true;
    out->optional[out->optional_count++] = (struct run_input){
        .name = STR("oldSelf"), .value = old == NULL ? &value_none : value_optional(a, old)};
    if (old != NULL)
        out->plain[out->plain_count++] = (struct run_input){.name = STR("oldSelf"), .value = old};
    return true;
}

static void evaluate_rule(struct evaluation *e, const struct spot *s, const struct rule_tree_rule *rule,
                          struct selves *selves)
{
    struct run_activation plain = {.inputs = selves->plain, .input_count = selves->plain_count},
                          optional = {.inputs = selves->optional, .input_count = selves->optional_count};
    struct crd_run_count *count = &e->run->counts[rule->index];
    if (!rule->is_ready || (rule->uses_old_self && s->before == NULL && !rule->has_optional_old_self))
        return;
    const struct run_result result = run_evaluate(
        &rule->plan, e->arena, rule->has_optional_old_self ? &optional : &plain, RUN_EXPRESSION_COST);
    if (result.end == RUN_MISSING) {
        set_missing(e, result.text);
    } else if (!pay(e, result.cost)) {
        add_failure(e, s, rule, STR(""), OUT_OF_BUDGET);
    } else if (result.end == RUN_ERROR) {
        add_run_error(e, s, rule, &result);
    } else if (result.value->kind == VALUE_BOOL && result.value->boolean) {
        count->n_true++;
    } else {
        count->n_false++;
        add_false(e, s, rule, &plain);
    }
}

static void evaluate_rules(struct evaluation *e, const struct spot *s)
{
    struct selves selves;
    if (s->place->rule_count == 0)
        return;
    if (e->budget <= 0) {
        add_failure(e, s, NULL, STR(""), OUT_OF_BUDGET);
        e->is_over = true;
        return;
    }
    if (!make_selves(e, s, &selves))
        return;
    for (size_t i = 0; i < s->place->rule_count && !e->is_over; i++)
        evaluate_rule(e, s, &s->place->rules[i], &selves);
}

/* ---- places ---- */

static void visit(struct evaluation *e, const struct spot *s);

/* Visits a value below `s`. If the value at `s` has no old value, the values below it have none. */
static void enter(struct evaluation *e, const struct spot *s, const struct crd_twin *twin, bool has_twin,
                  struct spot *below)
{
    below->parent = s->twin.now != NULL ? s->twin : s->parent;
    below->depth = s->depth + 1;
    if (s->twin.now != NULL && has_twin)
        below->twin = *twin;
    if (below->depth > DEPTH)
        arena_fail(e->arena, ARENA_STEPS);
    visit(e, below);
}

static bool is_correlatable(struct evaluation *e, const struct rule_tree_node *place)
{
    const struct str type = custom_value_text(e->arena, place->schema, STR("x-kubernetes-map-type"));
    return type.len == 0 || str_eq(type, STR("granular")) || str_eq(type, STR("atomic"));
}

static void visit_member(struct evaluation *e, const struct spot *s, const struct rule_tree_node *place,
                         const struct value_entry *entry, bool is_field)
{
    const struct crd_error_way way = {s->way, entry->key->text, is_field ? CRD_ERROR_FIELD : CRD_ERROR_ENTRY,
                                      0};
    struct spot below = {.place = place, .now = entry->value, .way = &way};
    struct crd_twin twin;
    const bool has_twin = s->twin.now != NULL && crd_twin_member(e->arena, &s->twin, entry->key->text, &twin);
    /* the server does not see what these two were before */
    const bool is_type = s->parent.now == NULL && (str_eq(entry->key->text, STR("apiVersion")) ||
                                                   str_eq(entry->key->text, STR("kind")));
    if (is_correlatable(e, s->place))
        below.before = custom_value_member(e->arena, s->before, entry->key->text);
    if (below.before != NULL && below.before->kind == VALUE_NULL)
        below.before = NULL;
    struct spot without = *s;
    if (is_type)
        without.twin = without.parent = (struct crd_twin){.now = NULL};
    enter(e, is_type ? &without : s, &twin, has_twin, &below);
}

static const struct rule_tree_node *find_property(struct evaluation *e, const struct rule_tree_node *place,
                                                  struct str key)
{
    const struct rule_tree_node *p = place->properties;
    while (p != NULL && !str_eq(p->key, key)) {
        arena_step(e->arena);
        p = p->next;
    }
    return p;
}

static void visit_map(struct evaluation *e, const struct spot *s)
{
    const struct value_map *map = s->now->map;
    for (size_t i = 0; i < map->count && !e->is_over; i++) {
        if (s->place->additional != NULL)
            visit_member(e, s, s->place->additional, &map->entries[i], false);
        const struct rule_tree_node *p = find_property(e, s->place, map->entries[i].key->text);
        if (p != NULL && !e->is_over)
            visit_member(e, s, p, &map->entries[i], true);
    }
}

static void visit_list(struct evaluation *e, const struct spot *s)
{
    const struct value_list *list = s->now->list;
    for (size_t i = 0; s->place->items != NULL && i < list->count && !e->is_over; i++) {
        const struct crd_error_way way = {s->way, STR(""), CRD_ERROR_ITEM, i};
        struct spot below = {.place = s->place->items, .now = list->items[i], .way = &way};
        struct crd_twin twin;
        const bool has_twin = s->twin.now != NULL && crd_twin_item(e->arena, &s->twin, i, &twin);
        below.before = crd_twin_find(e->arena, s->place->schema, s->before, list->items[i]);
        enter(e, s, &twin, has_twin, &below);
    }
}

static void visit(struct evaluation *e, const struct spot *s)
{
    arena_step(e->arena);
    if (s->now->kind == VALUE_NULL)
        return;
    evaluate_rules(e, s);
    if (s->now->kind == VALUE_MAP && !e->is_over)
        visit_map(e, s);
    else if (s->now->kind == VALUE_LIST && !e->is_over)
        visit_list(e, s);
}

/* ---- the resource ---- */

static const struct value *complete(struct evaluation *e, struct str json)
{
    const struct crd_run_request *r = e->request;
    const struct value *v = json_value_read(e->arena, json);
    if (v == NULL || v->kind != VALUE_MAP)
        v = NULL;
    if (v != NULL && r->root != NULL)
        v = sent_object_complete(e->arena, v, r->doc, r->root);
    if (v == NULL)
        set_missing(e, STR("vapcheck cannot complete the object by the schema of its kind"));
    return v;
}

/* Only a request for the status changes it. */
static const struct value *keep_status(struct evaluation *e, const struct value *now,
                                       const struct value *before)
{
    const struct value *key = value_string(e->arena, STR("status")),
                       *status = custom_value_member(e->arena, before, STR("status"));
    struct value *kept = value_map_new(e->arena, now->map->count + 1);
    kept->map->is_json = true;
    for (size_t i = 0; i < now->map->count; i++) {
        if (!str_eq(now->map->entries[i].key->text, key->text))
            value_map_set(e->arena, kept->map, now->map->entries[i].key, now->map->entries[i].value);
    }
    if (status != NULL)
        value_map_set(e->arena, kept->map, key, status);
    return kept;
}

static void list_errors(struct evaluation *e)
{
    struct crd_run_result *out = e->out;
    struct str *texts = ARENA_ARRAY(e->arena, out->error_count + 1, struct str);
    size_t count = 0;
    for (size_t i = 0; i < out->error_count; i++) {
        if (!out->errors[i].is_warning)
            texts[count++] = out->errors[i].text;
    }
    out->message = crd_error_list(e->arena, texts, count);
}

static void evaluate(struct evaluation *e)
{
    const struct crd_run_request *r = e->request;
    const struct rule_tree_node *root = e->run->tree.root;
    const struct value *now = complete(e, r->object), *before = NULL;
    if (now != NULL && r->old_object.len != 0)
        before = complete(e, r->old_object);
    if (e->is_over || root == NULL)
        return;
    if (r->has_status)
        now = keep_status(e, now, before);
    e->out->blocked = crd_fit_problem(e->arena, now, root->schema);
    if (e->out->blocked.len != 0)
        return;
    struct spot s = {.place = root, .now = now, .before = before};
    if (before != NULL)
        s.twin = (struct crd_twin){now, before, root->schema};
    visit(e, &s);
    list_errors(e);
}

void crd_run_evaluate(struct crd_run *run, const struct crd_run_request *request,
                      struct crd_run_result *result)
{
    memset(result, 0, sizeof *result);
    arena_init(&result->arena, EVALUATE_ARENA_BYTES);
    result->arena.max_steps = EVALUATE_MAX_STEPS;
    struct evaluation e = {
        .run = run, .request = request, .out = result, .arena = &result->arena, .budget = CRD_RUN_COST};
    result->missing = run->is_exhausted ? TOO_MUCH : run->tree.missing;
    if (result->missing.len != 0)
        return;
    if (setjmp(result->arena.escape) != 0) {
        result->missing = TOO_MUCH;
        return;
    }
    result->errors = ARENA_ARRAY(&result->arena, ERRORS_MAX, struct crd_run_error);
    evaluate(&e);
}

void crd_run_result_deinit(struct crd_run_result *result)
{
    arena_deinit(&result->arena);
}
