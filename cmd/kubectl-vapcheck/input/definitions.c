#include "cmd/kubectl-vapcheck/input/definitions.h"

void definitions_of(enum objectkind kind, struct json_object *object, struct definitions *out)
{
    *out = (struct definitions){.count = 0};
    if (kind == OBJECTKIND_CRD)
        out->items[out->count++] = json_object_get(object);
    if (kind != OBJECTKIND_COMPOSITE)
        return;
    for (enum composite_part part = 0; part < COMPOSITE_PARTS; part++) {
        struct json_object *made = composite_make(object, part);
        if (made != NULL)
            out->items[out->count++] = made;
    }
}

void definitions_deinit(struct definitions *found)
{
    for (size_t i = 0; i < found->count; i++)
        json_object_put(found->items[i]);
    *found = (struct definitions){.count = 0};
}
