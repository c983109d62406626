/*
 * plan_node() turns the checked tree into steps, from the leaves up. Selections and indexes are not steps of
 * their own: each is added as a qualifier to the attribute that it is applied to, which begins with a
 * variable, an operand or a conditional. So a.b[0].c is one step with three qualifiers, as in cel-go;
 * otherwise the costs would differ. A qualifier of a conditional is added to both of its branches.
 * plan_call() makes cheaper steps of some calls: a conversion of a constant is computed at once, `in` of a
 * constant list looks into a set, and a constant pattern is compiled. The outcome is PLAN_REFUSED if the
 * server cannot plan the expression, and PLAN_MISSING if only this evaluator cannot.
 */
#include "typecheck/cel/interpreter/plan.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/checked.h"
#include "typecheck/cel/interpreter/call.h"
#include "typecheck/cel/interpreter/functions/regexps.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/regexp/regexp.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/cel/types/mutation_types.h"
#include "typecheck/cel/types/provider.h"

/* Deeper expressions are refused when they are parsed. */
enum { PLAN_DEPTH = 2000, FIRST_QUALIFIERS = 4 };

/* A variable of a comprehension where it can be seen. */
struct local {
    const struct local *outer;
    struct str name;
    enum attribute_kind kind;
    size_t fold;
};

struct planning {
    struct arena *arena;
    const struct env *env;
    const struct checked *checked;
    const struct local *locals;
    struct provider provider; /* of the types that need no variable; ts NULL: not made yet */
    struct invocation call;   /* of a conversion */
    size_t fold_count;
    bool is_kept; /* the plan is to be run */
    enum plan_outcome outcome;
    struct str why;
    unsigned depth;
};

static struct step *plan_node(struct planning *p, const struct node *n);

static struct step *new_step(struct planning *p, enum step_kind kind, const struct node *n)
{
    struct step *s = ARENA_NEW(p->arena, struct step);
    s->kind = kind;
    s->id = n->id;
    return s;
}

static struct step *constant(struct planning *p, const struct node *n, const struct value *v)
{
    struct step *s = new_step(p, STEP_CONSTANT, n);
    s->constant = v;
    return s;
}

/* The first refusal counts, else the first lack. The step that is returned is never evaluated. */
static struct step *end(struct planning *p, const struct node *n, enum plan_outcome outcome, struct str why)
{
    if (p->outcome == PLAN_READY || (p->outcome == PLAN_MISSING && outcome == PLAN_REFUSED)) {
        p->outcome = outcome;
        p->why = why;
    }
    return constant(p, n, &value_null);
}

static struct step *fail(struct planning *p, const struct node *n, struct str why)
{
    return end(p, n, PLAN_REFUSED, why);
}

static struct step *lack(struct planning *p, const struct node *n, struct str why)
{
    return end(p, n, PLAN_MISSING, why);
}

/* ---- attributes ---- */

uint32_t plan_attribute_id(const struct attribute *x)
{
    if (x->kind == ATTRIBUTE_CONDITIONAL) {
        uint32_t truthy = plan_attribute_id(x->truthy);
        return truthy == plan_attribute_id(x->falsy) ? truthy : x->id;
    }
    return x->qualifier_count == 0 ? x->id : x->qualifiers[x->qualifier_count - 1]->id;
}

static struct attribute *new_attribute(struct planning *p, enum attribute_kind kind, uint32_t id)
{
    struct attribute *x = ARENA_NEW(p->arena, struct attribute);
    x->kind = kind;
    x->id = id;
    return x;
}

static struct attribute *relative(struct planning *p, uint32_t id, struct step *operand)
{
    struct attribute *x = new_attribute(p, ATTRIBUTE_RELATIVE, id);
    x->operand = operand;
    return x;
}

static struct step *attribute_step(struct planning *p, const struct node *n, struct attribute *x)
{
    struct step *s = new_step(p, STEP_ATTRIBUTE, n);
    s->attribute = x;
    return s;
}

