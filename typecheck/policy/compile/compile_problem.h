/*
 * compile_problem: why the API server does not take an expression: in its words, and as data. A public
 * header.
 *
 *     compile_problem_init(&problem, a, failure, &x, text);
 *     if (problem.text.len != 0) ... problem.issues[0].code
 */
#ifndef TYPECHECK_POLICY_COMPILE_COMPILE_PROBLEM_H
#define TYPECHECK_POLICY_COMPILE_COMPILE_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/typecheck_result.h"

struct arena;
struct expression;
struct issue;
struct source;
struct type;

struct compile_problem {
    struct str text;  /* the server's message; empty: it compiles */
    bool is_internal; /* the server reports it as an internal error */
    size_t
        brief_len; /* of the text, without the type that is not the wanted one: the message of old servers */
    const struct typecheck_issue
        *issues; /* as the text shows them; none: the type is wrong, or the program */
    size_t issue_count;
    const struct issue_packed
        *result; /* the type is wrong: what is wanted and what is given; NULL: it is not */
};

/* All that is known of an issue without its policy; its message is borrowed. Costs a walk over the source. */
struct typecheck_issue compile_problem_issue(const struct issue *issue, const struct source *source);

/* The expression does not compile, and `text` is what the server says. Lies in the arena. */
void compile_problem_init(struct compile_problem *problem, struct arena *a, const struct expression *x,
                          struct str text);
/* The type of the result is not the wanted one: its data, beside what the server says. */
void compile_problem_result(struct compile_problem *problem, struct arena *a, const struct type *wanted,
                            const struct type *given);

#endif
