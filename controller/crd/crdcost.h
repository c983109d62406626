/*
 * crdcost: the limits that an API server sets for the estimated cost of a
 * CustomResourceDefinition's rules, and its errors when they are exceeded. Pure.
 *
 *     crdcost_add(&total, field, cost);
 *     if (cost > CRDCOST_RULE_LIMIT) message = crdcost_message("estimated rule cost", cost,
 * CRDCOST_RULE_LIMIT);
 */
#ifndef CONTROLLER_CRD_CRDCOST_H
#define CONTROLLER_CRD_CRDCOST_H

#include <stddef.h>
#include <stdint.h>

#include "controller/field/fielderrors.h"

#define CRDCOST_RULE_LIMIT  ((uint64_t)10 * 1000 * 1000)
#define CRDCOST_TOTAL_LIMIT ((uint64_t)100 * 1000 * 1000)

/* How many of the most expensive rules an error names when the total is exceeded. */
enum { CRDCOST_NAMED = 4 };

struct crdcost {
    uint64_t total;
    struct crdcost_rule {
        char *field;
        uint64_t cost;
    } most[CRDCOST_NAMED];
    size_t count;
};

/* UINT64_MAX: as much, or more. */
uint64_t crdcost_product(uint64_t a, uint64_t b);

void crdcost_add(struct crdcost *total, const char *field, uint64_t cost);
/* Adds the errors for the schema at this field if the total is exceeded. */
void crdcost_finish(struct crdcost *total, const char *schema_field, struct fielderrors *out);
void crdcost_deinit(struct crdcost *total);

/* The refusal of a cost that is too high: "Forbidden: WHAT exceeds budget by factor of ...". The caller's. */
char *crdcost_message(const char *what, uint64_t cost, uint64_t limit);

#endif
