/*
 * check_node() checks the parts of a node before the node, and puts the type of each node into an array by
 * its id. A chain of selections is first looked up as one qualified name, since a.b.c may be a variable or a
 * type; only if there is none, it is a selection from the type of its operand. A call tries all overloads of
 * its function by unification (unify.h). An unknown type, such as that of the elements of [], may be bound
 * by a later node, so checker_run() replaces unknowns at the end; one that is still unbound becomes dyn. A
 * node that is wrong has the type error, which fits everything, so that a mistake is reported once.
 */
#include "typecheck/cel/checker/checker.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/suggest.h"
#include "typecheck/cel/checker/near_names.h"
#include "typecheck/cel/checker/validators.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/provider.h"
#include "typecheck/cel/types/unify.h"

/* A variable of a comprehension; it hides what is further out. */
struct local {
    const struct local *outer;
    struct str name;
    const struct type *type;
};

struct checker {
    struct arena *arena;
    const struct env *env;
    const struct celgo *celgo;
    const struct local *locals; /* innermost first */
    struct provider provider;
    struct near_names near;
    struct str asked; /* the last name of may_be_qualified, and its answer */
    bool is_maybe_qualified;
    struct unify unify;
    struct issues *issues;
    struct str text; /* the expression's */
    struct checked *out;
};

static void check_node(struct checker *c, const struct node *n);

static const struct type *type_of(const struct checker *c, const struct node *n)
{
    return c->out->types[n->id];
}

/* Issues */

/* About the node. */
static void report(struct checker *c, enum issue_code code, const struct node *n, const struct str *parts,
                   size_t count)
{
    const struct extent at =
        issues_is_full(c->issues) ? EXTENT_NOWHERE : extent_of_place(c->arena, c->text, n);
    issues_join(c->issues, code, at, parts, count);
}

/* cel-go shows the node, too: by its address, or in a text that its protobuf library means to be unstable. */
static void incompatible(struct checker *c, const struct node *n, const struct type *old,
                         const struct type *new)
{
    struct str was = type_text(c->arena, old), is = type_text(c->arena, new);
    report(c, ISSUE_OTHER, n,
           STR_PARTS(STR("incompatible type already exists for expression: old:"), was, STR(", new:"), is));
}

static void undeclared_near(struct checker *c, const struct node *n, struct str name,
                            const struct near_names_found *near)
{
    const struct str suggestion =
        c->celgo->suggests_names ? near_names_text(c->arena, near, name) : STR(" (in container '')");
    const struct extent at =
        issues_is_full(c->issues) ? EXTENT_NOWHERE : extent_of_name(c->arena, c->text, n);
    issues_join(c->issues, ISSUE_UNDECLARED_REFERENCE, at,
                STR_PARTS(STR("undeclared reference to '"), name, STR("'"), suggestion));
    issues_tell(c->issues, (struct issue_about){.name = name, .suggestion = near_names_only(near, name)});
}

static void undeclared(struct checker *c, const struct node *n, struct str name)
{
    struct near_names_found near = {.count = 0};
    if (c->celgo->suggests_names && !issues_is_full(c->issues))
        near = near_names_find(&c->near, name);
    undeclared_near(c, n, name, &near);
}

/* The node is no such operand as it should be. */
static void mismatch(struct checker *c, const struct node *n, const struct type *expected,
                     const struct type *found)
{
    struct str e = type_text(c->arena, expected), f = type_text(c->arena, found);
    report(c, ISSUE_TYPE_MISMATCH, n,
           STR_PARTS(STR("expected type '"), e, STR("' but found '"), f, STR("'")));
    issues_tell(c->issues, (struct issue_about){.wanted = e, .given = f});
    issues_blame_operand(c->issues);
}

/* A node that a macro put in two places is checked in each. */
static void set_type(struct checker *c, const struct node *n, const struct type *t)
{
    const struct type **place = &c->out->types[n->id];
    if (*place != NULL && !type_is_exact(*place, t))
        incompatible(c, n, *place, t);
    else
        *place = t;
}

