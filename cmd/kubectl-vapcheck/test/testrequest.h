/*
 * testrequest: the request that a test means, as the API server hands it to a policy.
 *
 * What the request says is completed as the server does it: the namespace of an object, the resource of its
 * kind, options, the user. The namespaceObject has what the server shows of a namespace, with the label that
 * each namespace has. Objects are those of the files; their schemas complete them when they are evaluated.
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
    const char *subresource, *operation, *name, *namespace;
    bool is_served;     /* the server has the kind; else the resource is a guess */
    bool is_namespaced; /* the resource is */
    struct json_object *request, *namespace_object; /* NULL: null */
    struct json_object *connect;                    /* the object of a CONNECT */
    struct policy_run_request texts;                /* borrowed from the test and from the two; no types */
    struct authorizations_table answers;            /* of the authorizer, if the test has one */
    struct authorizations_authorizer authorizer;
    char *problem; /* why there is no such request; NULL: there is */
    struct testplace problem_place;
};

/* False: there is a problem. */
bool testrequest_make(const struct testcase *test, const struct discovery *discovery,
                      struct testrequest *out);
void testrequest_deinit(struct testrequest *request);

#endif
