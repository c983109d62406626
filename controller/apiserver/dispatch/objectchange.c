#include "controller/apiserver/dispatch/objectchange.h"

#include <stdbool.h>
#include <stddef.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsondiff.h"
#include "client/text/jsonval.h"

/* Changes that are shown; bytes of their text. */
enum { SHOWN_MAX = 5, TEXT_MAX = 64 * 1024 };

struct summary {
    struct buf text;
    size_t count;
};

static void add_text(void *user, const struct jsondiff *d)
{
    struct summary *s = user;
    if (s->count++ >= SHOWN_MAX)
        return;
    cleanup_mem char *before = jsondiff_value(d->has_before, d->before);
    cleanup_mem char *after = jsondiff_value(d->has_after, d->after);
    buf_printf(&s->text, "%s%s: %s becomes %s", s->count == 1 ? "" : "; ",
               d->path[0] == '\0' ? "the object" : d->path, before, after);
}

char *objectchange_text(struct json_object *before, struct json_object *after)
{
    struct summary s = {.count = 0};
    buf_init(&s.text, TEXT_MAX);
    jsondiff_walk(before, after, add_text, &s);
    if (s.count > SHOWN_MAX)
        buf_printf(&s.text, "; and %zu more", s.count - SHOWN_MAX);
    return buf_take(&s.text, NULL);
}

static void add_operation(void *user, const struct jsondiff *d)
{
    struct json_object *operation = json_object_new_object();
    const char *name = !d->has_after ? "remove" : d->has_before ? "replace" : "add";
    jsonval_set(operation, "op", json_object_new_string(name));
    jsonval_set(operation, "path", json_object_new_string(d->pointer));
    if (d->has_after)
        jsonval_set(operation, "value", json_object_get(d->after));
    jsonval_append(user, operation);
}

struct json_object *objectchange_patch(struct json_object *before, struct json_object *after)
{
    struct json_object *patch = json_object_new_array();
    jsondiff_walk(before, after, add_operation, patch);
    return patch;
}
