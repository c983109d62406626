/*
 * default_rows: fields that an API server sets in objects of built-in kinds, as rows of a table
 * (default_rows.def).
 *
 *     struct default_rows rows = default_rows_of(&name);     // of core.Container
 *     for (size_t i = 0; i < rows.count; i++) ... rows.list[i].field, rows.list[i].value
 */
#ifndef TYPECHECK_CEL_SCHEMA_DEFAULT_ROWS_H
#define TYPECHECK_CEL_SCHEMA_DEFAULT_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/schema/component_name.h"

enum default_rows_stage {
    DEFAULT_ROWS_WRITTEN,
    DEFAULT_ROWS_DECODED,
    DEFAULT_ROWS_SENT,
    DEFAULT_ROWS_ADMITTED,
    DEFAULT_ROWS_DROPPED,
    DEFAULT_ROWS_CREATED,
    DEFAULT_ROWS_UPDATED,
};

enum default_rows_how { DEFAULT_ROWS_SET, DEFAULT_ROWS_FILL, DEFAULT_ROWS_PUT, DEFAULT_ROWS_DROP };

/* The texts are those of the table. */
struct default_row {
    const char *type, *field, *when, *value;
    enum default_rows_stage stage;
    enum default_rows_how how;
};

struct default_rows {
    const struct default_row *list;
    size_t count;
};

/* All rows, sorted by type. */
struct default_rows default_rows_all(void);
/* The rows of one type, in the order in which they are applied; and the rows of every type, "*". */
struct default_rows default_rows_of(const struct component_name *name);
struct default_rows default_rows_of_each(void);

/* Returns true if a word of a row's conditions is about versions: that of the type, or the minor one of the
 * server. *holds: whether it is so. */
bool default_rows_is_version(struct str word, struct str version, int minor, bool *holds);
/* Returns true if all conditions of the row hold whatever is in the object. */
bool default_rows_is_always(const struct default_row *row, struct str version, int minor);

#endif
