/*
 * policyview: a read-only view of a ValidatingAdmissionPolicy, or of another kind
 * that carries admission CEL.
 *
 * Made from the object's JSON tree, to which it keeps a reference; every string
 * is borrowed from that tree or owned by the view. All fields are optional: a
 * field of a wrong type reads as absent. (The API server has validated objects
 * that it stored; a file may hold anything.) admissionregistration.k8s.io/v1,
 * v1beta1 and v1alpha1 are treated alike.
 *
 *     struct policyview *p;
 *     if (policyview_new(json, &p, &err) != 0) ...
 *     for (size_t i = 0; i < p->policy.count; i++) check(p->policy.expressions[i].text);
 *     policyview_free(p);
 */
#ifndef CONTROLLER_MATCH_POLICYVIEW_H
#define CONTROLLER_MATCH_POLICYVIEW_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"
#include "controller/match/matchrules.h"
#include "controller/match/objectkind.h"
#include "typecheck/typecheck.h"

enum policyview_kind { POLICYVIEW_VALIDATING, POLICYVIEW_MUTATING, POLICYVIEW_WEBHOOKS };

struct policyview {
    struct json_object *json; /* the whole object */
    enum policyview_kind kind;
    const char *name, *uid, *resource_version;
    int64_t generation;
    const char *left_out; /* why only its metadata and status are known, static; NULL: all is, or it was not
                           * set afterwards */

    /* Its expressions in the order of warnings: for each validation its expression and its messageExpression
     * (unless empty), then matchConditions, variables, auditAnnotations. Mutations are in the place of
     * validations. All texts end with a NUL; an expression may hold others. */
    struct policy policy;

    /* The webhooks of a webhook configuration, each as a policy with its match conditions and rules. The
     * expressions above are those of all webhooks, in this order; `match` is empty. */
    struct policyview **webhooks;
    size_t n_webhooks;

    struct matchrules match;

    /* The fields of paramKind; "" if absent. policy.has_params says whether there is a paramKind, however
     * empty. */
    const char *param_api_version, *param_kind;
};

/* Takes a reference to json. The caller frees *out with policyview_free.
 * Errors: INVALID (no object, or one of another kind). A name that is missing is "": a server's objects have
 * one.
 * policyview_new takes the kind from the object; an object without a kind (an item of a
 * list) is POLICYVIEW_VALIDATING. */
int policyview_new(struct json_object *json, struct policyview **out, struct err *err) MUST_CHECK;
int policyview_new_of(enum policyview_kind kind, struct json_object *json, struct policyview **out,
                      struct err *err) MUST_CHECK;
/* Sets *out to the way in which objects of the kind are read; returns false if they are not policies. */
bool policyview_kind_of(enum objectkind kind, enum policyview_kind *out);
void policyview_free(struct policyview *policy);

#endif
