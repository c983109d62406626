/*
 * eval() evaluates a step and, below it, its parts; each result passes through observe(), which counts costs
 * and ends the run at the limit. Errors are values: a step returns the error of its operand, and && and ||
 * may absorb it. Three things end the run at once, by a longjmp to run_evaluate(): the cost limit, a fatal
 * error (Go would panic), and something that this evaluator lacks. An attribute is resolved from its
 * variable along its qualifiers (apply_qualifiers); the order in which they are paid, and whether Go has
 * wrapped a value by then, decide costs and the words of errors. Each comprehension of the plan has its own
 * state in an array, so that inner loops can read the variables of outer ones.
 */
#include "typecheck/cel/interpreter/run.h"

#include <setjmp.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/call.h"
#include "typecheck/cel/interpreter/functions/arithmetic.h"
#include "typecheck/cel/interpreter/functions/optionals.h"
#include "typecheck/cel/interpreter/functions/qualify.h"
#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/interpreter/tracker.h"
#include "typecheck/cel/interpreter/values/equality.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/objects.h"
#include "typecheck/cel/interpreter/values/typed_value.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"

/* Steps within each other: those of a plan, and initial values where they are first used. */
enum { RUN_DEPTH = 4000, FEW_ARGS = 8 };

/* A comprehension that goes on, or has ended. */
struct fold_state {
    const struct value *accu; /* the accumulator's value; NULL if it was not used yet */
    const struct value *first, *second;
    const struct step_fold *fold;
    bool is_mutable;
};

struct run {
    struct arena *arena;
    const struct plan *plan;
    const struct run_activation *activation;
    struct fold_state *folds;
    struct tracker tracker;
    struct invocation call; /* the one that is going on: calls do not call */
    unsigned depth;
    bool counts_at_once; /* cel-go's rule of costs: the tracker keeps no values */
    bool is_native;      /* the value that was resolved last is JSON that Go has not wrapped */
    struct str missing;  /* the thing that was missing when a variable was looked up */
    struct run_result result;
    jmp_buf stop; /* at once, whatever would absorb an error */
};

static const struct value *eval(struct run *r, const struct step *s);
static const struct value *resolve(struct run *r, const struct attribute *x);

static _Noreturn void stop(struct run *r, enum run_end end, struct str text)
{
    r->result.end = end;
    r->result.text = text;
    longjmp(r->stop, 1);
}

static _Noreturn void stop_with(struct run *r, const struct value *fatal)
{
    r->result.code = fatal->code;
    stop(r, RUN_ERROR, fatal->text);
}

static void pay(struct run *r, uint64_t cost)
{
    if (r->counts_at_once && cost > UINT64_MAX - r->tracker.cost)
        r->tracker.cost = UINT64_MAX;
    else
        r->tracker.cost += cost;
}

static uint32_t step_id(const struct step *s)
{
    return s->kind == STEP_ATTRIBUTE ? plan_attribute_id(s->attribute) : s->id;
}

/* Every step ends here. */
static const struct value *observe(struct run *r, uint32_t id, const struct value *v)
{
    const struct run_observer *observer = r->activation->observer;
    if (observer != NULL)
        observer->see(observer->user, id, v);
    if (r->counts_at_once ? r->tracker.cost > r->tracker.limit : !tracker_push(&r->tracker, id, v)) {
        r->result.code = ISSUE_COST_LIMIT;
        stop(r, RUN_ERROR, STR("operation cancelled: actual cost limit exceeded"));
    }
    return v;
}

/* The tracker forgets the value of the step, which is not an operand any more. */
static void drop(struct run *r, uint32_t id)
{
    if (!r->counts_at_once)
        tracker_drop(&r->tracker, id);
}

/* Ends the run if a step made a fatal error, before the step is paid. */
static const struct value *check_fatal(struct run *r, const struct value *v)
{
    if (v->is_fatal)
        stop_with(r, v);
    return v;
}

/* ---- variables ---- */

/* `variables` as a whole, which stands for what is asked for one by one. */
static struct value_map no_entries;
static const struct value all_variables = {.kind = VALUE_MAP, .map = &no_entries};

