/*
 * hex: hexadecimal digits. Pure.
 */
#ifndef BYTES_HEX_H
#define BYTES_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of the digit c, from 0 to 15; -1 if c is not a digit. */
static inline int32_t hex_digit(int32_t c)
{
    const int32_t letter = c | 0x20;
    if (c >= '0' && c <= '9')
        return c - '0';
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* Reads `count` digits (at most 8) as one number. Returns false if one of them is not a digit; the digits
 * after it are not read. */
bool hex_read(const char *digits, size_t count, uint32_t *value);

#endif
