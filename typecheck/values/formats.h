/*
 * formats: the named formats of Kubernetes: format.dns1123Label().validate('x'), format.named('uuid').
 */
#ifndef TYPECHECK_VALUES_FORMATS_H
#define TYPECHECK_VALUES_FORMATS_H

#include "typecheck/values/function.h"

struct named_format;

/* What is taken for the length of the format's regular expression, in costs. */
uint64_t formats_pattern_size(const struct named_format *f);

/* A format by the name of the function: format.uuid(). */
function_call formats_constant;

function_call formats_named, formats_validate;

/* Names of DNS, by RFC 1123. */
bool formats_is_label(struct arena *a, struct str s);
bool formats_is_subdomain(struct arena *a, struct str s);

#endif
