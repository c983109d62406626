/*
 * repair_scope: the place of an expression that is repaired, what is wrong with it, and the result of a
 * repair.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_SCOPE_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/hint_change.h"
#include "typecheck/base/issue_code.h"
#include "typecheck/base/str.h"

/* An issue of the expression. */
struct repair_issue {
    enum issue_code code;
    uint32_t offset, end; /* as in issue.h */
    const char *message;
    struct hint_change change;
};

/* The place of the expression. */
struct repair_scope {
    bool is_crd_rule;            /* self and oldSelf; else object and oldObject */
    bool is_validation;          /* true lets the request pass */
    bool is_policy;              /* which may declare variables and params */
    bool has_params;             /* it has a paramKind */
    const struct str *variables; /* names of the policy's variables */
    size_t variable_count;
    const struct str *fields; /* paths of fields below self that the author may have meant: "spec.size" */
    size_t field_count;
    const struct repair_issue *issues;
    size_t issue_count;
};

/* The beginning of a question. */
#define REPAIR_QUESTION "did you mean "

/* A change of the expression. */
struct repair_edit {
    uint32_t start, end; /* the bytes that are replaced */
    struct str text;
};

struct repair {
    struct str text;                 /* the whole expression */
    struct str hint;                 /* "did you mean 'startsWith'?" */
    bool is_question;                /* the hint is REPAIR_QUESTION, what may have been meant, and "?" */
    const struct repair_edit *edits; /* that make the text, in order; they do not overlap */
    size_t edit_count;
    bool is_guess; /* it lets requests pass that the author may not have had in mind */
};

#endif
