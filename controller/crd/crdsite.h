/*
 * crdsite: the rules at one place of a CustomResourceDefinition's schema,
 * compiled, and what the API server says to them. Pure.
 *
 * A unit of work is one rule with its message. What it costs is paid to the
 * definition's crdwork; hints have one of their own, so that rules that cost
 * too much do not keep others from being compiled.
 */
#ifndef CONTROLLER_CRD_CRDSITE_H
#define CONTROLLER_CRD_CRDSITE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/crd/crdcost.h"
#include "controller/crd/crdwork.h"
#include "controller/field/fielderrors.h"
#include "typecheck/schema/document.h"
#include "typecheck/types/env.h"

#define CRDSITE_RULES "x-kubernetes-validations"

/* How a place hangs on its parent. */
enum crdsite_way { CRDSITE_ROOT, CRDSITE_PROPERTY, CRDSITE_ITEMS, CRDSITE_ADDITIONAL };

/* A place that data can stand at; rules under not, allOf and the like have none. */
struct crdsite_place {
    const struct crdsite_place *parent;
    enum crdsite_way way;
    const char *property; /* CRDSITE_PROPERTY */
    uint32_t node;        /* in the version's schema */
    bool is_ruled;        /* there are rules here or above */
    bool is_bounded;      /* by the bounds of all above */
    uint64_t at_most;     /* how often data stands here, then */
};

struct crdsite {
    struct json_object *schema; /* borrowed; it has rules */
    char *field;
    char *uncorrelatable; /* the outermost place above whose data of old cannot be found; NULL: none */
    const struct crdsite_place *place;
};

/* One version's rules. */
struct crdsite_run {
    const struct env *env;
    struct schema *schema;
    struct crdwork *work, *hints;
    const struct fielderrors *words; /* whose version says how values are shown */
    struct fielderrors *errors;
    struct crdcost *cost;
};

/* The texts of the rules of an entry: "" where there is none. */
struct str crdsite_text(struct json_object *rule, const char *key);

/* The rule at this index. False: a bound was reached before its end, and nothing is said about it. */
bool crdsite_compile(struct crdsite_run *run, const struct crdsite *site, size_t index);

#endif