static void no_overload(struct checker *c, const struct node *n, const struct function *f,
                        const struct type *const *args, size_t count, bool has_target)
{
    struct text signature = {.arena = c->arena};
    size_t i = 0;
    if (has_target) {
        type_print(&signature, unify_substitute(&c->unify, args[i++], true));
        text_add_char(&signature, '.');
    }
    text_add_char(&signature, '(');
    for (size_t first = i; i < count; i++) {
        text_add(&signature, i == first ? STR("") : STR(", "));
        type_print(&signature, unify_substitute(&c->unify, args[i], true));
    }
    text_add_char(&signature, ')');
    report(c, issue_code_of_mismatch(f->name), n,
           STR_PARTS(STR("found no matching overload for '"), f->name, STR("' applied to '"),
                     text_str(&signature), STR("'")));
    issues_tell(c->issues, (struct issue_about){.name = f->name, .given = text_str(&signature)});
}

/* Names */

static bool is_absolute(struct str name)
{
    return name.len != 0 && name.at[0] == '.';
}

/* Returns true if `name` may mean a local that is called so but for the dot. */
static bool may_be_local(const struct checker *c, struct str name)
{
    return !is_absolute(name) || !c->celgo->has_scopes;
}

static const struct local *find_local(const struct checker *c, struct str name)
{
    const struct local *l = c->locals;
    unsigned looks = 0;
    for (; l != NULL && !str_eq(l->name, name); l = l->outer) {
        if (++looks % ARENA_LOOKS_PER_STEP == 0)
            arena_step(c->arena);
    }
    return l;
}

static const struct variable *find_variable(const struct checker *c, struct str name)
{
    const struct provider *p = &c->provider;
    for (size_t i = 0; i < p->variable_count; i++) {
        if (str_eq(p->variables[i].name, name))
            return &p->variables[i];
    }
    return NULL;
}

/* The type of a name that is not a local variable: of a declared variable, of a type, or of an enumeration's
 * value. Returns NULL if the name is none of these. */
static const struct type *resolve_global(struct checker *c, struct str name)
{
    const struct variable *v = find_variable(c, name);
    if (v != NULL)
        return v->type;
    const struct type *denoted = provider_ident(&c->provider, name);
    if (denoted == NULL) {
        denoted = provider_struct(&c->provider, name);
        if (denoted != NULL && !c->celgo->names_declared_types && provider_declares(&c->provider, name))
            return denoted;
    }
    if (denoted != NULL)
        return types_type(c->unify.ts, denoted);
    return provider_is_enum_value(name) ? &type_int : NULL;
}

/* A leading dot in a result's name says that it is the global, not a local of the same name. */
static void set_name(struct checker *c, const struct node *n, struct str name, bool is_hidden)
{
    c->out->names[n->id] = is_hidden ? str_join(c->arena, STR_PARTS(STR("."), name)) : name;
}

static void check_ident(struct checker *c, const struct node *n)
{
    struct str name = ast_name(n);
    const struct local *local = find_local(c, name);
    if (local != NULL && may_be_local(c, n->ident)) {
        set_type(c, n, local->type);
        set_name(c, n, name, false);
        return;
    }
    const struct type *t = resolve_global(c, name);
    if (t == NULL) {
        undeclared(c, n, n->ident);
        t = &type_error;
    } else {
        set_name(c, n, name, local != NULL);
    }
    set_type(c, n, t);
}

/* The identifier that a chain of selections begins with; NULL when it begins with something else. */
static const struct node *chain_start(const struct node *n)
{
    while (n->kind == NODE_SELECT && !n->select.test_only)
        n = n->select.operand;
    return n->kind == NODE_IDENT ? n : NULL;
}

/* "a.b.c" for a chain of selections that begins with the name `start`. */
static struct str chain_name(struct checker *c, const struct node *n, struct str start)
{
    size_t len = start.len;
    const struct node *part = n;
    for (; part->kind == NODE_SELECT; part = part->select.operand) {
        arena_step(c->arena);
        len += part->select.field.len + 1;
    }

    arena_pay_bytes(c->arena, len);
    char *at = arena_alloc(c->arena, len + 1);
    char *end = at + len;
    for (part = n; part->kind == NODE_SELECT; part = part->select.operand) {
        end -= part->select.field.len;
        memcpy(end, part->select.field.at, part->select.field.len);
        *--end = '.';
    }
    memcpy(at, start.at, start.len);
    return (struct str){at, len};
}

/* The same without a leading dot. */
static struct str qualified_name(struct checker *c, const struct node *n)
{
    return chain_name(c, n, ast_name(chain_start(n)));
}

