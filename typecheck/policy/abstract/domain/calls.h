/*
 * calls: the table of functions and operators whose results say more than their types do.
 *
 * Nothing here knows a syntax tree. interpret.c evaluates the operands, and
 * decides which operands of && || ?: are evaluated at all.
 *
 *     struct transfer t = calls_apply(&call);
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_CALLS_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_CALLS_H

#include "typecheck/policy/abstract/domain/abscall.h"

/* "A function is chosen by its name and the outermost types of its arguments." */
struct transfer calls_apply(const struct abscall *c);

#endif
