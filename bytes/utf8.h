/*
 * utf8: whole characters of UTF-8 text. Pure.
 *
 * Not UTF-8 are overlong forms, surrogates, code points above U+10FFFF, and a sequence that is cut off.
 * A byte of such a sequence counts as one character, U+FFFD, so that walking any bytes ends, as in Go.
 */
#ifndef BYTES_UTF8_H
#define BYTES_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xfffd, UTF8_MAX_BYTES = 4 };

/* Bytes of the character at bytes (len >= 1); 0 if there is none. */
size_t utf8_len(const char *bytes, size_t len);

/* The character at bytes (len >= 1) into *code; returns its length, 1 for a bad byte. */
size_t utf8_next(const char *bytes, size_t len, uint32_t *code);

/* The largest length <= cap at which text can be cut without halving a character. */
size_t utf8_cut(const char *text, size_t len, size_t cap);

/* Characters in len bytes. */
size_t utf8_count(const char *bytes, size_t len);

/* The bytes of the first `count` characters, or all of them. */
size_t utf8_skip(const char *bytes, size_t len, size_t count);

/* Goes back by `count` characters from `at` in well-formed text; returns where it arrives, at least 0. */
size_t utf8_back(const char *text, size_t at, size_t count);

/* Writes code's UTF-8 form into out (UTF8_MAX_BYTES); returns its length. */
size_t utf8_put(uint32_t code, char *out);

#endif
