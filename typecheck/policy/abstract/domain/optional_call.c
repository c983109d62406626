#include "typecheck/policy/abstract/domain/optional_call.h"

struct transfer optional_call_target(const struct abscall *c, struct hint hint)
{
    const struct absval *target = c->args[0];
    if ((target->kinds & ABS_OPTIONAL) == 0)
        return transfer_fails(c->arena, abscall_mismatch(c, hint));
    if (target->kinds == ABS_OPTIONAL)
        return transfer_passes(target);
    struct absval *optional = ARENA_NEW(c->arena, struct absval);
    *optional = *target;
    optional->kinds = ABS_OPTIONAL;
    optional->may_fail = true;
    return transfer_passes(optional);
}

const struct absval *optional_call_or(struct arena *a, bool makes_optional, const struct absval *target,
                                      const struct absval *other)
{
    const struct absval *v = NULL;
    if ((target->kinds & ~(uint32_t)ABS_OPTIONAL) != 0) {
        struct absval *rest = ARENA_NEW(a, struct absval);
        *rest = *target;
        rest->kinds &= ~(uint32_t)ABS_OPTIONAL;
        v = rest;
    }
    if ((target->kinds & ABS_OPTIONAL) != 0 && target->may_have)
        v = absval_join(a, v, makes_optional ? absval_optional(a, target->inner, false) : target->inner);
    v = absval_join(a, v, other);
    return v == NULL ? absval_failing(a, &absval_any) : absval_derive(a, v, target);
}

struct transfer optional_call_of(const struct abscall *c)
{
    bool may_be_none = !str_eq(c->name, STR("optional.of"));
    return abscall_result(c, absval_optional(c->arena, c->args[0], may_be_none), false);
}

struct transfer optional_call_has_value(const struct abscall *c)
{
    const struct absval *o = c->args[0];
    if ((o->kinds & ABS_OPTIONAL) == 0)
        return abscall_no_overload(c);
    return abscall_result(c, absval_of_bools(c->arena, o->may_have, o->may_be_none),
                          o->kinds != ABS_OPTIONAL);
}

struct transfer optional_call_value(const struct abscall *c)
{
    const struct absval *o = c->args[0];
    if ((o->kinds & ABS_OPTIONAL) == 0)
        return abscall_no_overload(c);
    if (!o->may_have)
        return transfer_fails(c->arena, (struct failure){.message = STR("optional.none() dereference")});
    return abscall_result(c, o->inner, o->may_be_none || o->kinds != ABS_OPTIONAL);
}
