#include "typecheck/variables.h"

#include "typecheck/arena.h"

static const struct type *variables_field(const struct type *object, struct str name, struct types *ts);

static const struct object_ops variables_ops = {.field = variables_field};

/* type->data: where the slots are (the type itself is const). */
struct variables_data {
    struct variables *variables;
};

const struct type *variables_type(struct types *ts, size_t capacity, struct variables **out)
{
    struct arena *a = types_arena(ts);
    struct variables_data *data = ARENA_NEW(a, struct variables_data);
    data->variables = ARENA_NEW(a, struct variables);
    data->variables->slots = ARENA_ARRAY(a, capacity, struct variable_slot);
    *out = data->variables;
    return types_object(ts, STR("kubernetes.variables"), &variables_ops, data);
}

static const struct type *variables_field(const struct type *object, struct str name, struct types *ts)
{
    (void)ts;
    const struct variables *v = ((const struct variables_data *)object->data)->variables;
    for (size_t i = v->count; i-- > 0;) {
        if (str_eq(v->slots[i].name, name)) {
            return v->slots[i].type;
        }
    }
    return NULL;
}

/* composition.go, convertCelTypeToDeclType */
const struct type *variables_exposed(struct types *ts, const struct type *t)
{
    switch (t->kind) {
    case TYPE_ANY:
    case TYPE_NULL:
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_UINT:
    case TYPE_DOUBLE:
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_DURATION:
    case TYPE_TIMESTAMP:
        return t->nullable ? &type_dyn : t;
    case TYPE_LIST:
        return types_list(ts, variables_exposed(ts, t->params[0]));
    case TYPE_MAP:
        return types_map(ts, variables_exposed(ts, t->params[0]), variables_exposed(ts, t->params[1]));
    case TYPE_DYN:
    case TYPE_ERROR:
    case TYPE_TYPE:
    case TYPE_PARAM:
    case TYPE_OPAQUE:
    case TYPE_OBJECT:
        break;
    }
    return &type_dyn;
}

struct variable_slot *variables_declare(struct variables *v, struct str name)
{
    struct variable_slot *slot = &v->slots[v->count++];
    *slot = (struct variable_slot){.name = name, .type = &type_dyn};
    return slot;
}
