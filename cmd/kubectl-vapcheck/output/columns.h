/*
 * columns: counts the columns of a terminal that characters take. Pure.
 *
 * The table has the East Asian wide and full-width characters and the emoji (two columns), and the marks that
 * stand above or below the character before them (none). It depends on no locale.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_COLUMNS_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

enum { COLUMNS_TAB = 8 }; /* from one tab stop to the next */

/* The columns of a character that is printed as it is (plain.h): 0, 1 or 2. */
size_t columns_of(uint32_t code);
/* The columns of a line without tabs. */
size_t columns_count(const char *text, size_t len);

#endif
