#include "typecheck/cel/types/mutation_types.h"

#include <stddef.h>

#include "typecheck/cel/types/type.h"

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

/*
 * The API server applies by the schema in the document of the kind's own group and version. These kinds are
 * published with the resources whose subresources bring them, or not at all.
 */
static const struct {
    struct str group, kind;
} UNPUBLISHED[] = {
    {STR_INIT("autoscaling"), STR_INIT("Scale")},
    {STR_INIT("policy"), STR_INIT("Eviction")},
    {STR_INIT("authentication.k8s.io"), STR_INIT("TokenRequest")},
    {STR_INIT(""), STR_INIT("PodExecOptions")},
    {STR_INIT(""), STR_INIT("PodAttachOptions")},
    {STR_INIT(""), STR_INIT("PodPortForwardOptions")},
    {STR_INIT(""), STR_INIT("PodProxyOptions")},
    {STR_INIT(""), STR_INIT("ServiceProxyOptions")},
    {STR_INIT(""), STR_INIT("NodeProxyOptions")},
};

bool mutation_types_lack_kind(struct str group, struct str kind)
{
    size_t i = 0, count = sizeof UNPUBLISHED / sizeof *UNPUBLISHED;
    while (i < count && !(str_eq(UNPUBLISHED[i].group, group) && str_eq(UNPUBLISHED[i].kind, kind)))
        i++;
    return i < count;
}
