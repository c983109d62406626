/*
 * price: the run-time cost of a function call.
 *
 * cel-go's interpreter/runtimecost.go, and Kubernetes' pkg/cel/library/cost.go
 * for its own functions. The estimates of typecheck/cel/cost are different: they are
 * made before the evaluation, when the sizes are not known.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_PRICE_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_PRICE_H

#include "typecheck/cel/interpreter/values/value.h"

struct celgo;

/* A call that was made, or failed. */
struct bill {
    struct arena *arena;
    const struct celgo *celgo;
    const struct value *const *args; /* some may be errors */
    size_t count;
    const struct value *result;
    const struct value *fatal; /* set by a price if Go panics while it counts */
};

typedef uint64_t price_function(struct bill *b);

/*
 * One; the size of the second argument; the characters of the first, of the
 * second, of the shorter or of both arguments; a search of the second in the
 * first; a match of a pattern.
 */
price_function price_one, price_items, price_first, price_second, price_shorter, price_both, price_search,
    price_match;

/* Prices of libraries: a match of a pattern; one of a named format; the characters of the first argument,
 * once and twice; those of the result, twice; everything in the first argument. */
price_function price_find, price_validate, price_text, price_text_twice, price_result_twice, price_walk;

/* A question to the authorizer; a selector that is read for one. */
price_function price_authorization, price_selector;

/* A search in a range of addresses for an address or range, which may have to be parsed first. */
price_function price_contains_ip, price_contains_ip_text, price_contains_cidr, price_contains_cidr_text;

/* Prices of lists: a new list, where an error counts as none or as one item; a flattened one by its levels,
 * by its level, which may be negative or not; each item compared with each other, also for keys to sort by;
 * each item compared with each of another list, once and twice. */
price_function price_new_list, price_new_list_or_error, price_levels, price_flatten, price_flatten_unbounded,
    price_self, price_keys, price_pairs, price_pairs_twice;

#endif