static const struct value *read_value(struct run *r, const struct run_input *input)
{
    const struct value *v =
        input->make != NULL ? input->make(input->user, r->arena) : json_value_read(r->arena, input->json);
    if (input->type != NULL)
        v = typed_value_of(r->arena, v, input->type);
    if (v == NULL)
        stop(r, RUN_MISSING,
             str_join(r->arena,
                      STR_PARTS(STR("vapcheck does not evaluate objects that are not as their schema "
                                    "says: "),
                                input->name)));
    return v;
}

static const struct value *read_input(struct run *r, struct str name)
{
    const struct run_activation *activation = r->activation;
    for (size_t i = 0; i < activation->input_count; i++) {
        struct run_input *input = &activation->inputs[i];
        if (!str_eq(input->name, name))
            continue;
        if (input->value == NULL)
            input->value = read_value(r, input);
        return input->value;
    }
    if (activation->variables != NULL && str_eq(name, STR("variables")))
        return &all_variables;
    return value_error(r->arena, str_join(r->arena, STR_PARTS(STR("no such attribute(s): "), name)));
}

/* The value of `variables.<key>`; NULL if there is no variable of that name. */
static const struct value *find_variable(struct run *r, const struct value *key)
{
    const struct run_variables *variables = r->activation->variables;
    if (key->kind != VALUE_STRING)
        stop(r, RUN_MISSING, STR("vapcheck does not look up `variables` by what is no string"));
    const struct value *v = variables->find(variables->user, key->text, r->depth, &r->missing);
    if (r->missing.len != 0)
        stop(r, RUN_MISSING, r->missing);
    return v;
}

static const struct value *find_field(struct run *r, const struct value *v, struct str name, bool is_presence)
{
    bool is_lacking = false;
    const struct value *found = objects_field(r->arena, v, name, is_presence, &is_lacking);
    if (is_lacking)
        stop(r, RUN_MISSING, STR(OBJECTS_LACKS));
    return found;
}

/* The value in `v` under the key, as qualify_find returns it. is_presence: only whether it is there is
 * asked. */
static const struct value *find_in(struct run *r, const struct qualifier *q, const struct value *v,
                                   const struct value *key, bool is_presence)
{
    if (value_is_error(key))
        return key;
    if (value_is_error(v))
        return value_error_of(r->arena, v->code, v->text);
    if (q->is_field)
        return find_field(r, v, key->text, is_presence);
    if (v->kind == VALUE_JSON_PATCH)
        return objects_patch_field(r->arena, v, key, is_presence);
    return v == &all_variables ? find_variable(r, key) : qualify_find(r->arena, v, key);
}

/* An empty list or map to collect in is one that grows. */
static const struct value *start_accu(struct run *r, struct fold_state *state)
{
    const struct value *v = eval(r, state->fold->init);
    struct value *grows = NULL;
    if (!state->fold->may_grow)
        return v;
    if (v->kind == VALUE_LIST && v->list->count == 0) {
        grows = value_new_list(r->arena, 0);
        grows->list->is_mutable = true;
    } else if (v->kind == VALUE_MAP && v->map->count == 0) {
        grows = value_map_new(r->arena, 0);
        grows->map->is_mutable = true;
    }
    state->is_mutable = state->is_mutable || grows != NULL;
    return grows != NULL ? grows : v;
}

static const struct value *read_variable(struct run *r, const struct attribute *x)
{
    if (x->kind == ATTRIBUTE_INPUT)
        return read_input(r, x->name);
    struct fold_state *state = &r->folds[x->fold];
    if (x->kind == ATTRIBUTE_FIRST)
        return state->first;
    if (x->kind == ATTRIBUTE_SECOND)
        return state->second;
    if (state->accu == NULL)
        state->accu = start_accu(r, state);
    return state->accu;
}

/* ---- attributes ---- */

