/*
 * dispatch: the API server's decision about a request by one policy and its bindings.
 * Pure; params and converted objects come from the caller.
 *
 * (k8s.io/apiserver/pkg/admission/plugin/policy/validating, dispatcher.go) It does the matching, finds
 * params, evaluates the policy's expressions, and applies the actions of each binding. If there are several
 * policies, ask them one after the other: the first denial is the server's answer, and all warnings are
 * sent.
 *
 *     struct dispatch *d;
 *     if (dispatch_new(policy, env, &d, &err) != 0) ...
 *     if (dispatch_bind(d, binding, &err) != 0) ...            // for each of its bindings
 *     dispatch_ask(d, &request, &answer);
 *     for (size_t i = 0; i < answer.n_events; i++) ...
 *     dispatch_answer_deinit(&answer);
 *     dispatch_free(d);
 */
#ifndef CONTROLLER_APISERVER_DISPATCH_DISPATCH_H
#define CONTROLLER_APISERVER_DISPATCH_DISPATCH_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"
#include "controller/apiserver/dispatch/admissionrequest.h"
#include "controller/apiserver/dispatch/requestmatch.h"
#include "typecheck/version.h"

struct dispatch;

enum dispatch_effect {
    DISPATCH_DENY,     /* the request is refused */
    DISPATCH_WARN,     /* the client is warned */
    DISPATCH_AUDIT,    /* the audit log has the failure */
    DISPATCH_ANNOTATE, /* the audit log has the policy's own annotation */
};

struct dispatch_event {
    enum dispatch_effect effect;
    size_t binding;       /* in the order of dispatch_bind; DISPATCH_NO_BINDING: it is about the policy */
    size_t validation;    /* POLICY_RUN_NO_VALIDATION: none of them */
    bool is_failure;      /* an expression failed, or nothing could be evaluated */
    enum issue_code code; /* of the error, if it is a failure */
    char *message;        /* the policy's message; for an annotation its value */
    char *reason;         /* as the server answers: Invalid, Forbidden, Unauthorized, RequestEntityTooLarge */
    char *key;            /* the key of an annotation; "" for all others */
};

struct dispatch_answer {
    struct dispatch_asked asked;
    struct dispatch_event *events;
    size_t n_events;
    char *ignored; /* the first failure of an expression that failurePolicy ignores; NULL: there is none */
    enum issue_code ignored_code;
    /* The thing that the evaluator lacks, and the place; then nothing else is known. NULL: it lacks
     * nothing. */
    char *missing, *missing_at;
    /* The work of matching and evaluation, not the costs that an API server counts. If it is the request's
     * max_steps or more, the answer is not the whole one. */
    uint64_t steps;
    /* If the request keeps them: one for all bindings that give the policy the same params. */
    struct dispatch_evaluations evaluations;
};

/* Takes a reference to the policy; borrows the env. Errors: INVALID (no server stores such a policy). */
int dispatch_new(struct json_object *policy, const struct env *env, struct dispatch **out,
                 struct err *err) MUST_CHECK;
/* The same of a webhook of a server 1.minor, asked as a policy that has only match conditions is: an answer
 * that denies nothing and skips nothing (policy_run.h) means that the webhook is called. */
int dispatch_new_webhook(struct json_object *webhook, int minor, const struct env *env, struct dispatch **out,
                         struct err *err) MUST_CHECK;
/* Takes a reference to the binding, which must name the policy. NULL: as if there were a binding that matches
 * everything, with the action Deny and with the request's unbound_params. */
int dispatch_bind(struct dispatch *dispatch, struct json_object *binding, struct err *err) MUST_CHECK;
void dispatch_free(struct dispatch *dispatch);

/* The policy as it is evaluated: its expressions, compiled. */
const struct policy *dispatch_policy(const struct dispatch *dispatch);
const struct policy_run *dispatch_run(const struct dispatch *dispatch);

/* The caller deinits the answer. */
void dispatch_ask(const struct dispatch *dispatch, const struct dispatch_request *request,
                  struct dispatch_answer *answer);
void dispatch_answer_deinit(struct dispatch_answer *answer);

/* Returns true if the policy's rules let any object of the request's endpoint match (requestmatch_may). */
bool dispatch_may(const struct dispatch *dispatch, const struct requestmatch_request *request,
                  const struct requestmatch_endpoint **as);

/* The server's text of a denial or a warning, without its beginning `pods "web" is forbidden: `. The caller
 * frees it. */
char *dispatch_event_text(const struct dispatch *dispatch, const struct dispatch_event *event);

/* The HTTP status of a denial. */
int dispatch_event_code(const struct dispatch_event *event);

#endif
