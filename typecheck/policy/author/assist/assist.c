#include "typecheck/policy/author/assist/assist.h"

#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/syntax/lexer.h"
#include "typecheck/cel/syntax/macro.h"
#include "typecheck/cel/syntax/reserved.h"
#include "typecheck/cel/types/admission_types.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/policy_variables.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/cel/types/unify.h"
#include "typecheck/policy/author/assist/operand.h"
#include "typecheck/policy/compile/root_variables.h"
#include "typecheck/typecheck.h"

#define ITEMS_FIRST 32u

struct work {
    struct arena *arena;
    const struct env *env;
    const struct typecheck_policy *policy; /* without anything, elsewhere */
    const struct policy_expression *expression;
    const struct assist_place *elsewhere; /* the place outside of policies; NULL if it is in a policy */
    struct operand operand;
    struct assist *out;
    size_t item_cap;
    bool by_detail; /* an item is another one if its detail is */

    /* of the type at hand */
    size_t type;
    struct types *types;
    struct variable variables[CEL_PLACE_VARIABLES];
    size_t variable_count;
};

static void add(struct work *w, struct assist_item item)
{
    struct assist *out = w->out;
    for (size_t i = 0; i < out->count; i++) {
        arena_step(w->arena);
        if (str_eq(out->items[i].name, item.name) && out->items[i].kind == item.kind &&
            (!w->by_detail || str_eq(out->items[i].detail, item.detail)))
            return;
    }
    if (out->count == ASSIST_ITEMS_MAX)
        return;
    ARENA_ROOM(w->arena, out->items, out->count, w->item_cap, ITEMS_FIRST);
    item.first_type = w->type;
    out->items[out->count++] = item;
}

/* ---- the type at hand ---- */

static const struct type *root_type(struct work *w, const struct policy_type *t)
{
    const struct type *type =
        t->node == NULL ? NULL
                        : object_type_of_resource(w->types, t->doc, t->node, t->kind, w->policy->typing);
    return type == NULL ? &type_dyn : type;
}

static const struct env *env_of(const struct work *w, enum policy_place place)
{
    return policy_is_mutation(place) ? env_mutating(w->env) : w->env;
}

/* Checks an expression of the policy, or one that was made from it. Returns false if it does not parse. */
static bool check(struct work *w, const struct root_variables *roots, enum policy_place place,
                  struct str text, struct expression *x, struct checked *checked, bool *is_good)
{
    if (w->elsewhere == NULL)
        w->variable_count = root_variables_of(roots, place, w->variables);
    const struct expression_scope scope = {w->types, env_of(w, place), w->variables, w->variable_count, NULL};
    if (!expression_parse(x, w->arena, w->arena, scope.env, text))
        return false;
    *is_good = expression_check(x, &scope, checked);
    return true;
}

/* Declares the roots, and the variables that come before the expression. */
static void begin_policy(struct work *w, size_t type, struct root_variables *roots)
{
    const struct typecheck_policy *p = w->policy;
    struct policy_variables *variables;
    const struct type *own = policy_variables_type(w->types, p->policy.count, &variables);
    const struct type *object = type < p->type_count ? root_type(w, &p->types[type]) : &type_dyn;
    const struct type *params = p->policy.has_params ? root_type(w, &p->params) : NULL;
    root_variables_init(roots, ROOT_VARIABLES_AT_RUN_TIME, w->types, object, params,
                        p->policy.lacks_variables ? NULL : own);
    for (size_t i = 0; i < p->policy.count; i++) {
        const struct policy_expression *e = &p->policy.expressions[i];
        struct expression x;
        struct checked checked;
        bool is_good;
        if (e->place != POLICY_VARIABLE)
            continue;
        if (e == w->expression) /* those behind are not there yet */
            break;
        policy_variables_declare(variables, w->types, e->name);
        if (check(w, roots, e->place, e->text, &x, &checked, &is_good) && is_good)
            policy_variables_set_value_type(variables, checked.result);
    }
    w->variable_count = root_variables_of(roots, w->expression->place, w->variables);
}

