/*
 * crdsite: compiles the rules at one place of a CustomResourceDefinition's
 * schema, and adds the API server's errors and their estimated cost. Pure.
 *
 * One call compiles one rule and its message, and pays the definition's
 * crdwork for it. The search for hints pays another crdwork, so that rules
 * that are too expensive leave enough work for the rules after them.
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDSITE_H
#define CONTROLLER_APISERVER_CRD_CRDSITE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/apiserver/crd/crdcost.h"
#include "controller/apiserver/crd/crdplace.h"
#include "controller/apiserver/crd/crdwork.h"
#include "controller/apiserver/validation/fielderrors.h"
#include "typecheck/schema.h"
#include "typecheck/version.h"

#define CRDSITE_RULES "x-kubernetes-validations"

struct crdsite {
    struct json_object *schema; /* borrowed; it has rules */
    char *field;
    char *uncorrelatable; /* field of the outermost place above whose old data cannot be found; NULL: none */
    const struct crdplace *place;
};

/* The rules of one version. */
struct crdsite_run {
    const struct env *env;
    struct schema *schema;
    struct crdwork *work, *hints;
    struct fielderrors *errors;
    struct crdcost *cost;
};

/* Compiles the rule at this index. Returns false if the work was used up before the end; nothing was added
 * then. */
bool crdsite_compile(struct crdsite_run *run, const struct crdsite *site, size_t index);

#endif
