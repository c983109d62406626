/*
 * versiondiff: what another version of Kubernetes changes for an object: what
 * is reported about it on the one and on the other, compared. Pure.
 *
 * A report says what is wrong with the object on one version; the caller fills
 * it from that version's own checks. An item is the same on both if it is of
 * the same sort and about the same place: texts may differ in their words.
 *
 *     struct versiondiff_report from = {0}, to = {0};
 *     versiondiff_add_result(&from, policy, result_on_136);
 *     versiondiff_add_result(&to, policy, result_on_137);
 *     size_t count;
 *     struct versiondiff_change *changes = versiondiff_compare(&from, &to, &count);
 *     for (size_t i = 0; i < count; i++) tell(&changes[i]);
 *     mem_free(changes);
 *     versiondiff_deinit(&from), versiondiff_deinit(&to);
 */
#ifndef CONTROLLER_CHECK_VERSIONDIFF_H
#define CONTROLLER_CHECK_VERSIONDIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/check/check.h"
#include "controller/policy/policyview.h"

/* What an item says, the gravest first. */
enum versiondiff_sort {
    VERSIONDIFF_REFUSED,   /* the API server does not take the object, because of the field */
    VERSIONDIFF_FAILS,     /* evaluation fails at the place */
    VERSIONDIFF_UNEQUAL,   /* evaluation compares there what can never be equal */
    VERSIONDIFF_WARNED,    /* the object is taken, with a warning */
    VERSIONDIFF_UNCHECKED, /* something was not checked, or not to its end */
};

/* The texts are the report's. */
struct versiondiff_item {
    enum versiondiff_sort sort;
    const char *field;   /* "spec.validations[0].expression"; "" for the whole object */
    const char *message; /* "undefined field 'replicas'" */
    const char *hint;    /* what to write instead; "" where nothing is certain */
    const char
        *type; /* the first of those that it is about: "apps/v1 Deployment"; "" where it is about none */
    int line, column; /* FAILS and UNEQUAL: of the place in the expression; else 0 */
    char *texts;      /* holds them, in a report */
};

/* More of one object are not compared. */
enum { VERSIONDIFF_ITEMS_MAX = 1000 };

struct versiondiff_report {
    struct versiondiff_item *items;
    size_t count;
    bool is_partial; /* there may be more than is listed */
};

/* Copies the texts; any may be NULL, which is "". One more than VERSIONDIFF_ITEMS_MAX makes it partial. */
void versiondiff_add(struct versiondiff_report *report, const struct versiondiff_item *item);
/* What a check in scope full found. */
void versiondiff_add_result(struct versiondiff_report *report, const struct policyview *policy,
                            const struct check_result *result);
void versiondiff_deinit(struct versiondiff_report *report);

struct versiondiff_change {
    bool is_gone;                        /* it is wrong on `from` alone; else on `to` alone */
    bool fails_too;                      /* REFUSED on `to`: what is stored already fails there */
    const struct versiondiff_item *item; /* of the report that has it */
};

/* What differs, what comes before what goes, each in the order of its report. Nothing is said to differ from
 * a report that is partial. The caller frees the list; it borrows from both. */
struct versiondiff_change *versiondiff_compare(const struct versiondiff_report *from,
                                               const struct versiondiff_report *to, size_t *count);

/* Whether the object is refused, or fails, on `to` where it works on `from`. */
bool versiondiff_breaks(const struct versiondiff_change *change);

#endif
