#include "typecheck/cel/types/policy_variables.h"

#include "typecheck/base/arena.h"

static const struct type *variables_field(const struct type *object, struct str name, struct types *ts);

static bool variables_declares(const struct type *object, size_t index, struct str *out);

static const struct object_ops variables_ops = {.field = variables_field, .declares = variables_declares};

/* type->data: where the slots are (the type itself is const). */
struct variables_data {
    struct policy_variables *variables;
};

const struct type *policy_variables_type(struct types *ts, size_t capacity, struct policy_variables **out)
{
    struct arena *a = types_arena(ts);
    struct variables_data *data = ARENA_NEW(a, struct variables_data);
    data->variables = ARENA_NEW(a, struct policy_variables);
    data->variables->slots = ARENA_ARRAY(a, capacity, struct variable_slot);
    data->variables->index_cap = 2;
    while (data->variables->index_cap < 2 * capacity)
        data->variables->index_cap *= 2;
    data->variables->index = ARENA_ARRAY(a, data->variables->index_cap, uint32_t);
    *out = data->variables;
    return types_object(ts, STR("kubernetes.variables"), &variables_ops, data);
}

/* The place of the name in the index, or the free one where it belongs. */
static uint32_t *find_place(const struct policy_variables *v, struct arena *a, struct str name)
{
    arena_pay_hash(a, name.len);
    size_t i = str_hash(name) & (v->index_cap - 1);
    for (; v->index[i] != 0 && !str_eq(v->slots[v->index[i] - 1].name, name);
         i = (i + 1) & (v->index_cap - 1))
        ;
    return &v->index[i];
}

static const struct type *variables_field(const struct type *object, struct str name, struct types *ts)
{
    const struct policy_variables *v = ((const struct variables_data *)object->data)->variables;
    uint32_t found = *find_place(v, types_arena(ts), name);
    return found == 0 ? NULL : v->slots[found - 1].type;
}

static bool variables_declares(const struct type *object, size_t index, struct str *out)
{
    const struct policy_variables *v = ((const struct variables_data *)object->data)->variables;
    *out = index < v->count ? v->slots[index].name : STR("");
    return index < v->count;
}

/* ---- conversions of types ---- */

#define FIRST_CONVERSIONS 16u

/* Odd, with no pattern in its bits. */
#define HASH_FACTOR (uint64_t)0x9E3779B97F4A7C15u

/* A list or map, and what it becomes. Types share parts: each is converted once. */
struct conversion {
    const struct type *from, *to; /* a type, and what it becomes; NULL if the slot is free */
};

static struct conversion *find_conversion(const struct policy_variables *v, struct types *ts,
                                          const struct type *from)
{
    size_t i = (size_t)((uintptr_t)from * HASH_FACTOR >> 32) & (v->conversion_cap - 1);
    arena_step(types_arena(ts)); /* and none for each probe: addresses are not the same in every run */
    while (v->conversions[i].from != NULL && v->conversions[i].from != from)
        i = (i + 1) & (v->conversion_cap - 1);
    return &v->conversions[i];
}

static void make_room(struct policy_variables *v, struct types *ts)
{
    if (2 * (v->conversion_count + 1) <= v->conversion_cap)
        return;
    struct policy_variables grown = *v;
    grown.conversion_cap = v->conversion_cap == 0 ? FIRST_CONVERSIONS : 2 * v->conversion_cap;
    grown.conversions = ARENA_ARRAY(types_arena(ts), grown.conversion_cap, struct conversion);
    for (size_t i = 0; i < v->conversion_cap; i++) {
        if (v->conversions[i].from != NULL)
            *find_conversion(&grown, ts, v->conversions[i].from) = v->conversions[i];
    }
    *v = grown;
}

static const struct type *expose(struct policy_variables *v, struct types *ts, const struct type *t);

static const struct type *expose_parts(struct policy_variables *v, struct types *ts, const struct type *t)
{
    make_room(v, ts);
    const struct type *known = find_conversion(v, ts, t)->to;
    if (known != NULL)
        return known;
    const struct type *first = expose(v, ts, t->params[0]);
    const struct type *to =
        t->kind == TYPE_LIST ? types_list(ts, first) : types_map(ts, first, expose(v, ts, t->params[1]));
    make_room(v, ts);
    *find_conversion(v, ts, t) = (struct conversion){t, to};
    v->conversion_count++;
    return to;
}

/* composition.go, convertCelTypeToDeclType */
static const struct type *expose(struct policy_variables *v, struct types *ts, const struct type *t)
{
    arena_step(types_arena(ts));
    if (t->kind == TYPE_LIST || t->kind == TYPE_MAP)
        return expose_parts(v, ts, t);
    const unsigned NO_SCALARS = TYPE_KIND(TYPE_DYN) | TYPE_KIND(TYPE_ERROR) | TYPE_KIND(TYPE_TYPE) |
                                TYPE_KIND(TYPE_PARAM) | TYPE_KIND(TYPE_OPAQUE) | TYPE_KIND(TYPE_OBJECT);
    return t->nullable || type_is(t, NO_SCALARS) ? &type_dyn : t;
}

/* ---- the slots ---- */

void policy_variables_declare(struct policy_variables *v, struct types *ts, struct str name)
{
    *find_place(v, types_arena(ts), name) = (uint32_t)v->count + 1;
    v->slots[v->count++] = (struct variable_slot){.name = name, .type = &type_dyn};
}

void policy_variables_set_type(struct policy_variables *v, struct types *ts, const struct type *t)
{
    v->slots[v->count - 1].type = expose(v, ts, t);
}

void policy_variables_set_value_type(struct policy_variables *v, const struct type *t)
{
    v->slots[v->count - 1].type = t;
}
