#include "typecheck/policy/crdrules/crd_fit.h"

#include "bytes/utf8.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/equality.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/policy/crdrules/crd_error.h"
#include "typecheck/policy/crdrules/custom_value.h"

enum { DEPTH = 1000 };

struct fit {
    struct arena *arena;
    struct str problem; /* the first one */
    unsigned depth;
};

static void check(struct fit *f, const struct value *v, const struct value *schema,
                  const struct crd_error_way *way);

static void refuse(struct fit *f, const struct crd_error_way *way, struct str below, struct str what)
{
    if (f->problem.len == 0)
        f->problem = str_join(f->arena, STR_PARTS(crd_error_path(f->arena, way, below), STR(" "), what));
}

/* Returns true if there is such a bound, and the count is more. */
static bool is_more(struct fit *f, const struct value *schema, struct str bound, size_t count)
{
    const struct value *most = custom_value_member(f->arena, schema, bound);
    return most != NULL && most->kind == VALUE_INT && most->integer >= 0 && count > (uint64_t)most->integer;
}

static void check_enum(struct fit *f, const struct value *v, const struct value *schema,
                       const struct crd_error_way *way)
{
    const struct value *choices = custom_value_member(f->arena, schema, STR("enum"));
    bool is_one = choices == NULL || choices->kind != VALUE_LIST;
    for (size_t i = 0; !is_one && i < choices->list->count; i++)
        is_one = equality_of(f->arena, v, choices->list->items[i]) == EQUALITY_YES;
    if (!is_one)
        refuse(f, way, STR(""), STR("is none of the values that the schema lists"));
}

static void check_map(struct fit *f, const struct value *v, const struct value *schema,
                      const struct crd_error_way *way)
{
    struct arena *a = f->arena;
    const struct value *required = custom_value_member(a, schema, STR("required"));
    const size_t count = required == NULL || required->kind != VALUE_LIST ? 0 : required->list->count;
    for (size_t i = 0; i < count; i++) {
        const struct value *name = required->list->items[i];
        if (name->kind == VALUE_STRING && custom_value_member(a, v, name->text) == NULL)
            refuse(f, way, name->text, STR("is required"));
    }
    if (is_more(f, schema, STR("maxProperties"), v->map->count))
        refuse(f, way, STR(""), STR("has too many entries"));
    for (size_t i = 0; i < v->map->count; i++) {
        const struct value_entry *e = &v->map->entries[i];
        bool is_property;
        const struct value *inner = custom_value_entry_schema(a, schema, e->key->text, &is_property);
        const struct crd_error_way below = {way, e->key->text,
                                            is_property ? CRD_ERROR_FIELD : CRD_ERROR_ENTRY, 0};
        if (inner != NULL)
            check(f, e->value, inner, &below);
    }
}

static void check_list(struct fit *f, const struct value *v, const struct value *schema,
                       const struct crd_error_way *way)
{
    const struct value *items = custom_value_member(f->arena, schema, STR("items"));
    if (is_more(f, schema, STR("maxItems"), v->list->count))
        refuse(f, way, STR(""), STR("has too many items"));
    for (size_t i = 0; items != NULL && i < v->list->count; i++) {
        const struct crd_error_way below = {way, STR(""), CRD_ERROR_ITEM, i};
        check(f, v->list->items[i], items, &below);
    }
}

static void check(struct fit *f, const struct value *v, const struct value *schema,
                  const struct crd_error_way *way)
{
    const struct value *all = custom_value_member(f->arena, schema, STR("allOf"));
    arena_step(f->arena);
    if (v->kind == VALUE_NULL || f->problem.len != 0)
        return;
    if (++f->depth > DEPTH)
        arena_fail(f->arena, ARENA_STEPS);
    check_enum(f, v, schema, way);
    if (v->kind == VALUE_STRING && is_more(f, schema, STR("maxLength"), utf8_count(v->text.at, v->text.len)))
        refuse(f, way, STR(""), STR("is too long"));
    if (v->kind == VALUE_MAP)
        check_map(f, v, schema, way);
    if (v->kind == VALUE_LIST)
        check_list(f, v, schema, way);
    for (size_t i = 0; all != NULL && all->kind == VALUE_LIST && i < all->list->count; i++)
        check(f, v, all->list->items[i], way);
    f->depth--;
}

struct str crd_fit_problem(struct arena *a, const struct value *v, const struct value *schema)
{
    struct fit f = {.arena = a, .problem = STR("")};
    check(&f, v, schema, NULL);
    return f.problem;
}
