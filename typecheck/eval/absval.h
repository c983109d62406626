/*
 * absval: what is known of a value before there is one.
 *
 * A set of run-time kinds and, for each kind, what is known of the values of
 * that kind; how evaluation may end; and where the knowledge comes from.
 * Values are const, lie in the arena of a check and refer to each other.
 * Nothing known is the set of all kinds; the more is known, the smaller the
 * set of values that it stands for, and a true value is always in that set.
 *
 *     const struct absval *v = absval_of_type(a, type);
 *     if ((v->kinds & ABS_MAP) == 0) ...   // never a map
 */
#ifndef TYPECHECK_EVAL_ABSVAL_H
#define TYPECHECK_EVAL_ABSVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/syntax/ast.h"

struct arena;
struct type;
struct types;

/* Run-time kinds; a set of them is a sum. */
enum absval_kind {
    ABS_NULL = 1,
    ABS_BOOL = 2,
    ABS_INT = 4,
    ABS_UINT = 8,
    ABS_DOUBLE = 16,
    ABS_STRING = 32,
    ABS_BYTES = 64,
    ABS_LIST = 128,
    ABS_MAP = 256,
    ABS_TIMESTAMP = 512,
    ABS_DURATION = 1024,
    ABS_TYPE = 2048,
    ABS_OPTIONAL = 4096,
    ABS_OPAQUE = 8192, /* a quantity, an IP address, an authorizer ... */
};

#define ABS_NUMBER (ABS_INT | ABS_UINT | ABS_DOUBLE)
/* What JSON holds. */
#define ABS_JSON (ABS_NULL | ABS_BOOL | ABS_INT | ABS_DOUBLE | ABS_STRING | ABS_LIST | ABS_MAP)
#define ABS_ALL  ((uint32_t)16383)

struct absval;

/* Of a list: each element is as `element` says. */
struct abslist {
    const struct absval *element; /* NULL: the list is empty */
    const struct absval **items;  /* is_exact: the elements one by one */
    size_t count;
    bool is_exact;
    bool is_settled; /* is_exact: each of the elements is (absval_is_settled) */
};

struct absmap;

struct absval {
    uint32_t kinds;
    bool can_be_true, can_be_false; /* ABS_BOOL */
    bool may_fail;                  /* evaluation may end in an error instead */
    bool is_rarely_null;            /* ABS_NULL: no schema says so, but it cannot be excluded */
    bool is_broken; /* evaluation always ends in an error, which is told where it comes from */
    /* The type under check fixes it, but to what we do not compute: no conclusion about what depends on it.
     */
    bool is_fixed;
    bool is_surely_true, is_surely_false; /* ABS_BOOL that is fixed: some object makes it so all the same */
    bool may_be_none, may_have;           /* ABS_OPTIONAL: without and with a value */
    const struct literal
        *values; /* kinds is one of int, uint, double, string, bytes: all it can be; NULL: any */
    size_t value_count;
    const struct abslist *list; /* ABS_LIST; NULL: any */
    const struct absmap *maps;  /* ABS_MAP; NULL: any */
    const struct absval *inner; /* ABS_OPTIONAL with may_have */
    uint16_t depth;             /* how many lists and optionals are within each other in it */
    uint32_t type_kinds;        /* ABS_TYPE: the kinds whose type it is; 0: any */
    struct str opaque;          /* ABS_OPAQUE: the type's name; empty: any */
};

extern const struct absval absval_any, absval_json, absval_bool, absval_true, absval_false, absval_null,
    absval_string, absval_int, absval_none, absval_error, absval_doubtful;

const struct absval *absval_of_literal(struct arena *a, struct literal literal);
/* A string that is known. */
const struct absval *absval_of_string(struct arena *a, struct str text);
/* What has the type `t` at run time: a schema's (SCHEMA_RUNTIME) or a declaration's. */
const struct absval *absval_of_type(struct arena *a, const struct type *t);
const struct absval *absval_of_bools(struct arena *a, bool can_be_true, bool can_be_false);
/* A list of these items, of which `items` is kept. */
const struct absval *absval_of_items(struct arena *a, const struct absval **items, size_t count);
/* Any list of such elements; NULL: the empty one. */
const struct absval *absval_of_elements(struct arena *a, const struct absval *element);
/* inner NULL: none. */
const struct absval *absval_optional(struct arena *a, const struct absval *inner, bool may_be_none);

/* The same with something changed. */
const struct absval *absval_failing(struct arena *a, const struct absval *v);
const struct absval *absval_fixed(struct arena *a, const struct absval *v);
const struct absval *absval_nullable(struct arena *a, const struct absval *v);
const struct absval *absval_rarely_null(struct arena *a, const struct absval *v);
/* Of the same sort, but not known by its value or length any more. */
const struct absval *absval_inexact(struct arena *a, const struct absval *v);

/* Either. A broken one only makes the other fail sometimes. */
const struct absval *absval_join(struct arena *a, const struct absval *one, const struct absval *two);

/* A null, bool or scalar of which just one value is possible (errors aside). */
bool absval_is_constant(const struct absval *v);
/* The string that it always is; NULL: it is not always the same. */
const struct str *absval_constant_string(const struct absval *v);
/* Whether it certainly is that for some object: not if it can only be so where the type fixes it. */
bool absval_is_surely(const struct absval *v, bool truth);
/* Nothing of the object, the request or the user decides what it is: constant, fixed, or a list of such. */
bool absval_is_settled(const struct absval *v);

/* The kinds without a null that is rare. */
uint32_t absval_likely_kinds(const struct absval *v);
/* Whether two values can compare equal, by their kinds: numbers do across int, uint and double. */
bool absval_kinds_meet(uint32_t one, uint32_t two);

/* What a list's elements can be; NULL: there are none. */
const struct absval *absval_elements(const struct absval *v);

/* The kinds that a declaration's type stands for. */
uint32_t absval_kinds_of_type(const struct type *t);

/* For issues: "int", "list(string)", "int or string", "Deployment.spec", "dyn". */
struct str absval_text(struct arena *a, const struct absval *v);

#endif
