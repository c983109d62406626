/*
 * summary: the result of a check, in a line at its end.
 *
 *     2 errors, 1 advice in 3 policies: 1 policy is clean, 2 have errors or warnings (Kubernetes 1.37,
 * built-in schemas). 2 can be fixed with --fix.
 *
 *     struct summary s = {.kube_version = "1.37", .schemas = "bundle"};
 *     summary_add(&s, "ValidatingAdmissionPolicy", found);
 *     summary_print(&s);
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_SUMMARY_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_SUMMARY_H

#include <stddef.h>

#include "cmd/kubectl-vapcheck/output/found.h"
#include "controller/match/objectkind.h"

/* The state of an object: the first that fits. */
enum summary_state {
    SUMMARY_REFUSED,
    SUMMARY_FAULTY,
    SUMMARY_UNCHECKED,
    SUMMARY_WITHOUT_POLICY, /* a binding whose policy is in no file */
    SUMMARY_CLEAN,
    SUMMARY_STATES,
};

struct summary {
    const char *kube_version, *schemas; /* of output_run; borrowed */
    bool is_fixing;
    size_t objects[OBJECTKIND_WORDS_COUNT], states[SUMMARY_STATES];
    size_t severities[FINDING_ADVICE + 1], ids[FINDING_COUNT], fixable_ids[FINDING_COUNT];
    size_t definitions, composites, skipped; /* read for their types alone; other objects */
    size_t left_out, unreadable;             /* directories; files, or places in them */
    /* The part about what was suppressed, owned; NULL if nothing was. */
    char *suppressed;
};

/* An object, which is counted once, and its findings. */
void summary_add(struct summary *summary, const char *kind, const struct found *found);
/* A finding about the run as a whole. */
void summary_add_remark(struct summary *summary, enum finding_id id, enum finding_severity severity);
/* An object that was not checked. */
void summary_skip(struct summary *summary, const char *kind);
/* Prints how many findings each identifier has, a row each. */
void summary_print_statistics(const struct summary *summary);
void summary_print(const struct summary *summary);

#endif
