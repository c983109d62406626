/*
 * typecheck_result: what the check of a policy found (typecheck.h): warnings, advice, and what was too much
 * work to check.
 */
#ifndef TYPECHECK_TYPECHECK_RESULT_H
#define TYPECHECK_TYPECHECK_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/advice/advice_sort.h"
#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/policy.h"

/* An issue in a warning's text. */
struct typecheck_issue {
    struct str message;
    int line, column;        /* as in the text: from 1; -1 and 0 where it has no place */
    bool is_unequal;         /* evaluation goes on there, with a comparison of what is never equal */
    size_t first_type;       /* of those that have it */
    struct policy_site site; /* for that one */
};

struct typecheck_warning {
    size_t expression; /* index into the policy's */
    struct str text;   /* one block a type with issues, as upstream joins them */
    struct str first;  /* its first issue's message, for conditions: "undefined field 'x'" */
    struct str hint;   /* what was probably meant there; empty: not known */
    size_t first_type; /* the type that one is about */
    const struct typecheck_issue *issues; /* those of all types, each once */
    size_t issue_count;
    bool has_more_issues; /* than are listed */
};

/* Why something was not checked to its end: too much work, or memory. */
enum typecheck_bound { TYPECHECK_STEPS, TYPECHECK_MEMORY };

/* An expression or a type in a limit: each of the policy's. */
#define TYPECHECK_EVERY SIZE_MAX

/* What was not checked to its end: nothing is reported about that expression and type. */
struct typecheck_limit {
    size_t expression, type; /* indices into the policy's */
    enum typecheck_bound why;
};

#define TYPECHECK_LIMITS_SHOWN 3

/* What is no mistake for certain, and hardly meant. */
struct typecheck_advice {
    enum advice_sort sort;
    size_t expression;
    struct str message;
    int line, column;
};

struct typecheck_result {
    struct typecheck_advice *advice; /* if it was wanted */
    size_t advice_count;
    struct typecheck_warning *warnings; /* in the order of the policy's expressions */
    size_t warning_count;
    size_t left_out;                                       /* blocks of text that the bounds left out */
    struct typecheck_limit limits[TYPECHECK_LIMITS_SHOWN]; /* the first of them */
    size_t limit_count;                                    /* 0: all was checked */
    size_t peak_bytes;                                     /* of the check's memory */
    struct arena arena;                                    /* holds the warnings */
};

#endif
