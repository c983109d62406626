/*
 * probe: a request whose objects are samples (sample.h), so that it can be changed until a policy fails on
 * it.
 *
 *     struct probe s;
 *     probe_init(&s, a, &kind);
 *     ... change s.object ...
 *     struct policy_run_request request = probe_request(&s, a);
 */
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_PROBE_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_PROBE_H

#include "typecheck/policy/author/witness/choices.h"
#include "typecheck/policy/author/witness/sample.h"
#include "typecheck/policy/compile/policy.h"
#include "typecheck/policy/run/policy_run.h"

/* The facts about the request that are known before it is made. */
struct probe_kind {
    const struct policy *policy; /* whose selectors the request fits; NULL: it has none */
    const struct policy_type *type;
    const struct policy_request *request; /* the kind of request; NULL if nothing is known */
    enum policy_operation operation;
    const struct policy_type *params; /* the type of params; NULL if the policy has none */
    const struct schema *own;         /* request_schema.h */
    int minor;                        /* of the server, 1.minor */
};

enum { PROBE_PARTS = 5 };

struct probe {
    const struct probe_kind *kind;
    /* The object, the old object and the params; NULL stands for null. */
    union {
        struct {
            struct sample *object, *old_object, *params, *request, *namespace_object;
        };
        struct sample *parts[PROBE_PARTS];
    };
    bool is_allowed;       /* the authorizer's answer */
    struct sample *either; /* an integer or a string to which the wishes lead; NULL: none */
};

/* Begins with the smallest objects. */
void probe_init(struct probe *s, struct arena *a, const struct probe_kind *kind);

/* The sample of the variable with that name; NULL if it is null, or there is none. */
struct sample *probe_root(const struct probe *s, struct str name);

/* Removes fields that the API server clears, and adds those that it requires. A field that Go omits because
 * it is empty gets an item, or is removed. */
void probe_clean(struct probe *s, struct arena *a, struct choices *choices);

/* Returns true if the objects have what the server requires, as far as is known. */
bool probe_is_valid(const struct probe *s, struct arena *a);

/* Makes the request; it borrows the arena and the probe. */
struct policy_run_request probe_request(const struct probe *s, struct arena *a);

#endif