/* Returns true if some name of several components begins with `first`. */
static bool begins_a_name(const struct checker *c, struct str first)
{
    const struct provider *p = &c->provider;
    for (size_t i = 0; i < p->variable_count; i++) {
        struct str name = p->variables[i].name;
        if (name.len > first.len && name.at[first.len] == '.' && str_has_prefix(name, first))
            return true;
    }
    return provider_may_know(p, first);
}

/* Each selection of a chain asks for the same name. */
static bool may_be_qualified(struct checker *c, struct str first)
{
    if (first.at != c->asked.at || first.len != c->asked.len) {
        c->asked = first;
        c->is_maybe_qualified = begins_a_name(c, first);
    }
    return c->is_maybe_qualified;
}

/* Returns true if the chain, or what it begins with, is declared. */
static bool begins_declared(struct checker *c, const struct node *n)
{
    const struct node *start = chain_start(n);
    const struct str first = ast_name(start);
    if ((find_local(c, first) != NULL && may_be_local(c, start->ident)) || resolve_global(c, first) != NULL)
        return true;
    for (; n->kind == NODE_SELECT && may_be_qualified(c, first); n = n->select.operand) {
        if (resolve_global(c, qualified_name(c, n)) != NULL)
            return true;
    }
    return false;
}

/* A qualified name of which no part is declared is reported as a whole where there is a name near to it.
 * `qualifier` is what stands before its last part. */
static bool report_qualified(struct checker *c, const struct node *n, const struct node *qualifier,
                             struct str last)
{
    if (!c->celgo->suggests_names || begins_declared(c, qualifier))
        return false;
    const struct str before = chain_name(c, qualifier, chain_start(qualifier)->ident);
    const struct str name = str_join(c->arena, STR_PARTS(before, STR("."), last));
    const struct near_names_found near = near_names_find(&c->near, name);
    if (near.count == 0)
        return false;
    undeclared_near(c, n, name, &near);
    set_type(c, n, &type_error);
    return true;
}

/* A chain of selections may be one name: "net.IP", or a variable with a dot in it. */
static bool check_qualified(struct checker *c, const struct node *n)
{
    const struct node *start = chain_start(n);
    if (start == NULL || n->select.test_only)
        return false;
    struct str first = ast_name(start);
    bool is_hidden = c->celgo->has_scopes && find_local(c, first) != NULL;
    if ((is_hidden && may_be_local(c, start->ident)) || !may_be_qualified(c, first))
        return false;
    struct str name = qualified_name(c, n);
    const struct type *t = resolve_global(c, name);
    if (t == NULL)
        return false;
    set_type(c, n, t);
    set_name(c, n, name, is_hidden);
    return true;
}

/* Selections */

static struct extent extent_of_field(struct checker *c, const struct node *n, uint32_t offset)
{
    if (issues_is_full(c->issues))
        return EXTENT_NOWHERE;
    return n != NULL ? extent_of_place(c->arena, c->text, n) : extent_of_operator(c->arena, c->text, offset);
}

/* The declared field with nearly this name; empty: there is none. */
static struct str near_field(struct checker *c, const struct type *object, struct str field)
{
    struct suggest nearest;
    struct str near = STR(""), name;
    const bool has_names = provider_is_declared(object) && object->ops->declares != NULL;
    if (!has_names || issues_is_full(c->issues))
        return STR("");
    suggest_init(&nearest, str_copy(c->arena, field).at);
    for (size_t i = 0; object->ops->declares(object, i, &name); i++) {
        arena_pay_bytes(c->arena, name.len * field.len);
        suggest_offer_str(&nearest, name);
        near = nearest.best == name.at ? name : near;
    }
    return near;
}

/* `selection` is NULL if the field is that of a structure, whose colon is at the offset. */
static const struct type *object_field(struct checker *c, const struct node *selection, uint32_t offset,
                                       const struct type *object, struct str type_name, struct str field)
{
    const struct type *t = NULL;
    enum provider_found found = provider_is_declared(object)
                                    ? provider_declared_field(&c->provider, object, field, &t)
                                    : provider_field(&c->provider, type_name, field, &t);
    switch (found) {
    case PROVIDER_FOUND:
        return t;
    case PROVIDER_NO_FIELD:
        issues_join(c->issues, ISSUE_UNDEFINED_FIELD, extent_of_field(c, selection, offset),
                    STR_PARTS(STR("undefined field '"), field, STR("'")));
        issues_tell(c->issues, (struct issue_about){.name = field, .near = near_field(c, object, field)});
        break;
    case PROVIDER_NO_TYPE:
        issues_join(c->issues, ISSUE_OTHER, extent_of_field(c, selection, offset),
                    STR_PARTS(STR("unexpected failed resolution of '"), type_name, STR("'")));
        break;
    }
    return &type_error;
}

