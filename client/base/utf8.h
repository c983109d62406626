/*
 * utf8: whole characters of UTF-8 text. Pure.
 *
 * Bytes that are not UTF-8 (overlong forms, surrogates, above U+10FFFF) count
 * as one character each, U+FFFD, so that walking any bytes ends.
 */
#ifndef CLIENT_BASE_UTF8_H
#define CLIENT_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xfffd };

/* The character at bytes (len >= 1) into *code; returns its length, 1 for a bad byte. */
size_t utf8_next(const char *bytes, size_t len, uint32_t *code);

/* The largest length <= cap at which text can be cut without halving a character. */
size_t utf8_cut(const char *text, size_t len, size_t cap);

/* Characters in len bytes. */
size_t utf8_count(const char *bytes, size_t len);

/* The bytes of the first `count` characters, or all of them. */
size_t utf8_skip(const char *bytes, size_t len, size_t count);

/* Where in well-formed text the character `count` before the one at `at` begins, or 0. */
size_t utf8_back(const char *text, size_t at, size_t count);

/* Writes code's UTF-8 form into out (4 bytes); returns its length. */
size_t utf8_put(uint32_t code, char *out);

#endif