static const struct value *qualifier_key(struct run *r, const struct qualifier *q)
{
    const uint32_t keys = VALUE_KIND(VALUE_STRING) | VALUE_KIND(VALUE_INT) | VALUE_KIND(VALUE_UINT) |
                          VALUE_KIND(VALUE_BOOL) | VALUE_KIND(VALUE_DOUBLE) | VALUE_KIND(VALUE_ERROR);
    if (q->constant != NULL)
        return q->constant;
    const struct value *key = resolve(r, q->attribute);
    if ((keys >> key->kind & 1) != 0)
        return key;
    return value_errorf(r->arena, "invalid qualifier type: %s",
                        env_celgo(r->plan->env)->has_generic_types ? value_go_generic_type(key)
                        : r->is_native                             ? value_go_json_type(key)
                                                                   : value_go_type(key));
}

/* Returns true if Go finds what is in JSON without wrapping it. */
static bool stays_native(const struct value *v, const struct value *key)
{
    return (v->kind == VALUE_MAP && key->kind == VALUE_STRING) ||
           (v->kind == VALUE_LIST && key->kind == VALUE_INT);
}

static void pay_qualifier(struct run *r, const struct qualifier *q, const struct value *v)
{
    if (q->attribute != NULL && q->attribute->kind == ATTRIBUTE_RELATIVE && q->attribute->id == q->id)
        drop(r, q->id);
    pay(r, TRACKER_ACCESS_COST);
    (void)observe(r, q->id, v);
}

static const struct value *apply_qualifier(struct run *r, const struct qualifier *q, const struct value *key,
                                           const struct value *v)
{
    const struct value *found = find_in(r, q, v, key, q->is_test);
    if (q->is_test && (found == NULL || !value_is_error(found)))
        found = value_bool(found != NULL);
    else if (found == NULL)
        found = qualify_missing(r->arena, v, key);
    pay_qualifier(r, q, found);
    return found;
}

/* An item that is an error is there. */
static bool is_there(const struct value *found)
{
    return !value_is_error(found) || found->is_item;
}

/* Returns NULL if nothing is there. */
static const struct value *apply_optionally(struct run *r, const struct qualifier *q, const struct value *key,
                                            const struct value *v)
{
    const struct value *found = find_in(r, q, v, key, true);
    if (found != NULL && (is_there(found) || r->counts_at_once))
        pay_qualifier(r, q, found);
    return found;
}

static const struct value *apply_qualifiers(struct run *r, const struct attribute *x, const struct value *v)
{
    bool is_native =
        x->kind == ATTRIBUTE_INPUT && v != &all_variables && !value_is_typed(v) && !value_is_custom(v);
    bool is_optional = v->kind == VALUE_OPTIONAL;
    r->is_native = false;
    if (is_optional && v->inner == NULL)
        return v;
    if (is_optional && !env_celgo(r->plan->env)->keeps_optionals) {
        if (x->qualifier_count == 0)
            return value_optional(r->arena, optionals_rewrap(r->arena, v->inner));
        v = optionals_innermost(r->arena, v);
    } else if (is_optional) {
        v = v->inner;
    }
    for (size_t i = 0; i < x->qualifier_count; i++) {
        const struct qualifier *q = x->qualifiers[i];
        is_optional = is_optional || q->is_optional;
        const struct value *key = qualifier_key(r, q);
        is_native = q->is_field || (is_native && stays_native(v, key));
        v = is_optional ? apply_optionally(r, q, key, v) : apply_qualifier(r, q, key, v);
        is_native = is_native && v != NULL;
        if (v == NULL || !is_there(v))
            break;
    }
    r->is_native = is_native && !is_optional;
    if (v == &all_variables)
        stop(r, RUN_MISSING, STR("vapcheck does not evaluate `variables` as a whole"));
    if (v == NULL)
        return &value_none;
    return is_optional && is_there(v) ? value_optional(r->arena, v) : v;
}

static const struct value *resolve_conditional(struct run *r, const struct attribute *x)
{
    const struct value *condition = eval(r, x->operand);
    if (condition->kind == VALUE_BOOL)
        return resolve(r, condition->boolean ? x->truthy : x->falsy);
    return value_is_error(condition) ? condition : value_no_overload(r->arena);
}

