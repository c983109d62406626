/*
 * hints_edits: the changes of an expression, made in several rounds, as changes of the first text.
 *
 *     struct hints_edits e = {.text = mem_strndup(text.at, text.len), .len = text.len};
 *     hints_edits_apply(&e, edits, count, 0);    edits of e.text
 *     ... e.list[i].start, in the first text ...
 *     hints_edits_deinit(&e);
 */
#ifndef CONTROLLER_HINTS_HINTS_EDITS_H
#define CONTROLLER_HINTS_HINTS_EDITS_H

#include <stddef.h>

#include "typecheck/author.h"

struct hints_edit {
    size_t start, end; /* bytes of the first text, which are replaced */
    char *text;
    size_t len;         /* of text */
    size_t round, last; /* in which it was made: the first one and the last one that changed these bytes */
};

struct hints_edits {
    struct hints_edit *list; /* in order; they do not overlap */
    size_t count;
    char *text; /* the changed one */
    size_t len;
};

/* Edits of the changed text, in order. */
void hints_edits_apply(struct hints_edits *e, const struct repair_edit *edits, size_t count, size_t round);
/* The offset of an edit's text in the changed text. */
size_t hints_edits_place(const struct hints_edits *e, size_t index);
void hints_edits_deinit(struct hints_edits *e);

#endif
