/*
 * issue: diagnostics of an expression: collected, sorted and rendered.
 *
 * A bad expression is data. Issues are collected in the order of discovery
 * and rendered as cel-go's common.Errors does: sorted by place (stable), at
 * most ISSUES_SHOWN of them, each with its line and a caret.
 * Messages and list live in the arena.
 */
#ifndef TYPECHECK_SYNTAX_ISSUE_H
#define TYPECHECK_SYNTAX_ISSUE_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;
struct source;

/* More issues are only counted: "N more errors were truncated". */
#define ISSUES_SHOWN 100

/* A line longer than this is not shown under its issue. */
#define ISSUE_SNIPPET_MAX_BYTES 16384

struct issue {
    uint32_t offset; /* byte offset into the source, or SOURCE_NOWHERE */
    struct str message;
};

struct issues {
    struct arena *arena;
    struct issue *list; /* the first ISSUES_SHOWN of them, in the order of discovery */
    size_t count;       /* all, including those that are only counted */
    size_t cap;
};

void issues_init(struct issues *is, struct arena *a);

void issues_add(struct issues *is, uint32_t offset, struct str message);
/* Adds an issue whose message is the parts, one after the other: issues_join(is, offset,
 * STR_PARTS(STR("undefined field '"), name, ...)). */
void issues_join(struct issues *is, uint32_t offset, const struct str *parts, size_t count);
void issues_addf(struct issues *is, uint32_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The issue that is printed first; NULL: there is none. */
const struct issue *issues_first(const struct issues *is, const struct source *s);

/* All issues as upstream prints them, in the arena of `is`; empty if there are none. */
struct str issues_render(const struct issues *is, const struct source *s);

#endif
