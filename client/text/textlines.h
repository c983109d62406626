/*
 * textlines: a text whose places are lines and columns, as editors count them. Pure.
 *
 * Lines and columns count from 0; a line ends in LF, CR LF or CR, which have no column. A column is a
 * number of UTF-16 code units unless the editor and we agreed on another unit (Language Server Protocol 3.17,
 * "Position Encoding"). A byte that is no UTF-8 counts as one character.
 *
 *     textlines_init(&t, mem_strdup(text), len);
 *     size_t at = textlines_offset(&t, (struct textlines_place){3, 10}, TEXTLINES_UTF16);
 *     textlines_deinit(&t);
 */
#ifndef CLIENT_TEXT_TEXTLINES_H
#define CLIENT_TEXT_TEXTLINES_H

#include <stddef.h>

enum textlines_unit { TEXTLINES_UTF16, TEXTLINES_UTF8, TEXTLINES_UTF32 };

struct textlines_place {
    size_t line, column;
};

struct textlines_block;

struct textlines {
    char *text; /* with a NUL at the end */
    size_t len;
    size_t *starts; /* of each line */
    size_t count;   /* of lines; at least one */
    /* Says how many characters stand before places of the text that are a kilobyte from each other: a line
     * can be the whole text. NULL: all is ASCII. */
    struct textlines_block *blocks;
    size_t n_blocks;
};

/* Takes the text. */
void textlines_init(struct textlines *t, char *take_text, size_t len);
void textlines_deinit(struct textlines *t);

/* The byte at a place. A column after the end of its line is that end; a line after the last is the end of
 * the text. */
size_t textlines_offset(const struct textlines *t, struct textlines_place place, enum textlines_unit unit);
struct textlines_place textlines_place(const struct textlines *t, size_t offset, enum textlines_unit unit);

#endif
