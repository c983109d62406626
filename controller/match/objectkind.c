#include "controller/match/objectkind.h"

#include <string.h>

#include "client/text/jsonval.h"
#include "typecheck/text.h"

const struct objectkind_row objectkind_rows[OBJECTKIND_COUNT] = {
#define WORDS(id, one, many)
#define KIND(id, group, versions, name, words, view, resource, listed)                                       \
    [OBJECTKIND_##id] = {group, versions, name, resource, listed, OBJECTKIND_WORDS_##words},
#include "controller/match/kinds.def"
};

const struct objectkind_words objectkind_words[OBJECTKIND_WORDS_COUNT] = {
#define WORDS(id, one, many) [OBJECTKIND_WORDS_##id] = {one, many},
#define KIND(id, group, versions, name, words, view, resource, listed)
#include "controller/match/kinds.def"
};

enum objectkind objectkind_named(const char *name)
{
    for (size_t i = 0; i < OBJECTKIND_COUNT; i++) {
        if (strcmp(objectkind_rows[i].name, name) == 0)
            return (enum objectkind)i;
    }
    return OBJECTKIND_OTHER;
}

static const struct objectkind_row *row_of(enum objectkind kind)
{
    return kind < OBJECTKIND_MISNAMED ? &objectkind_rows[kind] : NULL;
}

/* The version of an apiVersion in this group; NULL: it is in another one. */
static const char *version_in(const char *api_version, const char *group)
{
    const size_t len = strlen(group);
    return strncmp(api_version, group, len) == 0 && api_version[len] == '/' ? api_version + len + 1 : NULL;
}

static bool is_read(const char *version, const char *versions)
{
    const struct str wanted = str_of(version);
    bool is_read = *versions == '\0';
    while (!is_read && *versions != '\0') {
        const size_t len = strcspn(versions, " ");
        is_read = str_eq(wanted, (struct str){versions, len});
        versions += len + (versions[len] == ' ');
    }
    return is_read;
}

enum objectkind objectkind_of(struct json_object *object)
{
    const char *api_version = jsonval_string_or_empty(object, "apiVersion"),
               *name = jsonval_string_or_empty(object, "kind");
    const enum objectkind named = objectkind_named(name);
    const struct objectkind_row *row = row_of(named);
    const char *version = row == NULL ? NULL : version_in(api_version, row->group);
    if (version != NULL && is_read(version, row->versions))
        return named;
    const bool is_of_admission = row != NULL && strcmp(row->group, OBJECTKIND_ADMISSION_GROUP) == 0,
               is_in_admission = *name != '\0' && version_in(api_version, OBJECTKIND_ADMISSION_GROUP) != NULL;
    return is_of_admission || is_in_admission ? OBJECTKIND_MISNAMED : OBJECTKIND_OTHER;
}

enum objectkind_words_id objectkind_words_of(const char *name)
{
    const struct objectkind_row *row = row_of(objectkind_named(name));
    return row == NULL ? OBJECTKIND_WORDS_OTHER : row->words;
}

bool objectkind_is_definition(enum objectkind kind)
{
    return kind == OBJECTKIND_CRD || kind == OBJECTKIND_COMPOSITE;
}
