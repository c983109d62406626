/*
 * crdcost: the estimated costs of a CustomResourceDefinition's rules together, and the API server's errors
 * when a limit is exceeded. Pure.
 *
 *     crdcost_add(&total, field, cost, true);
 *     if (cost > cel_place_cost_limit(CEL_PLACE_RULE))
 *         crdcost_refuse(&errors, &words, cost, cel_place_cost_limit(CEL_PLACE_RULE), field);
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDCOST_H
#define CONTROLLER_APISERVER_CRD_CRDCOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/apiserver/validation/fielderrors.h"

#define CRDCOST_TOTAL_LIMIT ((uint64_t)100 * 1000 * 1000)

/* Says how many of the most expensive rules an error names when the total is exceeded. */
enum { CRDCOST_NAMED = 4 };

struct crdcost_rule {
    char *field; /* "....x-kubernetes-validations[0].rule", or its messageExpression */
    uint64_t cost;
    bool is_known; /* it compiled */
};

struct crdcost {
    uint64_t total;
    struct crdcost_rule most[CRDCOST_NAMED];
    size_t count;
    bool keeps_all;
    struct crdcost_rule *all; /* in the order of the calls */
    size_t n_all;
};

/* The costs of the rules of one schema. */
struct crdcost_schema {
    char *field;
    uint64_t total;
    struct crdcost_rule *rules;
    size_t count;
    bool is_structural; /* else the server compiles none of its rules */
};

struct crdcosts {
    struct crdcost_schema *items;
    size_t count;
};

/* a * b; UINT64_MAX: that or more. */
uint64_t crdcost_product(uint64_t a, uint64_t b);

/* is_known false: the rule did not compile, and costs nothing. */
void crdcost_add(struct crdcost *total, const char *field, uint64_t cost, bool is_known);
/* Adds the errors for the schema at this field if the total is exceeded. */
void crdcost_finish(struct crdcost *total, const char *schema_field, struct fielderrors *out);
void crdcost_deinit(struct crdcost *total);

/* Appends a schema, with the rules that `total` kept. */
void crdcosts_take(struct crdcosts *costs, struct crdcost *total, const char *schema_field,
                   bool is_structural);
void crdcosts_deinit(struct crdcosts *costs);

/* The words for the thing that is too expensive: the server's, and those of `check`. */
struct crdcost_words {
    const char *server, *people;
};

/* Adds the error of a cost that is too high: "Forbidden: SERVER exceeds budget by factor of ...". */
void crdcost_refuse(struct fielderrors *out, const struct crdcost_words *words, uint64_t cost, uint64_t limit,
                    const char *field);

#endif
