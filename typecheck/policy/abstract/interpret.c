#include "typecheck/policy/abstract/interpret.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/reads.h"
#include "typecheck/policy/abstract/compared.h"
#include "typecheck/policy/abstract/domain/abslogic.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/domain/absval_text.h"
#include "typecheck/policy/abstract/domain/bounds.h"
#include "typecheck/policy/abstract/domain/calls.h"
#include "typecheck/policy/abstract/domain/optional_call.h"
#include "typecheck/policy/abstract/domain/qualifiers.h"
#include "typecheck/policy/abstract/narrowed.h"
#include "typecheck/policy/abstract/patch.h"
#include "typecheck/policy/abstract/patch_sequence.h"

/* Names */

static const struct absval *find_root(const struct eval_context *e, struct str name)
{
    struct activation *s = e->activation;
    const struct {
        struct str name;
        const struct absval *value;
    } roots[] = {
        {STR_INIT("object"), s->object},
        {STR_INIT("oldObject"), s->old_object},
        {STR_INIT("params"), s->params},
        {STR_INIT("namespaceObject"),
         e->is_match_condition ? s->match_namespace_object : s->namespace_object},
        {STR_INIT("authorizer"), s->authorizer},
    };
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        if (str_eq(roots[i].name, name))
            return roots[i].value;
    }
    return str_eq(name, STR("request")) ? activation_request(s, e->of_way) : NULL;
}

/* The name of a type is a value, too. */
static const struct absval *type_value(struct eval_context *e, struct str name)
{
    static const struct {
        struct str name;
        uint32_t kinds;
    } types[] = {
        {STR_INIT("bool"), ABS_BOOL},
        {STR_INIT("bytes"), ABS_BYTES},
        {STR_INIT("double"), ABS_DOUBLE},
        {STR_INIT("int"), ABS_INT},
        {STR_INIT("list"), ABS_LIST},
        {STR_INIT("map"), ABS_MAP},
        {STR_INIT("null_type"), ABS_NULL},
        {STR_INIT("string"), ABS_STRING},
        {STR_INIT("type"), ABS_TYPE},
        {STR_INIT("uint"), ABS_UINT},
        {STR_INIT("optional_type"), ABS_OPTIONAL},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (str_eq(types[i].name, name))
            return absval_of_type_value(e->arena, types[i].kinds);
    }
    return NULL;
}

/* Nothing is known. */
static const struct absval *unknown(struct eval_context *e)
{
    return absval_failing(e->arena, &absval_any);
}

static const struct absval *interpret_ident(struct eval_context *e, const struct node *n)
{
    struct str name = ast_name(n);
    const struct binding *local =
        name.len == n->ident.len ? narrowing_find_local(e->arena, e->scope.locals, name) : NULL;
    const struct absval *v = local != NULL ? local->value : find_root(e, name);
    if (v == NULL)
        v = type_value(e, name);
    return v == NULL ? unknown(e) : v;
}

/* Returns true if `n` is the policy's own `name` and no variable of a macro. */
static bool is_root(const struct eval_context *e, const struct node *n, struct str name)
{
    return n->kind == NODE_IDENT && str_eq(ast_name(n), name) &&
           (n->ident.len != name.len || narrowing_find_local(e->arena, e->scope.locals, name) == NULL);
}

/* Variables */

/* The slot of the name, or the free one where it belongs. */
static uint32_t *find_slot(const struct eval_context *e, struct arena *a, struct str name)
{
    arena_pay_hash(a, name.len);
    size_t i = str_hash(name) & (e->variable_cap - 1);
    for (; e->variable_slots[i] != 0; i = (i + 1) & (e->variable_cap - 1)) {
        if (str_eq(e->expressions[e->variables[e->variable_slots[i] - 1].expression].name, name))
            break;
    }
    return &e->variable_slots[i];
}

/* The last of equal names wins. */
void interpret_index_variables(struct eval_context *e, struct arena *a)
{
    e->variable_cap = 2;
    while (e->variable_cap < 2 * e->variable_count)
        e->variable_cap *= 2;
    e->variable_slots = ARENA_ARRAY(a, e->variable_cap, uint32_t);
    for (size_t i = 0; i < e->variable_count; i++)
        *find_slot(e, a, e->expressions[e->variables[i].expression].name) = (uint32_t)i + 1;
}

static struct variable_state *find_variable(const struct eval_context *e, struct str name)
{
    uint32_t slot = *find_slot(e, e->arena, name);
    return slot == 0 ? NULL : &e->variables[slot - 1];
}