static void no_fields(struct checker *c, const struct node *n, const struct type *t, struct str field)
{
    const struct str given = type_text(c->arena, t);
    report(c, ISSUE_NO_FIELDS, n, STR_PARTS(STR("type '"), given, STR("' does not support field selection")));
    issues_tell(c->issues, (struct issue_about){.name = field, .given = given});
}

static const struct type *select_from(struct checker *c, const struct node *n, const struct type *t,
                                      struct str field)
{
    if (t->kind == TYPE_MAP)
        return t->params[1];
    if (t->kind == TYPE_OBJECT)
        return object_field(c, n, n->offset, t, t->name, field);
    if (t->kind == TYPE_PARAM)
        unify_assign(&c->unify, &type_dyn, t);
    else if (!type_is(t, TYPE_KIND(TYPE_DYN) | TYPE_KIND(TYPE_ANY) | TYPE_KIND(TYPE_ERROR)))
        no_fields(c, n, t, field);
    return &type_dyn;
}

/* Checks a selection; one from an optional value is optional, too. */
static const struct type *check_field(struct checker *c, const struct node *n, const struct node *operand,
                                      struct str field, bool optional)
{
    check_node(c, operand);
    const struct type *from = unify_substitute(&c->unify, type_of(c, operand), false);
    bool is_optional = type_is_optional(from);
    const struct type *t = select_from(c, n, is_optional ? from->params[0] : from, field);
    return is_optional || optional ? types_optional(c->unify.ts, t) : t;
}

static void check_select(struct checker *c, const struct node *n)
{
    if (check_qualified(c, n))
        return;
    if (!n->select.test_only && chain_start(n) != NULL &&
        report_qualified(c, n, n->select.operand, n->select.field))
        return;
    const struct type *t = check_field(c, n, n->select.operand, n->select.field, false);
    set_type(c, n, n->select.test_only ? &type_bool : unify_substitute(&c->unify, t, false));
}

/* Calls */

/* Arguments of a call and, before them, its target. Few calls have more than fit here. */
#define FEW_ARGS 4

static size_t collect_args(struct checker *c, const struct node *n, const struct node *target,
                           const struct type **few, const struct type ***args)
{
    size_t count = n->arg_count + (target != NULL);
    *args = count <= FEW_ARGS ? few : ARENA_ARRAY(c->arena, count, const struct type *);
    size_t i = 0;
    if (target != NULL)
        (*args)[i++] = type_of(c, target);
    for (size_t k = 0; k < n->arg_count; k++)
        (*args)[i++] = type_of(c, n->call.args[k]);
    return count;
}

/* The overload at `index` matched. */
static void set_overload(struct checker *c, const struct node *n, const struct function *f, size_t index)
{
    if (c->out->matches[n->id] == 0)
        c->out->overloads[n->id] = &f->overloads[index];
    c->out->matches[n->id] |= (uint64_t)1 << index;
}

static bool is_logical(const struct function *f)
{
    return str_eq(f->name, STR("_&&_")) || str_eq(f->name, STR("_||_"));
}

/* Each operand that is not a bool has an issue of its own. */
static void resolve_logical(struct checker *c, const struct node *n, const struct function *f,
                            const struct type *const *args)
{
    bool fits = true;
    for (size_t i = 0; i < n->arg_count; i++) {
        if (unify_assign(&c->unify, args[i], &type_bool))
            continue;
        mismatch(c, n->call.args[i], &type_bool, args[i]);
        fits = false;
    }
    set_type(c, n, fits ? &type_bool : &type_error);
    if (fits)
        set_overload(c, n, f, 0);
}

