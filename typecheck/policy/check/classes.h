/*
 * classes: types that cannot differ in what the check of a policy reads are one class, of which one is
 * checked.
 *
 * While a type is checked, reads.h notes what was asked about it, and the answers. Here all notes become one
 * tree. Each inner node has a question, and a branch for each answer; each leaf is a class. A check is
 * deterministic, so checks that had the same answers so far ask the same question next: from the root, a type
 * finds its class by answering the questions on the way. If one of its answers is new, it is checked, and
 * makes a class. The answers are compared byte by byte, so a type is in a class only if its check would go
 * exactly as that of the type that made the class.
 *
 * What a check adds to claims, truths, notes and advice is added but once, so of a class only the blocks of
 * the report are kept; they are reported for each of its types. Whether a claim is a note depends on more of
 * the type than the rest, but rarely has to be known: that is asked for each type (classes_add_claims).
 *
 * The way of a type through the tree rarely asks the type itself: answers that another policy got are kept
 * (answers.h). Only for others is the type derived from its schema.
 *
 * Kinds that the API server has from CustomResourceDefinitions have classes. Kubernetes' own are few, and
 * tables know them by name: each is checked. So is each type of a mutating policy, whose messages have many
 * names.
 *
 *     classes_init(&classes, arena, plan, policy);
 *     for each type:
 *         const struct classes_class *c = classes_find(&classes, &type, &start);
 *         if (c == NULL)
 *             ... check ..., classes_keep(&classes, start, &reads, &claims, blocks, count);
 */
#ifndef TYPECHECK_POLICY_CHECK_CLASSES_H
#define TYPECHECK_POLICY_CHECK_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/cel/types/reads.h"
#include "typecheck/policy/abstract/eval_policy.h"
#include "typecheck/policy/check/answers.h"
#include "typecheck/policy/check/claims.h"
#include "typecheck/policy/check/report.h"

/* The report about one expression of a type. */
struct classes_block {
    size_t expression;
    struct report_block block;
};

/* Copies what is to be reported again after an equal block (report_keep_block). */
const struct classes_block *classes_copy_blocks(struct arena *a, const struct classes_block *blocks,
                                                size_t count);

/* A claim that may be a note for some types of the class. */
struct classes_claim {
    size_t expression;
    uint32_t node;
    struct reads_question question; /* READS_HINT */
};

struct classes_class {
    const struct classes_block *blocks;
    size_t count;
    const struct classes_claim *claims;
    size_t claim_count;
    unsigned outcome; /* of its types (kept.h); 0: it is not kept */
};

/* A node of the tree. */
struct classes_node {
    struct reads_question question;
    bool has_question;                 /* else it is a leaf, or nothing is known yet */
    bool has_object;                   /* the answer that leads here is the first to mention an object */
    uint32_t column;                   /* of answers.h, for the question */
    uint32_t usual;                    /* the node that the kept answer leads to which came last; 0: none */
    const char *usual_answer;          /* that answer's bytes, which are kept in one place */
    const struct classes_class *found; /* a leaf's */
};

/* A branch. */
struct classes_branch {
    uint32_t from, to; /* nodes; to 0: the slot is free */
    struct answers_text answer;
};

/* The type at hand. */
struct classes_type {
    const struct policy_type *kind;
    struct reads *reads;                      /* begun */
    bool is_validated;                        /* types of definitions are so in this check */
    struct types *ts;                         /* of the type; NULL if it is not made yet */
    const struct activation_subject *subject; /* whole, if ts is made */
    void (*make)(struct classes_type *type);  /* makes ts and the subject */
    void *user;                               /* for make */
};

struct classes {
    struct arena *arena;
    bool is_off;                 /* each type is checked */
    const uint32_t *identifiers; /* in the expressions, which may name a type (answers_first_hash) */
    size_t identifier_count;
    struct classes_node *nodes; /* the first is the root */
    uint32_t node_count;
    size_t node_cap;
    struct classes_branch *branches; /* open addressing */
    uint32_t branch_count, branch_cap;
    size_t bytes;                      /* that texts hold */
    size_t found, not_found;           /* of how many types the class was known */
    struct typecheck_answers *answers; /* of all policies; NULL: there are none */
    uint32_t era;                      /* in which columns have these numbers */
    struct classes_type *type;
    uint32_t *mentions; /* on its way: the nodes whose answers mention the objects, by number */
};

/* Everything lies in `a`. */
void classes_init(struct classes *classes, struct arena *a, const struct eval_policy_plan *plan,
                  const struct typecheck_policy *policy);

/*
 * The class of the type; NULL if it is to be checked. *start: where the notes begin in the tree, for
 * classes_keep; 0: types like this one have no classes. If it is not 0, the type is made when it is to be
 * checked, and the roots of its reads have numbers, so that what the check reads is noted.
 */
const struct classes_class *classes_find(struct classes *classes, struct classes_type *type, uint32_t *start);

/* Adds the claims of the class for one of its types, after classes_find. */
void classes_add_claims(struct classes *classes, const struct classes_class *c, struct claims *claims);

/* Makes the class of a type, if there is room, after a check of it that reached no limit. All is copied.
 * Returns NULL if there is no new class. */
struct classes_class *classes_keep(struct classes *classes, uint32_t start, const struct reads *reads,
                                   const struct claims *claims, const struct classes_block *blocks,
                                   size_t count);

/* Returns true if hardly any of many types was like one before it: then classes cost more than they save. */
bool classes_are_rare(const struct classes *classes);

#endif
