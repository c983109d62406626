/*
 * testrequest: makes the request of a test, as the API server gives it to a policy.
 *
 * The request is completed as the server does it: the namespace of an object, a generated name, the resource
 * of its kind, options, the user; and what requestobject.h says. The namespaceObject has the fields of a
 * namespace that the server shows, and the label that each namespace has. Defaults of schemas are added when
 * the objects are evaluated.
 *
 *     struct testrequest request;
 *     if (testrequest_make(&test, discovery, &request)) policy_run_evaluate(run, &request.texts, &result);
 *     testrequest_deinit(&request);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_TESTREQUEST_H
#define CMD_KUBECTL_VAPCHECK_TEST_TESTREQUEST_H

#include "client/discovery/discovery.h"
#include "cmd/kubectl-vapcheck/test/testsuite.h"
#include "typecheck/policy_run.h"

struct testrequest {
    char *group;
    const char *version, *kind; /* borrowed from the test */
    char *resource;
    const char *resource_group, *resource_version; /* of a subresource not always those of the kind */
    const char *subresource, *operation, *name, *namespace;
    bool is_served;     /* the server has the kind; else the resource is a guess */
    bool is_namespaced; /* the resource is namespaced */
    bool has_status;    /* as a subresource */
    char *made_name;    /* of a generateName; else NULL */
    struct json_object *object, *old_object, *mutated; /* as policies see them; NULL: null */
    char *object_text, *old_text, *mutated_text;       /* of the three */
    char *request;                                     /* as JSON */
    struct json_object *namespace_object;              /* NULL: null */
    struct json_object *connect;                       /* the object of a CONNECT */
    struct policy_run_request texts;                   /* borrowed from the test and from the two; no types */
    struct authorizations_table answers;               /* of the authorizer, if the test has one */
    struct authorizations_authorizer authorizer;
    char *problem; /* why the request cannot be made; NULL: it was made */
    struct testplace problem_place;
};

/* False: there is a problem. */
bool testrequest_make(const struct testcase *test, const struct discovery *discovery,
                      struct testrequest *out);
void testrequest_deinit(struct testrequest *request);

#endif