/* All overloads are tried; if several match and their results differ, the result is dyn. */
static void resolve_overload(struct checker *c, const struct node *n, const struct function *f,
                             const struct node *target)
{
    const struct type *few[FEW_ARGS], **args;
    size_t count = collect_args(c, n, target, few, &args);
    if (is_logical(f) && target == NULL) {
        resolve_logical(c, n, f, args);
        return;
    }
    const struct type *result = NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct overload *o = &f->overloads[i];
        const struct type *candidate;
        if (o->receiver != (target != NULL) || !unify_overload(&c->unify, args, count, o, &candidate))
            continue;
        set_overload(c, n, f, i);
        if (result == NULL) {
            result = candidate;
        } else if (result->kind != TYPE_DYN && result->kind != TYPE_ANY &&
                   !type_is_exact(candidate, result)) {
            result = &type_dyn;
        }
    }
    if (result == NULL)
        no_overload(c, n, f, args, count, target != NULL);
    set_type(c, n, result == NULL ? &type_error : result);
}

static const struct function *find_function(const struct checker *c, struct str name)
{
    const struct function *f = env_function(c->env, ast_without_dot(name));
    return f != NULL && f->count != 0 ? f : NULL;
}

/* The function that target and name make together, as in math.least(1, 2); NULL: it is a call on the
 * target. */
static const struct function *find_namespaced(struct checker *c, const struct node *n)
{
    const struct node *start = chain_start(n->call.target);
    if (start == NULL)
        return NULL;
    const struct function *space = env_function(c->env, ast_name(start));
    if (space == NULL || !space->is_namespace)
        return NULL;
    struct str prefix = qualified_name(c, n->call.target);
    return find_function(c, str_join(c->arena, STR_PARTS(prefix, STR("."), n->call.function)));
}

/* _?._(operand, "field"), which the parser makes of operand.?field */
static void check_optional_select(struct checker *c, const struct node *n, const struct function *f)
{
    struct str field = n->call.args[1]->literal.bytes;
    const struct type *t = check_field(c, n, n->call.args[0], field, true);
    set_type(c, n, unify_substitute(&c->unify, t, false));
    set_overload(c, n, f, 0);
}

static void check_call(struct checker *c, const struct node *n)
{
    const struct node *target = n->call.target;
    if (str_eq(n->call.function, STR("_?._"))) {
        check_optional_select(c, n, find_function(c, n->call.function));
        return;
    }
    for (size_t i = 0; i < n->arg_count; i++)
        check_node(c, n->call.args[i]);
    const struct function *f = target == NULL ? NULL : find_namespaced(c, n);
    if (f != NULL) {
        c->out->names[target->id] = qualified_name(c, target);
        target = NULL;
    } else {
        if (target != NULL && chain_start(target) != NULL && report_qualified(c, n, target, n->call.function))
            return;
        if (target != NULL)
            check_node(c, target);
        f = find_function(c, n->call.function);
    }
    if (f != NULL) {
        resolve_overload(c, n, f, target);
        return;
    }
    set_type(c, n, &type_error);
    undeclared(c, n, n->call.function);
}

/* Literals of lists, maps and structures */

/* Joins the types of two members of a literal. Types that do not go together become dyn; the validators
 * decide whether that is an error. */
static const struct type *join(struct checker *c, const struct type *previous, const struct type *current)
{
    if (previous == NULL)
        return current;
    if (unify_assign(&c->unify, previous, current))
        return unify_most_general(&c->unify, previous, current);
    return &type_dyn;
}

/* The type of a value that is written with "?": the type in the optional. */
static const struct type *unwrap_optional(struct checker *c, const struct node *n)
{
    const struct type *t = type_of(c, n);
    if (type_is_optional(t))
        return t->params[0];
    if (t->kind != TYPE_DYN && t->kind != TYPE_ANY)
        mismatch(c, n, types_optional(c->unify.ts, t), t);
    return t;
}

static void check_list(struct checker *c, const struct node *n)
{
    const struct type *element = NULL;
    for (size_t i = 0; i < n->list.count; i++) {
        const struct node *e = n->list.elements[i];
        check_node(c, e);
        bool optional = n->list.optional != NULL && n->list.optional[i];
        element = join(c, element, optional ? unwrap_optional(c, e) : type_of(c, e));
    }
    if (element == NULL)
        element = unify_fresh(&c->unify);
    set_type(c, n, types_list(c->unify.ts, element));
}