/* The value of an attribute or an error. */
static const struct value *resolve(struct run *r, const struct attribute *x)
{
    if (++r->depth > RUN_DEPTH)
        arena_fail(r->arena, ARENA_STEPS);
    const struct value *v;
    if (x->kind == ATTRIBUTE_CONDITIONAL) {
        v = resolve_conditional(r, x);
    } else {
        v = x->kind == ATTRIBUTE_RELATIVE ? eval(r, x->operand) : read_variable(r, x);
        if (!value_is_error(v))
            v = apply_qualifiers(r, x, v);
    }
    r->depth--;
    return v;
}

static const struct value *eval_attribute(struct run *r, const struct step *s)
{
    const struct attribute *x = s->attribute;
    const struct value *v = resolve(r, x);
    if (s->is_test && v->kind == VALUE_OPTIONAL)
        v = value_bool(v->inner != NULL);
    if (x->kind == ATTRIBUTE_CONDITIONAL) {
        drop(r, plan_attribute_id(x->falsy));
        drop(r, plan_attribute_id(x->truthy));
        drop(r, step_id(x->operand));
    } else {
        drop(r, plan_attribute_id(x));
        pay(r, TRACKER_ACCESS_COST);
    }
    if (s->is_test && (x->kind != ATTRIBUTE_CONDITIONAL || !r->counts_at_once))
        r->tracker.cost -= TRACKER_ACCESS_COST;
    return v;
}

/* ---- operators ---- */

/* && ends at false, || at true; otherwise the first that is not a bool is the result. */
static const struct value *eval_logical(struct run *r, const struct step *s, bool end)
{
    const struct value *error = NULL, *result = NULL;
    for (size_t i = 0; result == NULL && i < s->count; i++) {
        const struct value *v = eval(r, s->parts[i]);
        if (v->kind == VALUE_BOOL && v->boolean == end)
            result = value_bool(end);
        else if (v->kind != VALUE_BOOL && error == NULL)
            error = value_is_error(v) ? v : value_no_overload(r->arena);
    }
    for (size_t i = 0; i < s->count; i++)
        drop(r, step_id(s->parts[i]));
    if (result != NULL)
        return result;
    return error != NULL ? error : value_bool(!end);
}

/* The arguments of a call as the tracker has them; false if one is not there. */
static bool take_args(struct run *r, const struct step *s, const struct value **args)
{
    for (size_t i = s->count; i-- > 0;) {
        args[i] = tracker_take(&r->tracker, step_id(s->parts[i]));
        if (args[i] == NULL)
            return false;
    }
    return true;
}

static const struct value **new_args(struct run *r, const struct step *s, const struct value **few)
{
    return s->count <= FEW_ARGS ? few : ARENA_ARRAY(r->arena, s->count, const struct value *);
}

/* `evaluated`: the arguments. */
static void pay_call(struct run *r, const struct step *s, price_function *price,
                     const struct value *const *evaluated, const struct value *result)
{
    const struct value *few[FEW_ARGS], **taken = new_args(r, s, few);
    if (!r->counts_at_once && !take_args(r, s, taken))
        return;
    const struct value *const *args = r->counts_at_once ? evaluated : taken;
    struct bill bill = {.arena = r->arena,
                        .celgo = env_celgo(r->plan->env),
                        .args = args,
                        .count = s->count,
                        .result = result};
    uint64_t cost = price(&bill);
    if (bill.fatal != NULL)
        stop_with(r, bill.fatal);
    pay(r, cost);
}

/* Evaluates the arguments; the first error among them, or NULL. */
static const struct value *eval_args(struct run *r, const struct step *s, const struct value **args,
                                     bool is_strict, bool ends_at_error)
{
    const struct value *error = NULL;
    for (size_t i = 0; i < s->count; i++) {
        args[i] = eval(r, s->parts[i]);
        if (is_strict && error == NULL && value_is_error(args[i]))
            error = args[i];
        if (error != NULL && ends_at_error)
            break;
    }
    return error;
}

