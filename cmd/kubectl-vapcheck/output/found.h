/*
 * found: the findings about an object as a list, each with its place; every format prints this list.
 *
 * A mistake is listed once: a refusal of the API server is not a warning as well.
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
    const char *field;         /* borrowed; "" for the object as a whole */
    struct yaml_place at, end; /* end: the place behind it, or `at` if that is not known */
    char *subject;             /* its subject, as data (finding_subject.h) */
    char *headline; /* "refused: spec.failurePolicy", "note": ends before the text, or before its line */
    char *text;     /* for readers: NUL is visible; one line, or lines that end in a line feed */
    char *message;  /* the mistake in words for people: one line */
    char *why;      /* the consequence, one line; NULL: the message says it, or it is not known */
    char *server;   /* the server's own words, in lines; NULL: the message, or nothing */
    char *remedy;   /* the remedy, "fix: spec.replicas"; NULL: none is known */
    char **types;   /* "apps/v1, Kind=Deployment": those of which it is true; none: no types are meant */
    size_t n_types;
    char *hint;                             /* "" for none */
    const struct output_fix *fix;           /* borrowed; NULL: none is certain */
    const struct output_witness *witnesses; /* borrowed */
    size_t n_witnesses;
    bool is_fixable;      /* the remedy is a part of a correction that is proved */
    const char *versions; /* "1.35, 1.36": of several versions that were checked, those that have it;
                             borrowed; NULL: one version was checked */
    bool
        is_counted; /* it is said once, at the end, of all objects that have it: only json has it here, too */
};

struct found {
    struct found_item *items;
    size_t count;
    bool was_unchecked; /* something could not be checked, but that is no longer in the list */
    bool has_refusals;  /* the object is refused, whether or not that is in the list */
};

/* The items have texts of their own; fields are those of the finding. */
void found_init(struct found *found, const struct output_place *place, const struct output_finding *finding);
void found_deinit(struct found *found);

/* Adds a finding in one line; both texts are copied, the field is borrowed. */
void found_add(struct found *found, const struct output_place *place, const struct output_extra *extra);
/* Adds a copy, which borrows the item's field alone. Its fix and its witnesses are left out. */
void found_add_copy(struct found *found, const struct found_item *item);
/* Puts a copy in the place of an item. */
void found_put_copy(struct found *found, size_t index, const struct found_item *item);
/* Sorts by line and column; findings at the same place keep their order. */
void found_sort(struct found *found);
void found_remove(struct found *found, size_t index);

/* " [undefined-field]", and of several versions those that have the finding; no identifier where the headline
 * says as much. The caller frees it. */
char *found_tag(const struct found_item *item);
/* Returns true if the text stands in the headline's line. */
bool found_is_line(const struct found_item *item);
/* Returns how many are of this severity. */
size_t found_count(const struct found *found, enum finding_severity severity);
/* Returns true if an error or a warning besides that one is among them. */
bool found_has_fault_besides(const struct found *found, enum finding_id id);
/* Returns true if something could not be checked, even if that is not reported. */
bool found_is_unchecked(const struct found *found);
bool found_has(const struct found *found, enum finding_id id);
/* The change that an advice of the list proposes, as edits of its field, which are not proved; NULL if there
 * is none. */
const struct output_fix *found_advised(const struct output_finding *finding, const struct found_item *item);

#endif