static void qualify(struct planning *p, struct attribute *x, struct qualifier *q)
{
    if (x->kind == ATTRIBUTE_CONDITIONAL) {
        qualify(p, x->truthy, q);
        qualify(p, x->falsy, q);
        return;
    }
    if (x->qualifier_count == x->qualifier_cap)
        x->qualifiers = arena_room(p->arena, x->qualifiers, &x->qualifier_cap, FIRST_QUALIFIERS,
                                   sizeof(struct qualifier *));
    x->qualifiers[x->qualifier_count++] = q;
}

/* The attribute that a step is, or one that has its value. */
static struct step *as_attribute(struct planning *p, const struct node *n, struct step *s)
{
    return s->kind == STEP_ATTRIBUTE ? s : attribute_step(p, n, relative(p, s->id, s));
}

/* ---- names ---- */

static const struct local *find_local(const struct planning *p, struct str name)
{
    const struct local *l = p->locals;
    while (l != NULL && !str_eq(l->name, name))
        l = l->outer;
    return l;
}

/* Plans a name whose value is a type. cel-go looks the type up by that name, so it finds neither types of
 * Kubernetes' variables nor the value of a variable, be it a macro's. */
static struct step *plan_type(struct planning *p, const struct node *n, struct str name)
{
    if (p->provider.ts == NULL)
        provider_init(&p->provider, types_new(p->arena, env_types(p->env)), p->env, NULL, 0);
    if (provider_ident(&p->provider, name) == NULL)
        return fail(p, n, str_join(p->arena, STR_PARTS(STR("reference to undefined type: "), name)));
    return constant(p, n, value_type(p->arena, name));
}

/* A name that the checker resolved: a type or a variable. A leading dot says that it is not a local. */
static struct step *plan_name(struct planning *p, const struct node *n, struct str name)
{
    bool is_global = name.len != 0 && name.at[0] == '.';
    if (is_global)
        name = str_skip(name, 1);
    const struct local *local = is_global ? NULL : find_local(p, name);
    const struct type *t = checked_type_of(p->checked, n);
    if (local == NULL && t->kind == TYPE_INT && provider_is_enum_value(name))
        return constant(p, n, value_int(p->arena, 0)); /* the one that there is is NULL_VALUE */
    if (t->kind == TYPE_TYPE)
        return plan_type(p, n, name);
    struct attribute *x = new_attribute(p, local == NULL ? ATTRIBUTE_INPUT : local->kind, n->id);
    x->name = name;
    x->fold = local == NULL ? 0 : local->fold;
    return attribute_step(p, n, x);
}

/* An object of a mutation, whose fields are selected in a way of their own. (`.?` does not find them.) */
static bool is_object(const struct planning *p, const struct node *n)
{
    const struct type *t = checked_type_of(p->checked, n);
    if (env_celgo(p->env)->finds_optional_fields && type_is_optional(t))
        t = t->params[0];
    return t->kind == TYPE_OBJECT && env_is_mutating(p->env) && mutation_types_is_object(t->name);
}

static struct step *plan_select(struct planning *p, const struct node *n)
{
    if (p->checked->names[n->id].len != 0)
        return plan_name(p, n, p->checked->names[n->id]);
    struct step *s = as_attribute(p, n, plan_node(p, n->select.operand));
    struct qualifier *q = ARENA_NEW(p->arena, struct qualifier);
    *q = (struct qualifier){.id = n->id, .is_test = n->select.test_only};
    q->constant = value_string(p->arena, n->select.field);
    q->is_field = is_object(p, n->select.operand);
    qualify(p, s->attribute, q);
    if (n->select.test_only) {
        s = attribute_step(p, n, s->attribute);
        s->is_test = true;
    }
    s->id = n->id;
    return s;
}

static bool can_qualify(const struct value *v)
{
    return v->kind == VALUE_STRING || v->kind == VALUE_INT || v->kind == VALUE_UINT ||
           v->kind == VALUE_BOOL || v->kind == VALUE_DOUBLE;
}

