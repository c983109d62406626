/*
 * rulebook: the policies and bindings that an audit evaluates, validating and mutating ones, and the counts
 * of each policy's results.
 *
 *     struct rulebook book = {.env = env, .new_env = new_env};
 *     rulebook_add_policy(&book, json, &(struct rulebook_origin){.file = "policy.yaml", .line = 1});
 *     rulebook_add_binding(&book, json, false);
 *     rulebook_bind(&book);                    once all are added
 *     for (size_t i = 0; i < book.count; i++) ask(book.items[i].dispatch);
 *     rulebook_deinit(&book);
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_RULEBOOK_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_RULEBOOK_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/apiserver/dispatch/dispatch.h"
#include "typecheck/version.h"

/* The work that one policy may take in an audit, in steps of its matching and of evaluation; and that all
 * mutating policies may take for one request, in each order, which is some ten seconds. */
#define RULEBOOK_POLICY_STEPS  ((uint64_t)20 * 1000 * 1000 * 1000)
#define RULEBOOK_REQUEST_STEPS ((uint64_t)250 * 1000 * 1000)

enum audit_effect {
    AUDIT_REFUSED,
    AUDIT_WARNED,
    AUDIT_AUDITED,
    AUDIT_FAILED,  /* refused, since an expression fails */
    AUDIT_IGNORED, /* an expression fails, and failurePolicy lets the request pass */
    AUDIT_CHANGED, /* by a mutating policy */
    AUDIT_UNKNOWN, /* the effect on a request is not known, or not for certain */
    AUDIT_EFFECTS,
};

struct rulebook_origin {
    const char *file; /* "" in a cluster */
    size_t line;
    bool is_mutating;
    /* The policy is the cluster's, beside policies of files: it is asked about the objects that those are
     * asked about. */
    bool is_beside;
};

struct rulebook_policy {
    struct json_object *json;
    const char *name; /* the JSON's */
    char *file;       /* "" in a cluster */
    size_t line;
    bool is_mutating, is_beside;   /* as in struct rulebook_origin */
    struct dispatch *dispatch;     /* the policy, compiled; NULL if it is not evaluated */
    struct json_object **bindings; /* in the order of the dispatch */
    size_t n_bindings;
    /* Then it is asked as if it were bound to everything; but a mutating policy of a cluster is not asked, as
     * others would see what it does not change. */
    bool is_unbound;
    uint64_t steps_left;
    bool is_exhausted;                          /* no steps are left */
    char *problem;                              /* why it was not evaluated to the end; NULL: it was */
    size_t n_unevaluated;                       /* objects for which that is so, where it depends on them */
    size_t n_matched, n_effects[AUDIT_EFFECTS]; /* objects */
};

struct rulebook_binding {
    struct json_object *json;
    bool is_mutating; /* of a mutating policy */
};

struct rulebook {
    const struct env *env, *new_env; /* the caller's; of stored expressions, and of new ones */
    int minor;
    struct rulebook_policy *items;
    size_t count;
    struct rulebook_binding *bindings;
    size_t n_bindings;
};

void rulebook_deinit(struct rulebook *book);

/* Both keep references. Returns false if the kind has an object of that name already. */
bool rulebook_add_policy(struct rulebook *book, struct json_object *policy,
                         const struct rulebook_origin *origin);
bool rulebook_add_binding(struct rulebook *book, struct json_object *binding, bool is_mutating);

/* Compiles the policies, and gives each its bindings. A policy that the API server would not store gets a
 * problem. */
void rulebook_bind(struct rulebook *book);

/* Sets the problem unless there is one already. Takes the text. */
void rulebook_set_problem(struct rulebook_policy *policy, char *take_problem);

/* Returns true if a mutating policy without a binding changes nothing (is_unbound). */
bool rulebook_is_idle(const struct rulebook_policy *policy);

const char *audit_effect_name(enum audit_effect effect);

#endif
