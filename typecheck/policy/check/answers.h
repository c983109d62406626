/*
 * answers: the answers of types to questions about them (reads.h), kept for the checks of all policies.
 *
 * Policies of `*` ask thousands of types the same questions: most of them begin with object.spec. So each
 * answer is kept under the question and the identity of the type (struct policy_type), and a type whose
 * answers are all kept finds its class (classes.h) without being derived from its schema.
 *
 * A question has a column of answers, one for each type. It is known by the way to the object that it asks:
 * the column whose answers mention the object. A column is made when a check asks its question, as long as
 * there is room; a check that finds no room left begins a new store. Most types do not have the field that a
 * policy asks for: they give one answer, which is known from the schema alone once a type has given it.
 *
 * An answer has a price in steps, which each check pays, whether the answer is kept or not: so the steps of a
 * check hardly depend on what is kept. (They do a little, since memory that is new to the processor has a
 * price, too.)
 *
 *     answers_begin(answers, policy);
 *     column = answers_column(answers, ANSWERS_OBJECT, &question);
 *     const struct answers_text *text = answers_get(answers, column, type, &steps);
 *     if (text == NULL)
 *         ... ask the type, answers_put(answers, column, type, bytes, steps);
 */
#ifndef TYPECHECK_POLICY_CHECK_ANSWERS_H
#define TYPECHECK_POLICY_CHECK_ANSWERS_H

#include <stdint.h>

#include "typecheck/cel/types/reads.h"
#include "typecheck/typecheck_policy.h"

/* Numbers of columns. The first are not of questions: descriptions of types as they are sent, and of types
 * that the API server validated, too; ways to the object, and to the validated object. */
enum {
    ANSWERS_NO_COLUMN,
    ANSWERS_PLAIN,
    ANSWERS_VALIDATED,
    ANSWERS_OBJECT = ANSWERS_PLAIN,
    ANSWERS_VALIDATED_OBJECT = ANSWERS_VALIDATED,
};

/* An answer as reads.h writes it. */
struct answers_text {
    struct str bytes;
    uint32_t hash; /* str_hash */
};

/* A check begins. Numbers of columns are valid as long as this returns the same number for its end
 * (answers_era). */
void answers_begin(struct typecheck_answers *answers, const struct typecheck_policy *policy);
uint32_t answers_era(const struct typecheck_answers *answers);

/* The column of a question about the object to which the column `way` leads; ANSWERS_NO_COLUMN if there is no
 * room for one, or if the question is not one whose answers are kept. */
uint32_t answers_column(struct typecheck_answers *answers, uint32_t way,
                        const struct reads_question *question);

/* Returns the hash (str_hash) of a name up to its first dot; not 0. answers_kind_hash returns the kept one of
 * the type's kind. */
uint32_t answers_first_hash(struct str name);
uint32_t answers_kind_hash(struct typecheck_answers *answers, const struct policy_type *type);

/* Returns NULL if the answer is not known. *steps: those of a hint. A type whose identity is 0
 * has no answers. */
const struct answers_text *answers_get(struct typecheck_answers *answers, uint32_t column,
                                       const struct policy_type *type, uint32_t *steps);
/* Keeps an answer, if there is room. steps: those of a hint, which are a part of its price; else 0. */
void answers_put(struct typecheck_answers *answers, uint32_t column, const struct policy_type *type,
                 struct str bytes, uint64_t steps);

#endif
