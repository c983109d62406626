#include "typecheck/policy/abstract/patch.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/kubernetes.h"
#include "typecheck/cel/types/mutation_types.h"
#include "typecheck/policy/abstract/domain/absmap.h"

/* ---- what is part of the result ---- */

struct naming {
    struct arena *arena;
    struct str *names; /* by node id */
};

static void name_node(struct naming *w, const struct node *n, struct str name);

static void name_structure(struct naming *w, const struct node *n, struct str name)
{
    struct str own = ast_without_dot(n->structure.type_name);
    w->names[n->id] = name;
    for (size_t i = 0; i < n->structure.count; i++) {
        const struct entry *field = &n->structure.fields[i];
        struct str below = mutation_types_is_object(own)
                               ? str_join(w->arena, STR_PARTS(own, STR("."), field->name))
                               : STR("");
        name_node(w, field->value, below);
    }
}

/* Branches, sums of lists, and what dyn() hides. */
static void name_call(struct naming *w, const struct node *n, struct str name)
{
    bool is_conditional = n->op == AST_CONDITIONAL;
    if (!is_conditional && n->op != AST_ADD && !str_eq(n->call.function, STR("dyn")))
        return;
    for (size_t i = is_conditional; i < n->arg_count; i++)
        name_node(w, n->call.args[i], name);
}

/* Lists and maps are unnamed. A macro's step adds to what it makes. Recurses as deep as the tree is. */
static void name_node(struct naming *w, const struct node *n, struct str name)
{
    arena_step(w->arena);
    if (n->kind == NODE_STRUCT)
        name_structure(w, n, name);
    else if (n->kind == NODE_CALL)
        name_call(w, n, name);
    for (size_t i = 0; n->kind == NODE_LIST && i < n->list.count; i++)
        name_node(w, n->list.elements[i], name);
    for (size_t i = 0; n->kind == NODE_MAP && i < n->map.count; i++)
        name_node(w, n->map.entries[i].value, name);
    if (n->kind == NODE_COMPREHENSION)
        name_node(w, n->comprehension->step, name);
}

const struct str *patch_names(struct arena *a, const struct ast *ast)
{
    struct naming w = {.arena = a, .names = ARENA_ARRAY(a, (size_t)ast->max_id + 1, struct str)};
    name_node(&w, ast->root, STR(""));
    return w.names;
}

/* ---- fields ---- */

static const struct type *element_of(const struct type *t)
{
    while (t->kind == TYPE_LIST)
        t = t->params[0];
    return t;
}

bool patch_find_entry(struct eval_context *e, const struct type *t, struct str key, struct object_entry *out)
{
    *out = (struct object_entry){.type = &type_dyn};
    if (t->kind == TYPE_MAP)
        out->type = t->params[1];
    return t->kind != TYPE_OBJECT || t->ops == NULL || t->ops->key == NULL || t->ops->key(t, key, e->ts, out);
}

/* The schema's type of "Object.spec.containers": that of an element. dyn where nothing is known. `of`: of the
 * last field. */
static const struct type *type_called(struct eval_context *e, struct str name, struct object_entry *of)
{
    const struct type *t = e->object_type;
    *of = (struct object_entry){.type = t};
    while (name.len > 0) {
        const char *dot = memchr(name.at, '.', name.len);
        arena_pay(e->arena, 1 + name.len / ARENA_STEP_BYTES);
        size_t used = dot == NULL ? name.len : (size_t)(dot - name.at);
        struct str part = {name.at, used};
        bool is_root = str_eq(part, STR("Object")) && t == e->object_type;
        if (!is_root && !patch_find_entry(e, t, part, of))
            return &type_dyn;
        t = is_root ? t : element_of(of->type);
        used += dot != NULL;
        name = str_skip(name, used);
    }
    return t;
}

/* The name of the one kind, of those that JSON and a uint have; any other, as an optional, is not judged. */
static struct str name_of_kinds(uint32_t kinds)
{
    return (kinds & ~(uint32_t)(ABS_JSON | ABS_UINT)) == 0 ? kinds_name(kinds) : STR("");
}