/* Evaluates a variable; its value outlives the expression at hand. */
void interpret_variable(struct eval_context *e, struct variable_state *v)
{
    struct eval_context outer = *e;
    size_t mark = findings_mark(e->findings);
    e->arena = e->of_way;
    e->expression = v->expression;
    e->scope = (struct scope){.narrowing = e->policy_narrowing};
    e->running = v;
    v->around = outer.running;
    v->is_running = true;
    v->value = interpret_node(e, e->expressions[v->expression].ast->root);
    v->is_running = false;
    v->is_done = true;
    v->notes = findings_take(e->findings, e->of_way, mark, &v->note_count);
    outer.variables_run = e->variables_run + 1;
    *e = outer;
}

/*
 * variables.NAME: "variables are evaluated when they are used"; an error in one is an error at each use, and
 * absorbed there.
 */
static const struct absval *interpret_use(struct eval_context *e, struct str name)
{
    struct variable_state *v = find_variable(e, name);
    if (v == NULL || v->is_running || v->is_awaited || e->expressions[v->expression].ast == NULL)
        return unknown(e); /* it is none, or would need itself */
    v->is_used = v->is_used || !e->scope.unknown;
    if (!v->is_done)
        interpret_variable(e, v);
    if (!e->scope.unknown)
        findings_add(e->findings, e->scope.behind, v->notes, v->note_count);
    return v->value;
}

/* Logic */

/* Behind "x != null ||" x is null. */
static const struct absval *apply_narrowing(struct eval_context *e, const struct node *n,
                                            const struct absval *v)
{
    const struct scope *s = &e->scope;
    if (s->narrowing == NULL || v->is_error || v->kinds == ABS_NULL)
        return v;
    if ((v->kinds & ABS_NULL) != 0 && narrowing_has(e->arena, s->narrowing, NARROWING_NULL, n, s->locals))
        return absval_derive(e->arena, &absval_null, v);
    return narrowed_value(e, n, v);
}

/* "A non-bool operand of &&, !, ?: fails." */
static const struct absval *interpret_bool(struct eval_context *e, const struct node *n,
                                           const struct node *around, const struct absval *v)
{
    struct site site = eval_context_operand(e, n, around);
    if (v->is_error)
        return v;
    if ((v->kinds & ABS_BOOL) == 0) {
        struct str text = absval_text(e->arena, v);
        return eval_context_error(e, site, ISSUE_TYPE_MISMATCH,
                                  (struct issue_about){.wanted = STR("bool"), .given = text},
                                  STR_PARTS(STR("expected type 'bool' but found '"), text, STR("'")));
    }
    eval_context_pass(e, site);
    return v->kinds == ABS_BOOL ? v : absval_failing(e->arena, v);
}

/* `n` is evaluated only if `condition` is `truth`. logical: the operator of which it is the right operand;
 * NULL. */
static const struct absval *interpret_guarded(struct eval_context *e, const struct node *n,
                                              const struct node *condition_node,
                                              const struct absval *condition, bool truth,
                                              const struct node *logical)
{
    struct scope outer = e->scope;
    e->scope.narrowing =
        eval_context_assume(e, e->arena, outer.narrowing, outer.locals, condition_node, truth);
    e->scope.unknown |= absval_is_doubtful(condition, truth);
    const struct absval *v = interpret_node(e, n);
    if (logical != NULL)
        narrowed_claim(e, logical, e->decided, v);
    e->scope = outer;
    return v;
}

/*
 * The left operand decides, unless it fails. The right one passes as it does,
 * but evaluation does not certainly reach what fails in it.
 */
static const struct absval *interpret_decided(struct eval_context *e, const struct node *right,
                                              const struct absval *left)
{
    struct scope outer = e->scope;
    e->scope.unknown = true;
    if (left->may_fail)
        interpret_node(e, right);
    e->scope = outer;
    return left;
}

static const struct absval *interpret_logical(struct eval_context *e, const struct node *n)
{
    struct scope outer = e->scope;
    size_t mark = findings_mark(e->findings);
    bool is_or = n->op == AST_OR;
    const struct node *left_node = n->call.args[0], *right_node = n->call.args[1];
    const struct absval *left = interpret_bool(e, left_node, left_node, interpret_node(e, left_node));
    if (!left->is_error && !absval_can_be(left, !is_or))
        return interpret_decided(e, right_node, left);
    eval_context_go_past(e, left, mark);
    const struct node *decided_before = e->decided;
    const bool was_true = e->is_decided_true;
    e->decided = NULL;
    const struct absval *right = interpret_guarded(e, right_node, left_node, left, !is_or, n);
    e->decided = decided_before;
    e->is_decided_true = was_true;
    const struct absval *v =
        abslogic_and_or(e->arena, is_or, left, interpret_bool(e, right_node, right_node, right));
    e->scope = outer;
    if (!v->may_fail)
        findings_absorb(e->findings, mark);
    return v;
}

