/*
 * reader: scans the parts of a pattern that match one character: runes, escapes, classes.
 *
 * It reads at `at`, which moves forward. If something is wrong, a function sets
 * `error` and `culprit` (the part of the text that Go quotes) and returns false;
 * nothing is read after that. Set `set` to get the characters of a class.
 */
#ifndef TYPECHECK_CEL_REGEXP_READER_H
#define TYPECHECK_CEL_REGEXP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/base/unicode.h"

struct regexp_class;

struct regexp_reader {
    struct str text;
    enum unicode_edition edition;
    size_t at;
    struct regexp_class *set; /* the class that is read is added; NULL: not wanted */
    bool fold;                /* with the other cases of its letters */
    const char *error;        /* the first error, as Go's regexp/syntax says it; NULL if there is none */
    struct str culprit;
    bool no_named_class_left; /* no ":]" follows: do not search again */
};

/* Returns true if the rest begins with `prefix`. */
bool regexp_reader_sees(const struct regexp_reader *r, const char *prefix);

/* Notes an error about the bytes [from, to). Returns false. */
bool regexp_reader_fail(struct regexp_reader *r, const char *error, size_t from, size_t to);

/* Returns true if the bytes [from, to) are UTF-8. */
bool regexp_reader_utf8(struct regexp_reader *r, size_t from, size_t to);

/* Reads one code point; at the end of the text U+FFFD, as in Go. */
bool regexp_reader_rune(struct regexp_reader *r, int32_t *rune);

/* Reads a backslash and the character that it escapes. */
bool regexp_reader_escape(struct regexp_reader *r, int32_t *rune);

/* Reads a class that is written as an escape, if there is one here: \d \W \pL \P{Greek}. */
bool regexp_reader_escaped_class(struct regexp_reader *r, bool *found);

/* Reads a class in brackets. `single`: it has only one character. */
bool regexp_reader_class(struct regexp_reader *r, bool *single);

#endif
