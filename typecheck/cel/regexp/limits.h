/*
 * limits: the limits of Go's regexp package on a pattern's size, height and repetitions.
 *
 * Go refuses expressions that repeat, nest or grow too much, and decides that
 * while it builds its tree on a stack. Here the same stack holds only the
 * measures of each tree; it grows in the arena, and no tree is ever walked. Go
 * factors out common prefixes of alternatives; here they are measured as written.
 */
#ifndef TYPECHECK_CEL_REGEXP_LIMITS_H
#define TYPECHECK_CEL_REGEXP_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct regexp_term;

struct regexp_limits {
    struct arena *arena;
    struct regexp_term *terms;
    size_t count, cap;
    size_t nodes, spare_nodes; /* that Go allocated; and of these, the ones that are free to use again */
    int64_t repeats;           /* product of all counts, as Go multiplies them */
    bool sized;                /* large enough that sizes are compared with the limit */
    const char *exceeded;      /* the limit that is exceeded, in Go's words; NULL: none */
};

enum regexp_repeat { REGEXP_STAR, REGEXP_PLUS, REGEXP_QUEST, REGEXP_COUNT };

void regexp_limits_init(struct regexp_limits *s, struct arena *a);

/* Adds one character; `fold`: case is ignored. */
void regexp_limits_literal(struct regexp_limits *s, bool fold);
/* Adds a class, or a dot; `single`: a class of one character. */
void regexp_limits_class(struct regexp_limits *s, bool single);
/* Adds an assertion: ^ $ \b. */
void regexp_limits_assertion(struct regexp_limits *s);
/* "(": `flags` is what regexp_limits_close gives back. */
void regexp_limits_open(struct regexp_limits *s, bool captures, uint8_t flags);
/* ")": false if none is open. */
bool regexp_limits_close(struct regexp_limits *s, uint8_t *flags);
/* "|" */
void regexp_limits_bar(struct regexp_limits *s);
/* Returns true if there is something that a repetition can apply to. */
bool regexp_limits_repeatable(const struct regexp_limits *s);
/* Repeats the newest term; REGEXP_COUNT: min to max (both at most 1000) times, -1 for no end. False if counts
 * multiply to more than 1000. */
bool regexp_limits_repeat(struct regexp_limits *s, enum regexp_repeat how, int min, int max);
/* The end: false if a "(" is open. */
bool regexp_limits_finish(struct regexp_limits *s);

#endif
