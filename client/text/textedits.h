/*
 * textedits: a text while an editor changes it, many times in one message. Pure.
 *
 * Each change names places in the text that the changes before it made. The text is kept in pieces of a few
 * thousand bytes that know how many lines and characters they have, so that a change costs a piece and not
 * the text. Places are those of textlines.h.
 *
 *     textedits_init(&e, text, len, cap);
 *     bool is_done = textedits_replace(&e, from, to, TEXTLINES_UTF16, "new", 3);
 *     char *text = textedits_take(&e, &len);
 *     textedits_deinit(&e);
 */
#ifndef CLIENT_TEXT_TEXTEDITS_H
#define CLIENT_TEXT_TEXTEDITS_H

#include <stdbool.h>
#include <stddef.h>

#include "client/text/textlines.h"

struct textedits_piece;

struct textedits {
    struct textedits_piece *pieces;
    size_t count;
    size_t len, cap; /* bytes of the whole text, and the most that it may have */
};

/* The bytes are copied. */
void textedits_init(struct textedits *e, const char *bytes, size_t len, size_t cap);
void textedits_deinit(struct textedits *e);

/* Replaces what stands between two places; the later one may come first. Returns false if the text would be
 * longer than its cap, and nothing is changed. */
bool textedits_replace(struct textedits *e, struct textlines_place from, struct textlines_place to,
                       enum textlines_unit unit, const char *bytes, size_t len);
/* Replaces the whole text, likewise. */
bool textedits_set(struct textedits *e, const char *bytes, size_t len);

/* The text, with a NUL at its end. The caller frees it. */
char *textedits_take(const struct textedits *e, size_t *len);

#endif
