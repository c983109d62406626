/*
 * admissionrequest: a request that policies are asked about (dispatch.h, mutation.h), what they need besides,
 * and what is kept of the answer to it.
 */
#ifndef CONTROLLER_APISERVER_DISPATCH_ADMISSIONREQUEST_H
#define CONTROLLER_APISERVER_DISPATCH_ADMISSIONREQUEST_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "client/base/err.h"
#include "controller/apiserver/dispatch/paramfind.h"
#include "controller/apiserver/dispatch/requestmatch.h"
#include "typecheck/decision.h"

/* No binding of a policy, which has them by number. */
#define DISPATCH_NO_BINDING SIZE_MAX

struct dispatch_request {
    struct requestmatch_request match;
    const struct requestmatch_endpoint *stored_as; /* gives the version of its objects; NULL: its endpoint */
    struct json_object *user_info;                 /* the user who asks; NULL for nobody in particular */
    struct json_object *options;                   /* the options of the operation; NULL for the usual ones */
    bool is_dry_run;
    /* The limit of matching and evaluation (dispatch_answer's steps); nothing is evaluated beyond it. 0: no
     * limit. */
    uint64_t max_steps;
    /* The bindings that are asked, in the order of dispatch_bind; n_bindings 0: all. */
    size_t first_binding, n_bindings;
    const struct paramfind_source *params;
    struct json_object *unbound_params; /* those of a binding NULL; NULL: `params` is null */
    /* Returns the object in the version of another endpoint, as a reference; NULL, with err, if that is
     * unknown. The object is that of match, or its old one. NULL: no object is converted. */
    struct json_object *(*convert)(void *user, struct json_object *object,
                                   const struct requestmatch_endpoint *as, struct err *err);
    /* Returns an object of this endpoint that a mutation made as the server reads it: with default values
     * once more. The caller puts it. NULL: it reads the object as it is. */
    struct json_object *(*read)(void *user, struct json_object *object,
                                const struct requestmatch_endpoint *as);
    /* The schema of a kind, which servers since 1.37 use in evaluation; NULL: none is known. */
    struct policy_run_type (*find_type)(void *user, const char *group, const char *version, const char *kind);
    /* The text of a Namespace or of params, for a caller that keeps the texts of such objects, since they are
     * the same in many requests. NULL: they are written for each. */
    struct str (*find_text)(void *user, struct json_object *object);
    void *user;
    /* The evaluator's other input beside the objects and their types: the form of the objects, the
     * authorizer, the observer, the expected object. */
    struct policy_run_request evaluation;
    bool keeps_evaluations; /* in the answer */
    bool reports_changes;   /* events of a mutating policy hold the change, not only its fact */
};

/* Says how far a policy was asked about a request. */
enum dispatch_reach {
    DISPATCH_EXEMPT,         /* no policy is asked about the resource */
    DISPATCH_UNMATCHED,      /* the rules or selectors of the policy do not match the request, */
    DISPATCH_UNBOUND,        /* or those of no binding do, */
    DISPATCH_WITHOUT_PARAMS, /* or no binding that matches has params, and none wants them */
    DISPATCH_ASKED,
};

struct dispatch_asked {
    enum dispatch_reach reach; /* by the binding that comes farthest */
    /* The first fault of the policy or a binding, in the server's words ("failed to configure binding:
     * ..."), even if failurePolicy ignores it. NULL: none. */
    char *problem;
    const char *problem_field; /* the field of the policy: "spec.matchConstraints", "spec.paramKind" */
};

/* Returns true if the policy's constraints match, and a binding's resources. */
static inline bool dispatch_is_matched(const struct dispatch_asked *asked)
{
    return asked->reach >= DISPATCH_WITHOUT_PARAMS;
}

/* object, oldObject, params, request, namespaceObject */
enum { DISPATCH_TEXTS = 5 };

/* An evaluation of a policy with params. */
struct dispatch_evaluation {
    struct json_object *params; /* a reference; NULL: `params` is null */
    bool is_again;              /* an evaluation of a mutating policy in the second pass */
    struct policy_run_result result;
    char *texts[DISPATCH_TEXTS]; /* texts of the request, to which values of the result may point; or NULL */
};

struct dispatch_evaluations {
    struct dispatch_evaluation **items;
    size_t count;
};

#endif
