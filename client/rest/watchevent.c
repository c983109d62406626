#include "client/rest/watchevent.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/rest/apistatus.h"
#include "client/text/jsonpick.h"
#include "client/text/jsonval.h"

enum { TYPE_NAME_BYTES = 32 };

static int parse_type(const struct jsonpick *name, enum watchevent_type *type, struct err *err)
{
    static const struct {
        const char *name;
        enum watchevent_type type;
    } types[] = {
        {"ADDED", WATCHEVENT_ADDED},       {"MODIFIED", WATCHEVENT_MODIFIED}, {"DELETED", WATCHEVENT_DELETED},
        {"BOOKMARK", WATCHEVENT_BOOKMARK}, {"ERROR", WATCHEVENT_ERROR},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (jsonpick_is(name, types[i].name)) {
            *type = types[i].type;
            return 0;
        }
    }
    cleanup_mem char *unknown = jsonpick_string_or_empty(name);
    return err_set(err, ERR_PROTOCOL, "a watch event of an unknown type: %.*s", TYPE_NAME_BYTES, unknown);
}

static int read_error(struct watchevent *event, struct err *err)
{
    cleanup_json struct json_object *status = NULL;
    if (jsonval_parse(event->object, event->object_len, &status, err) != 0)
        return -1;
    apistatus_object_to_err(status, &event->error);
    event->resource_version = mem_strdup("");
    return 0;
}

enum { TYPE = JSONMETA_PICKS, OBJECT, INITIAL_END, N_PICKS };

static void name_picks(struct jsonpick_pick *picks)
{
    static const struct jsonpick_pick ours[] = {
        {.path = {"type"}},
        {.path = {"object"}},
        {.path = {"object", "metadata", "annotations", "k8s.io/initial-events-end"}},
    };
    jsonmeta_paths(picks, "object");
    memcpy(picks + TYPE, ours, sizeof ours);
}

static int read_version(const struct jsonpick_pick *picks, struct watchevent *event, struct err *err)
{
    jsonmeta_take(&event->meta, picks);
    event->resource_version = jsonpick_string(&event->meta.version);
    if (!event->resource_version || !*event->resource_version) {
        watchevent_deinit(event);
        return err_set(err, ERR_PROTOCOL, "a watch event without a resourceVersion");
    }
    event->is_initial_end =
        event->type == WATCHEVENT_BOOKMARK && jsonpick_is(&picks[INITIAL_END].value, "true");
    return 0;
}

static int read_event(const struct jsonpick_pick *picks, struct watchevent *event, struct err *err)
{
    const struct jsonpick *object = &picks[OBJECT].value;
    if (parse_type(&picks[TYPE].value, &event->type, err) != 0)
        return -1;
    if (!object->at || *object->at != '{')
        return err_set(err, ERR_PROTOCOL, "a watch event without an object");
    event->object = object->at;
    event->object_len = object->len;
    return event->type == WATCHEVENT_ERROR ? read_error(event, err) : read_version(picks, event, err);
}

int watchevent_parse(const char *line, size_t len, struct watchevent *event, struct err *err)
{
    struct jsonpick_pick picks[N_PICKS];
    name_picks(picks);
    *event = (struct watchevent){.is_cut = false};
    if (jsonpick_pick(line, len, picks, N_PICKS, err) != 0)
        return err_prefix(err, "watch event");
    return read_event(picks, event, err);
}

int watchevent_parse_head(const char *line, size_t len, struct watchevent *event, struct err *err)
{
    struct jsonpick_pick picks[N_PICKS];
    name_picks(picks);
    *event = (struct watchevent){.is_cut = true};
    jsonpick_head(line, len, picks, N_PICKS);
    if (parse_type(&picks[TYPE].value, &event->type, err) != 0)
        return -1;
    if (event->type == WATCHEVENT_ERROR)
        return err_set(err, ERR_PROTOCOL, "an error event that cannot be read");
    return read_version(picks, event, err);
}

void watchevent_deinit(struct watchevent *event)
{
    mem_free(event->resource_version);
    event->resource_version = NULL;
}
