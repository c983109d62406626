/*
 * match: finds a match of a regular expression in a text, as Go's regexp does: the leftmost one, and of
 * several that begin there the preferred one (leftmost-first).
 *
 * All states of the automaton are followed at once. So the time of every search is
 * proportional to the length of the text times the size of the program.
 */
#ifndef TYPECHECK_CEL_REGEXP_MATCH_H
#define TYPECHECK_CEL_REGEXP_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

struct arena;
struct regexp_program;

struct regexp_span {
    size_t from, to;
};

/* Returns true if the expression matches anywhere in the text. */
bool regexp_match_any(struct arena *a, const struct regexp_program *p, struct str text);

/* The first match that begins at `from` or later; the text before `from` counts for ^ and \b. */
bool regexp_match_find(struct arena *a, const struct regexp_program *p, struct str text, size_t from,
                       struct regexp_span *out);

/*
 * A walk over all matches that do not overlap, as in Go's FindAll: an empty match directly after another one
 * does not count. Starts as {.text = text}.
 */
struct regexp_walk {
    struct str text;
    size_t at;
    size_t last_end; /* + 1; 0: no match yet */
};
bool regexp_match_next(struct arena *a, const struct regexp_program *p, struct regexp_walk *walk,
                       struct regexp_span *out);

#endif
