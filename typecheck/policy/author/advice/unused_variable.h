/*
 * unused_variable: advice about a variable that no expression uses.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_UNUSED_VARIABLE_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_UNUSED_VARIABLE_H

#include "typecheck/policy/author/advice/advice_list.h"

void unused_variable_find(struct advice *advice);

#endif
