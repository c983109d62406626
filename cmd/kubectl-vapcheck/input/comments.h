/*
 * comments: the comments of a YAML file that name findings which are not reported.
 *
 *     # vapcheck: ignore undefined-field, never-equal  why, in any words
 *     - expression: object.spec.replica < 5
 *
 *     - expression: object.spec.replica < 5  # vapcheck: ignore undefined-field
 *
 * A comment at the end of a line applies to its line, and a line that is only a comment to the next line that
 * is none: to findings on that line, and to all findings in a value that begins there. Inside a block of text
 * there are no comments, only text.
 *
 *     struct comments comments;
 *     comments_read(&comments, yaml);
 *     if (comments_ignore(&comments, id, at, node)) ...
 *     comments_deinit(&comments);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_COMMENTS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_COMMENTS_H

#include "client/text/yaml.h"
#include "controller/findings/finding.h"

struct comment {
    size_t line; /* to which it applies; for a comment at the end of the file, one more than the last */
    struct yaml_place at; /* of the comment */
    const char *byte;     /* the same, in the text of the yaml */
    struct finding_set ignored;
    struct finding_set used; /* those of `ignored` that it suppressed */
    char *problem;           /* its mistake; NULL: none */
};

struct comments {
    struct comment *items; /* in their order */
    size_t count;
};

/* Returns false if the text has no such comment. */
bool comments_may_be_in(const char *text, size_t len);
void comments_read(struct comments *comments, const struct yaml *yaml);
void comments_deinit(struct comments *comments);

/* Returns true if a comment suppresses a finding at the place, in the value of the node (NULL: in no value);
 * notes that it did. */
bool comments_ignore(struct comments *comments, enum finding_id id, struct yaml_place at,
                     const struct yaml_node *node);

#endif