/* a[b], a[?b], a.?b */
static struct step *plan_index(struct planning *p, const struct node *n, bool is_optional)
{
    struct step *s = as_attribute(p, n->call.args[0], plan_node(p, n->call.args[0]));
    struct step *index = plan_node(p, n->call.args[1]);
    struct qualifier *q = ARENA_NEW(p->arena, struct qualifier);
    *q = (struct qualifier){.id = n->id, .is_optional = is_optional};
    if (index->kind == STEP_CONSTANT && !can_qualify(index->constant))
        return fail(p, n,
                    str_format(p->arena, "invalid qualifier type: %s",
                               env_celgo(p->env)->has_generic_types ? value_go_generic_type(index->constant)
                                                                    : value_go_type(index->constant)));
    if (index->kind == STEP_CONSTANT) {
        q->constant = index->constant;
        q->is_field = env_celgo(p->env)->finds_optional_fields && is_object(p, n->call.args[0]);
    } else if (index->kind == STEP_ATTRIBUTE)
        q->attribute = index->attribute;
    else
        q->attribute = relative(p, n->id, index);
    qualify(p, s->attribute, q);
    s->id = n->id;
    return s;
}

static struct attribute *branch(struct planning *p, struct step *s)
{
    return s->kind == STEP_ATTRIBUTE ? s->attribute : relative(p, s->id, s);
}

static struct step *plan_conditional(struct planning *p, const struct node *n)
{
    struct attribute *x = new_attribute(p, ATTRIBUTE_CONDITIONAL, n->id);
    x->operand = plan_node(p, n->call.args[0]);
    struct step *truthy = plan_node(p, n->call.args[1]), *falsy = plan_node(p, n->call.args[2]);
    x->truthy = branch(p, truthy);
    x->falsy = branch(p, falsy);
    return attribute_step(p, n, x);
}

/* ---- calls ---- */

static void plan_args(struct planning *p, const struct node *n, const struct node *target, struct step *out)
{
    out->parts = ARENA_ARRAY(p->arena, n->arg_count + 1u, struct step *);
    if (target != NULL)
        out->parts[out->count++] = plan_node(p, target);
    for (size_t i = 0; i < n->arg_count; i++)
        out->parts[out->count++] = plan_node(p, n->call.args[i]);
}

/* The overload if the checker found but one; else NULL. */
static const struct overload *only_overload(const struct planning *p, const struct node *n)
{
    uint64_t matches = p->checked->matches[n->id];
    return matches != 0 && (matches & (matches - 1)) == 0 ? p->checked->overloads[n->id] : NULL;
}

static bool are_constants(const struct step *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->parts[i]->kind != STEP_CONSTANT)
            return false;
    }
    return true;
}

static bool is_conversion(struct str name)
{
    static const struct str names[] = {STR_INIT("bool"),      STR_INIT("bytes"),    STR_INIT("double"),
                                       STR_INIT("dyn"),       STR_INIT("duration"), STR_INIT("int"),
                                       STR_INIT("null_type"), STR_INIT("string"),   STR_INIT("timestamp"),
                                       STR_INIT("type"),      STR_INIT("uint")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_eq(names[i], name))
            return true;
    }
    return false;
}

/* A conversion of a constant is a constant. */
static struct step *fold_conversion(struct planning *p, const struct node *n, struct step *s)
{
    if (s->count != 1 || !are_constants(s) || !is_conversion(s->call.name))
        return s;
    struct str missing = STR("");
    p->call = (struct invocation){p->arena, s->call.name, &s->parts[0]->constant, 1, NULL, &missing};
    const struct value *v = call_apply(s, &p->call);
    if (missing.len != 0)
        return lack(p, n, missing);
    return value_is_error(v) ? fail(p, n, v->text) : constant(p, n, v);
}

#define TWO_TO_63 9223372036854775808.0
#define TWO_TO_64 18446744073709551616.0

