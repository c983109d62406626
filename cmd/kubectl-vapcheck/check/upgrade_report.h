/*
 * upgrade_report: the result of upgrade_cmd, as text and as JSON.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_UPGRADE_REPORT_H
#define CMD_KUBECTL_VAPCHECK_CHECK_UPGRADE_REPORT_H

#include "cmd/kubectl-vapcheck/check/collect.h"
#include "cmd/kubectl-vapcheck/output/frame.h"

struct upgrade_change {
    struct versiondiff_change change;
    struct yaml_place where;
    struct frame *frame;  /* the line of the file; NULL: its place is not known */
    const char *spelling; /* of the expression, clean on both versions; NULL: none is known */
};

/* An object, and what changes for it. */
struct upgrade_entry {
    const struct collected *object; /* on one of the versions */
    struct upgrade_change *changes;
    size_t count;
    bool is_partial; /* on one of them it was not checked to the end: there may be more */
};

struct upgrade_report {
    int from, to; /* 1.N */
    struct upgrade_entry *entries;
    size_t count;
    struct style_sequences style;
    const struct collection *inputs; /* the skipped inputs, and those that could not be read */
    struct output_suppressed suppressed;
};

void upgrade_report_text(const struct upgrade_report *report);
void upgrade_report_json(const struct upgrade_report *report);
void upgrade_report_deinit(struct upgrade_report *report);

#endif
