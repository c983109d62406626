/*
 * match: finds what a regular expression matches in a text, as Go's regexp does: leftmost, and of
 * those that begin there the one that is preferred (leftmost-first).
 *
 * All ways of the automaton go on at once, so that a search takes time in
 * proportion to the text and the program, whatever they are.
 */
#ifndef TYPECHECK_REGEXP_MATCH_H
#define TYPECHECK_REGEXP_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

struct arena;
struct regexp_program;

struct regexp_span {
    size_t from, to;
};

/* Whether it matches anywhere. */
bool regexp_match_any(struct arena *a, const struct regexp_program *p, struct str text);

/* The first match that begins at `from` or behind; what stands before `from` counts for ^ and \b. */
bool regexp_match_find(struct arena *a, const struct regexp_program *p, struct str text, size_t from,
                       struct regexp_span *out);

/*
 * The next of all matches that do not overlap, as Go's FindAll counts them: an empty one does not follow a
 * match at once. Starts as {.text = text}.
 */
struct regexp_walk {
    struct str text;
    size_t at;
    size_t last_end; /* + 1; 0: no match yet */
};
bool regexp_match_next(struct arena *a, const struct regexp_program *p, struct regexp_walk *walk,
                       struct regexp_span *out);

#endif