/* "?: does not absorb its condition's error, and does not evaluate the branch that is not taken." */
static const struct absval *interpret_conditional(struct eval_context *e, const struct node *n)
{
    struct scope outer = e->scope;
    size_t mark = findings_mark(e->findings);
    const struct node *condition_node = n->call.args[0];
    const struct absval *v = NULL;
    const struct absval *condition = interpret_bool(e, condition_node, n, interpret_node(e, condition_node));
    eval_context_go_past(e, condition, mark);
    e->scope.hypothetical |= condition->is_error;
    for (int truth = 1; truth >= 0; truth--) {
        if (!condition->is_error && !absval_can_be(condition, truth))
            continue;
        const struct node *branch = n->call.args[truth ? 1 : 2];
        v = absval_join(e->arena, v, interpret_guarded(e, branch, condition_node, condition, truth, NULL));
    }
    e->scope = outer;
    if (v != NULL && !condition->may_fail && condition->author != ABS_OF_REQUEST &&
        absval_can_be(condition, true) != absval_can_be(condition, false))
        v = absval_by(e->arena, v, v->author == ABS_OF_REQUEST ? ABS_OF_REQUEST : condition->author);
    return absval_derive(e->arena, v, condition);
}

static const struct absval *interpret_not(struct eval_context *e, const struct node *n)
{
    const struct node *operand = n->call.args[0], *decided_before = e->decided;
    const struct absval *v = interpret_bool(e, operand, n, interpret_node(e, operand));
    /* what is denied is about the denial; of a comparison, about itself */
    const bool is_decided =
        e->decided == operand && decided_before == NULL &&
        (operand->kind != NODE_CALL || operand->op == AST_FUNCTION || operand->op == AST_IN);
    if (is_decided) {
        e->decided = n;
        e->is_decided_true = !e->is_decided_true;
    } else if (!e->scope.hypothetical) {
        findings_claim(e->findings, eval_context_site(e, n), NULL, false);
    }
    return v->is_error ? v : eval_context_doubt(e, n, abslogic_not(e->arena, v));
}

/* Literals */

/* The value that an entry adds, if it adds one: for [?x] and {?k: x} the value in x. */
struct addition {
    enum absval_presence presence;
    const struct absval *value; /* the member's value; NULL for ABS_ABSENT */
};

static struct addition addition(const struct absval *v, bool is_optional)
{
    if (!is_optional)
        return (struct addition){ABS_PRESENT, v};
    if ((v->kinds & ABS_OPTIONAL) == 0)
        return (struct addition){ABS_MAYBE, &absval_any};
    if (!v->may_have)
        return (struct addition){ABS_ABSENT, NULL};
    bool is_sure = v->kinds == ABS_OPTIONAL && !v->may_be_none;
    return (struct addition){is_sure ? ABS_PRESENT : ABS_MAYBE, v->inner};
}

static const struct absval *interpret_list(struct eval_context *e, const struct node *n)
{
    const struct absval **items = ARENA_ARRAY(e->arena, n->list.count, const struct absval *);
    struct absval made = {0};
    size_t count = 0;
    bool is_exact = true, has_author = true;
    enum absval_author author = ABS_BY_LITERALS;
    for (size_t i = 0; i < n->list.count; i++) {
        const struct absval *v = interpret_node(e, n->list.elements[i]);
        made.may_fail = made.may_fail || v->may_fail;
        made.is_error = made.is_error || v->is_error;
        has_author = has_author && v->author != ABS_OF_REQUEST;
        author = v->author > author ? v->author : author;
        struct addition item = addition(v, n->list.optional != NULL && n->list.optional[i]);
        if (item.presence == ABS_ABSENT)
            continue;
        is_exact = is_exact && item.presence == ABS_PRESENT;
        items[count++] = item.value;
    }
    const struct absval *list = is_exact
                                    ? absval_of_items(e->arena, items, count)
                                    : absval_of_elements(e->arena, absval_join_all(e->arena, items, count));
    return absval_by(e->arena, absval_derive(e->arena, list, &made), has_author ? author : ABS_OF_REQUEST);
}

