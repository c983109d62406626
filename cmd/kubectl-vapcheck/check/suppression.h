/*
 * suppression: which of an object's findings are not reported: by --select and --ignore, by its annotation,
 * by comments in its file.
 *
 * What finding_is_always_reported names cannot be ignored, and --select hides besides neither what was not
 * checked nor that nothing was. What is suppressed is counted, each finding once. Advice that nobody selected
 * is not.
 *
 *     struct suppression s;
 *     suppression_init(&s, options, &comments, &place);
 *     suppression_apply(&s, &found);
 *     total += s.count;
 *     suppression_deinit(&s);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_SUPPRESSION_H
#define CMD_KUBECTL_VAPCHECK_CHECK_SUPPRESSION_H

#include "client/base/keymap.h"
#include "cmd/kubectl-vapcheck/input/comments.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/output/found.h"

struct suppression {
    const struct options *options;
    const struct comments *comments;
    const struct output_place *place;
    const struct policyview *policy;    /* NULL: the object is none */
    const struct fielderrors *refusals; /* of the policy: what is refused is reported as that alone */
    struct finding_set ignored;         /* by the annotation */
    struct err err;                     /* what is wrong with that */
    bool is_written; /* only what the annotation names: what the controller leaves out, too */
    char *object;    /* as a baseline names it */
    struct keymap known;
    size_t count; /* of what is suppressed */
};

/* Borrows all. */
void suppression_init(struct suppression *suppression, const struct options *options,
                      const struct comments *comments, const struct output_place *place);
void suppression_deinit(struct suppression *suppression);

/* Whether anything but the annotation may suppress a finding. */
bool suppression_is_active(const struct suppression *suppression);
/* For a check of the policy (check_set_filter): whether an issue is suppressed. */
struct check_filter suppression_filter(struct suppression *suppression, const struct policyview *policy,
                                       const struct fielderrors *refusals);
/* Whether the field is refused: nothing else is said of it then. */
bool suppression_is_refused(const struct fielderrors *refusals, const char *field);
/* Removes what is suppressed from the list. */
void suppression_apply(struct suppression *suppression, struct found *found);

#endif
