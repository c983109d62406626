/*
 * found: what was found out about an object as a list of findings, each with its place; every format prints
 * this list.
 *
 * One finding is said once: what the API server refuses is no warning besides.
 *
 *     struct found found;
 *     found_init(&found, &place, &finding);
 *     for (size_t i = 0; i < found.count; i++) print(found.items[i].at, found.items[i].text);
 *     found_deinit(&found);
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_FOUND_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_FOUND_H

#include "cmd/kubectl-vapcheck/output/output.h"

struct found_item {
    enum finding_id id;
    enum finding_severity severity;
    const char *field; /* borrowed; "" for the object as a whole */
    struct yaml_place at;
    char *headline; /* "refused: spec.failurePolicy", "note": ends before the text, or before its line */
    char *text;     /* for readers: NUL is visible; one line, or lines that end in a line feed */
    char *hint;     /* "" for none */
    const struct output_witness *witnesses; /* borrowed */
    size_t n_witnesses;
};

struct found {
    struct found_item *items;
    size_t count;
    bool was_unchecked; /* what could not be checked is no longer in the list */
};

/* The items have texts of their own; fields are those of the finding. */
void found_init(struct found *found, const struct output_place *place, const struct output_finding *finding);
void found_deinit(struct found *found);

void found_remove(struct found *found, size_t index);

/* " [undefined-field]"; "" where the headline says as much. The caller frees it. */
char *found_tag(const struct found_item *item);
/* Whether the text stands in the headline's line. */
bool found_is_line(const struct found_item *item);
/* How many are of this severity. */
size_t found_count(const struct found *found, enum finding_severity severity);
/* Whether an error or a warning is among them; besides that one. */
bool found_has_fault(const struct found *found);
bool found_has_fault_besides(const struct found *found, enum finding_id id);
/* Whether something could not be checked, reported or not. */
bool found_is_unchecked(const struct found *found);
bool found_has(const struct found *found, enum finding_id id);

#endif
