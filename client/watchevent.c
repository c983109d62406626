#include "client/watchevent.h"

#include <string.h>

#include "client/apistatus.h"
#include "client/jsonscan.h"
#include "client/jsonval.h"
#include "client/mem.h"

enum { TYPE_NAME_BYTES = 32 };

static int parse_type(const char *name, enum watchevent_type *type, struct err *err)
{
    static const struct {
        const char *name;
        enum watchevent_type type;
    } types[] = {
        {"ADDED", WATCHEVENT_ADDED},       {"MODIFIED", WATCHEVENT_MODIFIED}, {"DELETED", WATCHEVENT_DELETED},
        {"BOOKMARK", WATCHEVENT_BOOKMARK}, {"ERROR", WATCHEVENT_ERROR},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(name, types[i].name) == 0) {
            *type = types[i].type;
            return 0;
        }
    }
    return err_set(err, ERR_PROTOCOL, "a watch event of an unknown type: %.*s", TYPE_NAME_BYTES, name);
}

static int read_object(struct watchevent *event, struct json_object *object, struct err *err)
{
    struct json_object *metadata = jsonval_get(object, "metadata");
    if (event->type == WATCHEVENT_ERROR) {
        apistatus_object_to_err(object, &event->error);
        event->resource_version = mem_strdup("");
        return 0;
    }
    const char *version = jsonval_string_or_empty(metadata, "resourceVersion");
    if (!*version)
        return err_set(err, ERR_PROTOCOL, "a watch event without a resourceVersion");
    const char *initial_end =
        jsonval_string(jsonval_get(metadata, "annotations"), "k8s.io/initial-events-end");
    event->is_initial_end =
        event->type == WATCHEVENT_BOOKMARK && initial_end && strcmp(initial_end, "true") == 0;
    event->resource_version = mem_strdup(version);
    return 0;
}

int watchevent_parse(const char *line, size_t len, struct watchevent *event, struct err *err)
{
    cleanup_json struct json_object *root = NULL;
    *event = (struct watchevent){0};
    if (jsonval_parse(line, len, &root, err) != 0)
        return err_prefix(err, "watch event");
    if (parse_type(jsonval_string_or_empty(root, "type"), &event->type, err) != 0)
        return -1;
    struct json_object *object = jsonval_get(root, "object");
    if (!json_object_is_type(object, json_type_object) ||
        !jsonscan_member(line, len, "object", &event->object, &event->object_len))
        return err_set(err, ERR_PROTOCOL, "a watch event without an object");
    return read_object(event, object, err);
}

void watchevent_deinit(struct watchevent *event)
{
    mem_free(event->resource_version);
    event->resource_version = NULL;
}
