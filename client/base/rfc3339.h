/*
 * rfc3339: a time as the Kubernetes API writes it, "2026-11-22T19:00:00Z". Pure.
 */
#ifndef CLIENT_BASE_RFC3339_H
#define CLIENT_BASE_RFC3339_H

#include <stdint.h>

/* A time with microseconds has 27 bytes and the NUL. */
enum { RFC3339_BYTES = 40 };

/* The number of digits of the fraction of a second. */
enum rfc3339_fraction { RFC3339_SECONDS = 0, RFC3339_MILLISECONDS = 3, RFC3339_MICROSECONDS = 6 };

void rfc3339_format(char out[RFC3339_BYTES], int64_t unix_us, enum rfc3339_fraction fraction);

/* The time now. */
void rfc3339_now(char out[RFC3339_BYTES], enum rfc3339_fraction fraction);

#endif
