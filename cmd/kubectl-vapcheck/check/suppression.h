/*
 * suppression: leaves out findings of an object: by --select and --ignore, by its annotation, by comments in
 * its file.
 *
 * A finding of finding_is_always_reported cannot be ignored. --select also never hides a finding that says
 * that something, or everything, was not checked. Each suppressed finding is counted once. Advice that was
 * not selected is not counted.
 *
 *     struct suppression s;
 *     suppression_init(&s, options, &comments, &place);
 *     suppression_apply(&s, &found, from, to);
 *     total += s.count;
 *     suppression_deinit(&s);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_SUPPRESSION_H
#define CMD_KUBECTL_VAPCHECK_CHECK_SUPPRESSION_H

#include "client/base/keymap.h"
#include "cmd/kubectl-vapcheck/check/otherversions.h"
#include "cmd/kubectl-vapcheck/input/comments.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/output/found.h"

struct suppression {
    const struct options *options;
    struct comments *comments;
    const struct output_place *place;
    const struct policyview *policy;    /* the policy; NULL if the object is none */
    const struct otherversions *others; /* whose claims are notes; NULL: there are none */
    const struct fielderrors *refusals; /* of the policy: a refused field has no other findings */
    struct finding_set ignored;         /* by the annotation */
    struct err err;                     /* the mistake of the annotation */
    bool is_written;                    /* only by the annotation, as in the controller */
    char *object;                       /* as a baseline names it */
    struct keymap known;
    size_t count; /* of what is suppressed */
};

/* Borrows all. */
void suppression_init(struct suppression *suppression, const struct options *options,
                      struct comments *comments, const struct output_place *place);
void suppression_deinit(struct suppression *suppression);

/* Returns true if anything but the annotation may suppress a finding. */
bool suppression_is_active(const struct suppression *suppression);
/* The filter of a check of the policy (check_set_filter), which says whether an issue is suppressed. */
struct check_filter suppression_filter(struct suppression *suppression, const struct policyview *policy,
                                       const struct fielderrors *refusals);
/* Returns true if the field is refused: then nothing else is reported about it. */
bool suppression_is_refused(const struct fielderrors *refusals, const char *field);
/* Removes what is suppressed from the list, and adds the comments in the lines from ... to, without the last,
 * that suppress nothing. */
void suppression_apply(struct suppression *suppression, struct found *found, size_t from, size_t to);

#endif
