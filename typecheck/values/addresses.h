/*
 * addresses: functions of IP addresses and of ranges of them (goaddress.h).
 */
#ifndef TYPECHECK_VALUES_ADDRESSES_H
#define TYPECHECK_VALUES_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/goaddress.h"
#include "typecheck/values/function.h"

/* As it is written, without the bits; a range, with them. */
struct str addresses_text(struct arena *a, const struct value *v);
/* Bytes of an address; bytes that the bits of a range take. */
uint64_t addresses_size(const struct value *v);

function_call addresses_ip, addresses_is_canonical, addresses_is_ip, addresses_string;

/* ip.isLoopback() and the others, by their name. */
function_call addresses_ask, addresses_family;

function_call addresses_cidr, addresses_contains_cidr, addresses_contains_ip, addresses_is_cidr,
    addresses_ip_of_cidr, addresses_masked, addresses_prefix_length;

#endif
