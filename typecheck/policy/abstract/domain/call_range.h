/*
 * call_range: the whole numbers that a call can return, whatever its arguments: a size is never negative, and
 * getDayOfWeek() is never 7.
 *
 * The numbers are those of cel-go (common/types/timestamp.go, ext/strings.go) and of Kubernetes' libraries
 * (k8s.io/apiserver/pkg/cel/library). A comparison that they decide is a slip (compare_call.h).
 *
 *     struct transfer t = call_range_of_function(&call, abscall_constants(&call));
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_CALL_RANGE_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_CALL_RANGE_H

#include "typecheck/policy/abstract/domain/abscall.h"

/* t: the call's result. Returns it with the range of its value, if that is not known and the call has one. */
struct transfer call_range_of_function(const struct abscall *c, struct transfer t);
/* The same of the operator %. */
struct transfer call_range_of_remainder(const struct abscall *c, struct transfer t);

/* Says what the numbers are: "a size is never negative", "containerPort is 1 to 65535". */
struct str call_range_text(struct arena *a, const struct absnumbers *numbers);

/* Says why what a call returned, or a field is, never is the constant; NULL: it may be, or nothing is known.
 */
const struct failure *call_range_excludes(struct arena *a, const struct absval *returned,
                                          const struct absval *constant);

#endif
