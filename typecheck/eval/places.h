/*
 * places: where evaluation fails, and where it may pass.
 *
 * Evaluation comes to a node many times: for each operation, for each element
 * of a literal list, at each use of a variable. A place is told only if it
 * fails each time that evaluation comes there. What fails is noted in order,
 * so that an operator that absorbs an error can take back what its operands
 * noted; the notes of one run are settled when it ends.
 *
 *     size_t before = places_mark(p);
 *     ... places_fail(p, place, PLACE_FAILS, &hint, message, parts) ...
 *     places_absorb(p, before);            // the errors since then come to nothing
 *     places_settle(p);
 */
#ifndef TYPECHECK_EVAL_PLACES_H
#define TYPECHECK_EVAL_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/eval/hint.h"
#include "typecheck/syntax/ast.h"

struct arena;

/* A node of an expression, by itself or as an operand of what is around it. */
struct place {
    size_t expression;
    const struct node *node;
    bool is_operand;
    uint32_t offset; /* where it is shown */
};

enum place_failure {
    PLACE_FAILS,   /* an error comes of it */
    PLACE_UNEQUAL, /* it compares what can never be equal */
};

struct place_note {
    struct place place;
    enum place_failure failure;
    struct str message;
    struct hint hint;
    const struct place *behind; /* evaluation came here only past the failure of that one; NULL */
};

struct place_node;

struct places {
    struct arena *arena;
    struct place_node **nodes; /* by expression and node id */
    size_t expression_count;
    struct place_note *notes; /* of the run in progress */
    size_t count, cap;
    const struct place *behind; /* what notes are behind from now on; NULL */
};

/* asts[i] NULL: expression i is never evaluated. All lies in the arena. */
void places_init(struct places *p, struct arena *a, const struct ast *const *asts, size_t count);

/* Evaluation came there and may have gone on. */
void places_pass(struct places *p, struct place place);
/* Notes a failure, unless the place passed; the hint and the parts of the message are copied. */
void places_fail(struct places *p, struct place place, enum place_failure failure, const struct hint *hint,
                 const struct str *message, size_t parts);

size_t places_mark(const struct places *p);
/* The first failure noted since `mark`, in the arena; NULL: none. */
const struct place *places_failed(const struct places *p, size_t mark);
void places_absorb(struct places *p, size_t mark);
/* All notes since `mark` come to nothing. */
void places_drop(struct places *p, size_t mark);

/* Takes the notes since `mark` off; they are the caller's, in `a`, to add again. */
struct place_note *places_take(struct places *p, struct arena *a, size_t mark, size_t *count);
void places_add(struct places *p, const struct place_note *notes, size_t count);

void places_settle(struct places *p);

struct place_finding {
    uint32_t offset;
    bool is_of_operand; /* about what stands there as an operand, as the range of a macro */
    struct str message;
    struct hint hint;
};

/* What always fails in an expression, in the order of its nodes; *count of them, in `a`. */
const struct place_finding *places_findings(const struct places *p, struct arena *a, size_t expression,
                                            const struct ast *ast, size_t *count);

#endif