/* Numbers are found as any other kind of number, too. */
static void add_number(const struct planning *p, struct value_map *set, const struct value *v)
{
    struct arena *a = p->arena;
    if (v->kind == VALUE_INT || v->kind == VALUE_UINT) {
        /* an int that is not negative has the same bits as a uint */
        bool is_int = v->kind == VALUE_INT;
        value_map_set(a, set, value_double(a, is_int ? (double)v->integer : (double)v->uinteger),
                      &value_true);
        if (v->integer >= 0)
            value_map_set(a, set, is_int ? value_uint(a, v->uinteger) : value_int(a, v->integer),
                          &value_true);
        return;
    }
    double d = v->floating;
    if (d > -TWO_TO_63 && d < TWO_TO_63 && (double)(int64_t)d == d)
        value_map_set(a, set, value_int(a, (int64_t)d), &value_true);
    if (d >= 0 && d < TWO_TO_64 && (double)(uint64_t)d == d)
        value_map_set(a, set, value_uint(a, (uint64_t)d), &value_true);
}

static struct step *plan_member(struct planning *p, const struct node *n, struct step *s)
{
    const struct value_list *list = s->parts[1]->constant->list;
    if (list->count == 0)
        return constant(p, n, &value_false);
    if (!p->is_kept)
        return s;
    struct value_map *set = value_map_new(p->arena, list->count)->map;
    for (size_t i = 0; i < list->count; i++) {
        const struct value *v = list->items[i];
        if (!can_qualify(v))
            return s;
        value_map_set(p->arena, set, v, &value_true);
        if (v->kind != VALUE_STRING && v->kind != VALUE_BOOL)
            add_number(p, set, v);
    }
    struct step *member = new_step(p, STEP_MEMBER, n);
    member->parts = s->parts;
    member->count = 1;
    member->set = set;
    return member;
}

/* or() and orValue() of optionals evaluate their argument where it is needed. */
static struct step *plan_optional_or(struct planning *p, const struct node *n, struct step *s)
{
    struct step * or = new_step(p, STEP_OPTIONAL_OR, n);
    or->parts = s->parts;
    or->count = s->count;
    or->wants_value = str_eq(s->call.name, STR("orValue"));
    return or ;
}

/* cel-go's OptimizeRegex, whose calls do not look at the types of arguments before they are called. */
static struct step *plan_pattern(struct planning *p, const struct node *n, struct step *s)
{
    struct str message;
    bool has_pattern = s->call.row != NULL && s->count > 1 && s->parts[1]->kind == STEP_CONSTANT &&
                       s->parts[1]->constant->kind == VALUE_STRING && regexps_take_pattern(s->call.name);
    if (!has_pattern)
        return s;
    const struct str pattern = s->parts[1]->constant->text;
    const enum unicode_edition edition = celgo_unicode(env_celgo(p->env));
    s->call.shape = FUNCTION_OF_LIST;
    if (!p->is_kept)
        return regexp_valid(p->arena, pattern, edition, &message) ? s : fail(p, n, message);
    s->call.pattern = regexp_compile(p->arena, pattern, edition, &message);
    return s->call.pattern == NULL ? fail(p, n, message) : s;
}

static struct step *plan_function(struct planning *p, const struct node *n)
{
    const struct overload *first = p->checked->overloads[n->id], *only = only_overload(p, n);
    const struct node *target = n->call.target;
    if (first == NULL)
        return lack(p, n, STR("a call was not checked"));
    if (!first->receiver)
        target = NULL; /* a namespace */
    struct step *s = new_step(p, STEP_CALL, n);
    plan_args(p, n, target, s);
    struct str name = first->function->name;
    bool is_or = str_eq(name, STR("or")) || str_eq(name, STR("orValue"));
    if (!call_choose(p->arena, first->function, only, s) && !is_or)
        return lack(p, n,
                    str_join(p->arena, STR_PARTS(STR("vapcheck does not evaluate the function "), name)));
    if (is_or)
        return plan_optional_or(p, n, s);
    bool is_in_list = only != NULL && str_eq(only->id, STR("in_list"));
    /* a step that has failed is a constant, too, but no list */
    if (is_in_list && s->parts[1]->kind == STEP_CONSTANT && s->parts[1]->constant->kind == VALUE_LIST)
        return plan_member(p, n, s);
    return fold_conversion(p, n, plan_pattern(p, n, s));
}

