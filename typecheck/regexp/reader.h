/*
 * reader: a scanner of what matches one character in a pattern: runes, escapes, classes.
 *
 * Reads runes, escapes and classes from `at` on, which moves past them. Each
 * function returns false after it noted what is wrong in `error` and `culprit`
 * (part of the text, as Go quotes it); nothing is read after that. Who wants to
 * know which characters a class has sets `set`.
 */
#ifndef TYPECHECK_REGEXP_READER_H
#define TYPECHECK_REGEXP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct regexp_class;

struct regexp_reader {
    struct str text;
    size_t at;
    struct regexp_class *set; /* the class that is read is added; NULL: not wanted */
    bool fold;                /* with the other cases of its letters */
    const char *error;        /* NULL: none */
    struct str culprit;
    bool no_named_class_left; /* no ":]" follows: do not search again */
};

/* Does the rest begin with `prefix`? */
bool regexp_reader_sees(const struct regexp_reader *r, const char *prefix);

/* Notes an error about the bytes [from, to). Returns false. */
bool regexp_reader_fail(struct regexp_reader *r, const char *error, size_t from, size_t to);

/* Are the bytes [from, to) UTF-8? */
bool regexp_reader_utf8(struct regexp_reader *r, size_t from, size_t to);

/* One code point. At the end of the text it is U+FFFD, as in Go. */
bool regexp_reader_rune(struct regexp_reader *r, int32_t *rune);

/* A backslash and what it escapes. */
bool regexp_reader_escape(struct regexp_reader *r, int32_t *rune);

/* A class by escape, if there is one here: \d \W \pL \P{Greek}. */
bool regexp_reader_escaped_class(struct regexp_reader *r, bool *found);

/* A class in brackets. `single`: nothing but one character is in it. */
bool regexp_reader_class(struct regexp_reader *r, bool *single);

#endif
