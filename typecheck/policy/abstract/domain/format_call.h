/*
 * format_call: 'text %d'.format([x]): whether some clause takes nothing that its argument can be.
 *
 *     if (format_call_fails(a, *format, args->list, &why)) ...
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_FORMAT_CALL_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_FORMAT_CALL_H

#include "typecheck/policy/abstract/domain/absval.h"
#include "typecheck/policy/abstract/domain/transfer.h"

/* Returns true if each evaluation fails. Then *why is the reason. args: a list whose elements are known one
 * by one. */
bool format_call_fails(struct arena *a, struct str format, const struct abslist *args, struct failure *why);

#endif
