/*
 * mutation: the API server's decision about a request by all mutating policies, and the object that they
 * make. Pure, as dispatch.h.
 *
 * (k8s.io/apiserver/pkg/admission/plugin/policy/mutating, dispatcher.go and reinvocationcontext.go) The
 * policies, bindings and params that match are found before anything is evaluated. Then the policies change
 * the object one after the other. If a mutation was applied, the server asks once more, about the object
 * that was made: the match conditions of all policies that match it now, and the mutations of those that
 * were invoked before and have reinvocationPolicy IfNeeded. Failures are reported at the end of each pass;
 * with failurePolicy Fail the request is refused. Validating policies come behind all that.
 *
 * The server's order of policies is that of a Go map: none. Here it is that of the array; and the result of
 * the reverse order is compared with it (differs).
 *
 * The objects that the policies make for one request are bounded (MUTATION_OBJECT_BYTES,
 * MUTATION_CHANGES_BYTES), and so is the work of all policies together for it (the request's max_steps, in
 * each order); beyond that the answer is unknown.
 *
 * Changes by the server's other plugins and by webhooks are not known here. The answer about an object that
 * two policies see in different versions is unknown.
 *
 *     struct mutation_answer answer;
 *     mutation_ask(policies, count, &request, &answer);
 *     for (size_t i = 0; i < answer.n_events; i++) ...
 *     mutation_answer_deinit(&answer);
 */
#ifndef CONTROLLER_APISERVER_DISPATCH_MUTATION_H
#define CONTROLLER_APISERVER_DISPATCH_MUTATION_H

#include <stddef.h>
#include <stdint.h>

#include "controller/apiserver/dispatch/admissionrequest.h"

struct dispatch; /* dispatch.h */

/* The limits of one object that a policy makes, as JSON, and of all objects that the policies make in both
 * passes. An API server stores no object of that size. */
enum { MUTATION_OBJECT_BYTES = 8 * 1024 * 1024, MUTATION_CHANGES_BYTES = 64 * 1024 * 1024 };

enum mutation_effect {
    MUTATION_CHANGE,
    MUTATION_DENY,    /* something fails, and the request is refused */
    MUTATION_IGNORE,  /* an expression fails, and failurePolicy lets the request pass */
    MUTATION_UNKNOWN, /* the evaluator lacks something, so that more about the request is not known */
};

struct mutation_event {
    enum mutation_effect effect;
    size_t policy;        /* in the array */
    size_t binding;       /* DISPATCH_NO_BINDING: it is about the policy */
    size_t mutation;      /* POLICY_RUN_NO_VALIDATION: none of them */
    enum issue_code code; /* of an expression's error */
    char *message;        /* the change, if the request asks for it (reports_changes), or the fault */
    /* The JSON patch (RFC 6902) of a change that is reported, to be applied to the object with the defaults
     * of its schema; else NULL. */
    struct json_object *patch;
};

struct mutation_policy {
    struct dispatch_asked asked; /* in the first pass */
    uint64_t steps;              /* as in struct dispatch_answer */
};

struct mutation_answer {
    struct mutation_policy *policies; /* of the array */
    size_t n_policies;
    struct mutation_event *events;
    size_t n_events;
    bool is_refused, is_unknown;
    /* The objects that the validating policies get, and the version that both have. NULL: nothing was
     * changed. */
    struct json_object *object, *old_object;
    struct requestmatch_endpoint as;
    /* Says how the result in the reverse order differs: the path of one difference, or why the request is
     * refused. NULL if it is the same. */
    char *differs;
    struct dispatch_evaluations evaluations; /* in the order of the array, if the request keeps them */
};

/* A policy NULL is not asked. The caller deinits the answer. A request without an object is not changed. */
void mutation_ask(const struct dispatch *const *policies, size_t count,
                  const struct dispatch_request *request, struct mutation_answer *answer);
void mutation_answer_deinit(struct mutation_answer *answer);

#endif
