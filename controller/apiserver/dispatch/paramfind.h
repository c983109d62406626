/*
 * paramfind: the parameters that a binding gives its policy in one request. Pure;
 * the objects come from the caller.
 *
 * (k8s.io/apiserver/pkg/admission/plugin/policy/generic, CollectParams) A policy is
 * evaluated once for each parameter, in any order; not at all where there is none and
 * parameterNotFoundAction is Allow.
 *
 *     struct paramfind found;
 *     if (paramfind_run(policy, binding, "default", &source, &found, &err) != 0) ...
 *     for (size_t i = 0; i < found.count; i++) evaluate(found.objects[i]);
 *     paramfind_deinit(&found);
 */
#ifndef CONTROLLER_APISERVER_DISPATCH_PARAMFIND_H
#define CONTROLLER_APISERVER_DISPATCH_PARAMFIND_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"

enum paramfind_scope { PARAMFIND_UNKNOWN, PARAMFIND_NAMESPACED, PARAMFIND_CLUSTER };

struct paramfind {
    struct json_object **objects; /* references; NULL: `params` is null */
    size_t count;
};

/* namespace: NULL for kinds that have none; name: NULL for all. */
struct paramfind_query {
    const char *api_version, *kind, *namespace, *name;
};

struct paramfind_source {
    enum paramfind_scope (*scope)(void *user, const char *api_version, const char *kind);
    /* Calls paramfind_add with each object that the query means. Errors: why they cannot be read. */
    int (*find)(void *user, const struct paramfind_query *query, struct paramfind *out, struct err *err);
    void *user;
};

/* Finds the parameters of a binding of a policy whose paramKind is served (paramfind_kind_problem). The
 * caller deinits *out, whatever the result. Errors: INVALID, with the server's text; those of the source. */
int paramfind_run(struct json_object *policy, struct json_object *binding, const char *request_namespace,
                  const struct paramfind_source *source, struct paramfind *out, struct err *err) MUST_CHECK;
void paramfind_deinit(struct paramfind *found);

/* Called by a source, to add an object that it found. Takes a reference. */
void paramfind_add(struct paramfind *out, struct json_object *object);

/* The server's message about a paramKind that it does not know; NULL if it knows it, or the policy has none.
 * The caller frees it. */
char *paramfind_kind_problem(struct json_object *policy, const struct paramfind_source *source);

#endif
