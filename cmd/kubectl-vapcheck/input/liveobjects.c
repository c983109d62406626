#include "cmd/kubectl-vapcheck/input/liveobjects.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"
#include "client/text/yaml_write.h"
#include "cmd/kubectl-vapcheck/input/remote.h"
#include "controller/match/objectkind.h"

/* A kind whose objects are read, in one version. */
struct list {
    const struct objectkind_row *kind;
    const char *group_version; /* borrowed */
};

/* Makes the object as a user would write it. An item of a list names no kind, so it is added. */
static void make_plain(struct json_object *object, const struct list *list)
{
    struct json_object *metadata = jsonval_get(object, "metadata");
    jsonval_set(object, "apiVersion", json_object_new_string(list->group_version));
    jsonval_set(object, "kind", json_object_new_string(list->kind->name));
    jsonval_drop(object, "status");
    if (metadata == NULL)
        return;
    jsonval_drop(metadata, "managedFields");
    jsonval_drop(metadata, "resourceVersion");
    jsonval_drop(metadata, "uid");
    jsonval_drop(metadata, "generation");
    jsonval_drop(metadata, "creationTimestamp");
}

static void add_object(struct inputs *inputs, const struct list *list, struct json_object *object)
{
    const char *name = jsonval_metadata(object, "name");
    struct buf text;
    make_plain(object, list);
    buf_init(&text, YAML_TEXT_CAP_BYTES);
    yaml_write(&text, object);
    inputs_add_text(inputs, mem_printf("%s/%s", list->kind->resource, name), buf_take(&text, NULL));
}

/* *is_served stays as it is if the server does not serve the list. */
static int add_list(struct remote *remote, struct inputs *inputs, const struct list *list, bool *is_served,
                    struct err *err)
{
    cleanup_mem char *path = mem_printf("/apis/%s/%s", list->group_version, list->kind->resource);
    cleanup_json struct json_object *tree = NULL;
    const char *bytes;
    size_t len;
    if (remote_get(remote, path, &bytes, &len, err) != 0) {
        if (err->code != ERR_NOT_FOUND)
            return err_prefix(err, "%s", list->kind->resource);
        *err = (struct err){0};
        return 0;
    }
    if (jsonval_parse(bytes, len, &tree, err) != 0)
        return err_prefix(err, "%s", list->kind->resource);
    remote_forget_last(remote);
    *is_served = true;
    struct json_object *items = jsonval_array(tree, "items");
    for (size_t i = 0; i < jsonval_length(items); i++) {
        if (json_object_is_type(jsonval_at(items, i), json_type_object))
            add_object(inputs, list, jsonval_at(items, i));
    }
    return 0;
}

/* Reads the objects of the kind in the first version that the server serves. */
static int add_kind(struct remote *remote, struct inputs *inputs, const struct objectkind_row *kind,
                    struct err *err)
{
    bool is_served = false;
    for (const char *version = kind->listed; *version != '\0' && !is_served;) {
        const size_t len = strcspn(version, " ");
        cleanup_mem char *group_version = mem_printf("%s/%.*s", kind->group, (int)len, version);
        if (add_list(remote, inputs, &(struct list){kind, group_version}, &is_served, err) != 0)
            return -1;
        version += len + (version[len] == ' ');
    }
    return 0;
}

int liveobjects_add(const struct config_source *source, struct inputs *inputs, struct err *err)
{
    struct remote *remote;
    int answer = 0;
    if (remote_open(source, &remote, err) != 0)
        return -1;
    for (size_t i = 0; i < OBJECTKIND_COUNT && answer == 0; i++)
        answer = add_kind(remote, inputs, &objectkind_rows[i], err);
    remote_close(remote);
    return answer;
}
