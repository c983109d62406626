/*
 * asking: asks one policy about one request: finds its bindings that match, and the params of each.
 * dispatch.c and mutation.c evaluate the policy with them.
 *
 * (k8s.io/apiserver/pkg/admission/plugin/policy/generic, policy_dispatcher.go; policy/validating,
 * dispatcher.go)
 *
 *     struct asking q = {.dispatch = d, .request = request, .on_problem = ..., .on_params = ..., .user = u};
 *     asking_run(&q);
 *     asking_deinit(&q);
 */
#ifndef CONTROLLER_APISERVER_DISPATCH_ASKING_H
#define CONTROLLER_APISERVER_DISPATCH_ASKING_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/apiserver/dispatch/admissionrequest.h"
#include "controller/match/policyview.h"

struct dispatch_binding {
    struct json_object *json; /* the binding; NULL for one that binds everything */
    struct requestmatch *match;
};

struct dispatch {
    struct json_object *policy;
    int webhook_minor;          /* it is a webhook on a server 1.minor; 0: it is a policy */
    struct requestmatch *match; /* the policy's constraints; NULL if it has none */
    struct dispatch_binding *bindings;
    size_t n_bindings;
    struct policyview *view; /* of the policy */
    bool has_conditions;     /* match conditions */
    struct policy_run *run;
};

struct asking {
    const struct dispatch *dispatch;
    const struct dispatch_request *request;
    /* The policy or a binding has a fault, in the server's words ("failed to configure binding: ...").
     * failurePolicy may ignore it. */
    void (*on_problem)(struct asking *q, const char *what);
    /* It is called for each binding that matches, with its params. If an object of them is NULL, `params` is
     * null in CEL. It returns false if no more bindings need to be asked. */
    bool (*on_params)(struct asking *q, const struct paramfind *params);
    void *user;
    size_t binding;                         /* DISPATCH_NO_BINDING: it is about the policy */
    const struct requestmatch_endpoint *as; /* the version that the policy sees */
    struct dispatch_asked asked;
    uint64_t steps;                          /* of matching */
    struct json_object *object, *old_object; /* in that version; NULL: not converted yet, or there is none */
    bool is_converted;
    char *read;   /* the last object that a mutation made, as the server reads it; NULL: none yet */
    bool is_lost; /* the policy sees a version to which the objects are not converted (convert NULL) */
};

void asking_run(struct asking *q);
void asking_deinit(struct asking *q);

/* The namespace that expressions see, borrowed; NULL: they see none. Errors: NOT_FOUND, in the server's
 * words. */
int asking_namespace(const struct asking *q, struct json_object **out, struct err *err) MUST_CHECK;

/* Evaluates the policy. given: the other input of policy_run_evaluate beside the objects, most often that of
 * the request. Objects must be converted. The caller frees the evaluation or keeps it. */
struct dispatch_evaluation *asking_evaluate(struct asking *q, const struct policy_run_request *given,
                                            struct json_object *params, struct json_object *namespace);
void asking_free_evaluation(struct dispatch_evaluation *evaluation);
/* Takes the evaluation. */
void asking_keep_evaluation(struct dispatch_evaluations *list, struct dispatch_evaluation *take_evaluation);
void asking_free_evaluations(struct dispatch_evaluations *list);

#endif
