/*
 * spelled: strings of which only their spelling is known: that of a field (typecheck/cel/types/spelling.h),
 * or that of what a call returns, as lowerAscii() leaves no capital letter.
 *
 * A test of such a string with a text that breaks its rules is false for every object.
 *
 *     const struct abswords *words = spelled_field(a, STR("namespace"), SPELLING_DNS_LABEL);
 *     v = absval_with_words(a, &absval_string, words);
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_SPELLED_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_SPELLED_H

#include "typecheck/cel/types/spelling.h"
#include "typecheck/policy/abstract/domain/absval_parts.h"

struct arena;

/* The result of a call that makes a string. */
enum spelled_result {
    SPELLED_LOWER,   /* without A to Z */
    SPELLED_UPPER,   /* without a to z */
    SPELLED_TRIMMED, /* without white space at its ends */
    SPELLED_WITHOUT, /* without a text */
    SPELLED_LONG,    /* with `least` to `most` characters */
};

struct spelled {
    struct arena *arena;
    enum spelled_result is;
    struct str text;    /* SPELLED_WITHOUT; not empty */
    size_t least, most; /* SPELLED_LONG, in code points */
};

/* The words of a string with that spelling, which is not SPELLING_ANY. what: "value of namespace". */
const struct abswords *spelled_field(struct arena *a, struct str what, enum spelling spelling);

/* The words of what a call returns. what: "result of trim()". why: what is said of it behind a colon; empty:
 * nothing. */
const struct abswords *spelled_call(struct spelled spelled, struct str what, struct str why);

#endif
