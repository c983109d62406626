/*
 * case_call: x.lowerAscii() and x.upperAscii(), and what their results are never equal to.
 *
 *     struct transfer t = case_call(&call);   // of object.metadata.name.lowerAscii(): never 'Web'
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_CASE_CALL_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_CASE_CALL_H

#include "typecheck/policy/abstract/domain/abscall.h"

/* x.lowerAscii() has no upper-case letter of ASCII, whatever x is; x.upperAscii() has no lower-case one. */
struct transfer case_call(const struct abscall *c);

#endif
