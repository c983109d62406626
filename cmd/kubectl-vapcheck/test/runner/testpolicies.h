/*
 * testpolicies: the policies and bindings of a suite, ready to be evaluated on one version of Kubernetes, and
 * the coverage that its tests reached.
 *
 * Each file with policies is checked as `kubectl vapcheck check` does it. A policy that the API server
 * refuses is not evaluated.
 *
 *     struct testpolicies policies;
 *     testpolicies_open(&policies, &suite, options, schemas);
 *     struct testpolicy *p = testpolicies_find(&policies, name);
 *     testpolicies_close(&policies);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTPOLICIES_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTPOLICIES_H

#include "cmd/kubectl-vapcheck/check/check_inputs.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/output/frame.h"
#include "cmd/kubectl-vapcheck/test/suite/testsuite.h"
#include "controller/apiserver/crd/crdevaluation.h"
#include "controller/apiserver/crd/crds.h"
#include "controller/apiserver/dispatch/dispatch.h"
#include "typecheck/decision.h"

/* Says how often an expression was true, was false or failed. */
struct testcoverage {
    size_t n_true, n_false, n_failed;
};

struct testbinding {
    const char *name;
    enum testsubject subject;
    struct json_object *json;
    size_t index;  /* in the policy's dispatch */
    char *problem; /* why it is not there; NULL: it is */
    struct testplace place;
    struct testbinding *next; /* of the same policy */
};

/* A policy; a webhook, which is one that has match conditions only; or a definition, which has rules only. */
struct testpolicy {
    char *name;
    struct output_place place; /* of the object in its file */
    enum testsubject subject;
    bool is_mutating;        /* a MutatingAdmissionPolicy, or a webhook of a MutatingWebhookConfiguration */
    char *spec;              /* the field that it is: "spec", "webhooks[0]" */
    struct testpolicy *next; /* of the same object */
    struct json_object *json;
    struct dispatch *dispatch;  /* bound to everything first, then by the bindings; NULL: it is refused */
    struct policy_trace *trace; /* of the dispatch */
    char *problem;              /* why there is no dispatch if it is not refused; else NULL */
    bool is_refused;            /* by the API server; a finding says why */
    struct yaml_place refused_at;
    struct testbinding *bindings;     /* in the order of the files */
    struct testcoverage *coverage;    /* by expression of the dispatch's policy */
    struct crdevaluation *definition; /* of a definition; else NULL */
    size_t n_tests;
};

/* A finding of the check of a policy. */
struct testfinding {
    char *file, *name, *headline, *text, *hint;
    enum finding_id id;
    enum finding_severity severity;
    char *object, *field, *title, *why, *server,
        *remedy; /* for people (found.h); why to remedy may be NULL */
    struct frame frame;
    struct yaml_place at;
    bool is_refusal;
};

struct testpolicies {
    struct testsuite *suite;
    struct testpolicy **items;
    size_t count;
    struct keymap by_name[TESTSUBJECTS], by_place; /* of the items; the last of a name counts */
    struct testbinding **bindings;
    size_t n_bindings;
    struct testfinding *findings;
    size_t n_findings;
    struct crds *crds;
    struct schemas *schemas;
};

/* Puts the suite's definitions into the schemas until testpolicies_close. */
void testpolicies_open(struct testpolicies *policies, struct testsuite *suite, const struct options *options,
                       struct schemas *schemas, bool is_bundle);
/* The policy with this name, which belongs to `policies`; NULL if there is none. */
struct testpolicy *testpolicies_find(const struct testpolicies *policies, const char *name,
                                     enum testsubject subject);
/* The binding with this name, of any policy; NULL if there is none. */
const struct testbinding *testpolicies_binding(const struct testpolicies *policies, const char *name,
                                               enum testsubject subject);
void testpolicies_close(struct testpolicies *policies);

/* The field of an expression: "spec.validations[0].expression", "webhooks[0].matchConditions[0].expression".
 * The caller frees it. */
char *testpolicies_field(const struct testpolicy *policy, struct policy_run_at at);
/* The same for a field as the policy of the dispatch names it; "" for an empty one. The caller frees it. */
char *testpolicies_name_field(const struct testpolicy *policy, struct str field_ref);
/* The place of the i-th mutation's expression. */
struct policy_run_at testpolicies_mutation(const struct testpolicy *policy, size_t i);

/* Counts the expressions that an evaluation reached in the coverage. has_object: the request has an object to
 * mutate. */
void testpolicies_count(struct testpolicy *policy, const struct policy_run_result *result, bool has_object);

#endif
