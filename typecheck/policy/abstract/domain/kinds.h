/*
 * kinds: the kinds of value that exist at run time. A set of kinds is the sum of its members.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_KINDS_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/ast.h"

struct type;

enum {
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
/* The kinds of values in JSON. */
#define ABS_JSON (ABS_NULL | ABS_BOOL | ABS_INT | ABS_DOUBLE | ABS_STRING | ABS_LIST | ABS_MAP)
#define ABS_ALL  ((uint32_t)16383)

/* The kind of a literal's value. */
uint32_t kinds_of_literal(enum literal_kind kind);
/* The kinds that a type of a schema or a declaration stands for. */
uint32_t kinds_of_type(const struct type *t);
/* Returns true if values of two sets of kinds can compare equal: numbers do across int, uint and double. */
bool kinds_meet(uint32_t one, uint32_t two);
/* "int"; empty: an opaque value, or not one kind. */
struct str kinds_name(uint32_t kind);

#endif