static void check_map(struct checker *c, const struct node *n)
{
    const struct type *key = NULL, *value = NULL;
    for (size_t i = 0; i < n->map.count; i++) {
        const struct entry *e = &n->map.entries[i];
        check_node(c, e->key);
        key = join(c, key, type_of(c, e->key));
        check_node(c, e->value);
        value = join(c, value, e->optional ? unwrap_optional(c, e->value) : type_of(c, e->value));
    }
    if (key == NULL) {
        key = unify_fresh(&c->unify);
        value = unify_fresh(&c->unify);
    }
    set_type(c, n, types_map(c->unify.ts, key, value));
}

/* The name without parameters that issues about structures use. */
static struct str declared_name(struct checker *c, const struct type *t)
{
    type_tell_name(t);
    return t->nullable ? str_join(c->arena, STR_PARTS(STR("wrapper("), t->name, STR(")"))) : t->name;
}

/* The type called `name`; *is_type: or something else of the name, and its type. Returns NULL if there is
 * neither. */
static const struct type *find_made(struct checker *c, struct str name, bool *is_type)
{
    *is_type = true;
    if (c->celgo->makes_types_only) {
        const struct type *t = provider_ident(&c->provider, name);
        return t != NULL ? t : provider_struct(&c->provider, name);
    }
    const struct local *local = find_local(c, name);
    const struct type *t = local != NULL ? local->type : resolve_global(c, name);
    *is_type = t != NULL && t->kind == TYPE_TYPE && t->param_count != 0;
    return *is_type ? t->params[0] : t;
}

/* The type that `name{}` makes; *type_name becomes the name under which its fields are found. */
static const struct type *resolve_structure(struct checker *c, const struct node *n, struct str *type_name)
{
    *type_name = ast_without_dot(n->structure.type_name);
    bool is_type;
    const struct type *t = find_made(c, *type_name, &is_type);
    if (t == NULL || (t->kind == TYPE_ERROR && !is_type))
        return t;
    if (!is_type) {
        struct str name = declared_name(c, t);
        report(c, ISSUE_OTHER, n, STR_PARTS(STR("'"), name, STR("' is not a type")));
        return &type_error;
    }
    struct str message = provider_message_name(c->unify.ts, t);
    if (message.len != 0) {
        *type_name = message;
        return t;
    }
    if (t->kind == TYPE_OBJECT) {
        *type_name = t->name;
        return t;
    }
    struct str name = declared_name(c, t);
    report(c, ISSUE_OTHER, n, STR_PARTS(STR("'"), name, STR("' is not a message type")));
    return &type_error;
}

static void check_field_value(struct checker *c, const struct type *object, struct str type_name,
                              const struct entry *field)
{
    check_node(c, field->value);
    const struct type *expected = object_field(c, NULL, field->offset, object, type_name, field->name);
    const struct type *value = field->optional ? unwrap_optional(c, field->value) : type_of(c, field->value);
    if (unify_assign(&c->unify, expected, value))
        return;
    struct str e = type_text(c->arena, expected), v = type_text(c->arena, value);
    issues_join(c->issues, ISSUE_TYPE_MISMATCH, extent_of_field(c, NULL, field->offset),
                STR_PARTS(STR("expected type of field '"), field->name, STR("' is '"), e,
                          STR("' but provided type is '"), v, STR("'")));
    issues_tell(c->issues, (struct issue_about){.name = field->name, .wanted = e, .given = v});
}

static void check_structure(struct checker *c, const struct node *n)
{
    struct str type_name;
    const struct type *t = resolve_structure(c, n, &type_name);
    if (t == NULL) {
        undeclared(c, n, n->structure.type_name);
        set_type(c, n, &type_error);
        return;
    }
    set_type(c, n, t);
    for (size_t i = 0; i < n->structure.count; i++)
        check_field_value(c, t, type_name, &n->structure.fields[i]);
}

/* Comprehensions */

struct loop_types {
    const struct type *first, *second;
};