/* An int and a double are the same to the schema; a uint is neither, and null is not a value. */
static uint32_t kinds_of(struct eval_context *e, const struct type *t)
{
    uint32_t kinds = absval_of_type(e->arena, t)->kinds;
    if (t == &type_quantity_text)
        return kinds | ABS_NUMBER;
    return (kinds & ABS_NUMBER) != 0 ? kinds | ABS_INT | ABS_DOUBLE : kinds;
}

static bool is_object_literal(const struct node *n)
{
    return n->kind == NODE_STRUCT && mutation_types_is_object(ast_without_dot(n->structure.type_name));
}

/* A field of a structure or of a literal map. */
struct given {
    const struct entry *entry;
    struct str key;
    struct str type_name; /* "Object.spec" */
    const struct absval *value;
};

static void expect_type(struct eval_context *e, const struct given *g, const struct type *wanted,
                        struct str given_name)
{
    struct str name = wanted->kind == TYPE_OBJECT ? g->type_name : type_text(e->arena, wanted);
    eval_context_error(e, eval_context_entry(e, g->entry), ISSUE_TYPE_MISMATCH,
                       (struct issue_about){.name = g->key, .wanted = name, .given = given_name},
                       STR_PARTS(STR("expected type of field '"), g->key, STR("' is '"), name,
                                 STR("' but provided type is '"), given_name, STR("'")));
}

static void judge_field(struct eval_context *e, const struct type *t, const struct given *g);

/* The type of an entry of a literal list or map. */
static const struct type *inner_type(struct eval_context *e, const struct type *t, const struct node *n,
                                     size_t i)
{
    struct object_entry entry = {.type = &type_dyn};
    if (n->kind != NODE_MAP)
        return t->kind == TYPE_LIST ? t->params[0] : &type_dyn;
    const struct node *key = n->map.entries[i].key;
    if (key->kind == NODE_LITERAL && key->literal.kind == LITERAL_STRING)
        (void)patch_find_entry(e, t, key->literal.bytes, &entry);
    return entry.type;
}

/*
 * The server makes JSON of a field's map or list, and of what is in it only
 * if that is an object: a literal within a literal stays what it is to CEL.
 */
static bool has_literal_within(struct eval_context *e, const struct type *t, const struct node *n)
{
    size_t count = n->kind == NODE_LIST ? n->list.count : n->kind == NODE_MAP ? n->map.count : 0;
    for (size_t i = 0; i < count; i++) {
        const struct node *inner = n->kind == NODE_LIST ? n->list.elements[i] : n->map.entries[i].value;
        bool is_literal = inner->kind == NODE_LIST || inner->kind == NODE_MAP;
        arena_step(e->arena);
        if (is_literal && inner_type(e, t, n, i)->kind != TYPE_DYN)
            return true;
    }
    return false;
}

/* The entries of a literal map whose keys are all known, which stand in its order. */
static void judge_map(struct eval_context *e, const struct type *t, const struct given *g)
{
    const struct node *n = g->entry->value;
    const struct absmap *map = g->value->maps;
    if (n->kind != NODE_MAP || map == NULL || map->next != NULL || map->field_count != n->map.count)
        return;
    for (size_t i = 0; i < n->map.count; i++) {
        struct str key = map->fields[i].name;
        struct given entry = {&n->map.entries[i], key,
                              str_join(e->arena, STR_PARTS(g->type_name, STR("."), key)),
                              map->fields[i].value};
        judge_field(e, t, &entry);
    }
}

/* Returns true if no such value is an item of such a list; null and a uint are not judged. */
static bool is_no_item(struct eval_context *e, const struct type *t, const struct absval *v)
{
    return !v->is_error && name_of_kinds(v->kinds).len != 0 && (v->kinds & (ABS_NULL | ABS_UINT)) == 0 &&
           t->kind != TYPE_DYN && (v->kinds & kinds_of(e, t)) == 0;
}

/* The items of a literal list, to the first that is of another type. */
static void judge_items(struct eval_context *e, const struct type *t, const struct given *g)
{
    const struct node *n = g->entry->value;
    if (n->kind != NODE_LIST || n->list.optional != NULL || t->kind != TYPE_LIST ||
        !absval_is_exact_list(g->value))
        return;
    const struct abslist *list = g->value->list;
    size_t i = 0;
    for (; i < list->count && !is_no_item(e, t->params[0], list->items[i]); i++)
        arena_step(e->arena);
    if (i < list->count)
        expect_type(e, g, t->params[0], name_of_kinds(list->items[i]->kinds));
}

