/*
 * in_call: the operator `in`: whether a list has an element, or a map a key.
 *
 *     struct transfer t = in_call(&call);
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_IN_CALL_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_IN_CALL_H

#include "typecheck/policy/abstract/domain/abscall.h"

/* It looks for the element of a list, and for the key of a map; "in" takes nothing else. */
struct transfer in_call(const struct abscall *c);

#endif
