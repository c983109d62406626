/*
 * stringtest: what one test of a string says about another test of the same string.
 *
 * A string that starts with "a" does not start with "b", and it is not "b"; one that does not contain "a"
 * does not start with "ab". The texts of the tests are literals.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_STRINGTEST_H
#define TYPECHECK_POLICY_ABSTRACT_STRINGTEST_H

#include <stdbool.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/policy/abstract/domain/absval_parts.h"

struct arena;

struct stringtest {
    enum abswords_test kind;
    const struct node *subject; /* x */
    struct str text;
};

/* Returns true if the node is a call of startsWith, endsWith or contains with a literal. */
bool stringtest_read(const struct node *n, struct stringtest *out);

/* Returns true if `asked` has one value wherever `known` is `truth`; *value is it. The subjects are not
 * compared. Pays into `a` for the bytes that it compares. */
bool stringtest_decides(struct arena *a, const struct stringtest *known, bool truth,
                        const struct stringtest *asked, bool *value);

#endif