/* Returns true if the key is that of an entry that may be missing, so that it may come from either. */
static bool is_repeated(struct eval_context *e, const struct absfield *fields, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++) {
        arena_step(e->arena);
        arena_pay_bytes(e->arena, name.len);
        if (fields[i].presence == ABS_MAYBE && str_eq(fields[i].name, name))
            return true;
    }
    return false;
}

/* A map whose keys are all known has fields; any other has keys and values of some sort. */
static const struct absval *interpret_map(struct eval_context *e, const struct node *n)
{
    struct absfield *fields = ARENA_ARRAY(e->arena, n->map.count, struct absfield);
    const struct absval *keys = NULL, *values = NULL;
    struct absval made = {0};
    size_t count = 0;
    bool is_known = true, may_repeat = false;
    for (size_t i = 0; i < n->map.count; i++) {
        const struct entry *entry = &n->map.entries[i];
        const struct absval *key = interpret_node(e, entry->key), *value = interpret_node(e, entry->value);
        const struct str *name = absval_constant_string(key);
        made.may_fail = made.may_fail || key->may_fail || value->may_fail;
        made.is_error = made.is_error || key->is_error || value->is_error;
        struct addition added = addition(value, entry->optional);
        if (added.presence == ABS_ABSENT)
            continue;
        keys = absval_join(e->arena, keys, key);
        values = absval_join(e->arena, values, added.value);
        is_known = is_known && name != NULL && !(may_repeat && is_repeated(e, fields, count, *name));
        may_repeat = may_repeat || added.presence == ABS_MAYBE;
        if (is_known)
            fields[count++] =
                (struct absfield){.name = *name, .presence = added.presence, .value = added.value};
    }
    struct absmap map = {.key = values == NULL ? NULL : keys, .value = values};
    if (is_known)
        map = (struct absmap){.fields = fields,
                              .field_count = count,
                              .field_keys = keys == NULL || keys->may_fail ? NULL : keys,
                              .field_values = values};
    return absval_derive(e->arena, absval_of_map(e->arena, map), &made);
}

/* In a JSON patch Object{...} is a map with these fields; what an apply configuration makes of it is
 * patch.h's. */
static const struct absval *interpret_structure(struct eval_context *e, const struct node *n)
{
    const size_t count = n->structure.count;
    const struct absval **values = ARENA_ARRAY(e->arena, count, const struct absval *);
    struct absfield *fields = ARENA_ARRAY(e->arena, count, struct absfield);
    struct absval made = {.may_fail = true};
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &n->structure.fields[i];
        values[i] = interpret_node(e, entry->value);
        made.is_error = made.is_error || values[i]->is_error;
        struct addition added = addition(values[i], entry->optional);
        if (added.presence != ABS_ABSENT)
            fields[known++] =
                (struct absfield){.name = entry->name, .presence = added.presence, .value = added.value};
    }
    bool has_json = true;
    if (patch_judge(e, n, values, &has_json))
        patch_sequence_note(e, n, values, has_json);
    if (e->operations == NULL)
        return absval_derive(e->arena, &absval_any, &made);
    struct absmap map = {.fields = fields, .field_count = known};
    return absval_derive(e->arena, absval_of_map(e->arena, map), &made);
}

/* Comprehensions */

/* One turn of the loop. */
struct turn {
    const struct absval *one, *two; /* the loop variables; two is NULL if there is one */
};

/* `name` stands for `value` in what is evaluated until the scope is restored. */
static void bind(struct eval_context *e, struct str name, const struct absval *value)
{
    struct binding *b = ARENA_NEW(e->arena, struct binding);
    *b = (struct binding){e->scope.locals, name, value};
    e->scope.locals = b;
}

static const struct absval *interpret_with(struct eval_context *e, const struct node *n,
                                           const struct node *part, const struct absval *accumulator,
                                           const struct turn *turn)
{
    struct scope outer = e->scope;
    bind(e, n->comprehension->accu_var, accumulator);
    if (turn != NULL && n->comprehension->iter_var2.len != 0)
        bind(e, n->comprehension->iter_var2, turn->two);
    if (turn != NULL)
        bind(e, n->comprehension->iter_var, turn->one);
    const struct absval *v = interpret_node(e, part);
    e->scope = outer;
    return v;
}

/* The values that are kept of a turn. */
struct kept {
    struct absval value;
    struct literal constant;
};

