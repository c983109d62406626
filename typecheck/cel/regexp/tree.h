/*
 * tree: the syntax tree of a regular expression, and a builder that the parser drives.
 *
 * The parser calls the builder in the order of the text. All nodes lie in the arena. Groups leave no node of
 * their own, since nothing needs what a group matched. Nested concatenations become
 * one, and so do nested alternations. So the tree is no deeper than Go's, which has
 * a limit.
 */
#ifndef TYPECHECK_CEL_REGEXP_TREE_H
#define TYPECHECK_CEL_REGEXP_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/cel/regexp/class.h"

enum regexp_op {
    REGEXP_EMPTY,
    REGEXP_RUNE,
    REGEXP_CLASS,
    REGEXP_ASSERTION,
    REGEXP_REPEAT,
    REGEXP_CONCAT,
    REGEXP_ALTERNATE,
};

enum regexp_assertion {
    REGEXP_BEGIN_TEXT = 1,
    REGEXP_END_TEXT = 2,
    REGEXP_BEGIN_LINE = 4,
    REGEXP_END_LINE = 8,
    REGEXP_WORD_BOUNDARY = 16,
    REGEXP_NO_WORD_BOUNDARY = 32,
};

struct regexp_node {
    enum regexp_op op;
    bool is_nullable;                 /* can match no character */
    bool is_lazy;                     /* REPEAT: the fewest first */
    int min, max;                     /* REPEAT; max -1: no end */
    int32_t rune;                     /* RUNE */
    enum regexp_assertion assertion;  /* ASSERTION */
    struct regexp_class set;          /* CLASS: in order */
    struct regexp_node *first, *last; /* its parts */
    struct regexp_node *next;         /* the next part of the same node */
};

struct regexp_group;

struct regexp_tree {
    struct arena *arena;
    enum unicode_edition edition;
    struct regexp_node **terms; /* parts of all open groups that are not yet in a node */
    size_t term_count, term_cap;
    struct regexp_group *groups; /* the open ones; the first is the whole */
    size_t group_count, group_cap;
};

void regexp_tree_init(struct regexp_tree *t, struct arena *a, enum unicode_edition edition);

/* Adds one character; `fold`: case is ignored. */
void regexp_tree_rune(struct regexp_tree *t, int32_t rune, bool fold);
void regexp_tree_class(struct regexp_tree *t, const struct regexp_class *set);
void regexp_tree_assertion(struct regexp_tree *t, enum regexp_assertion assertion);
/* Repeats the newest term. */
void regexp_tree_repeat(struct regexp_tree *t, int min, int max, bool is_lazy);
void regexp_tree_open(struct regexp_tree *t);
void regexp_tree_bar(struct regexp_tree *t);
void regexp_tree_close(struct regexp_tree *t);
struct regexp_node *regexp_tree_finish(struct regexp_tree *t);

#endif
