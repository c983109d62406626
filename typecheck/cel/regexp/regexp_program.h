/*
 * regexp_program: a regular expression as instructions of a nondeterministic automaton.
 *
 * It is compiled as in Go's regexp/syntax: of two branches the first is preferred,
 * which decides what leftmost-first matching finds.
 */
#ifndef TYPECHECK_CEL_REGEXP_REGEXP_PROGRAM_H
#define TYPECHECK_CEL_REGEXP_REGEXP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/cel/regexp/class.h"

struct regexp_node;

enum regexp_inst_kind {
    REGEXP_INST_MATCH,
    REGEXP_INST_RUNE,   /* takes one character and goes on at out */
    REGEXP_INST_CLASS,  /* likewise */
    REGEXP_INST_SPLIT,  /* goes on at out, else at other */
    REGEXP_INST_ASSERT, /* takes none and goes on at out if all of `assertion` holds */
};

struct regexp_inst {
    enum regexp_inst_kind kind;
    uint32_t out;
    union {
        int32_t rune;
        uint32_t other;
        uint32_t assertion; /* of enum regexp_assertion */
    };
    const struct regexp_set *set; /* CLASS */
};

/* A class, and which ASCII characters it has. */
struct regexp_set {
    uint64_t ascii[2];
    struct regexp_class class;
};

struct regexp_program {
    struct regexp_inst *insts;
    size_t count, cap;
    uint32_t start;
    bool begins_at_text; /* matches only at the beginning of the text */
};

static inline bool regexp_set_has(const struct regexp_set *s, int32_t rune)
{
    if (rune < 0x80)
        return rune >= 0 && (s->ascii[rune >> 6] >> (rune & 63) & 1) != 0;
    return regexp_class_has(&s->class, rune);
}

/* Makes the program, in the arena. */
struct regexp_program *regexp_program_make(struct arena *a, const struct regexp_node *tree);

#endif
