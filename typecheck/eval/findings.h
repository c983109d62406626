/*
 * findings: where evaluation fails, and where it may pass.
 *
 * Evaluation comes to a node many times: for each operation, for each element
 * of a literal list, at each use of a variable. A place is told only if it
 * fails each time that evaluation comes there. What fails is noted in order,
 * so that an operator that absorbs an error can take back what its operands
 * noted; the notes of one run are settled when it ends.
 *
 *     size_t before = findings_mark(p);
 *     ... findings_fail(p, place, SITE_FAILS, &hint, message, parts) ...
 *     findings_absorb(p, before);            // the errors since then come to nothing
 *     findings_settle(p);
 */
#ifndef TYPECHECK_EVAL_FINDINGS_H
#define TYPECHECK_EVAL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/eval/hint.h"
#include "typecheck/syntax/ast.h"

struct arena;

/* A node of an expression, by itself or as an operand of what is around it. */
struct site {
    size_t expression;
    const struct node *node;
    bool is_operand;
    uint32_t offset; /* where it is shown */
};

enum site_failure {
    SITE_FAILS,   /* an error comes of it */
    SITE_UNEQUAL, /* it compares what can never be equal */
};

struct site_note {
    struct site place;
    enum site_failure failure;
    struct str message;
    struct hint hint;
    const struct site *behind; /* evaluation came here only past the failure of that one; NULL */
};

struct site_node;

struct findings {
    struct arena *arena;
    struct site_node **nodes; /* by expression and node id */
    size_t expression_count;
    struct site_note *notes; /* of the run in progress */
    size_t count, cap;
    const struct site *behind; /* what notes are behind from now on; NULL */
};

/* asts[i] NULL: expression i is never evaluated. All lies in the arena. */
void findings_init(struct findings *p, struct arena *a, const struct ast *const *asts, size_t count);

/* Evaluation came there and may have gone on. */
void findings_pass(struct findings *p, struct site place);
/* Notes a failure, unless the place passed; the hint and the parts of the message are copied. */
void findings_fail(struct findings *p, struct site place, enum site_failure failure, const struct hint *hint,
                   const struct str *message, size_t parts);

size_t findings_mark(const struct findings *p);
/* The first failure noted since `mark`, in the arena; NULL: none. */
const struct site *findings_failed(const struct findings *p, size_t mark);
void findings_absorb(struct findings *p, size_t mark);
/* All notes since `mark` come to nothing. */
void findings_drop(struct findings *p, size_t mark);

/* Takes the notes since `mark` off; they are the caller's, in `a`, to add again. */
struct site_note *findings_take(struct findings *p, struct arena *a, size_t mark, size_t *count);
void findings_add(struct findings *p, const struct site_note *notes, size_t count);

void findings_settle(struct findings *p);

struct site_finding {
    uint32_t offset;
    bool is_of_operand; /* about what stands there as an operand, as the range of a macro */
    struct str message;
    struct hint hint;
};

/* What always fails in an expression, in the order of its nodes; *count of them, in `a`. */
const struct site_finding *findings_findings(const struct findings *p, struct arena *a, size_t expression,
                                             const struct ast *ast, size_t *count);

#endif
