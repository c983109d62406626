/*
 * repair_issues: repairs at the places of issues, whatever is written there.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_ISSUES_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_ISSUES_H

struct repair_edits;

/* Changes that the check of the expression proposes: another name, another constant, `.?name`,
 * timestamp(x). */
void repair_issues_changes(struct repair_edits *e);
/* A field of no such name: the nearest one of scope->fields. */
void repair_issues_fields(struct repair_edits *e);
/* `object.x` where object is null: `request.operation == 'DELETE' || ...`. */
void repair_issues_null(struct repair_edits *e);
/* `containers.image == 'a'`, `containers[*].image == 'a'`: `containers.all(c, c.image == 'a')`, and
 * exists. */
void repair_issues_elements(struct repair_edits *e);
/* `a.?b == 5`: `a.?b == optional.of(5)`; `a.?b > 5`: `a.?b.orValue(0) > 5`. */
void repair_issues_optionals(struct repair_edits *e);

#endif