/* An error value, a bool or a number holds on to nothing else, as those of all(), exists() and exists_one()
 * do. */
static bool keep(struct kept *kept, const struct absval *v)
{
    bool is_number = (v->kinds & ~(uint32_t)ABS_NUMBER) == 0 && v->values != NULL && v->value_count == 1;
    if (v != &absval_error && ((v->kinds != ABS_BOOL && !is_number) || v->list != NULL || v->maps != NULL))
        return false;
    struct literal constant = {.kind = LITERAL_NULL};
    if (is_number)
        constant = v->values[0];
    struct absval value = *v;
    value.inner = NULL;
    value.range = NULL;
    value.values = is_number ? &kept->constant : NULL;
    *kept = (struct kept){value, constant};
    return true;
}

/*
 * One element after the other, until the condition is false (comprehension.go,
 * evalFold). The memory of a turn is freed with it if its result can be kept
 * without; the value of a variable that it was the first to use is not freed.
 */
static const struct absval *fold_items(struct eval_context *e, const struct node *n,
                                       const struct abslist *items, const struct absval *accumulator)
{
    struct scope outer = e->scope;
    size_t mark = findings_mark(e->findings);
    struct kept *kept = ARENA_NEW(e->arena, struct kept);
    for (size_t i = 0; i < items->count; i++) {
        struct arena_mark before = arena_mark(e->arena);
        size_t variables_run = e->variables_run;
        struct turn turn = {items->items[i], NULL};
        if (n->comprehension->iter_var2.len != 0)
            turn = (struct turn){absval_of_int(e->arena, i), items->items[i]};
        const struct absval *goes_on = interpret_with(e, n, n->comprehension->condition, accumulator, &turn);
        if (!goes_on->may_fail && !absval_can_be(goes_on, true))
            break;
        e->scope.unknown |= absval_is_doubtful(goes_on, true);
        accumulator = interpret_with(e, n, n->comprehension->step, accumulator, &turn);
        bool is_free = e->arena != e->of_way || e->variables_run == variables_run;
        if (is_free && keep(kept, accumulator)) {
            accumulator = &kept->value;
            arena_release(e->arena, before);
        }
    }
    e->scope = outer;
    /* an error that a later element makes good, as in exists() */
    if (!accumulator->may_fail)
        findings_absorb(e->findings, mark);
    return accumulator;
}

/*
 * Any number of elements of one sort: after none the accumulator is as it
 * began, after one or more as any of them makes it. Its exact value is the
 * one thing that depends on how many there are.
 */
static const struct absval *fold_any(struct eval_context *e, const struct node *n, const struct turn *turn,
                                     const struct absval *init)
{
    const struct absval *begun = absval_inexact(e->arena, init);
    const struct absval *step = interpret_with(e, n, n->comprehension->step, begun, turn);
    return absval_join(e->arena, init, absval_inexact(e->arena, step));
}

/* Lists by elements, maps by keys. */
static bool make_turn(struct eval_context *e, const struct node *n, const struct absval *range,
                      struct turn *turn)
{
    const struct absval *list = (range->kinds & ABS_LIST) != 0 ? absval_elements(range) : NULL;
    const struct absval *keys = (range->kinds & ABS_MAP) != 0 ? absmap_keys(e->arena, range) : NULL;
    if (list == NULL && keys == NULL)
        return false;
    const struct absval *values = keys == NULL ? NULL : absmap_entries(e->arena, e->ts, range);
    if (n->comprehension->iter_var2.len == 0) {
        turn->one = absval_join(e->arena, list, keys);
        return true;
    }
    turn->one = absval_join(e->arena, list == NULL ? NULL : &absval_int, keys);
    turn->two = absval_join(e->arena, list, values);
    return true;
}

/* Since cel-go 0.33, a loop over an empty text ends at once, as one over an empty list does. */
static bool may_be_empty_text(const struct eval_context *e, const struct absval *v)
{
    if ((v->kinds & (ABS_STRING | ABS_BYTES)) == 0 || !env_celgo(e->env)->folds_empty_texts)
        return false;
    bool is_found = v->values == NULL;
    for (size_t i = 0; !is_found && i < v->value_count; i++)
        is_found = v->values[i].bytes.len == 0;
    return is_found;
}

