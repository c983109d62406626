/*
 * fixes: the corrections that were proved (hints.h), as changes of the file.
 *
 *     struct fixes fixes;
 *     fixes_init(&fixes, &hints, &(struct fixes_wanted){.place = place, ...});
 *     finding.fixes = fixes.list; ...
 *     fixes_deinit(&fixes);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_FIXES_H
#define CMD_KUBECTL_VAPCHECK_CHECK_FIXES_H

#include "cmd/kubectl-vapcheck/output/output.h"
#include "controller/hints/hints.h"

struct fixes {
    struct output_fix *list;
    struct yaml_edit **edits; /* by fix */
    size_t count;
};

struct fixes_wanted {
    const struct output_place *place;
    bool is_unsafe; /* also those that the author may not mean (hints_search.h) */
    /* Returns true if nothing in the field is to be changed. */
    bool (*is_left_alone)(void *user, const char *field);
    void *user;
};

/* Those of the hints that are fixes and can be written into the file. Fields are borrowed from the hints. */
void fixes_init(struct fixes *fixes, const struct hints *hints, const struct fixes_wanted *wanted);
/* Adds one that makes a text of the old one, which is the field's. */
void fixes_add_text(struct fixes *fixes, const struct output_place *place, const char *field, const char *old,
                    const char *text);
void fixes_deinit(struct fixes *fixes);

#endif
