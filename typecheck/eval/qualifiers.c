#include "typecheck/eval/context.h"

#include "typecheck/base/arena.h"

/* Selections */

static const struct absval *undefined(struct eval_context *e, const struct node *n, const struct absval *from,
                                      struct str name)
{
    bool is_one_sort = from->maps != NULL && from->maps->next == NULL;
    struct hint hint = {.map = is_one_sort ? from->maps : NULL, .field = name};
    return eval_context_fail(e, n, hint, STR_PARTS(STR("undefined field '"), name, STR("'")));
}

/* "Plain selection on an optional stays optional, and never fails" (applyQualifiers). */
static const struct absval *select_optional(struct eval_context *e, const struct absval *from,
                                            struct str name)
{
    const struct absval *inner = from->may_have ? from->inner : NULL, *found = NULL;
    bool may_be_none = from->may_be_none;
    if (inner == NULL || (inner->kinds & ABS_MAP) == 0)
        return inner == NULL ? &absval_none : absval_optional(e->arena, NULL, true);
    if (inner->maps == NULL)
        return absval_optional(e->arena, &absval_json, true);
    for (const struct absmap *m = inner->maps; m != NULL; m = m->next) {
        struct absmap_found f = absmap_find(e->arena, e->ts, m, name);
        may_be_none = may_be_none || f.presence != ABS_PRESENT;
        if (f.presence != ABS_ABSENT)
            found = found == NULL ? f.value : absval_join(e->arena, found, f.value);
    }
    may_be_none = may_be_none || inner->kinds != ABS_MAP;
    return absval_optional(e->arena, found, may_be_none);
}

/* What maps have under a name; NULL: none can. *is_sure: all of them do. */
static const struct absval *find_in_maps(struct eval_context *e, const struct absval *v, struct str name,
                                         bool *is_sure)
{
    const struct absval *found = NULL;
    *is_sure = v->maps != NULL;
    if (v->maps == NULL)
        return &absval_json;
    for (const struct absmap *m = v->maps; m != NULL; m = m->next) {
        struct absmap_found f = absmap_find(e->arena, e->ts, m, name);
        *is_sure = *is_sure && f.presence == ABS_PRESENT;
        if (f.presence != ABS_ABSENT)
            found = found == NULL ? f.value : absval_join(e->arena, found, f.value);
    }
    return found;
}

static struct str path_text(struct eval_context *e, const struct node *n)
{
    return narrowing_is_path(n) ? ast_text(e->arena, n, false) : STR("it");
}

/* Says why a plain selection can find nothing. */
static const struct absval *fail_select(struct eval_context *e, const struct node *n,
                                        const struct absval *from, struct str name)
{
    if ((from->kinds & ABS_MAP) != 0)
        return undefined(e, n, from, name);
    if (from->kinds == ABS_NULL)
        return eval_context_fail(e, n, HINT_NONE,
                                 STR_PARTS(STR("undefined field '"), name, STR("': "),
                                           path_text(e, n->select.operand), STR(" is null here")));
    struct str text = absval_text(e->arena, from);
    return eval_context_fail(e, n, HINT_NONE,
                             STR_PARTS(STR("type '"), text, STR("' does not support field selection")));
}

/*
 * "An absent field: no such key"; so is a key of null, a string, a number ...
 * (refQualify); a list takes no string. What a schema cannot have is never
 * there; what it can have may be.
 */
static const struct absval *select_field(struct eval_context *e, const struct node *n,
                                         const struct absval *from, struct str name)
{
    const struct absval *v = NULL;
    bool is_sure = false;
    if (from->is_broken)
        return &absval_error;
    if ((from->kinds & ABS_MAP) != 0)
        v = find_in_maps(e, from, name, &is_sure);
    if ((from->kinds & ABS_OPTIONAL) != 0 && from->kinds != ABS_ALL) {
        const struct absval *o = select_optional(e, from, name);
        v = v == NULL ? o : absval_join(e->arena, v, o);
        is_sure = is_sure || from->kinds == ABS_OPTIONAL;
    }
    if (v == NULL)
        return fail_select(e, n, from, name);
    eval_context_pass(e, n);
    v = eval_context_derive(e, v, from);
    return is_sure && (from->kinds & ~(uint32_t)(ABS_MAP | ABS_OPTIONAL)) == 0 ? v
                                                                               : absval_failing(e->arena, v);
}

