/*
 * base64: as kubeconfig files (*-data), credential plugins and YAML (!!binary) use it. Pure.
 */
#ifndef CLIENT_BASE_BASE64_H
#define CLIENT_BASE_BASE64_H

#include <stddef.h>

#include "client/base/err.h"

/* Standard alphabet, padded; line breaks are passed over. *out ends in a NUL and is the
 * caller's. Errors: INVALID. */
int base64_decode(const char *text, size_t len, char **out, size_t *out_len, struct err *err) MUST_CHECK;

/* Padded, without line breaks. The caller frees it. */
char *base64_encode(const char *bytes, size_t len);

#endif
