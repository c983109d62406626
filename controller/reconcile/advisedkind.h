/*
 * advisedkind: the table of the kinds that advise checks, besides
 * ValidatingAdmissionPolicies. Pure.
 *
 * None of them has a status of ours. A key is "RESOURCE/NAME". A policy's key is
 * only its name, and no name has a slash, so keys of all kinds can be in one map.
 *
 *     cleanup_mem char *key = advisedkind_key(ADVISEDKIND_CRDS, "widgets.example.com");
 *     advisedkind_parse_key(key, &id, &name);
 */
#ifndef CONTROLLER_RECONCILE_ADVISEDKIND_H
#define CONTROLLER_RECONCILE_ADVISEDKIND_H

#include <stdbool.h>

#include "controller/match/policyview.h"
#include "controller/reconcile/watches.h"

enum advisedkind_id {
    ADVISEDKIND_VALIDATING_WEBHOOKS,
    ADVISEDKIND_MUTATING_WEBHOOKS,
    ADVISEDKIND_MUTATING_POLICIES,
    ADVISEDKIND_CRDS,
    ADVISEDKIND_BINDINGS, /* always checked; no flag is needed */
};

enum { ADVISEDKIND_COUNT = ADVISEDKIND_BINDINGS + 1 };

#define ADVISEDKIND_BIT(id) (1u << (id))

struct advisedkind {
    const struct objectkind_row *object;
    const char *flag; /* the flag that asks for it: "--watch-webhooks"; NULL: no flag is needed */
    enum watches_id watch;
    enum policyview_kind view; /* how it is read, unless it is_read_alone */
    bool is_selected;          /* --policy-selector applies to it */
    /* Its watch has only metadata, since objects are large. An object is read for its check, and dropped
     * afterwards. */
    bool is_read_alone;
    bool is_binding; /* no expressions of its own: bindingcheck.h */
};

const struct advisedkind *advisedkind_row(enum advisedkind_id id);
/* Sets *out to the kind of the objects of this watch; returns false if there is none. */
bool advisedkind_of_watch(enum watches_id watch, enum advisedkind_id *out);

/* The caller frees it. */
char *advisedkind_key(enum advisedkind_id id, const char *name);
/* *name is the end of the key, and lives as long as it. Returns false if the key is of no kind. */
bool advisedkind_parse_key(const char *key, enum advisedkind_id *out, const char **name);

#endif
