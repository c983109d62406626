/*
 * types_list: the types that resource rules resolve to, with the requests that
 * bring each, and the problems that were found. types_full and types_upstream fill
 * it. Pure; strings are borrowed.
 *
 * Rules multiply (groups by versions by resources), so all work on a list is paid
 * in steps and stops when they are exhausted.
 */
#ifndef CONTROLLER_MATCH_TYPES_LIST_H
#define CONTROLLER_MATCH_TYPES_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/keymap.h"

struct discovery;
struct matchrules;
struct matchrules_rule;
struct typesets;

enum types_scope { TYPES_FULL, TYPES_UPSTREAM };

#define TYPES_MAX_DEFAULT 10000

/* The steps that the rules of one object may take. Rules that people write take thousands, but a rule's
 * groups, versions and resources multiply. A step is about one comparison of two names. All steps together
 * take at most some 20 ms in one turn of the loop, and a few MB. */
enum { TYPES_STEPS_MAX = 1000 * 1000 };

struct types_options {
    enum types_scope scope;
    size_t max_types;      /* scope full */
    bool is_partial;       /* the discovery is no cluster's: clusters serve resources that it lacks */
    bool checks_each_type; /* also those that are like another one (typecheck/policy/check/classes.h), to
                              compare */
    bool for_webhooks;     /* webhooks are called for other resources than policies are */
    int minor;             /* of the server (1.minor), which decides for which resources; 0: the newest */
    int validating_minor;  /* of the server that decides which parts of an object validation looks at; 0: the
                              same */
    const char *rules_field; /* the field of the rules, as "webhooks[0].rules"; NULL: that of a policy */
    size_t steps;            /* of TYPES_STEPS_MAX: already spent on other lists of the same object */
    struct typesets *shared; /* where the types of a policy's rules are kept for others; NULL: nowhere */
};

/* Requests that the rules match. */
struct types_request {
    const char *group, *version, *resource;
    const char *subresource; /* "" for none */
    bool is_namespaced, has_status;
    unsigned operations; /* a sum of enum policy_operation */
};

/* One kind, the group-version whose OpenAPI document has its schema, and the requests that bring it. */
struct types_target {
    const char *group, *version, *kind;
    const char *document_group, *document_version; /* tried first */
    size_t first_request, n_requests;              /* in the list's requests; none in scope upstream */
};

/* Says why a part of a policy was not checked. The first that applies is the condition's reason. */
enum types_reason {
    TYPES_CLUSTER_UNAVAILABLE, /* a group that a rule names was never read */
    TYPES_LIMIT_REACHED,       /* a limit on work or memory; for expressions and documents check sets it */
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
    const char *field;   /* the policy's field that it is about; NULL: its rules. The list's */
    bool is_certain;     /* the rule, or this entry of it, matches nothing in any cluster */
};

#define TYPES_RULES_FIELD "spec.matchConstraints.resourceRules"

struct types_list {
    struct types_target *targets; /* sorted by group, version, kind as bytes; each once */
    size_t n_targets;
    struct types_request *requests;
    size_t n_requests;
    struct types_problem *problems; /* in the order of the rules, each message once */
    size_t n_problems;
    struct keymap messages; /* of the problems */
    bool is_partial;        /* that of the options */
    size_t steps; /* those of the options included; above TYPES_STEPS_MAX the rest of the rules is left out,
                     with a problem */
    char **owned; /* strings that belong to the list */
    size_t n_owned;
};

void types_list_deinit(struct types_list *list);

/* Adds a problem. Returns NULL if it is there already, and is not added again. */
struct types_problem *types_list_add_problem(struct types_list *list, enum types_reason reason,
                                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns how it is said that something is not served: where no cluster was asked, none is named. Something
 * follows. */
static inline const char *types_list_nobody(bool is_partial)
{
    return is_partial ? "neither Kubernetes nor a file has " : "the cluster serves no ";
}

/* Adds the problem of a resource that the discovery does not have: it is not served, or could not be read. */
struct types_problem *types_list_add_unserved(struct types_list *list, const struct discovery *discovery,
                                              const char *what);

/* The list frees the text. */
const char *types_list_own(struct types_list *list, char *text);

/* The functions for those who fill it: */
void types_list_spend(struct types_list *list, size_t steps);
bool types_list_is_exhausted(const struct types_list *list);
/* Adds a target with no request, or with the request that was added last. */
void types_list_add(struct types_list *list, struct types_target target);
/* Sorts the targets, and joins those of the same kind into one, with all their requests. Must be called
 * once, at the end. */
void types_list_unify(struct types_list *list);

#endif
