#include "controller/apiserver/crd/crdfieldpath.h"

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "typecheck/schema.h"

static bool has_members(struct json_object *schema)
{
    struct json_object *properties = jsonval_get(schema, "properties");
    return json_object_is_type(properties, json_type_object) && jsonval_count(properties) > 0;
}

/* The schema of the field; NULL: there is none. */
static struct json_object *enter(struct json_object *schema, const char *name)
{
    struct json_object *next = has_members(schema) ? jsonval_get(jsonval_get(schema, "properties"), name)
                                                   : jsonval_get(schema, "additionalProperties");
    return json_object_is_type(next, json_type_object) ? next : NULL;
}

bool crdfieldpath_is_valid(struct json_object *schema, struct str path)
{
    cleanup_mem char *room = mem_zalloc(path.len + 1);
    struct str name;
    enum field_path_step step;
    while ((step = field_path_next(&path, room, &name)) == FIELD_PATH_NAME) {
        cleanup_mem char *key = mem_strndup(name.at, name.len);
        schema = enter(schema, key);
        if (schema == NULL)
            return false;
    }
    return step == FIELD_PATH_END;
}
