/*
 * versiondiff: the changes that another version of Kubernetes brings to an object.
 * It compares the reports about the object on the two versions. Pure.
 *
 * A report lists what is wrong with the object on one version; the caller fills
 * it from that version's own checks. Two items are the same if they have the same
 * sort and the same place; their texts may differ.
 *
 *     struct versiondiff_report from = {0}, to = {0};
 *     versiondiff_add_result(&from, policy, result_on_136);
 *     versiondiff_add_result(&to, policy, result_on_137);
 *     size_t count;
 *     struct versiondiff_change *changes = versiondiff_compare(&from, &to, &count);
 *     for (size_t i = 0; i < count; i++) print(&changes[i]);
 *     mem_free(changes);
 *     versiondiff_deinit(&from), versiondiff_deinit(&to);
 */
#ifndef CONTROLLER_FINDINGS_VERSIONDIFF_H
#define CONTROLLER_FINDINGS_VERSIONDIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/findings/check.h"
#include "controller/match/policyview.h"

/* The sort of an item, the most serious first. */
enum versiondiff_sort {
    VERSIONDIFF_REFUSED,   /* the API server does not take the object, because of the field */
    VERSIONDIFF_FAILS,     /* evaluation fails at the place */
    VERSIONDIFF_UNEQUAL,   /* evaluation compares there two values that are never equal */
    VERSIONDIFF_WARNED,    /* the object is taken, with a warning */
    VERSIONDIFF_UNCHECKED, /* something was not checked, or not to its end */
};

/* The texts belong to the report. */
struct versiondiff_item {
    enum versiondiff_sort sort;
    const char *field;    /* "spec.validations[0].expression"; "" for the whole object */
    const char *message;  /* "undefined field 'replicas'" */
    size_t detail;        /* REFUSED: where the compiler's answer is in the message; 0: there is none */
    const char *brief;    /* REFUSED: the first issue of the expression; "" if there is none */
    enum issue_code code; /* of the issue */
    const char *hint;     /* the text to write instead; "" if nothing is certain */
    const char *type; /* the first type with this problem: "apps/v1 Deployment"; "" if it is about no type */
    struct extent at; /* of the issue in the expression */
    char *texts;      /* holds them, in a report */
};

/* The limit for one object; more are not compared. */
enum { VERSIONDIFF_ITEMS_MAX = 1000 };

struct versiondiff_report {
    struct versiondiff_item *items;
    size_t count;
    bool is_partial; /* there may be more than is listed */
};

/* Copies the texts; any may be NULL, which is "". One more than VERSIONDIFF_ITEMS_MAX makes it partial. */
void versiondiff_add(struct versiondiff_report *report, const struct versiondiff_item *item);
/* Adds a refusal, with what `first`, the first issue of the expression, says. If `first` is NULL, the
 * expression has no issue, and the item's detail does not count. */
void versiondiff_add_refusal(struct versiondiff_report *report, const struct versiondiff_item *refusal,
                             const struct typecheck_issue *first);
/* Adds the findings of a check in scope full. */
void versiondiff_add_result(struct versiondiff_report *report, const struct policyview *policy,
                            const struct check_result *result);
void versiondiff_deinit(struct versiondiff_report *report);

struct versiondiff_change {
    bool is_gone;                        /* it is wrong only on `from`; else only on `to` */
    bool fails_too;                      /* REFUSED on `to`: an object that is stored already fails there */
    const struct versiondiff_item *item; /* of the report that has it */
};

/* The differences: first items that appear on `to`, then items that vanish, each in the order of its report.
 * An item that could be missing only because a report is partial is not a difference. The caller frees the
 * list, which borrows from both reports. */
struct versiondiff_change *versiondiff_compare(const struct versiondiff_report *from,
                                               const struct versiondiff_report *to, size_t *count);

/* Returns true if the object is refused, or fails, on `to` where it works on `from`. */
bool versiondiff_breaks(const struct versiondiff_change *change);

#endif
