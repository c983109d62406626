#include "controller/apiserver/crd/crdversion.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

static const char before[] = "spec.versions[", behind[] = "].schema.openAPIV3Schema";

struct json_object *crdversion_schema(struct json_object *version)
{
    return jsonval_get(jsonval_get(version, "schema"), "openAPIV3Schema");
}

char *crdversion_field(size_t index)
{
    return mem_printf("%s%zu%s", before, index, behind);
}

struct json_object *crdversion_find(struct json_object *definition, const char *field, const char **below)
{
    struct json_object *versions = jsonval_array(jsonval_get(definition, "spec"), "versions");
    char *end;
    if (strncmp(field, before, sizeof before - 1) != 0)
        return NULL;
    const size_t index = strtoul(field + sizeof before - 1, &end, 10);
    if (strncmp(end, behind, sizeof behind - 1) != 0)
        return NULL;
    *below = end + sizeof behind - 1;
    return jsonval_at(versions, index);
}

bool crdversion_step(const char **below, char *name, size_t room)
{
    const char *start = *below + 1, *end = NULL;
    if (**below == '[')
        end = strchr(start, ']');
    else if (**below == '.')
        end = start + strcspn(start, ".[");
    if (end == NULL || (size_t)(end - start) >= room)
        return false;
    memcpy(name, start, (size_t)(end - start));
    name[end - start] = '\0';
    *below = *end == ']' ? end + 1 : end;
    return true;
}
