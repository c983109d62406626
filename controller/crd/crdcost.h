/*
 * crdcost: the budgets that an API server has for the rules of a
 * CustomResourceDefinition, and its words when they are exceeded. Pure.
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

/* As many of the most expensive are named when the total is exceeded. */
enum { CRDCOST_NAMED = 4 };

struct crdcost {
    uint64_t total;
    struct crdcost_rule {
        char *field;
        uint64_t cost;
    } most[CRDCOST_NAMED];
    size_t count;
};

void crdcost_add(struct crdcost *total, const char *field, uint64_t cost);
/* What is refused of the schema at this field, if anything. */
void crdcost_finish(struct crdcost *total, const char *schema_field, struct fielderrors *out);
void crdcost_deinit(struct crdcost *total);

/* The refusal of a cost that is too high: "Forbidden: WHAT exceeds budget by factor of ...". The caller's. */
char *crdcost_message(const char *what, uint64_t cost, uint64_t limit);

#endif
