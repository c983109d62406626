/*
 * value: the values of CEL at run time.
 *
 * Values are immutable and lie in the arena of the run. The one exception is the list or map in which a
 * comprehension collects (cel-go's mutable values): it grows in place until the comprehension ends. As in
 * cel-go, an error is a value, too: operators pass it on, && and || can absorb it.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_VALUE_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/issue_code.h"
#include "typecheck/base/str.h"

struct arena;

enum value_kind {
    VALUE_NULL,
    VALUE_BOOL,
    VALUE_INT,
    VALUE_UINT,
    VALUE_DOUBLE,
    VALUE_STRING,
    VALUE_BYTES,
    VALUE_DURATION,
    VALUE_TIMESTAMP,
    VALUE_LIST,
    VALUE_MAP,
    VALUE_TYPE,
    VALUE_OPTIONAL,
    VALUE_IP, /* from here to AUTHORIZATION: Kubernetes adds them */
    VALUE_CIDR,
    VALUE_QUANTITY,
    VALUE_SEMVER,
    VALUE_FORMAT,
    VALUE_URL,
    VALUE_AUTHORIZATION,
    VALUE_OBJECT,     /* of a mutation */
    VALUE_JSON_PATCH, /* likewise */
    VALUE_ERROR,
};

/* Says how Go holds a value, if expressions can see a difference (typed_value.h). */
enum value_go {
    VALUE_GO_NONE,     /* as in cel-go: JSON, and results of expressions */
    VALUE_GO_TYPED,    /* LIST, MAP: a slice, a map or a struct, read by reflection */
    VALUE_GO_CUSTOM,   /* LIST, MAP: of a custom resource, read by its schema (custom_value.h) */
    VALUE_GO_QUANTITY, /* STRING: a resource.Quantity */
    VALUE_GO_JSON,     /* the bytes that were sent */
    VALUE_GO_NIL,      /* a field that was not given (objects.h), of the kind NULL */
    VALUE_GO_NULL,     /* a field that was given as null, of the kind NULL */
};

#define VALUE_KIND(kind) (1u << (kind)) /* a set of kinds */

struct value {
    enum value_kind kind;
    enum value_go go : 8;
    enum issue_code code; /* ERROR: what it is about */
    bool is_fatal;        /* ERROR: Go panics, which nothing absorbs */
    bool is_item;         /* ERROR: it is the item at an index; the index itself did not fail */
    union {
        bool boolean;
        int64_t integer; /* INT; DURATION: nanoseconds */
        uint64_t uinteger;
        double floating;
        struct str text; /* STRING; BYTES; TYPE: its name; ERROR: its message */
        struct {
            int64_t seconds;        /* since 1970-01-01T00:00:00Z */
            int32_t nanoseconds;    /* from 0 */
            int32_t offset_seconds; /* east of UTC: the zone in which it is shown */
        } timestamp;
        struct value_list *list;
        struct value_map *map;
        const struct value *inner;       /* OPTIONAL; NULL: none */
        const struct goaddress *address; /* IP, CIDR: addresses.h */
        struct quantity *quantity;       /* quantities.h */
        const struct semver *semver;     /* semvers.h */
        const struct named_format *format;
        const struct gourl *url;                   /* base/gourl.h */
        const struct authorization *authorization; /* authorizations.h */
        const struct value_object *object;         /* OBJECT, JSON_PATCH: objects.h */
    };
};

/* VALUE_GO_CUSTOM: x-kubernetes-list-type. */
enum value_list_type { VALUE_LIST_ATOMIC, VALUE_LIST_SET, VALUE_LIST_MAP };

struct value_list {
    const struct value **items;
    size_t count, cap;
    enum value_list_type type;
    const struct value_list *keys; /* VALUE_LIST_MAP: names of fields */
    bool is_json, is_mutable, is_sum;
    bool has_typed;                     /* is_sum: one of its parts is typed, or has such parts */
    const struct value *first, *second; /* is_sum: its parts */
};

/* The fields are by name. JSON_PATCH: those of op, path and from that are not empty, and value. */
struct value_object {
    struct str type; /* "Object.spec" */
    const struct value_map *fields;
};

extern const struct value value_null, value_true, value_false, value_none;

static inline const struct value *value_bool(bool b)
{
    return b ? &value_true : &value_false;
}
static inline bool value_is_error(const struct value *v)
{
    return v->kind == VALUE_ERROR;
}
static inline bool value_is_typed(const struct value *v)
{
    return v->go == VALUE_GO_TYPED;
}
static inline bool value_is_custom(const struct value *v)
{
    return v->go == VALUE_GO_CUSTOM;
}

const struct value *value_int(struct arena *a, int64_t integer);
const struct value *value_uint(struct arena *a, uint64_t uinteger);
const struct value *value_double(struct arena *a, double floating);
const struct value *value_string(struct arena *a, struct str text);
const struct value *value_bytes(struct arena *a, struct str bytes);
const struct value *value_duration(struct arena *a, int64_t nanoseconds);
const struct value *value_type(struct arena *a, struct str name); /* name is not copied */
const struct value *value_optional(struct arena *a, const struct value *inner);
/* An error of ISSUE_WRONG_CONSTANT, which is what it is where the operands are constants. */
const struct value *value_error(struct arena *a, struct str message);
const struct value *value_error_of(struct arena *a, enum issue_code code, struct str message);
const struct value *value_errorf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The error of a map that has no such key, and of an error that it may be the key; empty: it is another
 * one. */
const struct value *value_no_key(struct arena *a, struct str key);
struct str value_missing_key(const struct value *error);
const struct value *value_no_overload(struct arena *a);
const struct value *value_fatal(struct arena *a, struct str message); /* an error that nothing absorbs */

struct value *value_new_list(struct arena *a, size_t cap); /* for `cap` items */
void value_append(struct arena *a, struct value_list *list, const struct value *item);

#endif