static const struct value *eval_call(struct run *r, const struct step *s)
{
    const struct value *few[FEW_ARGS], **args = new_args(r, s, few);
    struct str missing = STR("");
    bool ends = s->call.shape == FUNCTION_OF_LIST || s->count > 2 || r->counts_at_once;
    const struct value *v = eval_args(r, s, args, s->call.is_strict, ends);
    if (v != NULL && r->counts_at_once && !str_eq(s->call.name, STR("!_")))
        return v;
    if (v == NULL) {
        r->call = (struct invocation){r->arena, s->call.name, args, s->count, s->call.pattern, &missing};
        v = call_apply(s, &r->call);
    }
    if (missing.len != 0)
        stop(r, RUN_MISSING, missing);
    pay_call(r, s, s->call.price, args, check_fatal(r, v));
    return v;
}

/* Kubernetes has a price for == of its own values. */
static price_function *price_of_equals(const struct run *r, const struct value *left, bool is_equals)
{
    return is_equals && value_is_own(left) && env_celgo(r->plan->env)->prices_own_types ? price_one
                                                                                        : price_shorter;
}

static const struct value *eval_equals(struct run *r, const struct step *s, bool is_equals)
{
    const struct value *args[2] = {&value_null, &value_null};
    const struct value *v = eval_args(r, s, args, true, r->counts_at_once);
    if (v == NULL) {
        enum equality equality = equality_of(r->arena, args[0], args[1]);
        if (equality == EQUALITY_UNKNOWN)
            stop(r, RUN_MISSING, STR(EQUALITY_LACKS));
        bool is_error = is_equals && equality == EQUALITY_NO_OVERLOAD;
        v = is_error ? value_no_overload(r->arena) : value_bool((equality == EQUALITY_YES) == is_equals);
    }
    pay_call(r, s, price_of_equals(r, args[0], is_equals), args, v);
    return v;
}

static const struct value *eval_member(struct run *r, const struct step *s)
{
    const struct value *v = eval(r, s->parts[0]);
    if (value_is_error(v))
        return v;
    const struct value *fatal = value_check_hashable(r->arena, v);
    return fatal != NULL ? check_fatal(r, fatal) : value_bool(value_map_at(r->arena, s->set, v) != NULL);
}

static const struct value *eval_optional_or(struct run *r, const struct step *s)
{
    const struct value *v = eval(r, s->parts[0]);
    if (value_is_error(v))
        return v;
    if (v->kind != VALUE_OPTIONAL)
        return env_celgo(r->plan->env)->or_needs_optional ? value_no_overload(r->arena) : v;
    if (v->inner == NULL)
        return eval(r, s->parts[1]);
    return s->wants_value ? v->inner : v;
}

/* ---- lists, maps and objects ---- */

/* Ends the run if a value that an error's text contains has no text. */
static void expect_text(struct run *r, const struct value *v)
{
    if (!value_has_text(r->arena, v))
        stop(r, RUN_MISSING, STR(FUNCTION_LACKS_TEXT));
}

static const struct value *collect_list(struct run *r, const struct step *s)
{
    struct value *list = value_new_list(r->arena, s->count);
    for (size_t i = 0; i < s->count; i++) {
        const struct value *v = eval(r, s->parts[i]);
        bool is_optional = s->optional != NULL && s->optional[i];
        if (value_is_error(v))
            return v;
        if (is_optional && v->kind != VALUE_OPTIONAL)
            expect_text(r, v);
        if (is_optional && v->kind != VALUE_OPTIONAL)
            return value_error(
                r->arena, str_join(r->arena, STR_PARTS(STR("cannot initialize optional list element from "
                                                           "non-optional value "),
                                                       value_text(r->arena, v))));
        if (!is_optional)
            value_append(r->arena, list->list, v);
        else if (v->inner != NULL)
            value_append(r->arena, list->list, v->inner);
    }
    return list;
}

