/*
 * absval: abstract values: sets of the values that an expression can have.
 *
 * The evaluation runs an expression without an object, over abstract values:
 * each stands for a set of run-time values. object.spec.replicas, which a
 * schema calls an integer, is "an int or null"; the literal 1 is "an int,
 * and 1"; `c ? 1 : 'a'` is "an int or a string". These sets are a lattice:
 * absval_join makes the set of what either of two values can be, absval_any is
 * the set of all. Less knowledge is a larger set, and a true value is always
 * in the set, so that what fails for all of the set fails for every object.
 *
 * Since Kubernetes 1.37 the lists and maps of a built-in kind's object are
 * typed: they are Go values behind an adapter, which takes fewer indexes and
 * operands than a list or a map of JSON does.
 *
 * A custom resource is validated after the mutating policies. So these see an
 * object that was pruned but is otherwise as the client sent it.
 *
 * Abstract values are const, lie in the arena of a check and share parts.
 *
 *     const struct absval *v = absval_of_type(a, type);
 *     if ((v->kinds & ABS_MAP) == 0) ...   // never a map
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSVAL_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/policy/abstract/domain/absval_parts.h"
#include "typecheck/policy/abstract/domain/kinds.h"

struct arena;
struct type;
struct types;
struct value;

/* Says who decided a value: nobody, or the author of the expression, who wrote it so. */
enum absval_author {
    ABS_OF_REQUEST,
    ABS_BY_LITERALS, /* literals alone decide it */
    ABS_BY_NAMES,    /* a test of the operation, kind, resource, subresource or namespace does */
} __attribute__((packed));

struct absval {
    uint32_t kinds;
    enum absval_author author;
    bool can_be[2];      /* ABS_BOOL: by truth */
    bool may_fail;       /* evaluation may end in an error instead */
    bool is_error;       /* it always ends in an error, which is reported where it comes from */
    bool is_rarely_null; /* ABS_NULL: no schema says so, but it cannot be excluded */
    bool is_entry;       /* of a map of Go's: never null */
    bool is_narrowed;    /* a comparison before says more of it than its type does (narrowing.h) */
    /*
     * The type under check determines the value (as for request.kind.kind), but we do not compute which
     * value. Then part of the set is impossible for every object, and conclusions that depend on it are not
     * certain.
     */
    bool is_type_determined;
    bool surely[2];             /* type-determined ABS_BOOL, by truth: some object certainly makes it so */
    bool may_be_none, may_have; /* ABS_OPTIONAL: without and with a value */
    uint16_t depth;             /* how deep lists and optionals are nested in it */
    uint32_t type_kinds;        /* ABS_TYPE: the kinds whose type it is; 0: any */
    /* kinds is one of int, uint, double, string, bytes: all it can be; NULL: any */
    const struct literal *values;
    size_t value_count;
    const struct absrange *range; /* ABS_INT without values: all it can be; NULL: any */
    const struct abswords *words; /* ABS_STRING; NULL: nothing is known about other requests */
    const struct abslist *list;   /* ABS_LIST; NULL: any */
    const struct absmap *maps;    /* ABS_MAP; NULL: any */
    const struct absval *inner;   /* ABS_OPTIONAL with may_have */
    struct str opaque;            /* ABS_OPAQUE: the type's name; empty: any */
    bool is_sum;                  /* ABS_OPAQUE: a quantity of add() or sub() */
    /* kinds is one of opaque, timestamp, duration: the one value that it is (typecheck/cel/interpreter);
     * NULL: any */
    const struct value *computed;
};

extern const struct absval absval_any, absval_json, absval_bool, absval_true, absval_false, absval_null,
    absval_string, absval_int, absval_none, absval_error, absval_doubtful;

/* The absent object, which the operation decides. */
extern const struct absval absval_no_object;

const struct absval *absval_of_literal(struct arena *a, struct literal literal);
const struct absval *absval_of_int(struct arena *a, size_t integer);
const struct absval *absval_of_string(struct arena *a, struct str text);
const struct absval *absval_of_bools(struct arena *a, bool can_be_true, bool can_be_false);
/* The value type(x), for x of these kinds. */
const struct absval *absval_of_type_value(struct arena *a, uint32_t kinds);
/* Everything that has the type `t` at run time. t is from a schema (SCHEMA_RUNTIME) or a declaration. */
const struct absval *absval_of_type(struct arena *a, const struct type *t);
/* The same in an object of that form; a field that can hold any JSON is plain. */
const struct absval *absval_of_field(struct arena *a, const struct type *t, enum absval_form form);
/* A list of these items; the array is kept. */
const struct absval *absval_of_items(struct arena *a, const struct absval **items, size_t count);
/* Any list of such elements; NULL: the empty one. */
const struct absval *absval_of_elements(struct arena *a, const struct absval *element);
/* An optional; inner NULL: it has no value. */
const struct absval *absval_optional(struct arena *a, const struct absval *inner, bool may_be_none);
/* A map of one sort. */
const struct absval *absval_of_map(struct arena *a, struct absmap map);
/* A known quantity, duration and so on; opaque: the type's name, empty for other kinds. */
const struct absval *absval_of_computed(struct arena *a, uint32_t kind, struct str opaque,
                                        const struct value *v);