static void begin_type(struct work *w, size_t type, struct root_variables *roots)
{
    w->type = type;
    w->types = types_new(w->arena, env_types(w->env));
    if (w->elsewhere == NULL) {
        begin_policy(w, type, roots);
        return;
    }
    struct cel_place_scope scope = w->elsewhere->scope;
    scope.types = w->types;
    w->variable_count = cel_place_declare(w->elsewhere->place, &scope, w->variables);
}

static const struct node *find_selection(const struct node *n)
{
    const struct node *child, *found = NULL;
    if (n->kind == NODE_SELECT && str_eq(n->select.field, STR(OPERAND_FIELD)))
        return n;
    for (size_t i = 0; found == NULL && (child = ast_child(n, i)) != NULL; i++)
        found = find_selection(child);
    return found;
}

/* The type of the operand that OPERAND_FIELD is selected from; NULL if it is not known. */
static const struct type *type_of_operand(struct work *w, const struct root_variables *roots,
                                          struct str whole)
{
    struct expression x;
    struct checked checked;
    bool ignored;
    if (whole.len == 0 || !check(w, roots, w->expression->place, whole, &x, &checked, &ignored))
        return NULL;
    const struct node *selection = find_selection(x.ast.root);
    const struct type *t = selection == NULL ? NULL : checked_type_of(&checked, selection->select.operand);
    return t == NULL || t->kind == TYPE_ERROR ? NULL : t;
}

/* ---- fields ---- */

/* The type that a field is selected from; an optional value stands for the value in it. */
static const struct type *holder_of(const struct type *t)
{
    return type_is_optional(t) && t->param_count > 0 ? t->params[0] : t;
}

static struct str describe_type(struct work *w, const struct type *t)
{
    return t == &type_int_or_string ? STR("int or string")
           : t == &type_number      ? STR("int or double")
                                    : type_text(w->arena, t);
}

static bool is_identifier(struct str name)
{
    return lexer_is_name(name) && !reserved_has(name);
}

static void add_field(struct work *w, const struct type *object, struct str name)
{
    const struct type *t = object->ops->field(object, name, w->types);
    if (t != NULL)
        add(w, (struct assist_item){.kind = ASSIST_FIELD, .name = name, .detail = describe_type(w, t)});
}

static void add_fields(struct work *w, const struct type *object)
{
    struct str name;
    if (object->kind != TYPE_OBJECT || object->ops == NULL)
        return;
    for (size_t i = 0; object->ops->name == NULL ? admission_types_name(object, i, &name)
                                                 : object->ops->name(object, i, &name);
         i++) {
        arena_step(w->arena);
        if (is_identifier(name))
            add_field(w, object, name);
    }
}

/* `variables` knows the names that were declared, not in which order they come. */
static void add_variable_fields(struct work *w, const struct type *object)
{
    for (size_t i = 0; i < w->policy->policy.count; i++) {
        const struct policy_expression *e = &w->policy->policy.expressions[i];
        arena_step(w->arena);
        if (e->place == POLICY_VARIABLE && is_identifier(e->name))
            add_field(w, object, e->name);
    }
}

/* ---- functions ---- */

static bool is_spelled(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.at[i], letter = (char)(c | 0x20);
        if (c != '_' && c != '.' && !str_is_digit(c) && !(letter >= 'a' && letter <= 'z'))
            return false;
    }
    return name.len > 0 && name.at[0] != '_';
}

/* "string.startsWith(string) -> bool" */
static struct str describe_overload(struct work *w, const struct overload *o)
{
    struct text t = {.arena = w->arena};
    const size_t first = o->receiver ? 1 : 0;
    if (o->receiver) {
        type_print(&t, o->args[0]);
        text_add_char(&t, '.');
    }
    text_add(&t, o->function->name);
    text_add_char(&t, '(');
    for (size_t i = first; i < o->arg_count; i++) {
        text_add(&t, i > first ? STR(", ") : STR(""));
        type_print(&t, o->args[i]);
    }
    text_add(&t, STR(") -> "));
    type_print(&t, o->result);
    return text_str(&t);
}

