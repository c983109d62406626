#include "controller/apiserver/defaults/clusterfields.h"

#include <stdint.h>

#include "client/base/buf.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/defaultrules.h"

#define CLUSTER(api_version, kind, when, fields) {api_version, kind, when, fields},

static const struct {
    const char *api_version, *kind, *when, *fields;
} rows[] = {
#include "controller/apiserver/defaults/clusterfields.def"
};

char *clusterfields_name(struct json_object *object)
{
    struct buf text;
    buf_init(&text, SIZE_MAX / 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (jsonval_is(object, "apiVersion", rows[i].api_version) &&
            jsonval_is(object, "kind", rows[i].kind) && defaultrules_hold(object, rows[i].when))
            buf_printf(&text, "%s%s", text.len == 0 ? "" : ", ", rows[i].fields);
    }
    if (text.len > 0)
        return buf_take(&text, NULL);
    buf_deinit(&text);
    return NULL;
}