/*
 * A time takes any scalar when a patch is merged. It stays so in a custom resource, whose creationTimestamp
 * the server sets itself afterwards; an object of a built-in kind cannot be decoded with a number there.
 */
static bool is_set_again(struct eval_context *e, const struct given *g)
{
    return e->is_custom && (g->value->kinds & (ABS_LIST | ABS_MAP)) == 0 &&
           str_eq(g->type_name, STR("Object.metadata.creationTimestamp"));
}

static void judge_value(struct eval_context *e, const struct object_entry *entry, const struct given *g)
{
    bool is_literal = is_object_literal(g->entry->value);
    uint32_t kinds = is_literal ? ABS_MAP : g->value->kinds;
    struct str name =
        is_literal ? ast_without_dot(g->entry->value->structure.type_name) : name_of_kinds(kinds);
    if (g->value->is_error || name.len == 0 || entry->type->kind == TYPE_DYN || is_set_again(e, g))
        return;
    if ((kinds & kinds_of(e, entry->type)) == 0)
        expect_type(e, g, entry->type, name);
    else if (entry->is_atomic && (kinds & (ABS_LIST | ABS_MAP)) != 0)
        eval_context_error(
            e, eval_context_entry(e, g->entry), ISSUE_WRONG_MUTATION, (struct issue_about){.name = g->key},
            STR_PARTS(STR("may not mutate atomic arrays, maps or structs: '"), g->key, STR("' is one")));
    else if (has_literal_within(e, entry->type, g->entry->value))
        eval_context_error(
            e, eval_context_entry(e, g->entry), ISSUE_WRONG_MUTATION, (struct issue_about){.name = g->key},
            STR_PARTS(STR("a map or list within the "), name, STR(" of '"), g->key,
                      STR("' cannot be applied: only "), g->type_name, STR("{...} can hold one")));
    else if (g->entry->value->kind == NODE_LIST)
        judge_items(e, entry->type, g);
    else
        judge_map(e, entry->type, g);
}

static void judge_field(struct eval_context *e, const struct type *t, const struct given *g)
{
    struct object_entry entry;
    arena_step(e->arena);
    if (!patch_find_entry(e, t, g->key, &entry)) {
        struct absmap *map = ARENA_NEW(e->arena, struct absmap);
        *map = (struct absmap){.type = t};
        struct failure failure = {
            .code = ISSUE_UNDEFINED_FIELD,
            .message = str_join(e->arena, STR_PARTS(STR("undefined field '"), g->key, STR("'"))),
            .hint = {.map = map, .field = g->key},
            .about = issue_about_pack(e->arena, &(struct issue_about){.name = g->key})};
        eval_context_fail(e, eval_context_entry(e, g->entry), &failure);
    } else if (!g->entry->optional) {
        judge_value(e, &entry, g);
    }
}

static void judge_object(struct eval_context *e, const struct node *n, const struct absval *const *values)
{
    struct str own = ast_without_dot(n->structure.type_name);
    struct object_entry of;
    const struct type *t = type_called(e, own, &of);
    if (of.holds_atomics) {
        eval_context_error(
            e, eval_context_site(e, n), ISSUE_WRONG_MUTATION, (struct issue_about){.name = own},
            STR_PARTS(STR("may not mutate atomic arrays, maps or structs: an item '"), own, STR("' is one")));
        return;
    }
    for (size_t i = 0; i < n->structure.count; i++) {
        const struct entry *field = &n->structure.fields[i];
        struct given given = {field, field->name, str_join(e->arena, STR_PARTS(own, STR("."), field->name)),
                              values[i]};
        judge_field(e, t, &given);
    }
}

/* ---- patches ---- */

/*
 * The first Object{...} that the literal list or map holds, at whatever depth of such literals; NULL if it is
 * not certain that it holds one. In a sum of lists they become JSON by another way, which is fine. Recurses
 * as deep as the tree is.
 */
static const struct node *find_held(struct eval_context *e, const struct node *n)
{
    const bool is_list = n->kind == NODE_LIST;
    const size_t count = is_list ? n->list.count : n->kind == NODE_MAP ? n->map.count : 0;
    for (size_t i = 0; i < count; i++) {
        const struct node *inner = is_list ? n->list.elements[i] : n->map.entries[i].value;
        arena_step(e->arena);
        if (is_list ? n->list.optional != NULL && n->list.optional[i] : n->map.entries[i].optional)
            continue;
        const struct node *held = is_object_literal(inner) ? inner : find_held(e, inner);
        if (held != NULL)
            return held;
    }
    return NULL;
}

