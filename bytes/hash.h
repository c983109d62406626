/*
 * hash: hash values of texts, for tables in memory.
 *
 * The function is SipHash-1-3 with a key that is random for each process, so
 * nobody can prepare names that all fall into one slot. The values differ from run
 * to run. Therefore nothing that is written or printed may depend on them; digests
 * have functions of their own.
 *
 *     size_t slot = hash_text(key, strlen(key)) & (n_slots - 1);
 */
#ifndef BYTES_HASH_H
#define BYTES_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_text(const char *text, size_t len);

/* The pure part. */
uint64_t hash_with_key(const uint64_t key[2], const char *text, size_t len);

#endif
