/*
 * issue: diagnostics of an expression: collected, sorted and rendered.
 *
 * A bad expression is data. Issues are collected in the order of discovery
 * and rendered as cel-go's common.Errors does: sorted by place (stable), at
 * most ISSUES_SHOWN of them, each with its line and a caret.
 * Messages and list live in the arena.
 */
#ifndef TYPECHECK_CEL_SYNTAX_ISSUE_H
#define TYPECHECK_CEL_SYNTAX_ISSUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/issue_about.h"
#include "typecheck/base/issue_code.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/extent.h"

struct arena;
struct source;

/* More issues are only counted: "N more errors were truncated". */
#define ISSUES_SHOWN 100

/* A line longer than this is not shown under its issue. */
#define ISSUE_SNIPPET_MAX_BYTES 16384

struct issue {
    struct extent at;
    enum issue_code code;
    bool is_of_operand; /* the node is at fault as an operand; the node itself may have another issue */
    struct str message;
    /* The subject of the issue, as data; NULL if nothing is known but the message. */
    const struct issue_packed *about;
};

struct issues {
    struct arena *arena;
    struct issue *list; /* the first ISSUES_SHOWN of them, in the order of discovery */
    size_t count;       /* all, including those that are only counted */
    size_t cap;
};

void issues_init(struct issues *is, struct arena *a);

/* Returns true if another issue would only be counted: its span and its message need not be made. */
static inline bool issues_is_full(const struct issues *is)
{
    return is->count >= ISSUES_SHOWN;
}

/* Adds an issue about no operand. */
void issues_add(struct issues *is, enum issue_code code, struct extent at, struct str message);
/* Adds an issue whose message is the parts, one after the other: issues_join(is, code, at,
 * STR_PARTS(STR("undefined field '"), name, ...)). */
void issues_join(struct issues *is, enum issue_code code, struct extent at, const struct str *parts,
                 size_t count);
void issues_addf(struct issues *is, enum issue_code code, struct extent at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The issue that was added last is about an operand. */
void issues_blame_operand(struct issues *is);
/* Says what the issue that was added last is about; `about` is copied. */
void issues_tell(struct issues *is, struct issue_about about);
/* Adds a copy of the issue; its message is not copied. */
void issues_take(struct issues *is, const struct issue *issue);

/* Returns how many of them are listed, and rendered. */
static inline size_t issues_shown(const struct issues *is)
{
    return is->count < ISSUES_SHOWN ? is->count : ISSUES_SHOWN;
}

/* The issue that is printed first; NULL if there is none. */
const struct issue *issues_first(const struct issues *is, const struct source *s);

/* The issues that are rendered, in the order in which they are, in the arena of `is`; *count of them. */
const struct issue **issues_sorted(const struct issues *is, const struct source *s, size_t *count);

/* All issues as upstream prints them, in the arena of `is`; empty if there are none. */
struct str issues_render(const struct issues *is, const struct source *s);

#endif
