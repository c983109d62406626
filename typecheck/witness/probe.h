/*
 * probe: a request whose objects are samples (sample.h), so that it can be changed until a policy fails on
 * it.
 *
 *     struct probe s;
 *     probe_init(&s, a, &kind);
 *     ... change s.object ...
 *     struct policy_run_request request = probe_request(&s, a);
 */
#ifndef TYPECHECK_WITNESS_PROBE_H
#define TYPECHECK_WITNESS_PROBE_H

#include "typecheck/policy.h"
#include "typecheck/policy_run.h"
#include "typecheck/witness/choices.h"
#include "typecheck/witness/sample.h"

/* What there is to know of the request before it is made. */
struct probe_kind {
    const struct policy_type *type;
    const struct policy_request *request; /* NULL: nothing is known */
    enum policy_operation operation;
    const struct policy_type *params; /* NULL: the policy has none */
    const struct schema *own;         /* request_schema.h */
};

enum { PROBE_PARTS = 5 };

struct probe {
    const struct probe_kind *kind;
    /* NULL: null */
    union {
        struct {
            struct sample *object, *old_object, *params, *request, *namespace_object;
        };
        struct sample *parts[PROBE_PARTS];
    };
    bool is_allowed; /* what the authorizer answers */
};

/* With the least of everything. */
void probe_init(struct probe *s, struct arena *a, const struct probe_kind *kind);

/* The variable of that name; NULL: it is null, or none. */
struct sample *probe_root(const struct probe *s, struct str name);

/* Takes off what the API server clears. What Go leaves out as empty gets an item, or is taken off. */
void probe_clean(struct probe *s, struct arena *a, struct choices *choices);

/* As a policy is asked; the request borrows the arena and the probe. */
struct policy_run_request probe_request(const struct probe *s, struct arena *a);

#endif
