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
#ifndef CONTROLLER_DISPATCH_PARAMFIND_H
#define CONTROLLER_DISPATCH_PARAMFIND_H

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

/* Of a policy whose paramKind is served (paramfind_kind_problem), and a binding of it. *out is the caller's
 * to deinit, whatever is answered. Errors: the server's text, INVALID; those of the source, for what it
 * cannot read. */
int paramfind_run(struct json_object *policy, struct json_object *binding, const char *request_namespace,
                  const struct paramfind_source *source, struct paramfind *out, struct err *err) MUST_CHECK;
void paramfind_deinit(struct paramfind *found);

/* For a source: takes a reference. */
void paramfind_add(struct paramfind *out, struct json_object *object);

/* What the server says of a policy whose paramKind it does not know; NULL: it knows it, or there is none. The
 * caller frees it. */
char *paramfind_kind_problem(struct json_object *policy, const struct paramfind_source *source);

#endif
