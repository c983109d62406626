/*
 * jsonscan: finds the end of a value in JSON text, without a tree. Pure.
 *
 * A struct jsonscan reads one value byte by byte, so the text may come in chunks.
 * It looks at strings and brackets only. Whether the value is correct JSON must be
 * checked by a parser afterwards.
 *
 *     jsonscan_start(&scan);
 *     while (jsonscan_step(&scan, c) == JSONSCAN_INSIDE) ...
 */
#ifndef CLIENT_TEXT_JSONSCAN_H
#define CLIENT_TEXT_JSONSCAN_H

#include <stdbool.h>
#include <stddef.h>

/* LAST: the byte was the value's last. AFTER: the value (a number or word) ended before it. */
enum jsonscan_where { JSONSCAN_INSIDE, JSONSCAN_LAST, JSONSCAN_AFTER };

struct jsonscan {
    size_t depth;
    bool has_begun;
    bool is_word; /* a number, true, false or null at depth 0 */
    bool in_string;
    bool is_escaped;
};

void jsonscan_start(struct jsonscan *scan);

/* The first byte must not be white space. */
enum jsonscan_where jsonscan_step(struct jsonscan *scan, char c);

bool jsonscan_is_space(char c);

#endif
