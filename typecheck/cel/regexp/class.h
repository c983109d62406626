/*
 * class: a set of characters in a regular expression, as ranges.
 *
 *     struct regexp_class set = {.arena = a, .edition = UNICODE_15};
 *     regexp_class_add(&set, 'a', 'z');
 *     regexp_class_fold(&set);            [a-zA-Z\x{17F}\x{212A}]
 *     regexp_class_negate(&set);
 */
#ifndef TYPECHECK_CEL_REGEXP_CLASS_H
#define TYPECHECK_CEL_REGEXP_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/base/unicode.h"

struct arena;

struct regexp_range {
    int32_t lo, hi;
};

struct regexp_class {
    struct arena *arena;
    enum unicode_edition edition;
    struct regexp_range *ranges;
    size_t count, cap;
};

void regexp_class_add(struct regexp_class *c, int32_t lo, int32_t hi);
void regexp_class_add_all(struct regexp_class *c, const struct regexp_class *other);

/* Adds the class \d, \s or \w; the class [:name:] (false if there is none). */
void regexp_class_add_perl(struct regexp_class *c, char letter);
bool regexp_class_add_posix(struct regexp_class *c, struct str name);
/* Adds the class \p{name}; `fold`: as Go has it if case is ignored. False if there is none. */
bool regexp_class_add_unicode(struct regexp_class *c, struct str name, bool fold);

/* Sorts the ranges, and joins those that touch. */
void regexp_class_normalise(struct regexp_class *c);
/* Adds the other cases of all letters. */
void regexp_class_fold(struct regexp_class *c);
/* Makes it the class of all other characters; the ranges are sorted then. */
void regexp_class_negate(struct regexp_class *c);

/* Returns true if the class, whose ranges are sorted, has the character. */
bool regexp_class_has(const struct regexp_class *c, int32_t rune);

/* Returns true if there is a class of this name. */
bool regexp_class_is_posix(struct str name);
bool regexp_class_is_unicode(struct str name, enum unicode_edition edition);

#endif
