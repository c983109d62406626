#include "typecheck/policy/abstract/mutated.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/mutation_types.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/domain/bounds.h"

/* ---- maps of a value ---- */

/* A copy of a value, whose sorts of map can be changed one by one. */
struct copy {
    struct absval *value;
    struct absmap *maps;
    size_t count;
};

static struct copy copy_value(struct arena *a, const struct absval *v)
{
    struct copy c = {.value = ARENA_NEW(a, struct absval)};
    for (const struct absmap *m = v->maps; m != NULL; m = m->next)
        c.count++;
    arena_pay(a, 1 + c.count / ARENA_LOOKS_PER_STEP);
    c.maps = ARENA_ARRAY(a, c.count, struct absmap);
    size_t i = 0;
    for (const struct absmap *m = v->maps; m != NULL; m = m->next, i++) {
        c.maps[i] = *m;
        c.maps[i].next = i + 1 < c.count ? &c.maps[i + 1] : NULL;
    }
    *c.value = *v;
    c.value->maps = c.count == 0 ? NULL : c.maps;
    return c;
}

static void set_field(struct arena *a, struct absmap *map, struct absfield field)
{
    const struct absmap *next = map->next;
    *map = absmap_with(a, map, &field);
    map->next = next;
}

static struct absmap_found find_in(struct eval_context *e, struct absmap map, struct str name)
{
    map.next = NULL;
    return absmap_find(e->arena, e->ts, absval_of_map(e->arena, map), name);
}

/* The field by the type of the map alone, without the facts that are known about single fields. */
static struct absmap_found find_by_sort(struct eval_context *e, struct absmap map, struct str name)
{
    map.field_count = 0;
    map.field_keys = map.field_values = NULL;
    return find_in(e, map, name);
}

/* ---- what conditions say ---- */

/* object.a["b"].c as its keys, the last one first. */
struct keys {
    struct str list[BOUNDS_PATH_PARTS];
    size_t count;
};

/* Returns false if the node is not a path of constant keys, or if it is a very long one. */
static bool read_keys(const struct node *n, struct keys *keys)
{
    keys->count = 0;
    while (n->kind != NODE_IDENT) {
        const struct node *index = n->kind == NODE_SELECT ? NULL : n->call.args[1];
        if ((index != NULL && index->literal.kind != LITERAL_STRING) || keys->count == BOUNDS_PATH_PARTS)
            return false;
        keys->list[keys->count++] = index == NULL ? n->select.field : index->literal.bytes;
        n = index == NULL ? n->select.operand : n->call.args[0];
    }
    return true;
}

/* The value without what the first `count` of the keys lead to. Recurses as deep as the path is. */
static const struct absval *without(struct eval_context *e, const struct absval *v, const struct keys *keys,
                                    size_t count, struct absreason why)
{
    const struct str name = keys->list[count - 1];
    struct copy copy = copy_value(e->arena, v);
    for (size_t i = 0; i < copy.count; i++) {
        const struct absmap_found found = find_in(e, copy.maps[i], name);
        struct absfield field = {.name = name, .presence = ABS_ABSENT, .why = why};
        if (found.presence == ABS_ABSENT)
            continue;
        if (count > 1)
            field = (struct absfield){.name = name,
                                      .presence = found.presence,
                                      .value = without(e, found.value, keys, count - 1, why)};
        set_field(e->arena, &copy.maps[i], field);
    }
    return copy.value;
}

const struct absval *mutated_narrow(struct eval_context *e, const struct absval *object,
                                    const struct narrowing *known)
{
    for (const struct narrowing *n = known; n != NULL; n = n->next) {
        struct keys keys;
        arena_step(e->arena);
        if (n->kind != NARROWING_ABSENT || !str_eq(narrowing_root(n), STR("object")) ||
            !read_keys(n->path, &keys))
            continue;
        struct str path = ast_text(e->arena, n->path->select.operand, false);
        const struct absreason why = {str_join(e->arena, STR_PARTS(STR("has("), path, STR("."),
                                                                   n->path->select.field, STR(") is false"))),
                                      true};
        object = without(e, object, &keys, keys.count, why);
    }
    return object;
}

