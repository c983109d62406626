/*
 * format_validator: checks the arguments of string.format() against a literal format string.
 *
 * As the strings library of version 2 checks it: the clauses %s %d %f %e %b
 * %x %X %o, precision after %, and what types each takes.
 */
#ifndef TYPECHECK_CEL_CHECKER_FORMAT_VALIDATOR_H
#define TYPECHECK_CEL_CHECKER_FORMAT_VALIDATOR_H

#include <stdbool.h>

#include "typecheck/cel/checker/checked.h"
#include "typecheck/cel/syntax/ast.h"

struct issues;

/* Returns true if the node is 'literal'.format([...]). Other calls cannot be checked. */
bool format_validator_is_literal_call(const struct node *n);

/* Adds an issue if that call, a part of the expression, fails for all arguments at run time. */
void format_validator_validate(struct str expression, const struct node *call, const struct checked *checked,
                               struct issues *issues);

#endif
