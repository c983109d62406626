#include "bytes/base64.h"

#include <stdint.h>

enum { QUANTUM = 4, QUANTUM_BYTES = 3, DIGIT_BITS = 6, BYTE_BITS = 8, MOST_PADDING = 2 };

enum { PADDING = 64 };

/* The digits by their values, and the padding. */
static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

/* The value of a digit; -1: it is none. */
static int32_t digit_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_decode(const char *text, size_t len, char *bytes, size_t *count)
{
    size_t read = 0, padding = 0, written = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < len; i++) {
        const char c = text[i];
        const int32_t value = c == '=' ? 0 : digit_value(c);
        if (c == '\n' || c == '\r')
            continue;
        padding += c == '=';
        if (value < 0 || (padding > 0 && c != '='))
            return false;
        bits = bits << DIGIT_BITS | (uint32_t)value;
        if (++read % QUANTUM != 0)
            continue;
        if (padding > MOST_PADDING)
            return false;
        for (size_t j = 0; j < QUANTUM_BYTES - padding; j++)
            bytes[written++] = (char)(bits >> (QUANTUM_BYTES - 1 - j) * BYTE_BITS & 0xff);
    }
    *count = written;
    return read % QUANTUM == 0;
}

void base64_encode(const char *bytes, size_t len, char *text)
{
    for (size_t i = 0; i < len; i += QUANTUM_BYTES) {
        const size_t left = len - i < QUANTUM_BYTES ? len - i : QUANTUM_BYTES;
        uint32_t bits = 0;
        for (size_t j = 0; j < QUANTUM_BYTES; j++)
            bits = bits << BYTE_BITS | (j < left ? (unsigned char)bytes[i + j] : 0);
        for (size_t j = 0; j < QUANTUM; j++)
            *text++ = characters[j <= left ? bits >> (QUANTUM - 1 - j) * DIGIT_BITS & 0x3f : PADDING];
    }
}