/* "A string, an int, null as the range of a macro fails; a map is a range of its keys." */
static const struct absval *interpret_range(struct eval_context *e, const struct node *range)
{
    const struct absval *v = interpret_node(e, range);
    struct site site = eval_context_operand(e, range, range);
    if (v->is_error)
        return v;
    if ((v->kinds & (ABS_LIST | ABS_MAP)) == 0 && !may_be_empty_text(e, v)) {
        struct str text = absval_text(e->arena, v);
        return eval_context_error(
            e, site, ISSUE_NO_RANGE, (struct issue_about){.given = text},
            STR_PARTS(STR("expression of type '"), text,
                      STR("' cannot be range of a comprehension (must be list, map, or dynamic)")));
    }
    eval_context_pass(e, site);
    return v;
}

static const struct absval *fold(struct eval_context *e, const struct node *n, const struct absval *init)
{
    size_t mark = findings_mark(e->findings);
    struct turn turn = {&absval_any, &absval_any};
    const struct absval *range = interpret_range(e, n->comprehension->range), *v = init;
    if (range->is_error) { /* whatever the range ought to be: the body may be wrong, too */
        struct scope outer = e->scope;
        eval_context_go_past(e, range, mark);
        e->scope.hypothetical = true;
        fold_any(e, n, &turn, init);
        e->scope = outer;
        return range;
    }
    if (absval_is_exact_list(range))
        v = fold_items(e, n, range->list, init);
    else if (make_turn(e, n, range, &turn))
        v = fold_any(e, n, &turn, init);
    bool may_fail = range->may_fail || (range->kinds & ~(uint32_t)(ABS_LIST | ABS_MAP)) != 0;
    return may_fail ? absval_failing(e->arena, v) : v;
}

static const struct absval *interpret_comprehension(struct eval_context *e, const struct node *n)
{
    const struct comprehension *c = n->comprehension;
    const struct absval *v = interpret_node(e, c->init);
    bool is_binding = c->range->kind == NODE_LIST && c->range->list.count == 0; /* a variable, bound once */
    return interpret_with(e, n, c->result, is_binding ? v : fold(e, n, v), NULL);
}

/* Selections */

static struct str path_text(struct eval_context *e, const struct node *n)
{
    return narrowing_is_path(n) ? ast_text(e->arena, n, false) : STR("it");
}

static const struct absval *select_field(struct eval_context *e, const struct node *n,
                                         const struct absval *from)
{
    struct str name = n->select.field;
    if (from->kinds != ABS_OPTIONAL &&
        narrowing_has(e->arena, e->scope.narrowing, NARROWING_ABSENT, n, e->scope.locals))
        return eval_context_fail(
            e, eval_context_site(e, n),
            &(struct failure){
                .code = ISSUE_UNDEFINED_FIELD,
                .is_here = true,
                .message = str_join(e->arena, STR_PARTS(STR("undefined field '"), name, STR("': has("),
                                                        path_text(e, n), STR(") is false"))),
                .about = issue_about_pack(
                    e->arena,
                    &(struct issue_about){.name = name,
                                          .why = str_join(e->arena, STR_PARTS(STR("has("), path_text(e, n),
                                                                              STR(") is false")))})});
    struct str path = from->kinds == ABS_NULL ? path_text(e, n->select.operand) : STR("");
    return eval_context_end(e, n, narrowed_truth(e, n, qualifiers_select(e->arena, e->ts, from, name, path)));
}

static const struct absval *interpret_select(struct eval_context *e, const struct node *n)
{
    const struct node *operand = n->select.operand;
    if (is_root(e, operand, STR("variables")))
        return n->select.test_only ? &absval_bool : interpret_use(e, n->select.field);
    if (is_root(e, operand, STR("authorizer")) && str_eq(n->select.field, STR("requestResource")))
        return e->activation->resource_check;
    const struct absval *from = interpret_node(e, operand);
    if (from->is_error)
        return from;
    if (n->select.test_only)
        return eval_context_end(e, n,
                                narrowed_truth(e, n, qualifiers_has(e->arena, e->ts, from, n->select.field)));
    return select_field(e, n, from);
}

/* a[b], a.?b and a[?b] */
static const struct absval *interpret_index(struct eval_context *e, const struct node *n)
{
    const struct absval *from = interpret_node(e, n->call.args[0]);
    const struct absval *key = interpret_node(e, n->call.args[1]);
    if (from->is_error || key->is_error)
        return &absval_error;
    return eval_context_end(e, n,
                            n->op == AST_INDEX
                                ? qualifiers_index(e->arena, e->ts, from, key)
                                : qualifiers_optional(e->arena, e->ts, from, key, n->call.function));
}

/* Calls */

