/*
 * addresses: functions of IP addresses and of ranges of them (goaddress.h).
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_ADDRESSES_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/cel/interpreter/values/function.h"
#include "typecheck/golang/goaddress.h"

/* The text of an address; that of a range, with its length. */
struct str addresses_text(struct arena *a, const struct value *v);
/* The bytes of an address; the bytes of the prefix of a range. */
uint64_t addresses_size(const struct value *v);

function_call addresses_ip, addresses_is_canonical, addresses_is_ip, addresses_string;

/* ip.isLoopback() and the others, chosen by the name of the function. */
function_call addresses_ask, addresses_family;

function_call addresses_cidr, addresses_contains_cidr, addresses_contains_ip, addresses_is_cidr,
    addresses_ip_of_cidr, addresses_is_mask, addresses_masked, addresses_prefix_length;

/* The function is false, too, if the other range does not begin with the range's first address. */
function_call addresses_contains_cidr_at_start;

#endif
