/*
 * findings: notes for each site whether evaluation fails there, or may pass.
 *
 * Evaluation reaches a site many times: in each way in which the type comes
 * (ways.h), for each element of a literal list, at each use of a variable. A
 * site becomes a finding of a way if it fails each time that evaluation reaches
 * it in that way. Failures are noted in order, so that an operator that absorbs an
 * error can take back the notes of its operands. The notes of a way are settled
 * when it ends.
 *
 *     findings_begin_way(f, way);
 *     size_t mark = findings_mark(f);
 *     ... findings_fail(f, site, behind, &failure) ...
 *     findings_absorb(f, mark);              // the errors since then have no effect
 *     findings_settle(f);
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_FINDINGS_H
#define TYPECHECK_POLICY_ABSTRACT_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/syntax/extent.h"
#include "typecheck/policy/abstract/domain/hint.h"
#include "typecheck/policy/abstract/domain/transfer.h"
#include "typecheck/policy/compile/policy.h"

/* A node of an expression, alone or as an operand of the node around it. */
struct site {
    size_t expression;
    const struct node *node;
    bool is_operand;
    uint32_t offset; /* where it is shown */
};

struct site_note {
    struct site site;
    struct failure failure;
    const struct site *behind; /* evaluation reached it only after the failure of that site; NULL */
};

struct site_node;

struct findings {
    struct arena *arena;
    const struct policy_tree *expressions;
    struct site_node **nodes; /* by expression and node id */
    bool *has_failed;         /* by expression: one of its sites failed */
    struct str
        *given; /* by expression: a field for which it asks, and that the API server sets; empty: none */
    size_t way, way_count;   /* the present way, and how many there are */
    struct site_note *notes; /* of the present way */
    size_t count, cap;
    size_t takes; /* how often notes were taken off */
};

/* All lies in the arena. */
void findings_init(struct findings *f, struct arena *a, const struct policy_tree *expressions, size_t count,
                   size_t ways);
void findings_begin_way(struct findings *f, size_t way);

/* Notes that evaluation reached the site and may have gone on. */
void findings_pass(struct findings *f, struct site site);
/* Notes a failure, unless the site passed. The failure is copied. */
void findings_fail(struct findings *f, struct site site, const struct site *behind,
                   const struct failure *failure);

/* Notes the claim with which evaluation went on from the site, which is copied; NULL: with none. is_sure:
 * evaluation certainly reached the site. */
void findings_claim(struct findings *f, struct site site, const struct failure *claim, bool is_sure);

/* Notes the value of a bool as a claim says it, or, at a reach without a claim, as it is known. */
void findings_value(struct findings *f, struct site site, bool truth);

/* Notes that the site tests for a field that the API server sets. */
void findings_given(struct findings *f, struct site site);
/* Returns true if the node of the expression is such a test. */
bool findings_is_given(const struct findings *f, size_t expression, uint32_t node);

size_t findings_mark(const struct findings *f);
/* The first error noted since `mark`, in the arena; NULL if there is none. */
const struct site *findings_failed(const struct findings *f, size_t mark);
/* Takes back the errors noted since `mark`; comparisons of values that are never equal stay. */
void findings_absorb(struct findings *f, size_t mark);
/* Takes back all notes since `mark`. */
void findings_drop(struct findings *f, size_t mark);

/* Removes the notes since `mark` and returns them, in `a`, equal ones once; the caller can add them again. */
struct site_note *findings_take(struct findings *f, struct arena *a, size_t mark, size_t *count);
/* Adds notes. Notes that are behind no other site are then behind `behind`. */
void findings_add(struct findings *f, const struct site *behind, const struct site_note *notes, size_t count);

/* Ends the present way. */
void findings_settle(struct findings *f);

/* The claims about a node, over all times that evaluation reached it. Bits, which add up over types. */
enum site_claimed {
    SITE_CLAIMED = 1, /* some reach had a claim */
    SITE_SURE = 2,    /* evaluation certainly got there, and had a claim */
    SITE_PLAIN = 4,   /* some reach had none: there is nothing to tell */
    SITE_NOTE = 8,    /* for some type the claim is no more than a note */
    SITE_HINTED = 16, /* names of fields decide whether it is a note */
    SITE_TRUE = 32,   /* this and the next: where some reach had no claim, because it knows the value; and by
                       * claims.   A claim is wrong where both are set */
    SITE_FALSE = 64,
    SITE_OPEN = 128, /* this is not known */
};

/* A claim of a node. */
struct site_claim {
    struct site site;
    struct failure failure;
};

/* The claims about a node of the expression: a sum of enum site_claimed, without SITE_NOTE. node: an id of
 * the ast, up to its max_id. */
unsigned findings_claimed(const struct findings *f, size_t expression, uint32_t node);
/* The first claim of the node; NULL if there was none. */
const struct site_claim *findings_claim_of(const struct findings *f, size_t expression, uint32_t node);
/* The part of the expression that it is about. */
struct extent findings_span(const struct findings *f, const struct site *site);

struct site_finding {
    struct extent span; /* of the site */
    enum issue_code code;
    bool is_of_operand; /* the node is at fault as an operand, for example as the range of a macro */
    bool is_unequal;    /* it compares values that are never equal; evaluation goes on */
    bool is_further;    /* about the same site as the previous finding, with another reason */
    bool is_here;       /* as in struct failure */
    uint32_t node;      /* of the site */
    bool is_operand;
    bool is_behind;   /* it fails only after an earlier failure */
    size_t first_way; /* in which it fails */
    struct str message;
    struct hint hint;
    const struct issue_packed *about; /* as in struct failure */
    const bool *ways; /* by way: whether it fails there; NULL: in every way in which evaluation reaches it */
};

/* The findings of an expression (sites that always fail in some way), in the order of its nodes; *count of
 * them, in `a`. */
const struct site_finding *findings_list(const struct findings *f, struct arena *a, size_t expression,
                                         const struct ast *ast, size_t *count);

#endif
