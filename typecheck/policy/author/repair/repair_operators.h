/*
 * repair_operators: operators of other languages: and, not, ===.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_OPERATORS_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_OPERATORS_H

struct repair_edits;

/* and, or, &, |, xor; =, ===, !==, <>, =>, =<, is, is not, equals. */
void repair_operators_logical(struct repair_edits *e);
void repair_operators_relations(struct repair_edits *e);
/* `not x`, `x not in y`, `!x in y`, `!x == y`. */
void repair_operators_not(struct repair_edits *e);
/* `x =~ 'a'`, `x matches 'a'`, `x contains 'a'`, `x startsWith 'a'`. */
void repair_operators_infix(struct repair_edits *e);
/* `x like 'a%'`: x.startsWith('a'). */
void repair_operators_like(struct repair_edits *e);
/* `1 < x < 5`, `x == 'a' || 'b'`, `x in ('a', 'b')`, `x in {'a', 'b'}`. */
void repair_operators_chained(struct repair_edits *e);
void repair_operators_sets(struct repair_edits *e);
/* `if c then a else b`, `a if c else b`; `c ? a`. */
void repair_operators_conditional(struct repair_edits *e);

#endif