/*
 * "has(a.b) evaluates a. On a null parent it is false, on a string or an int,
 * too. On a list it fails. A null that is there counts as present."
 */
static const struct absval *select_has(struct eval_context *e, const struct node *n,
                                       const struct absval *from)
{
    bool can_be_true = false, can_be_false = false, is_sure;
    if (from->is_broken)
        return &absval_error;
    if (from->kinds == ABS_LIST) {
        struct str text = absval_text(e->arena, from);
        return eval_context_fail(e, n, HINT_NONE,
                                 STR_PARTS(STR("type '"), text, STR("' does not support field selection")));
    }
    if ((from->kinds & ABS_MAP) != 0) {
        can_be_true = find_in_maps(e, from, n->select.field, &is_sure) != NULL;
        can_be_false = !is_sure;
    }
    can_be_false = can_be_false || (from->kinds & ~(uint32_t)(ABS_MAP | ABS_LIST)) != 0;
    can_be_true =
        can_be_true || (from->kinds & (ABS_OPTIONAL | ABS_TIMESTAMP | ABS_DURATION | ABS_OPAQUE)) != 0;
    eval_context_pass(e, n);
    const struct absval *v =
        eval_context_derive(e, absval_of_bools(e->arena, can_be_true, can_be_false), from);
    return (from->kinds & ABS_LIST) != 0 ? absval_failing(e->arena, v) : v;
}

const struct absval *qualifiers_select(struct eval_context *e, const struct node *n)
{
    const struct node *operand = n->select.operand;
    if (walk_is_root(e, operand, STR("variables"))) {
        const struct absval *v = n->select.test_only ? &absval_bool : walk_variable(e, n->select.field);
        return v == NULL ? walk_unknown(e) : v;
    }
    if (walk_is_root(e, operand, STR("authorizer")) && str_eq(n->select.field, STR("requestResource")))
        return e->scenario->resource_check;
    const struct absval *from = walk_node(e, operand);
    if (n->select.test_only)
        return select_has(e, n, from);
    if (!from->is_broken && from->kinds != ABS_OPTIONAL &&
        narrowing_has(e->arena, e->facts, NARROWING_ABSENT, n, e->locals))
        return eval_context_fail(e, n, HINT_NONE,
                                 STR_PARTS(STR("undefined field '"), n->select.field, STR("': has("),
                                           path_text(e, n), STR(") is false here")));
    return select_field(e, n, from, n->select.field);
}

/* Indexes */

/* The element that a number picks; of a list that is known, the one. */
static const struct absval *pick(const struct absval *from, const struct absval *key)
{
    const struct abslist *list = from->list;
    if (list != NULL && list->is_exact && key->kinds == ABS_INT && key->values != NULL &&
        key->value_count == 1 && key->values[0].integer >= 0 &&
        (uint64_t)key->values[0].integer < list->count)
        return list->items[key->values[0].integer];
    const struct absval *element = absval_elements(from);
    return element == NULL ? &absval_any : element;
}

/* Keys of JSON are strings, and equal no number. */
bool qualifiers_has_key_kind(const struct absval *maps, const struct absval *key)
{
    if (maps->maps == NULL)
        return (key->kinds & (ABS_STRING | ABS_BOOL | ABS_NUMBER)) != 0;
    for (const struct absmap *m = maps->maps; m != NULL; m = m->next) {
        uint32_t kinds = m->type != NULL || m->field_count != 0 ? ABS_STRING : 0u;
        kinds |= m->type == NULL && m->key != NULL ? m->key->kinds : 0u;
        if (absval_kinds_meet(kinds, key->kinds))
            return true;
    }
    return false;
}

enum absval_presence qualifiers_presence(struct eval_context *e, const struct absval *maps,
                                         const struct absval *key)
{
    const struct str *name = absval_constant_string(key);
    bool is_sure;
    if (name == NULL)
        return qualifiers_has_key_kind(maps, key) ? ABS_MAYBE : ABS_ABSENT;
    if (find_in_maps(e, maps, *name, &is_sure) == NULL)
        return ABS_ABSENT;
    return is_sure ? ABS_PRESENT : ABS_MAYBE;
}

