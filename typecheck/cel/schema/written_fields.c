#include "typecheck/cel/schema/written_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "typecheck/cel/schema/component_name.h"

#define FIELDS(type, omitted, null, zero) {type, omitted, null, zero},

static const struct written_fields rows[] = {
#include "typecheck/cel/schema/written_fields.def"
};

enum { NAME_BYTES = 256 };

static int compare(const void *name, const void *row)
{
    return strcmp(name, ((const struct written_fields *)row)->type);
}

static const struct written_fields *find(const char *name, int len)
{
    return len < NAME_BYTES ? bsearch(name, rows, sizeof rows / sizeof *rows, sizeof *rows, compare) : NULL;
}

const struct written_fields *written_fields_find(struct str component)
{
    struct component_name p;
    char name[NAME_BYTES];
    if (!component_name_split(component, &p))
        return NULL;
    const struct written_fields *of_version =
        find(name, snprintf(name, sizeof name, "%.*s.%.*s.%.*s", STR_ARG(p.group), STR_ARG(p.version),
                            STR_ARG(p.type)));
    return of_version != NULL
               ? of_version
               : find(name, snprintf(name, sizeof name, "%.*s.%.*s", STR_ARG(p.group), STR_ARG(p.type)));
}

bool written_fields_has(const char *list, struct str name)
{
    const char *at = list;
    while (*at != '\0') {
        const size_t len = strcspn(at, " ");
        if (len == name.len && memcmp(at, name.at, len) == 0)
            return true;
        at += len + (at[len] == ' ');
    }
    return false;
}
