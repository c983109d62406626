#include "typecheck/cel/schema/given_when.h"

#include <string.h>

#define WHEN(type, field, when) {type, field, when},
const struct given_when_row given_when_rows[] = {
#include "typecheck/cel/schema/given_when.def"
};
const size_t given_when_count = sizeof given_when_rows / sizeof *given_when_rows;

bool given_when_is_of(const struct given_when_row *row, const struct component_name *name)
{
    const char *dot = strchr(row->type, '.');
    const struct str group = {row->type, (size_t)(dot - row->type)};
    return str_eq(group, name->group) && str_eq(str_of(dot + 1), name->type);
}
