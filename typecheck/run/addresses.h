/*
 * addresses: IP addresses and ranges of them, as Go's net/netip reads and writes them.
 */
#ifndef TYPECHECK_RUN_ADDRESSES_H
#define TYPECHECK_RUN_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/run/function.h"

enum { ADDRESS_IPV4_BYTES = 4, ADDRESS_IPV6_BYTES = 16 };

struct address {
    uint8_t bytes[ADDRESS_IPV6_BYTES];
    uint8_t len;  /* how many of them it has */
    uint8_t bits; /* of a range: how many all in it have in common */
};

/* As it is written, without the bits; a range, with them. */
struct str addresses_text(struct arena *a, const struct value *v);
bool addresses_are_equal(const struct value *one, const struct value *two);
/* Bytes of an address; bytes that the bits of a range take. */
uint64_t addresses_size(const struct value *v);

/* netip.ParseAddr: false, and what is wrong is added to the text. */
bool addresses_read(struct text *why, struct str raw, bool *is_ipv4);

function_call addresses_ip, addresses_is_canonical, addresses_is_ip, addresses_string;

/* ip.isLoopback() and the others, by their name. */
function_call addresses_ask, addresses_family;

function_call addresses_cidr, addresses_contains_cidr, addresses_contains_ip, addresses_is_cidr,
    addresses_ip_of_cidr, addresses_masked, addresses_prefix_length;

#endif
