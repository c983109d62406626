/*
 * check: checks one policy. Both programs use it. Pure: no I/O, no clock.
 *
 * check_new resolves the rules to types and says which OpenAPI documents the
 * check needs. When the caller has these documents, check_step checks in
 * slices, so that the loop can turn in between, and check_result returns the
 * warnings. check_run does all slices at once.
 *
 * The webhooks of a configuration are checked one after the other, and share one
 * budget of steps and memory: it is the budget of one policy. Equal rules are
 * resolved once.
 *
 *     struct check *c = check_new(policy, discovery, &options);
 *     openapi_require(openapi, check_paths(c), check_path_count(c), on_ready, op);
 *     ... in on_ready, and in each turn after that:
 *     if (check_step(c, env, lookup, openapi, steps)) return;
 *     const struct check_result *r = check_result(c);
 *     check_free(c);
 */
#ifndef CONTROLLER_FINDINGS_CHECK_H
#define CONTROLLER_FINDINGS_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/discovery/discovery.h"
#include "client/discovery/openapi_state.h"
#include "controller/findings/finding.h"
#include "controller/match/policyview.h"
#include "controller/match/types.h"
#include "controller/match/typeset.h"
#include "typecheck/typecheck.h"

struct check;

/* An issue in a warning's text. */
struct check_issue {
    enum issue_code code;
    const char *message;              /* "undefined field 'replicas'" */
    const struct issue_packed *about; /* the same as data; NULL: nothing is known but the message */
    struct extent at;                 /* the part of the expression that is wrong, in bytes */
    int line, column;                 /* the place that cel-go names, as the text has it */
    bool is_unequal; /* no failure: evaluation compares there two values that are never equal */
    bool is_claim;   /* no failure: it is true of every request that reaches the place */
    const struct types_target *first_type;
    const struct types_target *const *types; /* all with this issue; of those in a warning's `issues` only */
    size_t n_types;
    size_t type;               /* the same: an index into the types of check_scope */
    struct policy_site site;   /* the place at which evaluation fails or compares, for the first type */
    struct hint_change change; /* the change that is probably meant there */
};

struct check_warning {
    size_t expression;           /* index into policy->expressions */
    const char *text;            /* the text for expressionWarnings[].warning */
    size_t len;                  /* of text, which may hold NUL */
    size_t shown;                /* how many issues the text shows; those of several types several times */
    struct check_issue first;    /* the one that it shows first; its site is not known */
    enum issue_code consequence; /* the issue of the whole validation; ISSUE_OTHER: none */
    const char *hint;            /* for the first issue: "did you mean 'spec.replicas'?"; "" for none */
    const struct check_issue *issues; /* scope full: those of all types, each once */
    size_t n_issues;
    bool has_more_issues; /* than are listed */
};

struct check_advice {
    enum finding_id id;
    size_t expression; /* index into policy->expressions */
    char *message;
    struct extent at;        /* in the expression */
    bool fails;              /* a witness must show that evaluation ends in an error at the node */
    enum issue_code failure; /* the code of that error */
    char *hint;              /* the text to write instead; "": it has none */
    char *correction;        /* the corrected expression; "": it is not known */
    size_t type;             /* for the failure: an index into the types of check_scope */
    uint32_t node;
    bool is_operand; /* the error is that of the expression that takes the node's value */
    uint32_t chain;  /* one of those with the same number in one expression is enough; 0: it is alone */
};

/* Something that is certain, but may be meant: a finding of the severity note, which stands in no status. */
struct check_note {
    enum issue_code code;
    size_t expression; /* index into policy->expressions */
    char *message;
    struct extent at; /* in the expression */
};

enum check_param_kind {
    CHECK_PARAM_KIND_NONE, /* the policy has none */
    CHECK_PARAM_KIND_FOUND,
    CHECK_PARAM_KIND_NOT_FOUND,
    CHECK_PARAM_KIND_UNKNOWN, /* its group could not be read */
    CHECK_PARAM_KIND_ABROAD,  /* no cluster was asked, and one may have it: it is in no file */
};

struct check_result {
    const struct types_target *types; /* those that were checked, in the order of warnings */
    size_t n_types;
    bool has_shared_types; /* the types are of options.shared: they are the same if the pointer is the same */
    const struct check_warning *warnings; /* in the order of policy->expressions */
    size_t n_warnings;
    const struct check_advice *advice; /* if it was wanted */
    size_t n_advice;
    const struct check_note *notes; /* scope full */
    size_t n_notes;
    size_t n_expressions;  /* how many were checked */
    const uint8_t *truths; /* scope full: by expression of the policy, a sum of enum policy_truth */
    const struct types_problem *problems; /* if there are none, everything was checked to the end */
    size_t n_problems;
    size_t more_limits;         /* TYPES_LIMIT_REACHED: expressions and types beyond those in problems */
    const char *const *missing; /* groups of kinds that are served and have no schema; may repeat */
    size_t n_missing;
    enum check_param_kind param_kind;
    bool is_partial;             /* the discovery is no cluster's (types_list.h) */
    const char *param_kind_near; /* a kind of that version with a similar name, if paramKind is not found;
                                    borrowed from the discovery; or NULL */
    size_t left_out;             /* blocks of text that the bounds left out of the warnings */
    bool has_ignored;            /* there are issues that the annotation or the filter left out */
    size_t peak_bytes;
};

typedef typeset_lookup check_lookup;

/* The policy and the discovery must outlive the check. */
struct check *check_new(const struct policyview *policy, const struct discovery *discovery,
                        const struct types_options *options);
void check_free(struct check *check);

/* Decides whether an issue of an expression (an index into policy->expressions) is left out of the warnings.
 * It is called for each type; only the issue's code, message, place and subject are known. It is called for
 * notes, too, with is_claim, which no other issue has here. */
struct check_filter {
    bool (*ignores)(void *user, size_t expression, const struct check_issue *issue);
    void *user;
};

/* Must be called before the first step. If there is no filter, the findings that the policy's annotation
 * names are left out (suppress.h). */
void check_set_filter(struct check *check, const struct check_filter *filter);

/* Makes the check look for advice, too (scope full). Must be called before the first step. */
void check_want_advice(struct check *check);
/* Returns true if its types are those of options.shared. Then it can use what an earlier check of the same
 * policy kept (typecheck_kept), if the shared types have identities. To be set before the first step. */
bool check_shares_types(const struct check *check);
void check_set_kept(struct check *check, struct typecheck_kept *kept);

/* Is called instead of the first step, or after the last one. Returns the input of the type checker: the
 * expressions of the policy, of which the wanted one (an index into policy->expressions) is at *index, and
 * the types of the rules. The result belongs to the check. */
const struct typecheck_policy *check_scope(struct check *check, size_t expression, check_lookup *lookup,
                                           void *user, size_t *index);

/* The documents that the check will ask for, each once. */
const char *const *check_paths(const struct check *check);
size_t check_path_count(const struct check *check);

/*
 * Does about `steps` of work. Returns true if there is more to do. Between the first and the last call, env
 * and the documents that lookup gave must not change. If they change, make a new check.
 */
bool check_step(struct check *check, const struct env *env, check_lookup *lookup, void *user, uint64_t steps);
/* The steps that check_step has spent so far. */
uint64_t check_steps(const struct check *check);
/* About how much memory the check holds between two calls of check_step. */
size_t check_bytes(const struct check *check);
/* Must be called after check_step returned false. The result and everything in it belong to the check. */
const struct check_result *check_result(const struct check *check);

/* Does all steps at once. */
const struct check_result *check_run(struct check *check, const struct env *env, check_lookup *lookup,
                                     void *user);

#endif
