/*
 * constant_parse: functions that parse a string, and strings that they certainly fail on.
 *
 * quantity('1 Gi') fails in every request. The grammars are those of the Go
 * functions that run time calls; where releases of Go differ, or a grammar is
 * long, the answer is that it may parse.
 */
#ifndef TYPECHECK_EVAL_CONSTANT_PARSE_H
#define TYPECHECK_EVAL_CONSTANT_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

/*
 * The function of that name, with so many arguments, parses the argument at *index; `makes` is what it makes
 * of that. False: none that we know.
 */
struct constant_parse {
    size_t index;
    struct str makes;
    bool (*may_parse)(struct str text);
};
const struct constant_parse *constant_parse_find(struct str function, size_t count, bool is_receiver);

#endif
