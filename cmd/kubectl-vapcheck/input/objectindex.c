#include "cmd/kubectl-vapcheck/input/objectindex.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* Returns the key of an object, or NULL if it has no name. Line feeds, which no name of a file holds,
 * separate its parts. */
static char *key_of(const char *file, struct json_object *object)
{
    const char *slash = strrchr(file, '/'), *version = jsonval_string_or_empty(object, "apiVersion");
    const char *name = jsonval_metadata(object, "name");
    const int directory = slash == NULL ? 0 : (int)(slash - file), group = (int)strcspn(version, "/");
    if (*name == '\0')
        return NULL;
    return mem_printf("%.*s\n%.*s\n%s\n%s", directory, file, group, version,
                      jsonval_string_or_empty(object, "kind"), name);
}

static char *place_of(const char *file, size_t line)
{
    return mem_printf("%s:%zu", file, line);
}

void objectindex_add(struct objectindex *index, const char *file, size_t line, struct json_object *object)
{
    cleanup_mem char *key = key_of(file, object), *place = place_of(file, line);
    if (index->places == NULL)
        index->places = json_object_new_object();
    if (key != NULL && !json_object_object_get_ex(index->places, key, NULL))
        jsonval_set(index->places, key, json_object_new_string(place));
}

const char *objectindex_other(const struct objectindex *index, const char *file, size_t line,
                              struct json_object *object)
{
    cleanup_mem char *key = key_of(file, object), *place = place_of(file, line);
    const char *first = key == NULL ? NULL : jsonval_string(index->places, key);
    return first == NULL || strcmp(first, place) == 0 ? NULL : first;
}

void objectindex_deinit(struct objectindex *index)
{
    json_object_put(index->places);
}
