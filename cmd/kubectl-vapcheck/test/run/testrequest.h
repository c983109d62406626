/*
 * testrequest: makes the request of a test, as the API server gives it to a policy.
 *
 * The request is completed as the server does it: the namespace of an object, a generated name, the resource
 * of its kind, options, the user; and what requestobject.h says. The namespaceObject has the fields of a
 * namespace that the server shows, and the label that each namespace has. Defaults of schemas are added when
 * the objects are evaluated.
 *
 *     struct testrequest_namespace namespace = {0};
 *     struct testrequest request;
 *     if (testrequest_make(&test, is_mutating, discovery, &namespace, &request))
 *         policy_run_evaluate(run, &request.texts, &result);
 *     testrequest_deinit(&request);
 *     testrequest_namespace_deinit(&namespace); // after all requests
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUN_TESTREQUEST_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUN_TESTREQUEST_H

#include "client/discovery/discovery.h"
#include "cmd/kubectl-vapcheck/test/suite/testsuite.h"
#include "typecheck/policy_run.h"

/* The Namespace of the last request, kept for the next: most tests of a suite are about the same one. */
struct testrequest_namespace {
    char *name;               /* NULL: none was made yet */
    struct json_object *from; /* what it was made of, besides */
    struct json_object *object;
    char *text; /* the object as JSON */
};

struct testrequest {
    char *group;
    const char *version, *kind; /* borrowed from the test */
    char *resource;
    const char *resource_group, *resource_version; /* of a subresource not always those of the kind */
    const char *subresource, *operation, *name, *namespace;
    bool is_served;     /* the server has the kind; else the resource is a guess */
    bool is_namespaced; /* the resource is namespaced */
    bool has_status;    /* as a subresource */
    bool is_mutating;   /* the server asks before it sets names, uids and times */
    char *made_name;    /* of a generateName; else NULL */
    struct json_object *object, *old_object, *mutated; /* as policies see them; NULL: null */
    char *object_text, *old_text, *mutated_text;       /* of the three */
    char *request;                                     /* as JSON */
    struct json_object *namespace_object;              /* NULL: null; of the struct testrequest_namespace */
    struct json_object *connect;                       /* the object of a CONNECT */
    struct policy_run_request texts;     /* borrowed from the test, these and the namespace; no types */
    struct authorizations_table answers; /* of the authorizer, if the test has one */
    struct authorizations_authorizer authorizer;
    char *problem; /* why the request cannot be made; NULL: it was made */
    struct testplace problem_place;
};

/* is_mutating: as mutating policies and webhooks get it. The request is valid until the next one is made with
 * the same namespace. False: there is a problem. */
bool testrequest_make(const struct testcase *test, bool is_mutating, const struct discovery *discovery,
                      struct testrequest_namespace *namespace, struct testrequest *out);
void testrequest_deinit(struct testrequest *request);
void testrequest_namespace_deinit(struct testrequest_namespace *namespace);

#endif
