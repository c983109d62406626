/*
 * price: the run-time cost of a function call.
 *
 * cel-go's interpreter/runtimecost.go, and Kubernetes' pkg/cel/library/cost.go
 * for its own functions. The estimates of typecheck/cost are different: they are
 * made before the evaluation, when the sizes are not known.
 */
#ifndef TYPECHECK_FUNCTIONS_PRICE_H
#define TYPECHECK_FUNCTIONS_PRICE_H

#include "typecheck/values/value.h"

/* A call that was made, or failed. */
struct bill {
    struct arena *arena;
    const struct value *const *args; /* errors among them */
    size_t count;
    const struct value *result;
    const struct value *fatal; /* to be set where Go panics as it counts */
};

typedef uint64_t price_function(struct bill *b);

/*
 * One; the size of the second argument; a look at each character of the first,
 * of the second, of the shorter or of both arguments; each character of the
 * second looked for in the first; a pattern matched.
 */
price_function price_one, price_items, price_first, price_second, price_shorter, price_both, price_search,
    price_match;

/* Of libraries: a pattern matched, also that of a named format; a look and two looks at each character of the
 * first argument, two at each of the result; a walk through all that is in the first argument. */
price_function price_find, price_validate, price_text, price_text_twice, price_result_twice, price_walk;

/* A question to the authorizer; a selector that is read for one. */
price_function price_authorization, price_selector;

/* Of a range of addresses that another value is looked for in, which may have to be read first. */
price_function price_contains_ip, price_contains_ip_text, price_contains_cidr, price_contains_cidr_text;

/* Of lists: one that is made, one that is flattened, each item compared with each other one, also of the keys
 * to sort by; each item compared with each of another list, once and twice. */
price_function price_new_list, price_flatten, price_self, price_keys, price_pairs, price_pairs_twice;

#endif
