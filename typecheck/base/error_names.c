#include "typecheck/base/error_names.h"

#include "typecheck/base/arena.h"

const struct error_names *error_names_add(struct arena *a, const struct error_names *names, struct str name)
{
    struct error_names *all = ARENA_NEW(a, struct error_names);
    *all = (struct error_names){name, names};
    return all;
}

bool error_names_has(const struct error_names *names, struct str name)
{
    while (names != NULL && !str_eq(names->name, name))
        names = names->others;
    return names != NULL;
}
