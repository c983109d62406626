/*
 * hash: of texts that strangers choose, for tables in memory.
 *
 * SipHash-1-3 with a key that the process draws when it starts: nobody can
 * prepare names that all fall into one slot. It differs from run to run, so
 * nothing that is written or printed may depend on it (digests have functions
 * of their own).
 *
 *     size_t slot = hash_text(key, strlen(key)) & (n_slots - 1);
 */
#ifndef CLIENT_BASE_HASH_H
#define CLIENT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_text(const char *text, size_t len);

/* The pure part. */
uint64_t hash_with_key(const uint64_t key[2], const char *text, size_t len);

#endif
