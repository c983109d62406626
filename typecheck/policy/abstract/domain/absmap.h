/*
 * absmap: answers questions about the maps that an abstract value can be: which keys they have, whether a key
 * is there, and which value it has.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSMAP_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSMAP_H

#include "typecheck/policy/abstract/domain/absval.h"

/* The abstract values of the keys, and of the entries, of v's maps; NULL if they have none. */
const struct absval *absmap_keys(struct arena *a, const struct absval *v);
const struct absval *absmap_entries(struct arena *a, struct types *ts, const struct absval *v);

struct absmap_found {
    enum absval_presence presence;
    const struct absval *value; /* the member's value; NULL for ABS_ABSENT */
};

/* The values of v's maps under a name, and under a key, which may be known or unknown. */
struct absmap_found absmap_find(struct arena *a, struct types *ts, const struct absval *v, struct str name);
struct absmap_found absmap_find_key(struct arena *a, struct types *ts, const struct absval *v,
                                    const struct absval *key);

/* The entry of the map's `fields` with this name, even if it says that the key is absent; NULL if there is
 * none. */
const struct absfield *absmap_field(struct arena *a, const struct absmap *map, struct str name);

/*
 * The first sort of the maps that v can be, if no declaration and no schema of any sort has the name. Returns
 * NULL if one has it, or may have it, or nobody says which names there are, as in a literal {'a': 1}; or v
 * can be something else that has fields.
 */
const struct absmap *absmap_undeclared(struct arena *a, struct types *ts, const struct absval *v,
                                       struct str name);

/* A copy of `map`, without those that `map->next` leads to. Its entry for the name of `field` is `field`. */
struct absmap absmap_with(struct arena *a, const struct absmap *map, const struct absfield *field);

/* Returns true if a key of such kinds can be in v's maps. Keys in JSON are strings, which never equal a
 * number. */
bool absmap_has_key_kind(const struct absval *v, const struct absval *key);
/* Says if v's maps have the key: all of them, some or none. */
enum absval_presence absmap_presence(struct arena *a, struct types *ts, const struct absval *v,
                                     const struct absval *key);

#endif
