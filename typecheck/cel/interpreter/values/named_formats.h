/*
 * named_formats: the named formats of Kubernetes: format.dns1123Label().validate('x'), format.named('uuid').
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_NAMED_FORMATS_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_NAMED_FORMATS_H

#include "typecheck/cel/interpreter/values/function.h"

struct named_format;

/* The length of the format's regular expression, as costs count it. */
uint64_t named_formats_pattern_size(const struct named_format *f);

/* The format with the name of the function: format.uuid(). */
function_call named_formats_constant;

function_call named_formats_named, named_formats_validate;

/* Returns true if the string is a DNS label, or a DNS subdomain, by RFC 1123. */
bool named_formats_is_label(struct arena *a, struct str s);
bool named_formats_is_subdomain(struct arena *a, struct str s);

#endif
