/*
 * rule_reads: the fields that a rule of a CustomResourceDefinition reads without asking whether they are
 * there, and the values that it compares fields with. Pure.
 *
 * It reads the syntax tree alone: which of the fields are optional, the schema says.
 *
 *     struct rule_reads reads;
 *     if (rule_reads_init(&reads, env, rules, count, index, max_steps))
 *         for (size_t i = 0; i < reads.count; i++) ... reads.items[i].steps, reads.items[i].offset
 *     rule_reads_deinit(&reads);
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_RULE_READS_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_RULE_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/author/advice/correction.h"

/* A step from a value into it. */
struct rule_step {
    struct str field; /* empty: an element, of a list or a map */
    bool is_key;      /* the variable of a macro: of a map it is a key, and of a list an element */
};

struct rule_read {
    const struct rule_step *steps; /* from self, or oldSelf, to the field, which is the last step */
    size_t step_count;
    uint32_t offset; /* of the selection in the rule */
    struct correction_read read;
};

enum rule_setting_kind {
    RULE_SETTING_PRESENT,
    RULE_SETTING_ITEM,
    RULE_SETTING_BOOL,
    RULE_SETTING_INT,
    RULE_SETTING_STRING
};

/* A comparison of a field in a rule, a test for the field (PRESENT), or a question for its size (ITEM). */
struct rule_setting {
    const struct rule_step *steps;
    size_t step_count;
    enum rule_setting_kind kind;
    int64_t integer; /* INT; BOOL: 0 or 1 */
    struct str text; /* STRING */
};

/* A string with which a rule compares a field of self: x == 'a', x != 'a', x in ['a']. */
struct rule_constant {
    const struct rule_step *steps;
    size_t step_count;
    struct str text;
    uint32_t offset; /* of the string in the rule */
};

/* A comparison of a field with itself. */
struct rule_same {
    bool truth;            /* its result */
    uint32_t offset;       /* of the operator */
    struct str correction; /* the rule with the second side of oldSelf; empty: that was not meant */
};

struct rule_reads {
    const struct rule_read *items;
    size_t count;
    const struct rule_setting *settings;
    size_t setting_count;
    const struct rule_constant *constants;
    size_t constant_count;
    const struct rule_same *sames;
    size_t same_count;
    bool uses_old;     /* it reads oldSelf */
    bool is_immutable; /* it is `self == oldSelf` */
    struct arena arena;
};

/* rules: all at one place, of which that at `index` is read; a field that any of them asks for is left out.
 * Returns false if the rule does not parse, or the work was too much. */
bool rule_reads_init(struct rule_reads *out, const struct env *env, const struct str *rules, size_t count,
                     size_t index, uint64_t max_steps);
/* The rule with tests for those of its reads that are optional, by index; the primary one is among them.
 * Empty: there is none. */
struct str rule_reads_correct(struct rule_reads *reads, struct str rule, const bool *is_optional,
                              size_t primary);

/* A field on the way from self, by the name in the schema. */
struct rule_field {
    struct str name;
    bool is_optional;
};

/* Returns true if one of the rules asks whether the old object has the field to which the way leads:
 * has(oldSelf.a.b). So it is, too, where the work is too much. */
bool rule_reads_asks_before(struct rule_reads *reads, const struct env *env, const struct str *rules,
                            size_t count, const struct rule_field *way, size_t way_count);
/* The rule that keeps such a field: `has(self.a) == has(oldSelf.a)`; is_once: `!has(oldSelf.a) ||
 * has(self.a)`, it may be set later. Some field is optional. Empty: no expression can name the fields. */
struct str rule_reads_keep(struct rule_reads *reads, const struct rule_field *way, size_t way_count,
                           bool is_once);
void rule_reads_deinit(struct rule_reads *reads);

#endif
