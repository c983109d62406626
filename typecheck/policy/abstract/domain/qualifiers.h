/*
 * qualifiers: the abstract result (transfer.h) of selections and indexes: a.b, has(a.b), a[b], a.?b and
 * a[?b].
 *
 * k8s.io/apiserver evaluates them as cel-go's interpreter/attributes.go does
 * (refQualify, applyQualifiers). Operands must not be error values. The results lie
 * in the arena; `ts` has the types of schemas.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_QUALIFIERS_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_QUALIFIERS_H

#include "typecheck/policy/abstract/domain/transfer.h"

/* from.name; `path` is how `from` is written, for the issue about a null. */
struct transfer qualifiers_select(struct arena *a, struct types *ts, const struct absval *from,
                                  struct str name, struct str path);
struct transfer qualifiers_has(struct arena *a, struct types *ts, const struct absval *from, struct str name);
struct transfer qualifiers_index(struct arena *a, struct types *ts, const struct absval *from,
                                 const struct absval *key);
/* The result of the function "_?._" or "_[?_]". */
struct transfer qualifiers_optional(struct arena *a, struct types *ts, const struct absval *from,
                                    const struct absval *key, struct str function);

#endif
