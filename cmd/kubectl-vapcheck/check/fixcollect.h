/*
 * fixcollect: an output format that keeps how many findings each field has, and the corrections.
 *
 *     struct fixcollect all = {0};
 *     check_inputs(&(struct check_request){.output = fixcollect_output(&all), ...}, &inputs);
 *     fixcollect_deinit(&all);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_FIXCOLLECT_H
#define CMD_KUBECTL_VAPCHECK_CHECK_FIXCOLLECT_H

#include "client/base/keymap.h"
#include "cmd/kubectl-vapcheck/output/output.h"

/* The correction of an expression. */
struct fixcollect_fix {
    char *file;
    size_t document;
    char *field;
    struct yaml_edit *edits;
    size_t n_edits;
    bool is_dropped, was_dropped; /* now; before what is worse was looked for */
};

/* The findings of one identifier about one field of an object. */
struct fixcollect_count {
    char *file;
    size_t document;
    char *field;
    bool is_fault; /* an error or a warning; else a note or advice */
    size_t count;
};

struct fixcollect {
    struct keymap counts;  /* of struct fixcollect_count, by file, document, identifier and field */
    struct keymap refused; /* the objects that the server refuses, by file and document */
    size_t n_findings;     /* those that --fix is about: errors and warnings, and advice if that is wanted */
    bool is_unsafe;        /* with the corrections of advice */
    struct fixcollect_fix *fixes;
    size_t n_fixes;
    struct keymap known; /* the fixes, by their edits */
};

/* The output of several runs about the same files, one after the other: counts are added up, and an edit that
 * several find is kept once. */
struct output fixcollect_output(struct fixcollect *all);
void fixcollect_deinit(struct fixcollect *all);

/* Returns true if some field has more findings than before. An error hides notes and advice: those about an
 * expression that was corrected, or about an object that was refused, are not new. Drops the fixes of the
 * objects that have them, or all, if such an object has none. */
bool fixcollect_drop_worse(struct fixcollect *before, const struct fixcollect *after);

#endif
