/*
 * goaddress: IP addresses and ranges of them, as Go's net/netip reads and writes them.
 */
#ifndef TYPECHECK_GOLANG_GOADDRESS_H
#define TYPECHECK_GOLANG_GOADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"

enum { GOADDRESS_IPV4_BYTES = 4, GOADDRESS_IPV6_BYTES = 16 };

struct goaddress {
    uint8_t bytes[GOADDRESS_IPV6_BYTES];
    uint8_t len;  /* how many of them it has */
    uint8_t bits; /* of a range: the length of its prefix in bits */
};

/* netip.ParseAddr: false, and the error is added to the text. has_zone: a zone followed a "%"; it is left
 * out. */
bool goaddress_parse(struct text *why, struct str raw, struct goaddress *out, bool *has_zone);

/* netip.ParsePrefix: false, and the error is added to the text. */
bool goaddress_parse_prefix(struct text *why, struct str raw, struct goaddress *out);

/* Adds the address in Go's form, without the length of a range. */
void goaddress_add(struct text *t, const struct goaddress *x);

/* Returns true if both are the same address, or the same range. */
bool goaddress_are_equal(const struct goaddress *one, const struct goaddress *two);

/* The 16 bits that group i, from 0 to 7, of an IPv6 address has. */
unsigned goaddress_group(const struct goaddress *x, size_t i);

#endif
