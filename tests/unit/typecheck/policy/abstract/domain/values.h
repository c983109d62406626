/* values: transfer functions on values alone: an arena, types, and a result as text. For tests of
 * typecheck/policy/abstract. */
#ifndef TESTS_UNIT_TYPECHECK_POLICY_ABSTRACT_DOMAIN_VALUES_H
#define TESTS_UNIT_TYPECHECK_POLICY_ABSTRACT_DOMAIN_VALUES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/abstract/domain/absval_text.h"
#include "typecheck/policy/abstract/domain/transfer.h"

#define VALUES_BYTES ((size_t)64 * 1024 * 1024)

struct values {
    struct env *env;
    struct arena arena;
    struct types *types;
};

static inline int values_setup(void **state)
{
    static struct values v;
    v.env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    arena_init(&v.arena, VALUES_BYTES);
    v.types = types_new(&v.arena, env_types(v.env));
    *state = &v;
    return 0;
}

static inline int values_teardown(void **state)
{
    struct values *v = *state;
    arena_deinit(&v->arena);
    env_free(v->env);
    return 0;
}

/* Either of the two. */
static inline const struct absval *values_or(struct values *v, const struct absval *one,
                                             const struct absval *two)
{
    return absval_join(&v->arena, one, two);
}

static inline const struct absval *values_int(struct values *v, int64_t i)
{
    return absval_of_literal(&v->arena, (struct literal){.kind = LITERAL_INT, .integer = i});
}

static inline const struct absval *values_uint(struct values *v, uint64_t u)
{
    return absval_of_literal(&v->arena, (struct literal){.kind = LITERAL_UINT, .uinteger = u});
}

static inline const struct absval *values_string(struct values *v, const char *s)
{
    return absval_of_string(&v->arena, str_of(s));
}

/* Of a built-in kind's object, as it is since Kubernetes 1.37. */
static inline const struct absval *values_typed_list(struct values *v, const struct type *element)
{
    return absval_of_field(&v->arena, types_list(v->types, element), ABS_TYPED);
}

static inline const struct absval *values_typed_map(struct values *v)
{
    return absval_of_field(&v->arena, types_map(v->types, &type_string, &type_string), ABS_TYPED);
}

/* A bool by what it can be ("true", "false", "bool"), another value by its kinds and, of a constant, what it
 * is. "?" at the end: or an error. */
static inline struct str values_text(struct values *v, const struct absval *value)
{
    struct text t = {.arena = &v->arena};
    if (value->kinds == ABS_BOOL)
        text_add(&t, !value->can_be[false] ? STR("true") : !value->can_be[true] ? STR("false") : STR("bool"));
    else
        text_add(&t, absval_text(&v->arena, value));
    if (absval_is_constant(value) && value->kinds == ABS_INT)
        text_addf(&t, " %lld", (long long)value->values[0].integer);
    if (absval_constant_string(value) != NULL)
        text_addf(&t, " %.*s", STR_ARG(*absval_constant_string(value)));
    if (value->may_fail)
        text_add_char(&t, '?');
    return text_str(&t);
}

/* The value, or "!" and the failure's message; "~" where it compares what is never equal. */
static inline void values_expect(struct values *v, struct transfer t, const char *expected)
{
    struct str got;
    assert_int_equal(t.value == &absval_error, t.failure != NULL && !t.failure->is_unequal);
    if (t.failure != NULL)
        got = str_join(&v->arena, STR_PARTS(t.failure->is_unequal ? STR("~") : STR("!"), t.failure->message,
                                            t.failure->is_here ? STR(" here") : STR("")));
    else
        got = values_text(v, t.value);
    assert_string_equal(got.at, expected);
}

#endif
