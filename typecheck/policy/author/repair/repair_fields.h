/*
 * repair_fields: keys that are written as fields (labels.a-b), and wrong tests of whether a field is there
 * (has(m['k'])).
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_FIELDS_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_FIELDS_H

#include <stddef.h>

struct repair_edits;

/* Corrects `labels.a-b`, `annotations.example.com/team`, `x__dash__y`. The lines below list the slips
 * likewise. */
void repair_fields_keys(struct repair_edits *e);
void repair_fields_escaped(struct repair_edits *e);
/* `has(m['k'])`, `has(a.b == 1)`, `has(a.b, a.c)`, `has(!a.b)`, `has a.b`, `m.has('k')`. */
void repair_fields_has(struct repair_edits *e);
void repair_fields_has_key(struct repair_edits *e);
/* `a?.b`, `a ?? b`. */
void repair_fields_optional(struct repair_edits *e);
/* Makes of the optional `a.?b`, whose field is that token, what the operation around it takes. */
void repair_fields_settle_optional(struct repair_edits *e, size_t field);
/* `.size` without parentheses, `.length`; `request.kind == 'Pod'`. */
void repair_fields_size(struct repair_edits *e);
void repair_fields_parts(struct repair_edits *e);
/* `self.x != null` in rules of CustomResourceDefinitions. */
void repair_fields_null(struct repair_edits *e);

#endif