/* A list or map of Go, or a list that holds one; NULL: none for certain. Recurses as deep as the values
 * are. */
static const struct absval *find_typed(struct eval_context *e, const struct absval *v)
{
    arena_step(e->arena);
    if ((v->kinds & ~(uint32_t)(ABS_LIST | ABS_MAP)) == 0 && absval_is_typed(v))
        return v;
    const struct absval *found = NULL;
    for (size_t i = 0; absval_is_exact_list(v) && i < v->list->count && found == NULL; i++)
        found = find_typed(e, v->list->items[i]);
    return found;
}

/* Returns true if the API server can make JSON of the value. */
static bool judge_patch_value(struct eval_context *e, const struct entry *value, const struct absval *v)
{
    const struct absval *typed = value->optional ? NULL : find_typed(e, v);
    if (typed != NULL)
        eval_context_error(e, eval_context_entry(e, value), ISSUE_WRONG_MUTATION, ISSUE_ABOUT_NOTHING,
                           STR_PARTS(STR("a JSON patch cannot hold a "), name_of_kinds(typed->kinds),
                                     STR(" of the object: since Kubernetes 1.37 the API server cannot make "
                                         "JSON of it in a policy with match conditions")));
    const struct node *held =
        value->optional || env_kubernetes(e->env)->patches_hold_objects ? NULL : find_held(e, value->value);
    if (held != NULL)
        eval_context_error(e, eval_context_site(e, held), ISSUE_WRONG_MUTATION, ISSUE_ABOUT_NOTHING,
                           STR_PARTS(STR("before Kubernetes 1.37 a list or map in a JSON patch cannot hold "),
                                     ast_without_dot(held->structure.type_name),
                                     STR("{...}: the API server panics")));
    return typed == NULL;
}

/* Returns whether the API server can make JSON of its value. */
static bool judge_patch(struct eval_context *e, const struct node *n, const struct absval *const *values)
{
    bool has_json = true;
    for (size_t i = 0; i < n->structure.count; i++) {
        if (str_eq(n->structure.fields[i].name, STR("value")))
            has_json = judge_patch_value(e, &n->structure.fields[i], values[i]);
    }
    return has_json;
}

bool patch_judge(struct eval_context *e, const struct node *n, const struct absval *const *values,
                 bool *has_json)
{
    const struct policy_tree *x = &e->expressions[e->expression];
    const struct str *names = e->result_names == NULL ? NULL : e->result_names[e->expression];
    struct str own = ast_without_dot(n->structure.type_name);
    if (names == NULL || names[n->id].at == NULL)
        return false;
    bool is_operation = x->place == POLICY_JSON_PATCH && str_eq(own, STR("JSONPatch"));
    if (mutation_types_is_object(own) && names[n->id].len > 0 && !str_eq(names[n->id], own))
        eval_context_error(e, eval_context_site(e, n), ISSUE_WRONG_MUTATION,
                           (struct issue_about){.name = own, .wanted = names[n->id]},
                           STR_PARTS(STR("unexpected type name '"), own, STR("', expected '"), names[n->id],
                                     STR("', which matches field name path from root Object type")));
    else if (mutation_types_is_object(own) && x->place == POLICY_APPLY_CONFIGURATION)
        judge_object(e, n, values);
    else if (is_operation)
        *has_json = judge_patch(e, n, values);
    return is_operation;
}

/* ---- kinds ---- */

void patch_judge_kind(struct eval_context *e, const struct node *root)
{
    const struct policy_type *kind = e->kind;
    if (!mutation_types_lack_kind(kind->group, kind->kind))
        return;
    eval_context_error(e, eval_context_site(e, root), ISSUE_WRONG_MUTATION, ISSUE_ABOUT_NOTHING,
                       STR_PARTS(STR("an apply configuration cannot be applied to "), kind->group,
                                 kind->group.len == 0 ? STR("") : STR("/"), kind->version, STR(", Kind="),
                                 kind->kind, STR(": the API server has no type for it; a JSON patch works")));
}
