/*
 * absmap: what is known of maps before there is one.
 *
 * An object, spec and metadata included, is a map at run time. A value that
 * may be a map is one of several sorts of map, a list of these: one that a
 * schema describes, or one whose keys are known by name or by kind.
 */
#ifndef TYPECHECK_EVAL_ABSMAP_H
#define TYPECHECK_EVAL_ABSMAP_H

#include "typecheck/eval/absval.h"

enum absval_presence {
    ABS_ABSENT,  /* no such map has the key */
    ABS_MAYBE,   /* some may */
    ABS_PRESENT, /* all have it */
};

/* A key that is known by name. */
struct absfield {
    struct str name;
    enum absval_presence presence;
    const struct absval *value; /* unless ABS_ABSENT */
};

/* One of the sorts of map that the value may be. Keys that are no field are those of `type`, or any. */
struct absmap {
    const struct absmap *next;
    const struct absfield *fields;
    size_t field_count;
    const struct type *type;          /* an object or map type of a schema; NULL: key and value say it */
    const struct absval *key, *value; /* of other keys; NULL: there are none */
    /* Of the fields all together, if it was found out when they were made; NULL: it was not. */
    const struct absval *field_keys, *field_values;
};

/* A map of one sort. */
const struct absval *absmap_value(struct arena *a, struct absmap map);

/* The sorts of both; NULL: any. */
const struct absmap *absmap_join(struct arena *a, const struct absmap *one, const struct absmap *two);

/* What the keys and the entries of v's maps can be; NULL: they have none. */
const struct absval *absmap_keys(struct arena *a, const struct absval *v);
const struct absval *absmap_entries(struct arena *a, const struct absval *v);

struct absmap_found {
    enum absval_presence presence;
    const struct absval *value; /* unless ABS_ABSENT */
};

/* What a map of this sort has under a name. */
struct absmap_found absmap_find(struct arena *a, struct types *ts, const struct absmap *map, struct str name);

#endif
