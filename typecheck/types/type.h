/*
 * type: CEL types, hash-consed (interned).
 *
 * Equal types are the same pointer: scalars are the constants below, the
 * others come from a `struct types` table (one for an environment, one a
 * check on top of it). Object types know their fields through an ops table
 * and are asked for a field only when an expression selects it.
 */
#ifndef TYPECHECK_TYPES_TYPE_H
#define TYPECHECK_TYPES_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/syntax/ast.h"

struct arena;
struct text;

enum type_kind {
    TYPE_DYN,
    TYPE_ANY,
    TYPE_ERROR, /* of a node that has an issue: nothing is reported above it */
    TYPE_NULL,
    TYPE_BOOL,
    TYPE_INT,
    TYPE_UINT,
    TYPE_DOUBLE,
    TYPE_STRING,
    TYPE_BYTES,
    TYPE_DURATION,
    TYPE_TIMESTAMP,
    TYPE_LIST,   /* params[0]: element */
    TYPE_MAP,    /* params[0]: key, params[1]: value */
    TYPE_TYPE,   /* params[0]: the type it denotes; no params: type itself */
    TYPE_PARAM,  /* a type parameter; name */
    TYPE_OPAQUE, /* name, params: optional_type(T), net.IP ... */
    TYPE_OBJECT, /* name, ops, data */
};

/* A set of kinds. */
#define TYPE_KIND(kind) (1u << (kind))

struct types;
struct type;

/* Types nested deeper than this end the check: walks over types recurse. */
#define TYPE_MAX_DEPTH 1000

/* What evaluation finds under a key of an object. */
struct object_entry {
    const struct type *type;
    bool may_be_null;    /* the schema says so */
    bool is_rarely_null; /* it does not, but Go may have left it null */
    bool is_always_there;
    bool is_atomic, holds_atomics; /* a list, map or object that is set as a whole; a list of such items */
};

/* Where an object type's fields come from. */
struct object_ops {
    /* The field's type, or NULL when there is none. `name` as the expression has it (escaped). */
    const struct type *(*field)(const struct type *object, struct str name, struct types *types);
    /* What evaluation finds under a key (as JSON has it, not escaped); false where no object has that key.
     * May be NULL itself: nothing is known of keys. */
    bool (*key)(const struct type *object, struct str name, struct types *types, struct object_entry *out);
    /* The name of the field at `index` (NUL-terminated); false past the last. May be NULL itself. */
    bool (*name)(const struct type *object, size_t index, struct str *out);
    /* Likewise at `index`; false past the last, and at once where an object may have other fields. */
    bool (*entry)(const struct type *object, size_t index, struct types *types, struct object_entry *out);
    /*
     * The object type called `name` that is declared together with `root`, or
     * NULL. May be NULL itself: names are then the way from the root
     * ("Deployment.spec").
     */
    const struct type *(*find)(const struct type *root, struct str name, struct types *types);
    /* Fields called like a keyword have escaped names; `field` finds them bare, too, which is new in 1.31. */
    bool escapes_keywords;
};

struct type {
    enum type_kind kind;
    bool nullable;            /* a wrapper type: wrapper(int) takes null */
    bool generic;             /* a type parameter occurs in it */
    uint16_t depth;           /* 1 + the deepest parameter's */
    uint32_t slot;            /* TYPE_PARAM: its number, dense within a table and its parents */
    const struct type *exact; /* the same without wrappers: cel-go takes int and wrapper(int) for equal */
    struct str name;
    const struct type *const *params;
    size_t param_count;
    const struct object_ops *ops; /* TYPE_OBJECT; NULL: no field is known */
    const void *data;             /* for ops */
};

extern const struct type type_dyn, type_any, type_error, type_null, type_bool, type_int, type_uint,
    type_double, type_string, type_bytes, type_duration, type_timestamp, type_type;

/* What JSON may hold. The checker takes each for dyn, the last for a string; to evaluation it is: an int or
 * a string; a number; any JSON; any JSON object; a string in whose place a number may be written. */
extern const struct type type_int_or_string, type_number, type_json, type_open, type_quantity_text;

/* A table of types made in `a`, on top of `parent` (NULL, or a table that is not added to any more). */
struct types *types_new(struct arena *a, const struct types *parent);
struct arena *types_arena(struct types *ts);
/* What is made beside the types, and needed no longer than they are asked: the arena of the types itself,
 * until another is set. */
struct arena *types_scratch(struct types *ts);
void types_set_scratch(struct types *ts, struct arena *scratch);

const struct type *types_list(struct types *ts, const struct type *element);
const struct type *types_map(struct types *ts, const struct type *key, const struct type *value);
const struct type *types_type(struct types *ts, const struct type *denoted);
const struct type *types_param(struct types *ts, struct str name);
/* The type parameter "_var<n>": what the checker calls the nth unknown of an expression. */
const struct type *types_unknown(struct types *ts, uint32_t n);
const struct type *types_opaque(struct types *ts, struct str name, const struct type *const *params,
                                size_t count);
const struct type *types_optional(struct types *ts, const struct type *value);
/* `name`, a constant, comes in place of optional_type; to be called before the first is made. */
void types_name_optional(struct types *ts, struct str name);
/* A wrapper type; `t` is a scalar that has one (bool bytes double int string uint). */
const struct type *types_wrapper(struct types *ts, const struct type *t);
/* Two object types are the same when name, ops and data are. */
const struct type *types_object(struct types *ts, struct str name, const struct object_ops *ops,
                                const void *data);

/* dyn to the checker as well: `not_null`, or null. */
const struct type *types_nullable(struct types *ts, const struct type *not_null);
/* What such a type is if it is not null; NULL for any other type. */
const struct type *type_not_null(const struct type *t);

const struct type *type_of_literal(enum literal_kind kind);
/* Whether the type's kind is one of the set. */
static inline bool type_is(const struct type *t, unsigned kinds)
{
    return (kinds >> t->kind & 1) != 0;
}
bool type_is_optional(const struct type *t);
/* Whether cel-go calls the two exactly the same. */
bool type_is_exact(const struct type *a, const struct type *b);

/* The name in messages: "list(int)", "timestamp", "Deployment.spec". */
void type_print(struct text *out, const struct type *t);
/* The same as a text: the type's own if that says it all, else in the arena. */
struct str type_text(struct arena *a, const struct type *t);
/* The long form that a checked expression's result has: "google.protobuf.Timestamp", "null_type". */
void type_print_long(struct text *out, const struct type *t);

#endif
