#include "controller/apiserver/defaults/defaultobject.h"

#include <string.h>

#include "client/text/jsonval.h"

const char *defaultobject_cut(const char *text, char end, char out[DEFAULTOBJECT_PATH_BYTES])
{
    size_t len = strcspn(text, (char[]){end, '\0'});
    const size_t kept = len < DEFAULTOBJECT_PATH_BYTES ? len : DEFAULTOBJECT_PATH_BYTES - 1;
    memcpy(out, text, kept);
    out[kept] = '\0';
    return text[len] == '\0' ? text + len : text + len + 1;
}

struct json_object *defaultobject_get(struct json_object *object, const char *path)
{
    char name[DEFAULTOBJECT_PATH_BYTES];
    while (object != NULL && *path != '\0') {
        path = defaultobject_cut(path, '.', name);
        object = jsonval_get(object, name);
    }
    return object;
}