/* Returns true if the overload is called so: on a value of that type, or, for NULL, by itself. */
static bool fits(struct work *w, const struct overload *o, const struct type *target)
{
    struct unify u;
    arena_step(w->arena);
    if (o->receiver != (target != NULL) || target == NULL)
        return o->receiver == (target != NULL);
    unify_init(&u, w->types, env_celgo(w->env));
    return unify_assign(&u, o->args[0], target);
}

/* Adds the functions with this name; if it is empty, all. In an explanation, each overload counts. */
static void add_functions(struct work *w, const struct type *target, struct str name)
{
    size_t count;
    const struct function *functions = env_functions(env_of(w, w->expression->place), &count);
    for (size_t i = 0; i < count; i++) {
        const struct function *f = &functions[i];
        arena_step(w->arena);
        if ((name.len > 0 && !str_eq(f->name, name)) || !is_spelled(f->name))
            continue;
        for (size_t k = 0; k < f->count; k++) {
            if (!fits(w, &f->overloads[k], target))
                continue;
            add(w, (struct assist_item){.kind = ASSIST_FUNCTION,
                                        .name = f->name,
                                        .detail = describe_overload(w, &f->overloads[k])});
            if (!w->by_detail)
                break;
        }
    }
}

/* Returns true if values of the type have the macro. */
static bool has_macro(const struct type *t, struct str name)
{
    const bool is_of_optional = str_has_prefix(name, STR("opt"));
    const unsigned containers = TYPE_KIND(TYPE_LIST) | TYPE_KIND(TYPE_MAP);
    const unsigned unknown = TYPE_KIND(TYPE_DYN) | TYPE_KIND(TYPE_ANY) | TYPE_KIND(TYPE_PARAM);
    return type_is(t, unknown) || (is_of_optional ? type_is_optional(t) : type_is(t, containers));
}

static void add_macros(struct work *w, const struct type *target, struct str name)
{
    struct macro_name m;
    for (size_t i = 0; macro_at(i, &m); i++) {
        if (m.level <= env_level(w->env) && m.is_receiver == (target != NULL) &&
            (target == NULL || has_macro(target, m.name)) && (name.len == 0 || str_eq(m.name, name)))
            add(w, (struct assist_item){.kind = ASSIST_MACRO, .name = m.name, .detail = STR("macro")});
    }
}

/* Adds the functions of a namespace such as `sets`, which follow its dot. */
static void add_namespace(struct work *w, struct str space)
{
    size_t count;
    const struct function *functions = env_functions(env_of(w, w->expression->place), &count);
    for (size_t i = 0; i < count; i++) {
        struct str name = functions[i].name;
        arena_step(w->arena);
        if (functions[i].count == 0 || !str_has_prefix(name, space) || name.len <= space.len + 1 ||
            name.at[space.len] != '.')
            continue;
        add(w, (struct assist_item){.kind = ASSIST_FUNCTION,
                                    .name = {name.at + space.len + 1, name.len - space.len - 1},
                                    .detail = describe_overload(w, &functions[i].overloads[0])});
    }
}

/* ---- what is asked ---- */

static void add_names(struct work *w)
{
    for (size_t i = w->operand.local_count; i-- > 0;)
        add(w, (struct assist_item){.kind = ASSIST_VARIABLE, .name = w->operand.locals[i]});
    for (size_t i = 0; i < w->variable_count; i++) {
        const struct variable *v = &w->variables[i];
        if (is_identifier(v->name))
            add(w, (struct assist_item){
                       .kind = ASSIST_VARIABLE, .name = v->name, .detail = describe_type(w, v->type)});
    }
    add_functions(w, NULL, STR(""));
    add_macros(w, NULL, STR(""));
}

