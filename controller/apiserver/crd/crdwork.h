/*
 * crdwork: the budget for the check of one CustomResourceDefinition. Pure.
 *
 * Every loop whose length the definition decides pays for each round. Once
 * nothing is left, every payment fails, the loops end, and the result counts
 * the rules that were not checked.
 *
 *     struct crdwork work = {.left = MAX_STEPS, .text_left = MAX_TEXT_BYTES};
 *     if (!crdwork_pay(&work, 1)) return;
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDWORK_H
#define CONTROLLER_APISERVER_CRD_CRDWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bytes/budget.h"
#include "controller/apiserver/validation/fielderrors.h"

/* A field of a schema, as errors name it; the schema of a longer one is not entered. */
enum { CRDWORK_FIELD_BYTES = 4000 };

/* Bytes that are copied for one step. */
enum { CRDWORK_STEP_BYTES = 64 };

/* Steps for the keywords of one schema. */
enum { CRDWORK_SCHEMA_STEPS = 30 };

struct crdwork {
    uint64_t left;      /* steps */
    uint64_t text_left; /* bytes of fields and messages */
    bool is_exhausted;
};

/* Returns false if fewer are left. */
static inline bool crdwork_pay(struct crdwork *work, uint64_t steps)
{
    work->is_exhausted = work->is_exhausted || steps > work->left;
    budget_pay(&work->left, steps);
    return !work->is_exhausted;
}

/* Pays for text that is kept. */
static inline bool crdwork_pay_text(struct crdwork *work, size_t bytes)
{
    work->is_exhausted = work->is_exhausted || bytes > work->text_left;
    budget_pay(&work->text_left, bytes);
    return crdwork_pay(work, bytes / CRDWORK_STEP_BYTES);
}

/* Pays for the text of the errors that were added; *n_paid: how many were paid for already. */
static inline bool crdwork_pay_errors(struct crdwork *work, const struct fielderrors *errors, size_t *n_paid)
{
    for (; *n_paid < errors->count && !work->is_exhausted; (*n_paid)++) {
        const struct fielderror *error = &errors->items[*n_paid];
        (void)crdwork_pay_text(work, strlen(error->field) + error->len);
    }
    return !work->is_exhausted;
}

/* Pays for the schema at this field, and for the field's name, which is copied for each of its children. */
static inline bool crdwork_enter(struct crdwork *work, const char *field)
{
    size_t len = strlen(field);
    work->is_exhausted = work->is_exhausted || len > CRDWORK_FIELD_BYTES;
    return crdwork_pay(work, CRDWORK_SCHEMA_STEPS + len / CRDWORK_STEP_BYTES);
}

#endif