/* Sets an entry of the map, or removes it; NULL, or the error. */
static const struct value *set_entry(struct run *r, struct value_map *map, const struct value *key,
                                     const struct value *v, bool is_optional)
{
    if (is_optional && v->kind != VALUE_OPTIONAL)
        expect_text(r, v);
    if (is_optional && v->kind != VALUE_OPTIONAL)
        return value_error(
            r->arena,
            str_join(r->arena, STR_PARTS(STR("cannot initialize optional entry '"), value_text(r->arena, key),
                                         STR("' from non-optional value "), value_text(r->arena, v))));
    const struct value *fatal = value_check_hashable(r->arena, key);
    if (is_optional && v->inner == NULL)
        value_map_remove(r->arena, map, key);
    else if (fatal == NULL)
        value_map_set(r->arena, map, key, is_optional ? v->inner : v);
    return fatal;
}

static const struct value *collect_map(struct run *r, const struct step *s)
{
    struct value *map = value_map_new(r->arena, s->count / 2);
    for (size_t i = 0; i < s->count; i += 2) {
        const struct value *key = eval(r, s->parts[i]);
        if (value_is_error(key))
            return key;
        const struct value *v = eval(r, s->parts[i + 1]);
        if (value_is_error(v))
            return v;
        const struct value *error = set_entry(r, map->map, key, v, s->optional != NULL && s->optional[i / 2]);
        if (error != NULL)
            return error;
    }
    return map;
}

/* *has_failed: for a field; the error of an object that cannot be made of its fields is a value. */
static const struct value *collect_object(struct run *r, const struct step *s, bool *has_failed)
{
    struct value *fields = value_map_new(r->arena, s->count);
    *has_failed = true;
    for (size_t i = 0; i < s->count; i++) {
        const struct value *v = eval(r, s->parts[i]);
        if (value_is_error(v))
            return v;
        const struct value *error =
            set_entry(r, fields->map, value_string(r->arena, s->object.fields[i]), v, s->optional[i]);
        if (error != NULL)
            return error;
    }
    *has_failed = false;
    const struct value *object = objects_make(r->arena, env_celgo(r->plan->env), s->object.type, fields->map);
    if (object == NULL)
        stop(r, RUN_MISSING, STR(OBJECTS_LACKS));
    return object;
}

static const struct value *eval_constructed(struct run *r, const struct step *s)
{
    const struct value *few[FEW_ARGS], **parts = new_args(r, s, few);
    bool has_failed = false;
    const struct value *v = s->kind == STEP_LIST  ? collect_list(r, s)
                            : s->kind == STEP_MAP ? collect_map(r, s)
                                                  : collect_object(r, s, &has_failed);
    has_failed = has_failed || (s->kind != STEP_OBJECT && value_is_error(v));
    (void)check_fatal(r, v);
    if (r->counts_at_once && has_failed)
        return v;
    if (!r->counts_at_once)
        (void)take_args(r, s, parts);
    pay(r, s->kind == STEP_LIST  ? TRACKER_LIST_COST
           : s->kind == STEP_MAP ? TRACKER_MAP_COST
                                 : TRACKER_OBJECT_COST);
    return v;
}

/* ---- comprehensions ---- */

/* Does one turn of the loop; returns false if the loop ends. */
static bool turn(struct run *r, struct fold_state *state, const struct value *first,
                 const struct value *second)
{
    state->first = first;
    state->second = second;
    const struct value *condition = eval(r, state->fold->condition);
    if (condition->kind == VALUE_BOOL && !condition->boolean)
        return false;
    state->accu = eval(r, state->fold->step);
    return true;
}

static void loop(struct run *r, struct fold_state *state, const struct value *range)
{
    bool has_two = state->fold->has_two, goes_on = true;
    if (range->kind == VALUE_LIST) {
        for (size_t i = 0; goes_on && i < range->list->count; i++) {
            const struct value *item = range->list->items[i];
            goes_on =
                has_two ? turn(r, state, value_int(r->arena, (int64_t)i), item) : turn(r, state, item, NULL);
        }
        return;
    }
    for (size_t i = 0; goes_on && i < range->map->count; i++)
        goes_on = turn(r, state, range->map->entries[i].key, range->map->entries[i].value);
}