static void complete_for_type(struct work *w, const struct root_variables *roots)
{
    if (w->operand.place == OPERAND_PRIMARY) {
        add_names(w);
        return;
    }
    const struct type *t = type_of_operand(w, roots, w->operand.whole);
    if (t == NULL) {
        add_namespace(w, w->operand.before);
        return;
    }
    add_fields(w, holder_of(t));
    if (str_eq(w->operand.before, STR("variables")))
        add_variable_fields(w, t);
    if (w->operand.is_optional || t->kind == TYPE_DYN) /* of an unknown value nobody knows what it has */
        return;
    add_functions(w, t, STR(""));
    add_macros(w, t, STR(""));
}

static void explain_for_type(struct work *w, const struct root_variables *roots)
{
    const struct operand *o = &w->operand;
    struct str name = {w->expression->text.at + o->from, o->to - o->from};
    const struct type *holder = o->place == OPERAND_SELECTED ? type_of_operand(w, roots, o->whole) : NULL;
    if (o->is_called && o->place == OPERAND_SELECTED && holder == NULL)
        name = str_join(w->arena, STR_PARTS(o->before, STR("."), name)); /* of a namespace */
    if (o->is_called) {
        add_functions(w, holder, name);
        add_macros(w, holder, name);
        return;
    }
    const struct type *t = type_of_operand(w, roots, o->with_name);
    if (t == NULL)
        return;
    add(w, (struct assist_item){.kind = holder == NULL ? ASSIST_VARIABLE : ASSIST_FIELD,
                                .name = name,
                                .detail = describe_type(w, t),
                                .holder = holder == NULL ? STR("") : holder_of(holder)->name});
}

static void ask(const struct env *env, const struct typecheck_policy *policy,
                const struct policy_expression *expression, const struct assist_place *elsewhere,
                size_t offset, bool is_explanation, struct assist *out)
{
    *out = (struct assist){0};
    arena_init(&out->arena, typecheck_default_caps.bytes);
    out->arena.max_steps = ASSIST_MAX_STEPS;
    if (setjmp(out->arena.escape) != 0)
        return; /* with what was found so far */
    struct work *w = ARENA_NEW(&out->arena, struct work);
    struct root_variables roots;
    *w = (struct work){.arena = &out->arena,
                       .env = env,
                       .policy = policy,
                       .expression = expression,
                       .elsewhere = elsewhere,
                       .out = out,
                       .by_detail = is_explanation};
    operand_find(w->arena, env_level(env), w->expression->text, (uint32_t)offset, &w->operand);
    out->from = w->operand.from;
    out->to = w->operand.to;
    if (w->operand.place == OPERAND_NOWHERE || (is_explanation && w->operand.with_name.len == 0))
        return;
    for (size_t i = 0; i < ASSIST_TYPES_MAX && (i == 0 || i < policy->type_count); i++) {
        begin_type(w, i, &roots);
        if (is_explanation)
            explain_for_type(w, &roots);
        else
            complete_for_type(w, &roots);
    }
}

void assist_complete(const struct env *env, const struct typecheck_policy *policy, size_t expression,
                     size_t offset, struct assist *out)
{
    ask(env, policy, &policy->policy.expressions[expression], NULL, offset, false, out);
}

void assist_explain(const struct env *env, const struct typecheck_policy *policy, size_t expression,
                    size_t offset, struct assist *out)
{
    ask(env, policy, &policy->policy.expressions[expression], NULL, offset, true, out);
}

static void ask_at(const struct assist_place *place, size_t offset, bool is_explanation, struct assist *out)
{
    static const struct typecheck_policy none;
    const struct policy_expression expression = {.place = POLICY_VALIDATION, .text = place->text};
    ask(cel_place_env(place->place, place->scope.env), &none, &expression, place, offset, is_explanation,
        out);
}

void assist_complete_at(const struct assist_place *place, size_t offset, struct assist *out)
{
    ask_at(place, offset, false, out);
}

void assist_explain_at(const struct assist_place *place, size_t offset, struct assist *out)
{
    ask_at(place, offset, true, out);
}

void assist_deinit(struct assist *found)
{
    arena_deinit(&found->arena);
}