static struct step *plan_binary(struct planning *p, const struct node *n, enum step_kind kind)
{
    struct step *s = new_step(p, kind, n);
    plan_args(p, n, NULL, s);
    return s;
}

static struct step *plan_call(struct planning *p, const struct node *n)
{
    switch ((unsigned)n->op) {
    case AST_AND:
        return plan_binary(p, n, STEP_AND);
    case AST_OR:
        return plan_binary(p, n, STEP_OR);
    case AST_EQUALS:
        return plan_binary(p, n, STEP_EQUALS);
    case AST_NOT_EQUALS:
        return plan_binary(p, n, STEP_NOT_EQUALS);
    case AST_CONDITIONAL:
        return plan_conditional(p, n);
    case AST_INDEX:
        return plan_index(p, n, false);
    case AST_OPTIONAL_INDEX:
    case AST_OPTIONAL_SELECT:
        return plan_index(p, n, true);
    }
    return plan_function(p, n);
}

/* ---- lists, maps and objects ---- */

static struct step *plan_list(struct planning *p, const struct node *n)
{
    struct step *s = new_step(p, STEP_LIST, n);
    s->count = n->list.count;
    s->parts = ARENA_ARRAY(p->arena, s->count, struct step *);
    s->optional = n->list.optional;
    for (size_t i = 0; i < s->count; i++)
        s->parts[i] = plan_node(p, n->list.elements[i]);
    if (!are_constants(s) || s->optional != NULL)
        return s;
    struct value *list = value_new_list(p->arena, s->count);
    for (size_t i = 0; i < s->count; i++)
        value_append(p->arena, list->list, s->parts[i]->constant);
    return constant(p, n, list);
}

static bool is_hashable(const struct value *v)
{
    return v->kind != VALUE_BYTES;
}

static struct step *plan_map(struct planning *p, const struct node *n)
{
    struct step *s = new_step(p, STEP_MAP, n);
    bool *optional = ARENA_ARRAY(p->arena, n->map.count, bool), has_optional = false;
    s->count = 2 * n->map.count;
    s->parts = ARENA_ARRAY(p->arena, s->count, struct step *);
    for (size_t i = 0; i < n->map.count; i++) {
        s->parts[2 * i] = plan_node(p, n->map.entries[i].key);
        s->parts[2 * i + 1] = plan_node(p, n->map.entries[i].value);
        optional[i] = n->map.entries[i].optional;
        has_optional = has_optional || optional[i];
    }
    s->optional = has_optional ? optional : NULL;
    if (!are_constants(s) || has_optional)
        return s;
    struct value *map = value_map_new(p->arena, n->map.count);
    for (size_t i = 0; i < n->map.count; i++) {
        if (!is_hashable(s->parts[2 * i]->constant))
            return s;
        value_map_set(p->arena, map->map, s->parts[2 * i]->constant, s->parts[2 * i + 1]->constant);
    }
    return constant(p, n, map);
}

/* Well-known types of protobuf are made in this way, too. */
static struct step *plan_object(struct planning *p, const struct node *n)
{
    const struct type *t = checked_type_of(p->checked, n);
    bool is_patch = t->kind == TYPE_OBJECT && str_eq(t->name, STR("JSONPatch"));
    struct step *s = new_step(p, STEP_OBJECT, n);
    bool *optional = ARENA_ARRAY(p->arena, n->structure.count, bool);
    struct str *fields = ARENA_ARRAY(p->arena, n->structure.count, struct str);
    s->count = n->structure.count;
    s->parts = ARENA_ARRAY(p->arena, s->count, struct step *);
    for (size_t i = 0; i < s->count; i++) {
        fields[i] = n->structure.fields[i].name;
        optional[i] = n->structure.fields[i].optional;
        s->parts[i] = plan_node(p, n->structure.fields[i].value);
    }
    if (!is_object(p, n) && !(is_patch && env_is_mutating(p->env)))
        return lack(p, n,
                    str_join(p->arena,
                             STR_PARTS(STR("vapcheck does not evaluate the type "), n->structure.type_name)));
    s->optional = optional;
    s->object.type = t->name;
    s->object.fields = fields;
    return s;
}

