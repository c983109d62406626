/*
 * reserved: the reserved words of CEL.
 *
 * cel-spec doc/langdef.md (RESERVED, IN, the literals); k8s.io/apiserver/pkg/cel/escaping.go lists the same.
 */
#ifndef TYPECHECK_CEL_SYNTAX_RESERVED_H
#define TYPECHECK_CEL_SYNTAX_RESERVED_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* Returns true if `name` is reserved: true, false, null, in, as, namespace ... */
bool reserved_has(struct str name);

#endif
