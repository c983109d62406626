#include "controller/match/types.h"

#include "controller/match/types_full.h"
#include "controller/match/types_upstream.h"

void types_resolve(const struct matchrules *match, const struct discovery *discovery,
                   const struct types_options *options, struct types_list *out)
{
    *out = (struct types_list){.steps = options->steps, .is_partial = options->is_partial};
    switch (options->scope) {
    case TYPES_FULL:
        types_full_resolve(match, discovery, options, out);
        break;
    case TYPES_UPSTREAM:
        types_upstream_resolve(match->rules, match->n_rules, discovery, out);
        break;
    }
    if (types_list_is_exhausted(out))
        types_list_add_problem(out, TYPES_LIMIT_REACHED,
                               "the rules name more groups, versions and resources than are looked up");
}