/* ---- apply configurations ---- */

static const struct absval *forget(struct eval_context *e, const struct absval *v, const struct node *n);

static bool is_object(const struct node *n)
{
    if (n->kind == NODE_CALL && n->op == AST_CONDITIONAL)
        return is_object(n->call.args[1]) && is_object(n->call.args[2]);
    return n->kind == NODE_STRUCT && mutation_types_is_object(ast_without_dot(n->structure.type_name));
}

/* Forgets the facts about the field; if an Object{...} is put there, only those about the fields that it
 * has. */
static void forget_field(struct eval_context *e, struct absmap *map, const struct entry *entry)
{
    const struct absfield *known = absmap_field(e->arena, map, entry->name);
    struct absfield field = {.name = entry->name, .presence = ABS_MAYBE, .value = &absval_json};
    if (known == NULL && map->type != NULL)
        return;
    if (known != NULL && known->presence != ABS_ABSENT && is_object(entry->value)) {
        field.presence = known->presence;
        field.value = forget(e, known->value, entry->value);
    } else if (map->type != NULL) {
        const struct absmap_found found = find_by_sort(e, *map, entry->name);
        if (found.presence == ABS_ABSENT)
            return;
        field.presence = found.presence;
        field.value = found.value;
    }
    set_field(e->arena, map, field);
}

/* Forgets the facts about the fields that an Object{...}, or branches with such, may set. Recurses as deep as
 * the tree is. */
static const struct absval *forget(struct eval_context *e, const struct absval *v, const struct node *n)
{
    arena_step(e->arena);
    if (n->kind == NODE_CALL)
        return forget(e, forget(e, v, n->call.args[1]), n->call.args[2]);
    struct copy copy = copy_value(e->arena, v);
    for (size_t i = 0; i < copy.count; i++) {
        for (size_t k = 0; k < n->structure.count; k++)
            forget_field(e, &copy.maps[i], &n->structure.fields[k]);
    }
    return copy.value;
}

const struct absval *mutated_apply(struct eval_context *e, const struct absval *object,
                                   const struct node *root)
{
    return is_object(root) && object->maps != NULL ? forget(e, object, root) : &absval_json;
}

/* ---- built-in kinds ---- */

/*
 * Fields that no default sets: what is not there stays away when the object is decoded. A Namespace gets a
 * label, and a ReplicationController those of its template.
 */
static const struct lasting {
    const char *kinds[2], *parent, *name; /* of core kinds; none: of all but `except` */
    const char *except[2];
} lasting_fields[] = {
    {.parent = "metadata", .name = "annotations"},
    {.parent = "metadata", .name = "finalizers"},
    {.parent = "metadata", .name = "labels", .except = {"Namespace", "ReplicationController"}},
    {.parent = "metadata", .name = "namespace"},
    {.parent = "metadata", .name = "ownerReferences"},
    {.kinds = {"ConfigMap", "Secret"}, .name = "data"},
    {.kinds = {"ConfigMap", "Secret"}, .name = "immutable"},
    {.kinds = {"ConfigMap"}, .name = "binaryData"},
    {.kinds = {"Secret"}, .name = "stringData"},
};

static bool is_core_kind(const struct policy_type *kind, const char *const names[2])
{
    bool is_named = false;
    for (size_t i = 0; i < 2 && names[i] != NULL; i++)
        is_named = is_named || str_eq(kind->kind, str_of(names[i]));
    return is_named && kind->group.len == 0;
}

static bool is_of(const struct lasting *l, const struct policy_type *kind)
{
    return l->kinds[0] == NULL ? !is_core_kind(kind, l->except) : is_core_kind(kind, l->kinds);
}