/* The types of the loop variables: an element, or index and element; a key, or key and value. */
static struct loop_types check_range(struct checker *c, const struct node *range, bool has_two)
{
    const struct type *t = unify_substitute(&c->unify, type_of(c, range), false);
    if (t->kind == TYPE_LIST)
        return has_two ? (struct loop_types){&type_int, t->params[0]}
                       : (struct loop_types){t->params[0], NULL};
    if (t->kind == TYPE_MAP)
        return (struct loop_types){t->params[0], t->params[1]};
    if (type_is(t, TYPE_KIND(TYPE_DYN) | TYPE_KIND(TYPE_ERROR) | TYPE_KIND(TYPE_PARAM))) {
        unify_assign(&c->unify, &type_dyn, t);
        return (struct loop_types){&type_dyn, &type_dyn};
    }
    const struct str given = type_text(c->arena, t);
    report(c, ISSUE_NO_RANGE, range,
           STR_PARTS(STR("expression of type '"), given,
                     STR("' cannot be range of a comprehension (must be list, map, or dynamic)")));
    issues_tell(c->issues, (struct issue_about){.given = given});
    issues_blame_operand(c->issues);
    return (struct loop_types){&type_error, &type_error};
}

static void assert_type(struct checker *c, const struct node *n, const struct type *expected)
{
    if (!unify_assign(&c->unify, expected, type_of(c, n)))
        mismatch(c, n, expected, type_of(c, n));
}

static void check_comprehension(struct checker *c, const struct node *n)
{
    struct str var = n->comprehension->iter_var, var2 = n->comprehension->iter_var2;
    check_node(c, n->comprehension->range);
    check_node(c, n->comprehension->init);
    const struct local *outside = c->locals;
    const struct type *accu_type = type_of(c, n->comprehension->init);
    struct loop_types types = check_range(c, n->comprehension->range, var2.len != 0);

    struct local accu = {outside, n->comprehension->accu_var, accu_type};
    /* The first of two variables of the same name stays. */
    struct local second = {&accu, var2, types.second};
    struct local first = {var2.len == 0 ? &accu : &second, var, types.first};
    c->locals = &first;
    check_node(c, n->comprehension->condition);
    assert_type(c, n->comprehension->condition, &type_bool);
    check_node(c, n->comprehension->step);
    assert_type(c, n->comprehension->step, accu_type);
    c->locals = &accu;
    check_node(c, n->comprehension->result);
    c->locals = outside;
    set_type(c, n, unify_substitute(&c->unify, type_of(c, n->comprehension->result), false));
}

/* Recurses as deep as the tree is, which the parser bounds. */
static void check_node(struct checker *c, const struct node *n)
{
    arena_step(c->arena);
    switch (n->kind) {
    case NODE_LITERAL:
        set_type(c, n, type_of_literal(n->literal.kind));
        break;
    case NODE_IDENT:
        check_ident(c, n);
        break;
    case NODE_SELECT:
        check_select(c, n);
        break;
    case NODE_CALL:
        check_call(c, n);
        break;
    case NODE_LIST:
        check_list(c, n);
        break;
    case NODE_MAP:
        check_map(c, n);
        break;
    case NODE_STRUCT:
        check_structure(c, n);
        break;
    case NODE_COMPREHENSION:
        check_comprehension(c, n);
        break;
    }
}

bool checker_run(struct types *ts, const struct env *env, const struct ast *ast,
                 const struct variable *variables, size_t variable_count, struct issues *issues,
                 struct checked *out)
{
    struct checker c = {
        .arena = types_scratch(ts), .env = env, .issues = issues, .text = ast->text, .out = out};
    c.celgo = env_celgo(env);
    size_t ids = (size_t)ast->max_id + 1, issues_before = issues->count;
    provider_init(&c.provider, ts, env, variables, variable_count);
    unify_init(&c.unify, ts, c.celgo);
    c.near = (struct near_names){
        .arena = c.arena, .env = env, .variables = variables, .variable_count = variable_count};
    out->types = ARENA_ARRAY(c.arena, ids, const struct type *);
    out->overloads = ARENA_ARRAY(c.arena, ids, const struct overload *);
    out->matches = ARENA_ARRAY(c.arena, ids, uint64_t);
    out->names = ARENA_ARRAY(c.arena, ids, struct str);
    check_node(&c, ast->root);
    for (size_t i = 0; i < ids; i++) {
        arena_step(c.arena);
        if (out->types[i] != NULL && out->types[i]->generic)
            out->types[i] = unify_substitute(&c.unify, out->types[i], true);
    }
    out->result = type_of(&c, ast->root);
    if (issues->count == issues_before)
        validators_run(ts, ast, out, c.celgo, issues);
    return issues->count == issues_before;
}
