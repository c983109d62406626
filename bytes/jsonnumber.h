/*
 * jsonnumber: finds the end of a number of JSON. Pure.
 *
 *     if (!jsonnumber_skip(&at, end))
 *         fail("a digit expected", at);
 */
#ifndef BYTES_JSONNUMBER_H
#define BYTES_JSONNUMBER_H

#include <stdbool.h>

/* Moves *at past the digits that are there; returns false if there is none. */
static inline bool jsonnumber_skip_digits(const char **at, const char *end)
{
    const char *begin = *at;
    while (*at < end && **at >= '0' && **at <= '9')
        ++*at;
    return *at > begin;
}

/* Moves *at past number = [ minus ] int [ frac ] [ exp ]; returns false if a digit is missing at *at. A
 * leading zero ends the number: the caller finds the digit after it. */
static inline bool jsonnumber_skip(const char **at, const char *end)
{
    *at += *at < end && **at == '-';
    if (*at < end && **at == '0')
        ++*at;
    else if (!jsonnumber_skip_digits(at, end))
        return false;
    if (*at < end && **at == '.') {
        ++*at;
        if (!jsonnumber_skip_digits(at, end))
            return false;
    }
    if (*at == end || (**at != 'e' && **at != 'E'))
        return true;
    ++*at;
    *at += *at < end && (**at == '+' || **at == '-');
    return jsonnumber_skip_digits(at, end);
}

#endif