/* Any field but a variable can be selected optionally. */
static struct hint hint_optional(const struct eval_context *e, const struct node *target)
{
    bool is_field = target->kind == NODE_SELECT && !target->select.test_only &&
                    !is_root(e, target->select.operand, STR("variables"));
    return (struct hint){.optional = is_field ? target->select.field : STR("")};
}

/* The target as an optional; `or` and `orValue` fail on other values. */
static const struct absval *interpret_or_target(struct eval_context *e, const struct node *n,
                                                const struct absval *target)
{
    struct scope outer = e->scope;
    const struct absval *args[] = {target, &absval_any};
    struct abscall c = {
        .arena = e->arena, .name = n->call.function, .args = args, .count = 2, .is_receiver = true};
    if ((target->kinds & ABS_OPTIONAL) == 0) {
        e->scope.unknown = true; /* evaluation does not reach it: it is only shown */
        const struct absval *other = interpret_node(e, n->call.args[0]);
        args[1] = other->is_error ? &absval_any : other;
        e->scope = outer;
    }
    return eval_context_end(e, n, optional_call_target(&c, hint_optional(e, n->call.target)));
}

/* a.or(b), a.orValue(b): "their argument is evaluated only for what is none". */
static const struct absval *interpret_or(struct eval_context *e, const struct node *n, bool makes_optional)
{
    const struct absval *target = interpret_node(e, n->call.target), *other = NULL;
    if (!target->is_error && env_celgo(e->env)->or_needs_optional)
        target = interpret_or_target(e, n, target);
    if (target->is_error)
        return target;
    if ((target->kinds & ABS_OPTIONAL) != 0 && target->may_be_none)
        other = interpret_node(e, n->call.args[0]);
    return optional_call_or(e->arena, makes_optional, target, other);
}

static const struct function *find_function(const struct eval_context *e, struct str name)
{
    bool is_mutation = policy_is_mutation(e->expressions[e->expression].place);
    return env_function(is_mutation ? env_mutating(e->env) : e->env, name);
}

/* The function that a.b.f(x) names, if a is a namespace and no value; else NULL. */
static const struct function *find_namespaced(struct eval_context *e, const struct node *n)
{
    const struct node *root = n->call.target;
    while (root->kind == NODE_SELECT && !root->select.test_only)
        root = root->select.operand;
    const struct function *space = root->kind == NODE_IDENT ? find_function(e, ast_name(root)) : NULL;
    if (space == NULL || !space->is_namespace)
        return NULL;
    struct str name = n->call.function;
    for (const struct node *at = n->call.target; at != root; at = at->select.operand)
        name = str_join(e->arena, STR_PARTS(at->select.field, STR("."), name));
    return find_function(e, str_join(e->arena, STR_PARTS(ast_name(root), STR("."), name)));
}

/* The literal strings that the node is or lists; NULL if it is something else. */
static const struct str *list_literals(struct eval_context *e, const struct node *n, size_t *count)
{
    const struct node *const *nodes =
        n->kind == NODE_LIST ? (const struct node *const *)n->list.elements : &n;
    const size_t listed = n->kind == NODE_LIST ? n->list.count : 1;
    struct str *literals = ARENA_ARRAY(e->arena, listed + 1, struct str);
    *count = 0;
    for (size_t i = 0; i < listed; i++) {
        arena_step(e->arena);
        if (nodes[i]->kind != NODE_LITERAL || nodes[i]->literal.kind != LITERAL_STRING)
            return NULL;
        literals[(*count)++] = nodes[i]->literal.bytes;
    }
    return literals;
}

/* Returns true if the node is a way of fields from an object or the request: what it reads last is its
 * value. */
static bool is_way(const struct eval_context *e, const struct node *n)
{
    if (n->kind != NODE_SELECT || n->select.test_only)
        return false;
    while (n->kind == NODE_SELECT && !n->select.test_only)
        n = n->select.operand;
    return is_root(e, n, STR("object")) || is_root(e, n, STR("oldObject")) || is_root(e, n, STR("request"));
}

/* An operand. If it is a name of the type that is only compared with literals, that is noted. */
static const struct absval *interpret_compared(struct eval_context *e, const struct node *n, size_t i)
{
    struct reads *reads = types_reads(e->ts);
    const bool is_comparison = n->op == AST_EQUALS || n->op == AST_NOT_EQUALS || (n->op == AST_IN && i == 0);
    const struct node *operand = n->call.args[i];
    if (!reads_is_on(reads) || !is_comparison || !is_way(e, operand))
        return interpret_node(e, operand);
    reads->tests = list_literals(e, n->call.args[1 - i], &reads->test_count);
    reads->test_count = reads->tests == NULL ? 0 : reads->test_count;
    const struct absval *v = interpret_node(e, operand);
    reads->test_count = 0;
    return v;
}

