/*
 * testrequest: makes the request of a test, as the API server gives it to a policy.
 *
 * The request is completed as the server does it: the namespace of an object, a generated name, the resource
 * of its kind, the user; and what defaults.h says. The namespaceObject has the fields of a namespace that the
 * server shows, and the label that each namespace has. The params of the test are all that there are.
 *
 *     struct testrequest_kept kept = {0};
 *     struct testrequest request;
 *     if (testrequest_make(&test, is_mutating, schemas, &kept, &request))
 *         dispatch_ask(dispatch, &request.asked, &answer);
 *     testrequest_deinit(&request);
 *     testrequest_kept_deinit(&kept); // after all requests
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTREQUEST_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTREQUEST_H

#include "client/base/rfc3339.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/test/suite/testsuite.h"
#include "controller/apiserver/dispatch/admissionrequest.h"

/* Values that are kept from one request for the next: the time, the usual user, and the Namespace, since most
 * tests of a suite are about the same one. */
struct testrequest_kept {
    char now[RFC3339_BYTES];  /* when objects are created; empty: not known yet */
    struct json_object *user; /* the user who asks; NULL before it was made */
    char *name;               /* of the Namespace; NULL: none was made yet */
    struct json_object *from; /* beside the name, the object that it was made of */
    struct json_object *object;
    char *text;    /* the object as JSON */
    bool is_loose; /* objects are taken as they are, whatever their schemas say */
};

struct testrequest {
    const struct testcase *test;
    struct schemas *schemas;
    struct testrequest_kept *kept;
    char *group;
    const char *version, *kind; /* borrowed from the test */
    char *resource;
    const char *resource_group, *resource_version; /* of a subresource not always those of the kind */
    const char *name, *namespace;
    bool is_served;                          /* the server has the kind; else the resource is a guess */
    bool is_namespaced;                      /* the resource is namespaced */
    bool has_status;                         /* as a subresource */
    bool is_mutating;                        /* the server asks before it sets names, uids and times */
    char *made_name;                         /* of a generateName; else NULL */
    struct json_object *object, *old_object; /* as policies see them; NULL: null */
    char *expected;                          /* the object that the mutations should make; NULL: any */
    struct requestmatch_endpoint *equivalents;
    struct paramfind_source params;
    struct dispatch_request asked;   /* borrowed from the test, this and what is kept */
    const char *lost_version;        /* the policy sees the objects in this version, which they have not
                                        here; NULL: it does not */
    struct authorizer_table answers; /* of the authorizer, if the test has one */
    struct authorizer authorizer;
    char *problem; /* why the request cannot be made; NULL: it was made */
    struct testplace problem_place;
};

/* is_mutating: as mutating policies and webhooks get it. The request is valid until the next one is made with
 * the same struct testrequest_kept, and must stay where it is. Returns false if there is a problem. */
bool testrequest_make(const struct testcase *test, bool is_mutating, struct schemas *schemas,
                      struct testrequest_kept *kept, struct testrequest *out);
/* "CREATE of deployments in apps/v1"; the caller frees it. */
char *testrequest_name(const struct testrequest *request);
/* The object of the request as JSON; the caller frees it. */
char *testrequest_object(const struct testrequest *request);
void testrequest_deinit(struct testrequest *request);
void testrequest_kept_deinit(struct testrequest_kept *kept);

#endif
