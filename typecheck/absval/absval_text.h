/*
 * absval_text: the text with which an issue names an abstract value.
 */
#ifndef TYPECHECK_ABSVAL_ABSVAL_TEXT_H
#define TYPECHECK_ABSVAL_ABSVAL_TEXT_H

#include "typecheck/absval/absval.h"

/* "int", "list(string)", "int or string", "Deployment.spec", "dyn". */
struct str absval_text(struct arena *a, const struct absval *v);

#endif
