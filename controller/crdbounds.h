/*
 * crdbounds: which maxItems, maxProperties or maxLength would make a rule of
 * a CustomResourceDefinition cheap enough. Pure.
 *
 * It is tried out: bound by bound, then all of them together.
 *
 *     char *hint = crdbounds_hint(arena, &question);   "maxItems: 27 at .spec.list would do"
 */
#ifndef CONTROLLER_CRDBOUNDS_H
#define CONTROLLER_CRDBOUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/env.h"
#include "typecheck/rule.h"
#include "typecheck/structural.h"

/* A place on the way from the root to the rules. */
struct crdbounds_step {
    struct structural *node;
    char *label; /* ".name", "[*]"; "" for the root */
};

struct crdbounds_question {
    const struct env *env;
    struct rule rule;
    bool is_message; /* its messageExpression is what is too expensive */
    uint64_t limit;
    const struct crdbounds_step *way; /* the rule's place last */
    size_t way_len;
};

/* NULL where no bound helps. The caller's. The nodes are as before, but for their types, which are forgotten;
 * the arena's escape must be armed. */
char *crdbounds_hint(struct arena *arena, const struct crdbounds_question *question);

#endif