static const struct absval *find_key(struct eval_context *e, const struct absval *from,
                                     const struct absval *key)
{
    bool is_sure;
    const struct str *name = absval_constant_string(key);
    if (name != NULL)
        return find_in_maps(e, from, *name, &is_sure);
    return qualifiers_has_key_kind(from, key) ? absmap_entries(e->arena, from) : NULL;
}

/* What a[key] can find; NULL: nothing. */
static const struct absval *find_index(struct eval_context *e, const struct absval *from,
                                       const struct absval *key)
{
    const struct absval *v = NULL, *more = NULL;
    if ((from->kinds & ABS_MAP) != 0)
        v = find_key(e, from, key);
    if ((from->kinds & ABS_LIST) != 0 && (key->kinds & ABS_NUMBER) != 0)
        more = pick(from, key);
    if (v == NULL || more == NULL)
        return v == NULL ? more : v;
    return absval_join(e->arena, v, more);
}

/* An index of an optional finds an optional, too. */
static const struct absval *find_in_optional(struct eval_context *e, const struct absval *from,
                                             const struct absval *key)
{
    const struct str *name = absval_constant_string(key);
    if (name != NULL)
        return select_optional(e, from, *name);
    if (!from->may_have)
        return &absval_none;
    const struct absval *inner = from->inner;
    return absval_optional(
        e->arena, (inner->kinds & ABS_OPTIONAL) != 0 ? &absval_any : find_index(e, inner, key), true);
}

/* A map by one of its keys, a list by a number; nothing else has an index. */
const struct absval *qualifiers_index(struct eval_context *e, const struct node *n)
{
    const struct absval *from = walk_node(e, n->call.args[0]);
    const struct absval *key = walk_node(e, n->call.args[1]);
    if (from->is_broken || key->is_broken)
        return &absval_error;
    const struct absval *v = find_index(e, from, key);
    const struct str *name = absval_constant_string(key);
    if ((from->kinds & ABS_OPTIONAL) != 0)
        v = from->kinds == ABS_OPTIONAL ? find_in_optional(e, from, key) : &absval_any;
    if (v == NULL && name != NULL && (from->kinds & ABS_MAP) != 0)
        return undefined(e, n, from, *name);
    if (v == NULL) {
        struct str f = absval_text(e->arena, from), k = absval_text(e->arena, key);
        return eval_context_fail(e, n, HINT_NONE,
                                 STR_PARTS(STR("found no matching overload for '_[_]' applied to '("), f,
                                           STR(", "), k, STR(")'")));
    }
    eval_context_pass(e, n);
    return absval_failing(e->arena, eval_context_derive(e, v, from));
}

/* a.?b, a[?b]: "optional selection on a null parent gives none"; a list takes no string. */
const struct absval *qualifiers_optional(struct eval_context *e, const struct node *n)
{
    const struct absval *from = walk_node(e, n->call.args[0]);
    const struct absval *key = walk_node(e, n->call.args[1]);
    const struct absval *v;
    bool is_sure = false;
    if (from->is_broken || key->is_broken)
        return &absval_error;
    if (from->kinds == ABS_LIST && (key->kinds & ABS_NUMBER) == 0) {
        struct str f = absval_text(e->arena, from), k = absval_text(e->arena, key);
        return eval_context_fail(e, n, HINT_NONE,
                                 STR_PARTS(STR("found no matching overload for '"), n->call.function,
                                           STR("' applied to '("), f, STR(", "), k, STR(")'")));
    }
    const struct str *name = absval_constant_string(key);
    if (from->kinds == ABS_OPTIONAL) {
        v = find_in_optional(e, from, key);
    } else if (from->kinds == ABS_MAP && name != NULL) {
        const struct absval *found = find_in_maps(e, from, *name, &is_sure);
        v = absval_optional(e->arena, found, !is_sure);
    } else {
        bool is_any = (from->kinds & ABS_OPTIONAL) != 0;
        v = absval_optional(e->arena, is_any ? &absval_any : find_index(e, from, key), true);
    }
    eval_context_pass(e, n);
    v = eval_context_derive(e, v, from);
    return (from->kinds & (ABS_LIST | ABS_OPTIONAL)) != 0 ? absval_failing(e->arena, v) : v;
}
