/*
 * answers: a table of the answers that `authorizer` gives to expressions.
 *
 * A row {"user","path","group","resource","subresource","namespace","name","verb","allowed","reason","error"}
 * answers the questions that it contradicts in nothing; the first such row does. There is always an answer.
 */
#ifndef CELCHECK_ANSWERS_H
#define CELCHECK_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/jsonread.h"
#include "typecheck/values/authorizations.h"

enum { ANSWERS_ROWS = 32 };

struct answers {
    struct authorizations_row rows[ANSWERS_ROWS];
    struct authorizations_table table;
    struct authorizations_authorizer authorizer;
};

/* Reads the list of rows that comes next. */
const struct authorizations_authorizer *answers_read(struct jsonread *r, struct answers *table);

/* The user is that of the request, an AdmissionRequest. */
void answers_set_user(struct answers *table, struct arena *a, struct str request);

#endif