/* Copies of v with something changed. */
const struct absval *absval_in_range(struct arena *a, const struct absval *v, struct absrange range);
/* A comparison before says that it is this. */
const struct absval *absval_narrowed(struct arena *a, const struct absval *v);
const struct absval *absval_with_words(struct arena *a, const struct absval *v, const struct abswords *words);
/* A list with so many elements or more. */
const struct absval *absval_with_least(struct arena *a, const struct absval *v, size_t least);
/* A list whose elements are in the range. */
const struct absval *absval_with_element_range(struct arena *a, const struct absval *v,
                                               struct absrange range);
/* A list whose elements have these words. */
const struct absval *absval_with_element_words(struct arena *a, const struct absval *v,
                                               const struct abswords *words);
const struct absval *absval_by(struct arena *a, const struct absval *v, enum absval_author author);
const struct absval *absval_failing(struct arena *a, const struct absval *v);
const struct absval *absval_type_determined(struct arena *a, const struct absval *v);
const struct absval *absval_nullable(struct arena *a, const struct absval *v);
const struct absval *absval_rarely_null(struct arena *a, const struct absval *v);
/* The same as the entry of a map of Go's; it counts as rarely null. */
const struct absval *absval_entry(struct arena *a, const struct absval *v);
/* A value of the same sort, whose value or length is no longer known. */
const struct absval *absval_inexact(struct arena *a, const struct absval *v);
/* v as the result of an operation on `from`: it fails and is type-determined with it. */
const struct absval *absval_derive(struct arena *a, const struct absval *v, const struct absval *from);

/* The set of both. Joining an error value only sets may_fail. NULL is the empty set. */
const struct absval *absval_join(struct arena *a, const struct absval *one, const struct absval *two);
/* The set of all of them; NULL if count is 0. */
const struct absval *absval_join_all(struct arena *a, const struct absval *const *values, size_t count);

/* Returns true if `v` can be that bool. */
bool absval_can_be(const struct absval *v, bool truth);
/* Returns true if `v` certainly is that bool for some object; false if the value may depend on the type
 * alone. */
bool absval_is_surely(const struct absval *v, bool truth);
/* Returns true if the type determines the value of `v`, but we do not know how: code that runs only if `v` is
 * `truth` may never run. */
bool absval_is_doubtful(const struct absval *v, bool truth);
/* Returns true if `v` is a null, bool or scalar with only one possible value (besides errors). */
bool absval_is_constant(const struct absval *v);
/* Returns true if `v` is always that bool, and never an error, for each object. */
bool absval_is_always(const struct absval *v, bool truth);
/* Sets *out to the range of the ints that `v` can be. Returns false if nothing is known about them, or if `v`
 * can be a number that is not an int. */
bool absval_range(const struct absval *v, struct absrange *out);
/* Returns the string that `v` always is; NULL if `v` is not always the same string. */
const struct str *absval_constant_string(const struct absval *v);
/* Returns true if `v` is a map or a list that has nothing in it. */
bool absval_is_empty(const struct absval *v);
/* Returns true if `v` is a list whose elements are known one by one. */
bool absval_is_exact_list(const struct absval *v);
/* Returns true if `v` depends on neither the object, the request nor the user: it is constant,
 * type-determined, or a list of such values. */
bool absval_is_input_independent(const struct absval *v);

/* Returns true if `v` is always null. Null can be compared with every value. */
static inline bool absval_is_null(const struct absval *v)
{
    return v->kinds == ABS_NULL;
}
/* The kinds of `v`, without null if is_rarely_null. */
uint32_t absval_likely_kinds(const struct absval *v);
/* Returns true if every list and every map that `v` can be is typed, and it can be at least one. */
bool absval_is_typed(const struct absval *v);
/* The abstract value of a list's elements; NULL if it has none. */
const struct absval *absval_elements(const struct absval *v);

#endif
