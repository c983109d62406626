/*
 * format_clause: the clauses of a format string: what string.format() reads behind a "%".
 *
 * The checker validates literal formats with them, and evaluation formats.
 */
#ifndef TYPECHECK_CHECK_FORMAT_CLAUSE_H
#define TYPECHECK_CHECK_FORMAT_CLAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;

struct format_clause {
    char letter;
    unsigned kinds;        /* of types that it takes: TYPE_KIND */
    const char *complaint; /* about others */
};

struct format_reading {
    const struct format_clause *clause;
    int64_t precision; /* -1: none is given */
    struct str error;  /* why there is no clause: what cel-go says */
};

/* Reads the clause at *at, which is behind the "%" and not the end, and moves *at behind it. False: it is
 * none. */
bool format_clause_read(struct arena *a, struct str format, size_t *at, struct format_reading *out);

#endif
