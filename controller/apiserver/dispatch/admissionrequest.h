/*
 * admissionrequest: a request that policies are asked about (dispatch.h, mutation.h), and what they need
 * besides.
 */
#ifndef CONTROLLER_APISERVER_DISPATCH_ADMISSIONREQUEST_H
#define CONTROLLER_APISERVER_DISPATCH_ADMISSIONREQUEST_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "client/base/err.h"
#include "controller/apiserver/dispatch/paramfind.h"
#include "controller/apiserver/dispatch/requestmatch.h"
#include "typecheck/policy_run.h"

/* No binding of a policy, which has them by number. */
#define DISPATCH_NO_BINDING SIZE_MAX

struct dispatch_request {
    struct requestmatch_request match;
    const struct requestmatch_endpoint *stored_as; /* whose version its objects have; NULL: its endpoint */
    struct json_object *user_info;                 /* NULL: nobody in particular */
    struct json_object *options;                   /* NULL: none */
    bool is_dry_run;
    /* Of matching and evaluation (dispatch_answer's steps); what would be evaluated beyond that is not. 0:
     * without a limit. */
    uint64_t max_steps;
    const struct paramfind_source *params;
    /* Returns the object in the version of another endpoint, as a reference; NULL, with err, if that is
     * unknown. The object is that of match, or its old one. */
    struct json_object *(*convert)(void *user, struct json_object *object,
                                   const struct requestmatch_endpoint *as, struct err *err);
    /* The schema of a kind, which servers since 1.37 use in evaluation; NULL: none is known. */
    struct policy_run_type (*find_type)(void *user, const char *group, const char *version, const char *kind);
    void *user;
};

#endif