static const struct absval *interpret_function(struct eval_context *e, const struct node *n)
{
    const struct node *target = n->call.target;
    struct abscall c = {.arena = e->arena,
                        .types = e->ts,
                        .op = n->op,
                        .name = n->call.function,
                        .compares_nan = env_celgo(e->env)->compares_nan};
    c.function = target == NULL ? NULL : find_namespaced(e, n);
    c.is_receiver = target != NULL && c.function == NULL;
    if (c.function == NULL)
        c.function = find_function(e, c.name);
    else
        c.name = c.function->name;
    c.args = ARENA_ARRAY(e->arena, n->arg_count + 1, const struct absval *);
    if (c.is_receiver)
        c.args[c.count++] = interpret_node(e, target);
    for (size_t i = 0; i < n->arg_count; i++)
        c.args[c.count++] = interpret_compared(e, n, i);
    for (size_t i = 0; i < c.count; i++) {
        if (c.args[i]->is_error)
            return &absval_error;
    }
    if (c.count == 2 && n->op == AST_IN)
        compared_claim_elements(e, n, c.args[0], c.args[1]);
    struct transfer t = calls_apply(&c);
    if (c.count == 2 && n->op == AST_IN)
        compared_claim_list(e, n, c.args[0], c.args[1], &t);
    if (c.count == 2) {
        compared_claim_entry(e, n, c.args, &t);
        compared_claim_same(e, n, c.args, &t);
        narrowed_note(e, n, c.args, &t);
    }
    const struct absval *v = eval_context_end(e, n, narrowed_truth(e, n, t));
    if (e->doubts == NULL || c.count != 2 || v->is_error)
        return v;
    if (n->op == AST_IN)
        return compared_doubt_elements(e, n, c.args, v);
    return eval_context_is_doubted(e, n) ? compared_doubt(e, n, c.args, &t, v) : v;
}

static const struct absval *interpret_call(struct eval_context *e, const struct node *n)
{
    if (n->op == AST_AND || n->op == AST_OR)
        return interpret_logical(e, n);
    if (n->op == AST_CONDITIONAL)
        return interpret_conditional(e, n);
    if (n->op == AST_NOT)
        return interpret_not(e, n);
    if (n->op == AST_NOT_STRICTLY_FALSE)
        return abslogic_not_strictly_false(e->arena, interpret_node(e, n->call.args[0]));
    if (n->op == AST_INDEX || n->op == AST_OPTIONAL_INDEX || n->op == AST_OPTIONAL_SELECT)
        return interpret_index(e, n);
    bool makes_optional = str_eq(n->call.function, STR("or"));
    if (n->call.target != NULL && n->arg_count == 1 &&
        (makes_optional || str_eq(n->call.function, STR("orValue"))))
        return interpret_or(e, n, makes_optional);
    return interpret_function(e, n);
}

/* The tree */

static const struct absval *interpret_kind(struct eval_context *e, const struct node *n)
{
    switch (n->kind) {
    case NODE_LITERAL:
        return absval_of_literal(e->arena, n->literal);
    case NODE_IDENT:
        return apply_narrowing(e, n, interpret_ident(e, n));
    case NODE_SELECT:
        return n->select.test_only ? interpret_select(e, n) : apply_narrowing(e, n, interpret_select(e, n));
    case NODE_CALL:
        return apply_narrowing(e, n, interpret_call(e, n));
    case NODE_LIST:
        return interpret_list(e, n);
    case NODE_MAP:
        return interpret_map(e, n);
    case NODE_STRUCT:
        return interpret_structure(e, n);
    case NODE_COMPREHENSION:
        return interpret_comprehension(e, n);
    }
    return unknown(e);
}

/* One expression is never so deep: the innermost variable is evaluated by itself first. */
static _Noreturn void leave(struct eval_context *e)
{
    arena_fail(e->arena, e->running != NULL && e->running != e->unit ? ARENA_LATER : ARENA_STEPS);
}

const struct absval *interpret_node(struct eval_context *e, const struct node *n)
{
    arena_step(e->arena);
    if (e->depth >= BOUNDS_WALK_DEPTH)
        leave(e);
    e->depth++;
    const struct absval *v = interpret_kind(e, n);
    e->depth--;
    return v;
}
