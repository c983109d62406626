#include "typecheck/cel/schema/given_fields.h"

#include <string.h>

#include "typecheck/cel/schema/component_name.h"
#include "typecheck/cel/schema/default_rows.h"

/* The fields of a type or a place, each between spaces. */
struct row {
    struct str where;
    const char *fields;
};

#define ROW(where, fields)                                                                                   \
    {                                                                                                        \
        STR_INIT(where), " " fields " "                                                                      \
    }

static const struct row types[] = {
#define FIELDS(type, fields) ROW(type, fields),
#define AT(place, fields)
#include "typecheck/cel/schema/given_fields.def"
#undef FIELDS
#undef AT
};

static const struct row places[] = {
#define FIELDS(type, fields)
#define AT(place, fields) ROW(place, fields),
#include "typecheck/cel/schema/given_fields.def"
};

static bool lists(const char *fields, struct str field)
{
    for (const char *at = fields; *at != '\0'; at++) {
        if (*at == ' ' && strncmp(at + 1, field.at, field.len) == 0 && at[1 + field.len] == ' ')
            return true;
    }
    return false;
}

static bool is_listed(const struct component_name *name, struct str place, struct str field)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const struct str type = str_skip(types[i].where, name->group.len + 1);
        if (str_has_prefix(types[i].where, name->group) && str_eq(type, name->type) &&
            types[i].where.at[name->group.len] == '.' && lists(types[i].fields, field))
            return true;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (str_eq(places[i].where, place) && lists(places[i].fields, field))
            return true;
    }
    return false;
}

static bool sets(const struct default_row *row, struct str version, int minor)
{
    return (row->how == DEFAULT_ROWS_SET || row->how == DEFAULT_ROWS_FILL || row->how == DEFAULT_ROWS_PUT) &&
           row->stage != DEFAULT_ROWS_UPDATED && strcmp(row->value, "@drop") != 0 &&
           strcmp(row->value, "null") != 0 && default_rows_is_always(row, version, minor);
}

/* Returns true if a row of the type that has the field sets it. */
static bool is_set(const struct component_name *name, struct str field, int minor)
{
    const struct default_rows rows = default_rows_of(name);
    for (size_t i = 0; i < rows.count; i++) {
        if (str_eq(str_of(rows.list[i].field), field) && sets(&rows.list[i], name->version, minor))
            return true;
    }
    return false;
}

/* "apps.Deployment" has the rows of Deployment, the first name of the place. */
static bool is_of_kind(const struct default_row *row, struct str kind)
{
    const char *dot = strchr(row->type, '.');
    return dot != NULL && str_eq(str_of(dot + 1), kind);
}

/* Returns true if a row of the whole object sets the field below it: "spec.priority" of a Pod. */
static bool is_set_in_whole(struct str place, struct str field, int minor)
{
    const struct default_rows rows = default_rows_all();
    const char *dot = memchr(place.at, '.', place.len);
    if (dot == NULL)
        return false;
    const struct str kind = {place.at, (size_t)(dot - place.at)}, below = str_skip(place, kind.len + 1);
    for (size_t i = 0; i < rows.count; i++) {
        const struct str path = str_of(rows.list[i].field);
        if (path.len == below.len + 1 + field.len && str_has_prefix(path, below) &&
            str_has_suffix(path, field) && path.at[below.len] == '.' && is_of_kind(&rows.list[i], kind) &&
            sets(&rows.list[i], STR("v1"), minor))
            return true;
    }
    return false;
}

bool given_fields_has(struct str component, struct str place, struct str field, int minor)
{
    struct component_name name;
    return component_name_split(component, &name) &&
           (is_listed(&name, place, field) || is_set(&name, field, minor) ||
            is_set_in_whole(place, field, minor));
}

bool given_fields_is_set(struct str component, struct str field, int minor)
{
    struct component_name name;
    return component_name_split(component, &name) && is_set(&name, field, minor);
}
