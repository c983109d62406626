/*
 * typecheck_result: the result of a policy's check (typecheck.h): warnings, advice, and the parts that were
 * too much work to check.
 */
#ifndef TYPECHECK_TYPECHECK_RESULT_H
#define TYPECHECK_TYPECHECK_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/hint_change.h"
#include "typecheck/base/issue_about.h"
#include "typecheck/base/issue_code.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/extent.h"
#include "typecheck/policy/author/advice/advice_sort.h"
#include "typecheck/policy/compile/policy.h"

/* An issue in a warning's text. */
struct typecheck_issue {
    enum issue_code code;
    struct str message;
    /* The subject of the issue, as data; NULL if nothing is known but the message. */
    const struct issue_packed *about;
    struct extent at;      /* bytes of the expression (extent.h) */
    int line, column;      /* the place that cel-go names: from 1; -1 and 0 if it has none */
    bool is_unequal;       /* a comparison of values that are never equal; evaluation goes on */
    bool is_claim;         /* nothing fails: it is true of every request that reaches the place */
    size_t first_type;     /* the first type with this issue */
    const uint32_t *types; /* all of them, in their order; of those in a warning's `issues` only */
    uint32_t type_count, type_cap;
    struct policy_site site;          /* for that type */
    const struct hint_change *change; /* for the first type for which anything is known; NULL: nothing */
};

struct typecheck_warning {
    size_t expression;            /* index into the policy's */
    struct str text;              /* one block for each type with issues, joined as upstream does */
    size_t shown;                 /* how many issues the text shows; those of several types several times */
    struct typecheck_issue first; /* the one that it shows first; its site is not known */
    enum issue_code consequence;  /* the issues' consequence for the whole validation; ISSUE_OTHER: none */
    struct str hint; /* the change that was probably meant at the first issue; empty: not known */
    const struct typecheck_issue *issues; /* those of all types, each once */
    size_t issue_count;
    bool has_more_issues; /* than are listed */
};

/* Says why something was not checked to its end: too much work, or memory. */
enum typecheck_bound { TYPECHECK_STEPS, TYPECHECK_MEMORY };

/* The index in a limit that stands for every expression, or every type, of the policy. */
#define TYPECHECK_EVERY SIZE_MAX

/* An expression and type that were not checked to the end: nothing is reported about them. */
struct typecheck_limit {
    size_t expression, type; /* indices into the policy's */
    enum typecheck_bound why;
};

#define TYPECHECK_LIMITS_SHOWN 3

/* A part that is not certainly wrong, but probably not meant. */
struct typecheck_advice {
    enum advice_sort sort;
    size_t expression;
    struct str message;
    bool fails;              /* a witness must show that evaluation ends in an error at the node */
    enum issue_code failure; /* which one */
    size_t type;             /* the failure is that of objects of this type */
    uint32_t node;
    bool is_operand; /* of what takes the value of the node */
    struct extent at;
    struct str hint;       /* the text to write instead; empty: it has none */
    struct str correction; /* the corrected expression; empty: it is not known */
    uint32_t chain;        /* of those with the same number in one expression one is enough; 0: it is alone */
};

/* A fact that is certain, but may be meant; it is in no warning. */
struct typecheck_note {
    size_t expression;
    enum issue_code code;
    struct str message;
    struct extent at;
};

struct typecheck_result {
    uint8_t *truths; /* scope full: by expression, sums of enum policy_truth over the types */
    struct typecheck_note
        *notes; /* the first REPORT_ISSUES_MAX (report.h), in the order of the expressions */
    size_t note_count, note_cap;
    struct typecheck_advice *advice; /* if it was wanted */
    size_t advice_count;
    struct typecheck_warning *warnings; /* in the order of the policy's expressions */
    size_t warning_count;
    size_t left_out;                                       /* blocks of text that the bounds left out */
    struct typecheck_limit limits[TYPECHECK_LIMITS_SHOWN]; /* the first of them */
    size_t limit_count;                                    /* 0: all was checked */
    size_t peak_bytes;                                     /* of the check's memory */
    struct arena arena;                                    /* holds the warnings */
};

#endif
