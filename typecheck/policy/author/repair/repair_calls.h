/*
 * repair_calls: calls whose arguments do not fit CEL's functions.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_CALLS_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_CALLS_H

struct repair_edits;

/* `startsWith(x, 'a')`, `exists(x, e, e > 1)`, Rego's `regex.match('a', x)`. */
void repair_calls_global(struct repair_edits *e);
/* `.all(x.y == 1)`, `.all(x => x.y)`, `.all(x: x.y)`, `all(x in list, p)`. */
void repair_calls_macros(struct repair_edits *e);
/* `'%s'.format(x)`; `.startsWith(['a', 'b'])`; `.isEmpty()`, `empty(x)`, `!x`; `.allowed`. */
void repair_calls_format(struct repair_edits *e);
/* `'%f'.format([1])`: a clause for doubles takes no int. */
void repair_calls_format_numbers(struct repair_edits *e);
void repair_calls_any_of(struct repair_edits *e);
void repair_calls_empty(struct repair_edits *e);
void repair_calls_allowed(struct repair_edits *e);
/* `.none(x, p)`, `.count(x, p)`, `.get('k', d)`, `.equals(x)`. */
void repair_calls_foreign(struct repair_edits *e);
/* `.keys()`, `.values()`. */
void repair_calls_keys(struct repair_edits *e);

#endif
