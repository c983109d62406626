/*
 * optional_call: functions of optionals.
 *
 *     struct transfer t = optional_call_value(&call);
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_OPTIONAL_CALL_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_OPTIONAL_CALL_H

#include "typecheck/policy/abstract/domain/abscall.h"

/*
 * The part of the target (args[0]) of `or` or `orValue` that is an optional, for versions in which only an
 * optional has these functions (celgo.h). Of args[1] only the type is used, in the issue.
 */
struct transfer optional_call_target(const struct abscall *c, struct hint hint);

/*
 * target.orValue(other), or target.or(other), which makes an optional. "orValue and or on what is no optional
 * return it", where they do not fail on it. `other` is NULL if it is not evaluated, because the target always
 * has a value or is no optional.
 */
const struct absval *optional_call_or(struct arena *a, bool makes_optional, const struct absval *target,
                                      const struct absval *other);

/* optional.of(x) and optional.ofNonZeroValue(x). */
struct transfer optional_call_of(const struct abscall *c);
struct transfer optional_call_has_value(const struct abscall *c);
/* "value() of none fails." */
struct transfer optional_call_value(const struct abscall *c);

#endif
