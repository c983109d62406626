/*
 * answers: a table of the answers that `authorizer` gives to expressions.
 *
 * A row {"user","path","group","resource","subresource","namespace","name","verb","allowed","reason","error"}
 * answers a question if each member that it has for the question is equal to the question's. The first such
 * row counts; if there is none, the answer is a default one.
 */
#ifndef TESTS_SUPPORT_CELCHECK_ANSWERS_H
#define TESTS_SUPPORT_CELCHECK_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/jsonread.h"
#include "typecheck/cel/interpreter/values/authorizer.h"

enum { ANSWERS_ROWS = 32 };

struct answers {
    struct authorizer_row rows[ANSWERS_ROWS];
    struct authorizer_table table;
    struct authorizer authorizer;
};

/* Reads the list of rows that comes next. */
const struct authorizer *answers_read(struct jsonread *r, struct answers *table);

/* The user is that of the request, an AdmissionRequest. */
void answers_set_user(struct answers *table, struct arena *a, struct str request);

#endif
