/*
 * base64: base64 as Go's base64.StdEncoding reads and writes it: kubeconfig files (*-data), YAML (!!binary),
 * values of the format "byte". Pure.
 *
 * This is code of our own, since the checker uses it, too, and does not know OpenSSL. OpenSSL's decoder also
 * takes padding and white space at any place, so that each text would have to be read before as strictly as
 * here.
 *
 *     char *bytes = mem_zalloc(BASE64_BYTES(len) + 1);
 *     if (!base64_decode(text, len, bytes, &count)) ...
 */
#ifndef BYTES_BASE64_H
#define BYTES_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* The most bytes that a text of `len` characters stands for. */
#define BASE64_BYTES(len) ((len) / 4 * 3)
/* The length of the text for `len` bytes. */
#define BASE64_LENGTH(len) (((len) + 2) / 3 * 4)

/* Standard alphabet, with padding; line breaks are passed over. Returns false if the text is malformed; then
 * what is in `bytes` has no meaning. */
bool base64_decode(const char *text, size_t len, char *bytes, size_t *count);

/* The text has padding and no line breaks. No NUL is written. */
void base64_encode(const char *bytes, size_t len, char *text);

#endif
