/*
 * typecheck: checks a policy: expressions and schemas in, warnings out.
 *
 * Pure: no I/O, no clock. One check is about one policy and all its types, and
 * has arenas of its own. An expression is parsed once, however many types it is
 * checked against.
 *
 *     struct typecheck *t = typecheck_new(env, &policy, NULL);
 *     while (typecheck_step(t, steps)) ...             // another check's turn
 *     const struct typecheck_result *r = typecheck_result(t);
 *     for (size_t i = 0; i < r->warning_count; i++) ...
 *     typecheck_free(t);
 */
#ifndef TYPECHECK_TYPECHECK_H
#define TYPECHECK_TYPECHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/advice/advice_sort.h"
#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/policy.h"
#include "typecheck/schema/object_type.h"
#include "typecheck/types/env.h"

/* An issue in a warning's text. */
struct typecheck_issue {
    struct str message;
    int line, column;        /* as in the text: from 1; -1 and 0 where it has no place */
    bool is_unequal;         /* evaluation goes on there, with a comparison of what is never equal */
    size_t first_type;       /* of those that have it */
    struct policy_site site; /* for that one */
};

/* Whether an issue of an expression, an index into the policy's, is left out of the warnings. It is asked for
 * each type. */
typedef bool typecheck_ignore(void *user, size_t expression, const struct typecheck_issue *issue);

struct typecheck_policy {
    enum schema_typing typing;
    const struct policy_expression *expressions; /* in the order of warnings */
    size_t expression_count;
    const struct policy_type *types; /* in the order of warnings */
    size_t type_count;
    bool has_params;
    struct policy_type params; /* doc NULL: params is dyn */
    bool lacks_variables;      /* `variables` is not declared: a webhook's match conditions */
    bool is_mutating;          /* it is asked before the validating ones: objects are as they were sent */
    bool wants_advice;
    typecheck_ignore *ignore; /* NULL: nothing is left out */
    void *user;
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

/* Work and memory of one policy's check (shared by all its expressions and types), and of each unit of it. */
struct typecheck_caps {
    size_t bytes;
    uint64_t steps;
    uint64_t unit_steps; /* an expression for a type, and each way in which the type comes */
};

extern const struct typecheck_caps typecheck_default_caps;

/*
 * caps NULL: the default ones. The env, the policy and all that it refers to
 * are borrowed until the check is freed. NULL: the machine has no memory.
 */
struct typecheck;
struct typecheck *typecheck_new(const struct env *env, const struct typecheck_policy *policy,
                                const struct typecheck_caps *caps);
/*
 * Goes on with about `steps` of work; passes them by one unit at most. True: there is more to do. What
 * reaches a cap is a limit of the result; everything else is checked all the same.
 */
bool typecheck_step(struct typecheck *t, uint64_t steps);
/* Spent so far. */
uint64_t typecheck_steps(const struct typecheck *t);
/* Of memory: what it holds now. */
size_t typecheck_bytes(const struct typecheck *t);
/* To ask once typecheck_step answered false. Belongs to the check. */
const struct typecheck_result *typecheck_result(const struct typecheck *t);
void typecheck_free(struct typecheck *t);

/* All in one go. The result is the caller's, to deinit. typecheck_policy_within: with other caps. */
void typecheck_policy(const struct env *env, const struct typecheck_policy *policy,
                      struct typecheck_result *result);
void typecheck_policy_within(const struct env *env, const struct typecheck_policy *policy,
                             const struct typecheck_caps *caps, struct typecheck_result *result);
void typecheck_result_deinit(struct typecheck_result *result);

#endif
