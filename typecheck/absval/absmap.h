/*
 * absmap: questions about the maps that an abstract value can be: which keys they have, whether a key is
 * there, and what is under it.
 */
#ifndef TYPECHECK_ABSVAL_ABSMAP_H
#define TYPECHECK_ABSVAL_ABSMAP_H

#include "typecheck/absval/absval.h"

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
