/*
 * crdbounds: which maxItems, maxProperties or maxLength would make a rule of
 * a CustomResourceDefinition cheap enough. Pure.
 *
 * It is tried out: bound by bound, then all of them together. A trial sets the
 * bounds and estimates the cost of the compiled rule anew.
 *
 *     char *hint = crdbounds_hint(&question);   "maxItems: 27 at .spec.list is enough"
 */
#ifndef CONTROLLER_CRD_CRDBOUNDS_H
#define CONTROLLER_CRD_CRDBOUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "controller/crd/crdwork.h"
#include "typecheck/crd_rule.h"
#include "typecheck/schema/document.h"

/* A place on the way from the root to the rules. */
struct crdbounds_step {
    uint32_t node;        /* index */
    const char *property; /* NULL: the root, or the elements of the place before */
};

struct crdbounds_question {
    struct crd_rule_results *compiled;
    const struct crd_rule_program *program; /* one of them */
    bool is_message;                        /* a messageExpression, which is evaluated once */
    uint64_t limit;
    struct schema *schema;            /* its bounds are changed for the trials, and are then as before */
    const struct crdbounds_step *way; /* the rule's place last */
    size_t way_len;
    struct crdwork *work; /* what trials cost is paid here */
};

/* NULL where no bound helps; where there is too much to try, it says so. The caller's. */
char *crdbounds_hint(const struct crdbounds_question *question);

#endif
