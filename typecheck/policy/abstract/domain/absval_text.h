/*
 * absval_text: the text with which an issue names an abstract value.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSVAL_TEXT_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSVAL_TEXT_H

#include "typecheck/policy/abstract/domain/absval.h"

/* "int", "list(string)", "int or string", "Deployment.spec", "dyn". */
struct str absval_text(struct arena *a, const struct absval *v);

#endif
