/*
 * mutation: the API server's decision about a request by all mutating policies, and the object that they
 * make. Pure, as dispatch.h.
 *
 * (k8s.io/apiserver/pkg/admission/plugin/policy/mutating, dispatcher.go and reinvocationcontext.go) Before
 * anything is evaluated, the policies, bindings and params that match are found. Then the policies change the
 * object one after the other. If a mutation was applied, the server asks once more, about the object that
 * was made: the match conditions of all policies that match it now, and the mutations of those that were
 * invoked before and have reinvocationPolicy IfNeeded. What fails is reported at the end of each pass; with
 * failurePolicy Fail the request is refused. Validating policies come behind all that.
 *
 * The server's order of policies is that of a Go map: none. Here it is that of the array; and what the
 * policies make in the reverse order is compared (differs).
 *
 * What one request makes is bounded (MUTATION_OBJECT_BYTES, MUTATION_CHANGES_BYTES), and so is the
 * work of all policies together for it (the request's max_steps, in each order); more is unknown.
 *
 * What is not known here: changes by the server's other plugins and by webhooks; what becomes of an object
 * that two policies see in different versions (that is unknown).
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

/* Of an object that a policy makes, as JSON; and of all objects that the policies make in one pass and the
 * next. An API server stores no object of that size. */
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
    char *message;        /* what changes, if the request wants to know (reports_changes), or what is wrong */
    /* Of a change that is reported, RFC 6902, to be applied to the object with the defaults of its schema;
     * else NULL. */
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
    /* What the validating policies get, and the version that both have. NULL: nothing was changed. */
    struct json_object *object, *old_object;
    struct requestmatch_endpoint as;
    /* In the reverse order: the path of one difference, or why it is refused; NULL: the same. */
    char *differs;
    struct dispatch_evaluations evaluations; /* in the order of the array, if the request keeps them */
};

/* A policy NULL is not asked. The caller deinits the answer. A request without an object is not changed. */
void mutation_ask(const struct dispatch *const *policies, size_t count,
                  const struct dispatch_request *request, struct mutation_answer *answer);
void mutation_answer_deinit(struct mutation_answer *answer);

#endif
