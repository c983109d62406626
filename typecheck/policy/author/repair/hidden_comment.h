/*
 * hidden_comment: a comment that hides more of an expression than its author sees. Pure.
 *
 * A comment of CEL ends with its line. YAML makes one line of the lines of a folded, plain or quoted scalar:
 * what stands in the lines below a comment then belongs to the comment.
 *
 *     struct hidden_comment hidden;
 *     if (hidden_comment_find(env, text, breaks, count, max_steps, &hidden))
 *         ... the comment at hidden.offset hides hidden.text ...
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_HIDDEN_COMMENT_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_HIDDEN_COMMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/types/env.h"

struct hidden_comment {
    uint32_t offset;  /* of its two slashes */
    struct str text;  /* what it hides first: what stands in the next line of the file; borrowed */
    bool has_grammar; /* the expression as it is parses, too */
};

/* breaks: the bytes of the text before which a line of the file begins, in order. Returns true if the text
 * has other tokens, and parses, with line ends at these places in its comments. */
bool hidden_comment_find(const struct env *env, struct str text, const uint32_t *breaks, size_t break_count,
                         uint64_t max_steps, struct hidden_comment *out);

#endif
