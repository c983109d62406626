/*
 * requestmatch: matches a request with the matchConstraints of a policy, or the
 * matchResources of a binding. Pure.
 *
 * (k8s.io/apiserver/pkg/admission/plugin: policy/matching, and rules, namespace
 * and object of webhook/predicates) An absent field has the server's
 * default: matchPolicy Equivalent, scope *, selectors that match everything.
 *
 *     struct requestmatch *match;
 *     if (requestmatch_new(constraints, &match, &err) != 0) ...
 *     switch (requestmatch_ask(match, &request, &as, &err)) ...
 *     requestmatch_free(match);
 */
#ifndef CONTROLLER_APISERVER_DISPATCH_REQUESTMATCH_H
#define CONTROLLER_APISERVER_DISPATCH_REQUESTMATCH_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"
#include "client/discovery/discovery.h"

struct requestmatch;

/* The target of a request, and the kind of its object: for apps/v1 deployments/scale the Scale of
 * autoscaling. */
struct requestmatch_endpoint {
    const char *group, *version, *resource;
    const char *kind_group, *kind_version, *kind;
};

struct requestmatch_request {
    const char *operation; /* CREATE, UPDATE, DELETE, CONNECT */
    struct requestmatch_endpoint endpoint;
    const char *subresource; /* "": none */
    /* The other endpoints of the same objects, in the server's order. */
    const struct requestmatch_endpoint *equivalents;
    size_t n_equivalents;
    const char *name;                        /* "": the server makes one */
    const char *namespace;                   /* "": the object has none; of a Namespace its own name */
    struct json_object *object, *old_object; /* the request's objects; NULL where it has none */
    struct json_object *namespace_object;    /* the Namespace of that name; NULL: there is none */
};

enum requestmatch_answer {
    REQUESTMATCH_NO,
    REQUESTMATCH_YES,
    REQUESTMATCH_FAILED, /* the server cannot tell, and says why */
};

/* Borrows the JSON until requestmatch_free; NULL and {} match every request. Errors: INVALID (a selector that
 * no server stores). */
int requestmatch_new(struct json_object *resources, struct requestmatch **out, struct err *err) MUST_CHECK;
void requestmatch_free(struct requestmatch *match);

/* YES: *as is the endpoint whose version the policy sees, the request's or one of its equivalents; as may be
 * NULL. FAILED: err has the server's text. */
enum requestmatch_answer requestmatch_ask(const struct requestmatch *match,
                                          const struct requestmatch_request *request,
                                          const struct requestmatch_endpoint **as, struct err *err);

/* Returns true if some object of the endpoint can match by the rules, whatever its name and labels are; *as
 * is the endpoint that the rules name. It reads only some of the request: the operation, the endpoints, the
 * subresource and whether there is a namespace. */
bool requestmatch_may(const struct requestmatch *match, const struct requestmatch_request *request,
                      const struct requestmatch_endpoint **as);

/* The most that requestmatch_ask costs for an endpoint without equivalents, in comparisons of texts. Each
 * equivalent costs the same once more. */
uint64_t requestmatch_steps(const struct requestmatch *match);

/* Returns true if an object of one is, unconverted, an object of the other. */
bool requestmatch_is_same_version(const struct requestmatch_endpoint *a,
                                  const struct requestmatch_endpoint *b);

/* Returns true if no policy is ever asked about the resource: policies, their bindings, and reviews of
 * rights. */
bool requestmatch_is_exempt(const char *group, const char *resource);
/* The same of webhooks, on a server 1.minor. */
bool requestmatch_is_exempt_from_webhooks(const char *group, const char *resource, int minor);

/* The endpoints of the same objects in other versions (for events also in the other group): an array of
 * *count, which the caller frees with mem_free; its texts belong to the discovery. The order is that of the
 * discovery. The server has the same order for built-in kinds; for custom ones it has that of their
 * definition. */
struct requestmatch_endpoint *requestmatch_equivalents(const struct discovery *discovery,
                                                       const struct requestmatch_endpoint *endpoint,
                                                       const char *subresource, size_t *count);

#endif
