/*
 * matchrules: which requests something is asked about, as it is written: the matchConstraints of a policy,
 * the matchResources of a binding, or the same fields of a webhook. Pure.
 *
 * All fields are optional: a field of a wrong type reads as absent, and so does an entry of a list of
 * strings; null in such a list is the empty string, as Go reads it ("- " and no more).
 *
 *     struct matchrules match;
 *     if (matchrules_read(constraints, "resourceRules", "excludeResourceRules", &match, &err) != 0) ...
 *     for (size_t i = 0; i < match.n_rules; i++) use(&match.rules[i]);
 *     matchrules_deinit(&match);
 */
#ifndef CONTROLLER_MATCH_MATCHRULES_H
#define CONTROLLER_MATCH_MATCHRULES_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"
#include "controller/match/labelselector.h"

struct matchrules_rule {
    const char *const *groups;
    size_t n_groups;
    const char *const *versions;
    size_t n_versions;
    const char *const *resources;
    size_t n_resources;
    const char *const *operations;
    size_t n_operations;
    const char *scope;        /* "*", "Cluster", "Namespaced"; "" if absent */
    const char *const *names; /* resourceNames: only objects of these names; none: of any */
    size_t n_names;
};

/* The requests that a rule matches and no rule excludes. */
struct matchrules {
    const struct matchrules_rule *rules;
    size_t n_rules;
    const struct matchrules_rule *excluded;
    size_t n_excluded;
    bool is_exact; /* matchPolicy Exact: other versions of the same resource do not match */
    struct labelselector *namespaces, *objects; /* the selectors; NULL for one that no server stores */
};

/* rules, excluded: the fields that have them; excluded may be NULL: there is none. Strings are borrowed from
 * the JSON, and the caller ends it with matchrules_deinit in each case. Errors: INVALID (a selector that no
 * server stores, the first one); all else is read nevertheless. */
int matchrules_read(struct json_object *json, const char *rules, const char *excluded, struct matchrules *out,
                    struct err *err) MUST_CHECK;
void matchrules_deinit(struct matchrules *match);

/* The cost of asking about a request, in comparisons of texts. */
uint64_t matchrules_steps(const struct matchrules *match);

/* More bytes than the API server takes as one object. */
enum { MATCHRULES_KEY_CAP_BYTES = 8 * 1024 * 1024 };

/* A text that is equal for rules that match the same types, so that rules are resolved once: selectors do not
 * count. Returns NULL if it would be longer than MATCHRULES_KEY_CAP_BYTES. matchrules_rule_key does the same
 * for one rule. The caller frees the text. */
char *matchrules_key(const struct matchrules *match);
char *matchrules_rule_key(const struct matchrules_rule *rule);

#endif
