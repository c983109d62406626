/*
 * type: CEL types, hash-consed (interned).
 *
 * Equal types are the same pointer: scalars are the constants below, the
 * others come from a `struct types` table (one for an environment, and one for each
 * check on top of it). An object type has a table of functions (ops); a field is
 * looked up only when an expression selects it.
 */
#ifndef TYPECHECK_CEL_TYPES_TYPE_H
#define TYPECHECK_CEL_TYPES_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/types/spelling.h"

struct arena;
struct reads;
struct suggest;
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

/* All that a string can be. */
struct type_words {
    struct str what;           /* the field */
    const struct str *list;    /* each with a NUL behind it */
    size_t count, other_count; /* of this release of Kubernetes; behind them, those of other releases */
};

/* The least and the most that a whole number can be. */
struct type_range {
    struct str what; /* the field */
    int64_t min, max;
    bool is_of_size; /* of a list: it is the number of its items; else they are such numbers */
};

/* The value that evaluation finds under a key of an object. */
struct object_entry {
    const struct type *type;
    bool may_be_null : 1;           /* the schema says so */
    bool is_rarely_null : 1;        /* the schema does not, but Go may have left it null */
    bool is_always_there : 1;       /* by the schema */
    bool is_set : 1;                /* the API server sets it, so that it is always there as well */
    bool is_atomic : 1;             /* it can only be set as a whole */
    bool holds_atomics : 1;         /* it is a list of such items */
    bool is_go_map : 1;             /* a map of Go's, which decodes a null to the zero value */
    enum spelling spelling;         /* of a string, of the strings in a list, or of a map's values */
    enum spelling key_spelling;     /* of a map's keys */
    const struct type_words *words; /* of a string, or of the strings in a list; NULL: they can be any */
    const struct type_range *range; /* of a whole number, or of a list; NULL: it can be any */
};

/* The functions that find an object type's fields. */
struct object_ops {
    /* The field's type, or NULL when there is none. `name` as the expression has it (escaped). */
    const struct type *(*field)(const struct type *object, struct str name, struct types *types);
    /* Sets *out to what evaluation finds under a key (as JSON has it, not escaped); false if no object has
     * that key. The pointer may be NULL: nothing is known about keys. */
    bool (*key)(const struct type *object, struct str name, struct types *types, struct object_entry *out);
    /* Returns true if each object that a policy sees has the field, although the schema does not say so
     * (given_fields.h). The pointer may be NULL: no field is given so. */
    bool (*is_given)(const struct type *object, struct str name, const struct types *types);
    /* The name of the field at `index` (NUL-terminated); false after the last. The pointer may be NULL. */
    bool (*name)(const struct type *object, size_t index, struct str *out);
    /* Returns true if one of the names that `name` (above) lists is this one. It is NULL if and only if that
     * pointer is NULL. The question is not noted for reads.h. */
    bool (*lists)(const struct type *object, struct str name, struct types *types);
    /* The entry at `index`; false after the last, and always if an object may have other fields. */
    bool (*entry)(const struct type *object, size_t index, struct types *types, struct object_entry *out);
    /* The object type called `name` that is declared together with `root`, or NULL. The pointer may be NULL:
     * names are then the path from the root ("Deployment.spec"). */
    const struct type *(*find)(const struct type *root, struct str name, struct types *types);
    /* The first index from `from` on at which the type of the field may be an object that lists `name`;
     * behind the last field if there is none. The pointer may be NULL: each may be one. */
    size_t (*find_listing)(const struct type *object, size_t from, struct str name);
    /* The first index from `from` on at which the name may be nearer than the best that was offered; behind
     * the last field if there is none. The pointer may be NULL: each may be. */
    size_t (*find_near)(const struct type *object, size_t from, const struct suggest *nearest);
    /* The name of the field at `index` of a type that is declared, with no NUL after it; false after the
     * last. The pointer may be NULL. */
    bool (*declares)(const struct type *object, size_t index, struct str *out);
    /* For reads.h: describes what no other function says about the object; notes that a message has its name.
     * The pointers may be NULL. */
    void (*describe)(const struct type *object, struct text *out);
    void (*is_named)(const struct type *object);
    /* Fields whose names are keywords have escaped names; `field` finds them unescaped, too, which is new in
     * 1.31. */
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

/* Types for values of JSON. The checker takes each for dyn, and the last for a string. In evaluation they
 * are: an int or a string; a number; any JSON; any JSON object; a string that may also be written as a
 * number. */
extern const struct type type_int_or_string, type_number, type_json, type_open, type_quantity_text;

/* Makes a table of types in `a`, on top of `parent` (NULL, or a table that no longer grows). */
struct types *types_new(struct arena *a, const struct types *parent);
struct arena *types_arena(struct types *ts);
/* The arena for temporary memory: that of the types, unless another is set. */
struct arena *types_scratch(struct types *ts);
void types_set_scratch(struct types *ts, struct arena *scratch);
/* The release of Kubernetes, 1.`minor`, that validates objects; 0: the newest that is released. */
void types_set_minor(struct types *ts, int minor);
int types_minor(const struct types *ts);
/* The same for the question which parts of an object validation looks at. */
void types_set_validating_minor(struct types *ts, int minor);
int types_validating_minor(const struct types *ts);
/* Sets the notes of what is asked of the types; NULL if nothing is to be noted. */
void types_set_reads(struct types *ts, struct reads *reads);
struct reads *types_reads(const struct types *ts);

const struct type *types_list(struct types *ts, const struct type *element);
const struct type *types_map(struct types *ts, const struct type *key, const struct type *value);
const struct type *types_type(struct types *ts, const struct type *denoted);
const struct type *types_param(struct types *ts, struct str name);
/* The type parameter "_var<n>", the checker's name of the nth unknown of an expression. */
const struct type *types_unknown(struct types *ts, uint32_t n);
const struct type *types_opaque(struct types *ts, struct str name, const struct type *const *params,
                                size_t count);
const struct type *types_optional(struct types *ts, const struct type *value);
/* Sets the name of optional types (a constant string); to be called before the first one is made. */
void types_name_optional(struct types *ts, struct str name);
/* A wrapper type; `t` is a scalar that has one (bool bytes double int string uint). */
const struct type *types_wrapper(struct types *ts, const struct type *t);
/* Two object types are the same when name, ops and data are. */
const struct type *types_object(struct types *ts, struct str name, const struct object_ops *ops,
                                const void *data);

/* The type of values of `not_null` or null; for the checker it is dyn. */
const struct type *types_nullable(struct types *ts, const struct type *not_null);
/* The type `not_null` of such a type; NULL for any other type. */
const struct type *type_not_null(const struct type *t);

const struct type *type_of_literal(enum literal_kind kind);
/* Returns true if the type's kind is one of the set. */
static inline bool type_is(const struct type *t, unsigned kinds)
{
    return (kinds >> t->kind & 1) != 0;
}
bool type_is_optional(const struct type *t);
/* Returns true if cel-go calls the two exactly the same. */
bool type_is_exact(const struct type *a, const struct type *b);

/* To be called before the name of a type becomes a part of a text, as the next functions do: see is_named. */
void type_tell_name(const struct type *t);
/* The name in messages: "list(int)", "timestamp", "Deployment.spec". */
void type_print(struct text *out, const struct type *t);
/* The same as a text, which belongs to the type or lies in the arena. */
struct str type_text(struct arena *a, const struct type *t);
/* The long form, used for the result of a checked expression: "google.protobuf.Timestamp", "null_type". */
void type_print_long(struct text *out, const struct type *t);

#endif
