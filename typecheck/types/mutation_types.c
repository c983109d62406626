#include "typecheck/types/mutation_types.h"

#include <stddef.h>

#include "typecheck/types/type.h"

static const struct type *object_field(const struct type *object, struct str name, struct types *ts)
{
    (void)object;
    (void)name;
    (void)ts;
    return &type_dyn;
}

/* The server finds any field, those that are none without a type; that takes no value. */
static const struct type *patch_field(const struct type *object, struct str name, struct types *ts)
{
    (void)object;
    (void)ts;
    if (str_eq(name, STR("op")) || str_eq(name, STR("path")) || str_eq(name, STR("from")))
        return &type_string;
    return str_eq(name, STR("value")) ? &type_dyn : NULL;
}

static const struct object_ops object_ops = {.field = object_field};
static const struct object_ops patch_ops = {.field = patch_field};

bool mutation_types_is_object(struct str name)
{
    return str_eq(name, STR("Object")) || str_has_prefix(name, STR("Object."));
}

const struct type *mutation_types_type(struct types *ts, struct str name)
{
    if (mutation_types_is_object(name))
        return types_object(ts, name, &object_ops, NULL);
    return str_eq(name, STR("JSONPatch")) ? types_object(ts, name, &patch_ops, NULL) : NULL;
}

const struct type *mutation_types_object(struct types *ts)
{
    return mutation_types_type(ts, STR("Object"));
}

const struct type *mutation_types_patches(struct types *ts)
{
    return types_list(ts, mutation_types_type(ts, STR("JSONPatch")));
}