/* The list or map that a comprehension has collected, as a value that grows no more. */
static const struct value *settle(struct run *r, const struct fold_state *state, const struct value *v)
{
    bool is_mutable =
        (v->kind == VALUE_LIST && v->list->is_mutable) || (v->kind == VALUE_MAP && v->map->is_mutable);
    if (!state->is_mutable || !is_mutable)
        return v;
    struct value *settled = v->kind == VALUE_LIST ? value_new_list(r->arena, 0) : value_map_new(r->arena, 0);
    if (v->kind == VALUE_LIST) {
        *settled->list = *v->list;
        settled->list->cap = settled->list->count;
        settled->list->is_mutable = false;
    } else {
        *settled->map = *v->map;
        settled->map->is_mutable = false;
    }
    return settled;
}

static const struct value *fold_range(struct run *r, const struct step *s, const struct value *range)
{
    struct fold_state *state = &r->folds[s->fold->index];
    if (value_is_error(range))
        return range;
    const bool is_empty_text =
        (range->kind == VALUE_STRING || range->kind == VALUE_BYTES) && range->text.len == 0;
    if (is_empty_text && env_celgo(r->plan->env)->folds_empty_texts) {
        *state = (struct fold_state){.fold = s->fold};
        return settle(r, state, eval(r, s->fold->result));
    }
    if (range->kind != VALUE_LIST && range->kind != VALUE_MAP)
        return s->fold->has_two
                   ? value_errorf(r->arena, "unsupported comprehension range type: %s", value_go_type(range))
                   : value_errorf(r->arena, "got '%s', expected iterable type", value_go_type(range));
    *state = (struct fold_state){.fold = s->fold};
    if (!env_celgo(r->plan->env)->starts_lazily)
        state->accu = start_accu(r, state);
    loop(r, state, range);
    return settle(r, state, eval(r, s->fold->result));
}

static const struct value *eval_fold(struct run *r, const struct step *s)
{
    const struct value *range = eval(r, s->fold->range);
    const struct value *v = fold_range(r, s, range);
    drop(r, step_id(s->fold->range));
    return v;
}

/* ---- the tree ---- */

static const struct value *eval_kind(struct run *r, const struct step *s)
{
    switch (s->kind) {
    case STEP_CONSTANT:
        return s->constant;
    case STEP_ATTRIBUTE:
        return eval_attribute(r, s);
    case STEP_AND:
        return eval_logical(r, s, false);
    case STEP_OR:
        return eval_logical(r, s, true);
    case STEP_CALL:
        return eval_call(r, s);
    case STEP_EQUALS:
        return eval_equals(r, s, true);
    case STEP_NOT_EQUALS:
        return eval_equals(r, s, false);
    case STEP_MEMBER:
        return eval_member(r, s);
    case STEP_OPTIONAL_OR:
        return eval_optional_or(r, s);
    case STEP_LIST:
    case STEP_MAP:
    case STEP_OBJECT:
        return eval_constructed(r, s);
    case STEP_FOLD:
        return eval_fold(r, s);
    }
    return &value_null;
}

static const struct value *eval(struct run *r, const struct step *s)
{
    arena_step(r->arena);
    if (++r->depth > RUN_DEPTH)
        arena_fail(r->arena, ARENA_STEPS);
    const struct value *v = eval_kind(r, s);
    r->depth--;
    return observe(r, step_id(s), v);
}

struct run_result run_evaluate(const struct plan *plan, struct arena *a,
                               const struct run_activation *activation, uint64_t cost_limit)
{
    struct run *r = ARENA_NEW(a, struct run);
    r->arena = a;
    r->plan = plan;
    r->activation = activation;
    r->depth = activation->depth;
    r->folds = ARENA_ARRAY(a, plan->fold_count, struct fold_state);
    r->counts_at_once = env_celgo(plan->env)->counts_at_once;
    r->tracker = (struct tracker){.arena = a, .limit = cost_limit};
    if (setjmp(r->stop) == 0) {
        const struct value *v = eval(r, plan->root);
        r->result.end = value_is_error(v) ? RUN_ERROR : RUN_VALUE;
        r->result.value = v;
        r->result.text = value_is_error(v) ? v->text : STR("");
        r->result.code = value_is_error(v) ? v->code : ISSUE_OTHER;
    }
    r->result.cost = r->tracker.cost;
    return r->result;
}
