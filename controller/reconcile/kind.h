/*
 * kind: what is reviewed beside ValidatingAdmissionPolicies, one row a kind.
 * Pure.
 *
 * None of them has a status of ours. A key is "RESOURCE/NAME"; a policy's is
 * its name alone, and no name has a slash, so keys of all kinds may stand
 * together.
 *
 *     cleanup_mem char *key = kind_key(KIND_CRDS, "widgets.example.com");
 *     kind_parse_key(key, &id, &name);
 */
#ifndef CONTROLLER_RECONCILE_KIND_H
#define CONTROLLER_RECONCILE_KIND_H

#include <stdbool.h>

#include "controller/check/policy.h"
#include "controller/reconcile/watches.h"

/* ORDER KINDS */
enum kind_id {
    KIND_VALIDATING_WEBHOOKS,
    KIND_MUTATING_WEBHOOKS,
    KIND_MUTATING_POLICIES,
    KIND_CRDS,
};

enum { KIND_COUNT = KIND_CRDS + 1 };

#define KIND_BIT(id) (1u << (id))

struct kind {
    const char *name; /* "ValidatingWebhookConfiguration" */
    const char *group, *resource;
    const char *flag; /* who asks for it: "--watch-webhooks" */
    enum watches_id watch;
    enum policy_kind view; /* how it is read, unless it is_read_alone */
    bool is_selected;      /* --policy-selector concerns it */
    /* Its watch has but the metadata: an object is large, and is read when it is to be checked, and
     * dropped afterwards. */
    bool is_read_alone;
};

const struct kind *kind_row(enum kind_id id);
/* The kind whose objects this watch has; false: none. */
bool kind_of_watch(enum watches_id watch, enum kind_id *out);

/* The caller's. */
char *kind_key(enum kind_id id, const char *name);
/* *name is the key's end. False: the key is of no kind. */
bool kind_parse_key(const char *key, enum kind_id *out, const char **name);

#endif