/* Returns true if no such value has the field, or each has only an empty one. Then *why is the reason. */
static bool lacks(struct eval_context *e, const struct absval *v, struct str name, struct absreason *why)
{
    const struct absmap_found found = absmap_find(e->arena, e->ts, v, name);
    *why = (struct absreason){STR("it is left out while it is empty"), false};
    if (found.presence != ABS_ABSENT)
        return absval_is_empty(found.value); /* encoding leaves it out */
    const struct absfield *field = absmap_field(e->arena, v->maps, name);
    *why = field == NULL ? (struct absreason){STR(""), false} : field->why;
    return true;
}

/* `any` without what the document lacks for certain. */
static const struct absval *decode_built_in(struct eval_context *e, const struct absval *document,
                                            const struct absval *any)
{
    const struct absmap_found metadata = absmap_find(e->arena, e->ts, document, STR("metadata"));
    for (size_t i = 0; i < sizeof lasting_fields / sizeof *lasting_fields; i++) {
        const struct lasting *l = &lasting_fields[i];
        const struct absval *parent = l->parent == NULL ? document : metadata.value;
        struct keys keys = {.list = {str_of(l->name)}, .count = 1};
        struct absreason why;
        arena_step(e->arena);
        if (parent == NULL || !is_of(l, e->kind) || !lacks(e, parent, keys.list[0], &why))
            continue;
        if (l->parent != NULL)
            keys.list[keys.count++] = str_of(l->parent);
        any = without(e, any, &keys, keys.count, why);
    }
    return any;
}

/* ---- custom resources ---- */

static const struct absval *decode_custom(struct eval_context *e, const struct absval *v);

/* A default may be put in the place of null, into maps, and into those of lists. */
static struct absfield decode_field(struct eval_context *e, struct absfield field)
{
    const uint32_t kinds = field.value->kinds;
    if (field.value->is_error || (kinds & (ABS_NULL | ABS_LIST)) != 0)
        return (struct absfield){.name = field.name, .presence = ABS_MAYBE, .value = &absval_json};
    if ((kinds & ABS_MAP) != 0)
        field.value = decode_custom(e, field.value);
    return field;
}

/* Recurses as deep as the value is. */
static const struct absval *decode_custom(struct eval_context *e, const struct absval *v)
{
    struct copy copy = copy_value(e->arena, v);
    for (size_t i = 0; i < copy.count; i++) {
        struct absmap *m = &copy.maps[i];
        struct absfield *fields = ARENA_ARRAY(e->arena, m->field_count, struct absfield);
        size_t count = 0;
        for (size_t k = 0; k < m->field_count; k++) {
            arena_step(e->arena);
            if (m->fields[k].presence != ABS_ABSENT)
                fields[count++] = decode_field(e, m->fields[k]);
        }
        if (m->type == NULL) {
            m->key = &absval_string;
            m->value = &absval_json;
        }
        m->fields = fields;
        m->field_count = count;
        m->field_keys = m->field_values = NULL;
    }
    return copy.count > BOUNDS_SORTS ? &absval_json : copy.value;
}

/* ---- decoding ---- */

/*
 * Returns true if an operation gave the object another kind, of which another decoder may take it. An
 * operation at a path that is not known is not expected to do that; an empty kind is completed.
 */
static bool has_other_kind(struct eval_context *e, const struct absval *object)
{
    const struct absmap_found found = absmap_find(e->arena, e->ts, object, STR("kind"));
    if (found.presence == ABS_ABSENT || (found.value->kinds & ~(uint32_t)ABS_STRING) != 0)
        return false;
    const struct str *text = absval_constant_string(found.value);
    return text == NULL || !(text->len == 0 || str_eq(*text, e->kind->kind));
}

const struct absval *mutated_decode(struct eval_context *e, const struct absval *object,
                                    const struct absval *any)
{
    if (!e->decodes_strictly)
        return object->maps == NULL ? &absval_json : decode_custom(e, object);
    if (object->kinds != ABS_MAP || object->maps == NULL)
        return any;
    return has_other_kind(e, object) ? &absval_json : decode_built_in(e, object, any);
}