/* ---- comprehensions ---- */

/* Returns true if a macro collects in the variable: an empty list or map of its own, to which each turn adds.
 * Other variables that hold an empty one, such as that of optMap(), are the expression's own. */
static bool collects(const struct comprehension *c)
{
    bool is_empty = (c->init->kind == NODE_LIST && c->init->list.count == 0) ||
                    (c->init->kind == NODE_MAP && c->init->map.count == 0);
    return is_empty && c->accu_var.len > 0 && c->accu_var.at[0] == '@' && c->step->kind == NODE_CALL;
}

static struct step *plan_fold(struct planning *p, const struct node *n)
{
    const struct comprehension *c = n->comprehension;
    const struct local *outer = p->locals;
    struct step *s = new_step(p, STEP_FOLD, n);
    struct step_fold *f = s->fold = ARENA_NEW(p->arena, struct step_fold);
    f->index = p->fold_count++;
    f->has_two = c->iter_var2.len != 0;
    f->may_grow = !env_celgo(p->env)->grows_results_only || collects(c);
    f->init = plan_node(p, c->init);
    f->range = plan_node(p, c->range);
    struct local second = {outer, c->iter_var2, ATTRIBUTE_SECOND, f->index};
    struct local first = {f->has_two ? &second : outer, c->iter_var, ATTRIBUTE_FIRST, f->index};
    struct local accu = {&first, c->accu_var, ATTRIBUTE_ACCU, f->index};
    struct local accu_alone = {outer, c->accu_var, ATTRIBUTE_ACCU, f->index};
    p->locals = &accu;
    f->condition = plan_node(p, c->condition);
    f->step = plan_node(p, c->step);
    p->locals = &accu_alone;
    f->result = plan_node(p, c->result);
    p->locals = outer;
    return s;
}

/* ---- the tree ---- */

static const struct value *literal_value(struct planning *p, const struct literal *l)
{
    switch (l->kind) {
    case LITERAL_NULL:
        return &value_null;
    case LITERAL_BOOL:
        return value_bool(l->boolean);
    case LITERAL_INT:
        return value_int(p->arena, l->integer);
    case LITERAL_UINT:
        return value_uint(p->arena, l->uinteger);
    case LITERAL_DOUBLE:
        return value_double(p->arena, l->floating);
    case LITERAL_STRING:
        return value_string(p->arena, l->bytes);
    case LITERAL_BYTES:
        return value_bytes(p->arena, l->bytes);
    }
    return &value_null;
}

static struct step *plan_kind(struct planning *p, const struct node *n)
{
    switch (n->kind) {
    case NODE_LITERAL:
        return constant(p, n, literal_value(p, &n->literal));
    case NODE_IDENT:
        return plan_name(p, n, p->checked->names[n->id].len != 0 ? p->checked->names[n->id] : n->ident);
    case NODE_SELECT:
        return plan_select(p, n);
    case NODE_CALL:
        return plan_call(p, n);
    case NODE_LIST:
        return plan_list(p, n);
    case NODE_MAP:
        return plan_map(p, n);
    case NODE_STRUCT:
        return plan_object(p, n);
    case NODE_COMPREHENSION:
        return plan_fold(p, n);
    }
    return constant(p, n, &value_null);
}

static struct step *plan_node(struct planning *p, const struct node *n)
{
    arena_step(p->arena);
    if (p->depth >= PLAN_DEPTH)
        arena_fail(p->arena, ARENA_STEPS);
    p->depth++;
    struct step *s = plan_kind(p, n);
    p->depth--;
    return s;
}

enum plan_outcome plan_make(struct arena *a, const struct env *env, const struct ast *ast,
                            const struct checked *checked, struct plan *out, struct str *why)
{
    struct planning p = {.arena = a, .env = env, .checked = checked, .is_kept = out != NULL};
    struct step *root = plan_node(&p, ast->root);
    if (out != NULL)
        *out = (struct plan){.env = env, .root = root, .fold_count = p.fold_count};
    *why = p.why;
    return p.outcome;
}
