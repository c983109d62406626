/*
 * types: from a policy's resource rules to the list of types to check.
 *
 * Pure: rules and discovery in, kinds out. Scope upstream resolves as
 * kube-controller-manager does (client-go's RESTMapper over discovery, its
 * limit of ten a rule); scope full expands wildcards and subresources, too,
 * leaves out what is excluded, and says what it could not resolve. Strings are borrowed from rules and
 * discovery, which must outlive the list.
 *
 *     struct types_list list;
 *     types_resolve(&policy->match, discovery, &options, &list);
 *     types_list_deinit(&list);
 */
#ifndef CONTROLLER_CHECK_TYPES_H
#define CONTROLLER_CHECK_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/keymap.h"
#include "client/discovery/discovery.h"
#include "controller/check/policyview.h"

enum types_scope { TYPES_FULL, TYPES_UPSTREAM };

#define TYPES_MAX_DEFAULT 1000

/* Steps that the rules of one object may take: those that people write take thousands, but a rule's groups,
 * versions and resources multiply. A step is about a comparison of two names; all of them take at most some
 * 20 ms in one turn of the loop, and what they make a few MB. */
enum { TYPES_STEPS_MAX = 1000 * 1000 };

struct types_options {
    enum types_scope scope;
    size_t max_types;  /* scope full */
    bool for_webhooks; /* they are asked about other resources than policies */
    int minor;         /* of the server (1.minor), which decides about which; 0: the newest */
    size_t steps;      /* of TYPES_STEPS_MAX: those that went before, into other lists of the same object */
};

/* Requests that the rules match. */
struct types_request {
    const char *group, *version, *resource;
    const char *subresource; /* "" for none */
    bool is_namespaced;
    unsigned operations; /* a sum of enum policy_operation */
};

/* One kind, the group-version whose OpenAPI document has its schema, and the requests that bring it. */
struct types_target {
    const char *group, *version, *kind;
    const char *document_group, *document_version; /* tried first */
    size_t first_request, n_requests;              /* in the list's requests; none in scope upstream */
};

/* Why a part of a policy was not checked. ORDER TYPES_REASONS: the first that applies is the condition's
 * reason. */
enum types_reason {
    TYPES_CLUSTER_UNAVAILABLE, /* a group that a rule names was never read */
    TYPES_LIMIT_REACHED, /* a bound on work or memory; of expressions and documents it is set by check */
    TYPES_RESOURCE_NOT_FOUND,
    TYPES_NEVER_EVALUATED,
    TYPES_SCHEMA_NOT_FOUND, /* set by check, which has the documents */
    TYPES_TOO_MANY,
    TYPES_OUT_OF_SCOPE,
};

enum { TYPES_N_REASONS = TYPES_OUT_OF_SCOPE + 1 };

struct types_problem {
    enum types_reason reason;
    const char *message; /* "the cluster serves no deployment of apps/v1, did you mean deployments?"; the
                            list's */
    const char *field;   /* the policy's field that it is about; NULL: its rules */
};

struct types_list {
    struct types_target *targets; /* sorted by group, version, kind as bytes; each once */
    size_t n_targets;
    struct types_request *requests;
    size_t n_requests;
    struct types_problem *problems; /* in the order of the rules, each message once */
    size_t n_problems;
    struct keymap messages; /* of the problems */
    size_t
        steps; /* the options' included; past TYPES_STEPS_MAX the rest of the rules is left out: a problem */
    char **owned; /* strings that are neither the rules' nor the discovery's */
    size_t n_owned;
};

void types_resolve(const struct policyview_match *match, const struct discovery *discovery,
                   const struct types_options *options, struct types_list *out);
void types_list_deinit(struct types_list *list);

/* The same text for rules that are the same, which then resolve to the same list; NULL for rules that are too
 * long to tell. The caller frees it. */
char *types_key(const struct policyview_match *match);

void types_add_problem(struct types_list *list, enum types_reason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
