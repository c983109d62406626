/*
 * format_clause: reads the clauses of a format string, which follow a "%" in string.format().
 *
 * Both the checker, which validates literal formats, and evaluation use it.
 */
#ifndef TYPECHECK_CEL_CHECKER_FORMAT_CLAUSE_H
#define TYPECHECK_CEL_CHECKER_FORMAT_CLAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;

struct format_clause {
    char letter;
    unsigned kinds;        /* the types that it takes, a sum of TYPE_KIND */
    const char *complaint; /* the error about other types */
};

struct format_reading {
    const struct format_clause *clause;
    int64_t precision; /* -1: none is given */
    struct str error;  /* why there is no clause, in cel-go's words */
};

/* Reads the clause at *at, which is after the "%" and not at the end, and moves *at to its end. Returns false
 * if it is not a clause. */
bool format_clause_read(struct arena *a, struct str format, size_t *at, struct format_reading *out);

#endif
