/*
 * stdlib: the functions of the CEL language and of cel-go's extension libraries.
 *
 * Tables of overloads, each in the order in which the checker tries them.
 * What only macros expand to begins with "@".
 */
#ifndef TYPECHECK_TYPES_STDLIB_H
#define TYPECHECK_TYPES_STDLIB_H

#include "typecheck/types/decl.h"

/* The language itself, optional values included. */
extern const struct decl stdlib_language[];

/* Strings, sets, lists, comprehensions: what env.c adds after k8slib, as overload order has it. */
extern const struct decl stdlib_extensions[];

#endif
