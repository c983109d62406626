/*
 * report: makes the text of the warnings from the results of all types.
 *
 * There is one entry for each expression, with one block for each type ("apps/v1, Kind=Deployment:
 * ISSUES\n"), blocks joined by an empty line, as upstream writes them. The
 * bounds keep a status small: past its tenth equal block a type is only
 * named, and past the byte limits blocks are left out and counted.
 * Everything lies in the arena given to report_init.
 */
#ifndef TYPECHECK_POLICY_CHECK_REPORT_H
#define TYPECHECK_POLICY_CHECK_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/typecheck_result.h"

struct arena;
struct policy_type;

struct report_limits {
    size_t entry_bytes;  /* of one warning */
    size_t total_bytes;  /* of all together */
    size_t equal_blocks; /* types with the same issues that get a block of their own */
};

extern const struct report_limits report_limits_full, report_limits_upstream;
/* The limits for many types among which a match condition chooses by params. */
extern const struct report_limits report_limits_by_params;

/* A hash that represents a text. */
struct report_digest {
    size_t len;
    uint64_t first, second;
};

/* Types that share their issues. */
struct report_group {
    struct report_group *next;
    struct report_digest digest; /* of the issues */
    size_t shown, more;
    uint64_t unequal;  /* which issues of the last type are comparisons, by bit */
    uint32_t *members; /* indices of its issues in the entry, in their order */
    size_t member_count, member_cap;
    struct text names; /* the names of types that have no block of their own */
};

struct report_entry {
    struct text text;
    struct report_group *groups;
    size_t blocks;
    size_t shown;                 /* issues in the text */
    size_t failing;               /* types */
    struct typecheck_issue first; /* the first issue, and its type */
    struct str hint;              /* for that issue */
    bool is_hint_of_pods;
    struct typecheck_issue *issues; /* those of all blocks, each once */
    size_t issue_count, issue_cap;
    bool has_more_issues;
};

/* The limit of one expression; more are not listed. */
#define REPORT_ISSUES_MAX 256

struct report {
    struct arena *arena, *scratch;
    const struct report_limits *limits;
    struct report_entry *entries; /* by expression */
    size_t count;
    size_t used_bytes;
    size_t left_out; /* blocks that did not fit */
};

/* Memory that only report_add needs lies in `scratch`. */
void report_init(struct report *r, struct arena *a, struct arena *scratch, const struct report_limits *limits,
                 size_t expressions);

/* The issues of one type in an expression. */
struct report_block {
    struct str issues;                  /* rendered */
    size_t shown;                       /* how many of them */
    struct typecheck_issue first;       /* of them; its message is copied */
    struct str hint;                    /* for the first issue; may be empty */
    bool is_hint_of_pods;               /* hint_text */
    const struct typecheck_issue *list; /* the same issues; the list and its messages are copied */
    size_t count;
    bool is_cut; /* there are more */
};

/* The parts of a block that report_add reads if an equal one is before it, in `a`; and about how many bytes
 * they are. */
struct report_block report_keep_block(struct arena *a, const struct report_block *block);
size_t report_block_bytes(const struct report_block *block);

void report_add(struct report *r, size_t expression, const struct policy_type *type, size_t type_index,
                struct report_block block);

/* Ends the texts; to be called once. types: how many were checked. A hint of pods is removed unless every
 * type has it: its correction would fail for the types that have no issue now. */
void report_finish(struct report *r, size_t types);

#endif
