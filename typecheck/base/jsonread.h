/*
 * jsonread: a streaming (pull) parser of JSON (RFC 8259).
 *
 * It borrows the text. It is strict: whatever the grammar does not allow is an
 * error, and so are bytes that are not UTF-8 and nesting deeper than
 * JSONREAD_MAX_DEPTH. After the first error, which is kept, no more values, members
 * or elements are found. A copy of a struct jsonread can be used later to read again
 * from that place.
 *
 *     struct jsonread r;
 *     jsonread_init(&r, text, &arena);
 *     if (jsonread_peek(&r) == JSONREAD_OBJECT && jsonread_open(&r))
 *         for (struct str key; jsonread_member(&r, &key);)
 *             jsonread_skip(&r);             // or read that one value
 *     if (!jsonread_end(&r)) ... r.error at r.at
 */
#ifndef TYPECHECK_BASE_JSONREAD_H
#define TYPECHECK_BASE_JSONREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

/* The limit of nested arrays and objects; deeper ones are refused. */
#define JSONREAD_MAX_DEPTH 256

enum jsonread_type {
    JSONREAD_NONE, /* there was an error */
    JSONREAD_NULL,
    JSONREAD_FALSE,
    JSONREAD_TRUE,
    JSONREAD_NUMBER,
    JSONREAD_STRING,
    JSONREAD_ARRAY,
    JSONREAD_OBJECT,
};

enum jsonread_error {
    JSONREAD_OK,
    JSONREAD_TRUNCATED,
    JSONREAD_TOO_DEEP,
    JSONREAD_UNEXPECTED,
    JSONREAD_BAD_NULL,
    JSONREAD_BAD_BOOLEAN,
    JSONREAD_BAD_NUMBER,
    JSONREAD_NO_ARRAY_COMMA,
    JSONREAD_NO_KEY,
    JSONREAD_NO_COLON,
    JSONREAD_NO_OBJECT_COMMA,
    JSONREAD_BAD_STRING,
    JSONREAD_BAD_UTF8,
};

struct jsonread {
    struct str text;
    struct arena *arena; /* for strings that have escapes; others are parts of the text */
    size_t at;           /* offset of the next value, or of the error */
    unsigned depth;      /* arrays and objects that are open */
    bool is_first;       /* nothing of the innermost array or object was read yet */
    enum jsonread_error error;
};

void jsonread_init(struct jsonread *r, struct str text, struct arena *arena);

/* The type of the next value, by its first byte. */
enum jsonread_type jsonread_peek(struct jsonread *r);

/* Enters the next value, an array or object. Always true. */
bool jsonread_open(struct jsonread *r);

/* Moves to the next element of the array; false if there is none, and the array is closed. */
bool jsonread_element(struct jsonread *r);

/* Moves to the next member of the object; *key is valid as long as text and arena. */
bool jsonread_member(struct jsonread *r, struct str *key);

/* Reads the next value, a string, with its escapes replaced (half a surrogate pair by U+FFFD). */
struct str jsonread_string(struct jsonread *r);

/* Skips the next value; all of it is checked. */
void jsonread_skip(struct jsonread *r);

/* A value that is skipped in parts. */
struct jsonread_skipping {
    unsigned base;                      /* the depth around it */
    bool is_object[JSONREAD_MAX_DEPTH]; /* for each open value: it is an object, or else an array */
};

/* Skips the first part: the whole value if it is not an array or object. */
void jsonread_skip_begin(struct jsonread *r, struct jsonread_skipping *s);
/* Goes on to the offset, or to the end of the value that is there; true if the whole value is skipped, or
 * there was an error. */
bool jsonread_skip_until(struct jsonread *r, struct jsonread_skipping *s, size_t until);

/* Returns true if the text was exactly one value, without error. */
bool jsonread_end(struct jsonread *r);

const char *jsonread_message(enum jsonread_error error);

#endif
