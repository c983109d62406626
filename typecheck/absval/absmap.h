/*
 * absmap: the maps that a value may be (absval.h), and questions about their keys.
 */
#ifndef TYPECHECK_ABSVAL_ABSMAP_H
#define TYPECHECK_ABSVAL_ABSMAP_H

#include "typecheck/absval/absval.h"

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
    struct str why;             /* it is ABS_ABSENT, though the schema has it; may be empty */
};

/*
 * One of the sorts of map that a value may be, in a list of them. An object,
 * spec and metadata included, is a map at run time: a schema describes its
 * sort. The keys of another sort are known by name or by kind.
 */
struct absmap {
    const struct absmap *next;
    const struct absfield *fields; /* keys that are none of them are those of `type`, or as `key` says */
    size_t field_count;
    const struct type *type;          /* an object or map type of a schema; NULL: key and value say it */
    const struct absval *key, *value; /* of other keys; NULL: there are none */
    /* Of all the fields together, if that was computed when they were made; else NULL. */
    const struct absval *field_keys, *field_values;
    enum absval_form form;
    struct str why; /* no other keys are there, though the schema has some; may be empty */
};

/* What the keys and the entries of v's maps can be; NULL: they have none. */
const struct absval *absmap_keys(struct arena *a, const struct absval *v);
const struct absval *absmap_entries(struct arena *a, struct types *ts, const struct absval *v);

struct absmap_found {
    enum absval_presence presence;
    const struct absval *value; /* NULL: ABS_ABSENT */
};

/* What v's maps have under a name, and under a key that may be known or not. */
struct absmap_found absmap_find(struct arena *a, struct types *ts, const struct absval *v, struct str name);
struct absmap_found absmap_find_key(struct arena *a, struct types *ts, const struct absval *v,
                                    const struct absval *key);

/* Among the `fields` of a map, be it absent; NULL: it is none of them. */
const struct absfield *absmap_field(struct arena *a, const struct absmap *map, struct str name);

/* Whether a key of such kinds can be in v's maps. Keys of JSON are strings, and equal no number. */
bool absmap_has_key_kind(const struct absval *v, const struct absval *key);
/* Whether v's maps have the key. */
enum absval_presence absmap_presence(struct arena *a, struct types *ts, const struct absval *v,
                                     const struct absval *key);

#endif
