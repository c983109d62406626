/*
 * issue_about: the subject of an issue, as data: nobody takes it from the message, and it can be said in
 * other words.
 *
 *     found no matching overload for '_<=_' applied to '(int, string)'
 *
 * is about the name "_<=_" and is given "(int, string)". A text that is not known is empty. A policy can have
 * thousands of issues, so each keeps its texts in one piece of memory, which is read by issue_about_read.
 */
#ifndef TYPECHECK_BASE_ISSUE_ABOUT_H
#define TYPECHECK_BASE_ISSUE_ABOUT_H

#include <stddef.h>

#include "typecheck/base/str.h"

struct arena;

struct issue_about {
    struct str name;       /* the field, variable or function that is wrong; an operator as cel-go calls it */
    struct str given;      /* the type that is there, of a call those of its operands; or what is null */
    struct str wanted;     /* the type that is needed, or the words that are possible */
    struct str why;        /* why a field is not there: "has(object.x) is false" */
    struct str where;      /* the requests of which it is true: " on DELETE"; empty: of all */
    struct str suggestion; /* the one name that the message itself suggests */
    struct str near;       /* a declared field that nearly has the name */
};

#define ISSUE_ABOUT_NOTHING ((struct issue_about){.name = STR_INIT("")})

/* The same, packed. A text of more bytes than this is cut. */
#define ISSUE_ABOUT_TEXT_MAX 0xFFFFu
struct issue_packed;

/* Packs it in the arena. */
const struct issue_packed *issue_about_pack(struct arena *a, const struct issue_about *about);
/* Unpacks it; the texts are borrowed. NULL: nothing is known. */
struct issue_about issue_about_read(const struct issue_packed *packed);

/* A copy in the arena; NULL of NULL. */
const struct issue_packed *issue_about_copy(struct arena *a, const struct issue_packed *packed);
/* The bytes of a copy. */
size_t issue_about_bytes(const struct issue_packed *packed);
/* Makes a copy at *at, which may be any address, and moves *at past the copy. The copy of NULL is NULL. */
const struct issue_packed *issue_about_put(const struct issue_packed *packed, char **at);

#endif
