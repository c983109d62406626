/*
 * compare_call: the operators == and !=, and <, <=, > and >= with what no range of ints changes.
 *
 *     struct transfer t = compare_call_equal(&call);
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_COMPARE_CALL_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_COMPARE_CALL_H

#include "typecheck/policy/abstract/domain/abscall.h"

/* == and !=. "Different types: false, never an error", but of the API server's own types, and of typed lists
 * and maps. */
struct transfer compare_call_equal(const struct abscall *c);

/* <, <=, > and >= */
struct transfer compare_call_order(const struct abscall *c);

#endif
