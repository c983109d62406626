#include "typecheck/policy/abstract/domain/abscall.h"

#include "typecheck/cel/types/decl.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/domain/absval_text.h"
#include "typecheck/policy/abstract/domain/constant_run.h"

/* "(int, string)", "string.(int)" */
static struct str operand_types(const struct abscall *c)
{
    struct text t = {.arena = c->arena};
    if (c->is_receiver) {
        text_add(&t, absval_text(c->arena, c->args[0]));
        text_add_char(&t, '.');
    }
    text_add_char(&t, '(');
    for (size_t i = c->is_receiver; i < c->count; i++) {
        text_add(&t, i == c->is_receiver ? STR("") : STR(", "));
        text_add(&t, absval_text(c->arena, c->args[i]));
    }
    text_add_char(&t, ')');
    return text_str(&t);
}

struct failure abscall_mismatch(const struct abscall *c, struct hint hint)
{
    const struct str types = operand_types(c);
    return (struct failure){
        .code = issue_code_of_mismatch(c->name),
        .message = str_join(c->arena, STR_PARTS(STR("found no matching overload for '"), c->name,
                                                STR("' applied to '"), types, STR("'"))),
        .hint = hint,
        .about = issue_about_pack(c->arena, &(struct issue_about){.name = c->name, .given = types})};
}

struct transfer abscall_no_overload(const struct abscall *c)
{
    struct hint hint = HINT_NONE;
    if (c->function != NULL)
        hint.wrapper = hint_wrapper_for(c->function, c->args, c->count);
    return transfer_fails(c->arena, abscall_mismatch(c, hint));
}

struct transfer abscall_result(const struct abscall *c, const struct absval *v, bool may_fail)
{
    bool is_independent = c->count != 0, has_author = is_independent;
    enum absval_author author = ABS_OF_REQUEST;
    for (size_t i = 0; i < c->count; i++) {
        has_author = has_author && c->args[i]->author != ABS_OF_REQUEST;
        author = c->args[i]->author > author ? c->args[i]->author : author;
        is_independent = is_independent && absval_is_input_independent(c->args[i]);
        may_fail = may_fail || c->args[i]->may_fail;
    }
    if (is_independent && !absval_is_input_independent(v))
        v = absval_type_determined(c->arena, v);
    v = absval_by(c->arena, v, has_author ? author : ABS_OF_REQUEST);
    return transfer_passes(may_fail ? absval_failing(c->arena, v) : v);
}

/* A hint for the comparison of the two, in either order. */
static struct hint comparison_hint(const struct absval *one, const struct absval *two)
{
    struct hint hint = HINT_NONE;
    hint.wrapper = hint_wrapper(one, two);
    if (hint.wrapper == NULL)
        hint.wrapper = hint_wrapper(two, one);
    return hint;
}

struct failure abscall_mismatch_of(const struct abscall *c, const struct absval *one,
                                   const struct absval *two)
{
    return abscall_mismatch(c, comparison_hint(one, two));
}

struct transfer abscall_unequal(const struct abscall *c, const struct absval *one, const struct absval *two,
                                struct transfer t)
{
    struct failure *failure = ARENA_NEW(c->arena, struct failure);
    *failure = abscall_mismatch_of(c, one, two);
    failure->is_unequal = true;
    return (struct transfer){.value = t.value, .failure = failure};
}

/* A type parameter and its value in one call; more than BOUND_MAX are not distinguished. */
struct bound {
    const struct type *param;
    /* The value that holds; NULL for no value, as the elements of an empty list. */
    const struct absval *value;
};

enum { BOUND_MAX = 4 };

struct bounds {
    struct bound list[BOUND_MAX];
    size_t count;
};

static void bind_param(const struct abscall *c, struct bounds *b, const struct type *param,
                       const struct absval *v)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->list[i].param != param)
            continue;
        b->list[i].value = absval_join(c->arena, b->list[i].value, v);
        return;
    }
    if (b->count < BOUND_MAX)
        b->list[b->count++] = (struct bound){param, v};
}

/* `t` as a part of an argument's type: what is of another kind there is taken, too, for what it may be. */
static void bind(const struct abscall *c, struct bounds *b, const struct type *t, const struct absval *v,
                 bool is_part)
{
    if (t->kind == TYPE_PARAM) {
        bind_param(c, b, t, v);
        return;
    }
    if (v != NULL && t->kind == TYPE_LIST && (v->kinds & ABS_LIST) != 0) {
        bind(c, b, t->params[0], absval_elements(v), true);
    } else if (v != NULL && t->kind == TYPE_MAP && (v->kinds & ABS_MAP) != 0) {
        bind(c, b, t->params[0], absmap_keys(c->arena, v), true);
        bind(c, b, t->params[1], absmap_entries(c->arena, c->types, v), true);
    } else if (v != NULL && type_is_optional(t) && (v->kinds & ABS_OPTIONAL) != 0) {
        bind(c, b, t->params[0], v->may_have ? v->inner : NULL, true);
    }
    bool is_other = is_part && v != NULL && (absval_likely_kinds(v) & ~kinds_of_type(t)) != 0;
    for (size_t i = 0; is_other && t->generic && i < t->param_count; i++)
        bind(c, b, t->params[i], &absval_any, true);
}

/* A value of the type `t`; NULL: there is none. */
static const struct absval *value_of(const struct abscall *c, const struct bounds *b, const struct type *t)
{
    if (t->kind == TYPE_PARAM) {
        for (size_t i = 0; i < b->count; i++) {
            if (b->list[i].param == t)
                return b->list[i].value;
        }
        return NULL;
    }
    if (!t->generic)
        return absval_of_type(c->arena, t);
    if (t->kind == TYPE_LIST)
        return absval_of_elements(c->arena, value_of(c, b, t->params[0]));
    if (type_is_optional(t))
        return absval_optional(c->arena, value_of(c, b, t->params[0]), true);
    if (t->kind == TYPE_MAP)
        return absval_of_map(c->arena, (struct absmap){.key = value_of(c, b, t->params[0]),
                                                       .value = value_of(c, b, t->params[1])});
    return &absval_any;
}

static bool can_take(const struct type *param, const struct absval *v)
{
    uint32_t kinds = kinds_of_type(param) & v->kinds;
    if (kinds == ABS_OPAQUE && v->opaque.len != 0)
        return str_eq(param->name, v->opaque);
    return kinds != 0;
}

static bool can_match(const struct overload *o, const struct abscall *c)
{
    if (o->receiver != c->is_receiver || o->arg_count != c->count)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        if (!can_take(o->args[i], c->args[i]))
            return false;
    }
    return true;
}

struct transfer abscall_overloads(const struct abscall *c)
{
    const struct absval *v = NULL;
    for (size_t i = 0; i < c->function->count; i++) {
        const struct overload *o = &c->function->overloads[i];
        struct bounds bounds = {.count = 0};
        if (!can_match(o, c))
            continue;
        for (size_t j = 0; j < c->count; j++)
            bind(c, &bounds, o->args[j], c->args[j], false);
        const struct absval *result = value_of(c, &bounds, o->result);
        v = absval_join(c->arena, v, result == NULL ? &absval_any : result);
    }
    return v == NULL ? abscall_no_overload(c) : abscall_result(c, v, true);
}

struct transfer abscall_constants(const struct abscall *c)
{
    struct transfer t = constant_run(c->arena, c->function, c->is_receiver, c->args, c->count);
    if (t.failure != NULL)
        return t;
    return t.value == NULL ? abscall_overloads(c) : abscall_result(c, t.value, false);
}
