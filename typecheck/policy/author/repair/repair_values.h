/*
 * repair_values: values whose type the operator does not accept, and texts that are not tokens of CEL.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_VALUES_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_VALUES_H

struct repair_edits;

/* `port == '80'`, `labels.x == true`: with quotes or without. */
void repair_values_quoting(struct repair_edits *e);
/* `text > 5`: int(text). */
void repair_values_numbers(struct repair_edits *e);
/* `'a' + number`: string(number). */
void repair_values_concatenation(struct repair_edits *e);
/* `limits.cpu > 2`, `quantity(a) > quantity(b)`, `semver(a) < semver(b)`. */
void repair_values_quantities(struct repair_edits *e);
void repair_values_comparisons(struct repair_edits *e);
/* The whole expression: string(...), [...], a text within quotes. */
void repair_values_result(struct repair_edits *e);
/* `'a' in text`: text.contains('a'); `list == 'a'`: 'a' in list. */
void repair_values_membership(struct repair_edits *e);
/* `'\d'`: r'\d'; `*.example.com`: a pattern of file names. */
void repair_values_patterns(struct repair_edits *e);
/* Brackets and quotes that lack their pair; `;`, `{{ }}`, `#`; quotes of a word processor. */
void repair_values_brackets(struct repair_edits *e);
void repair_values_signs(struct repair_edits *e);

#endif
