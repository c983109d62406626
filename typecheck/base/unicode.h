/*
 * unicode: classes of characters and the cases of letters, as two releases of Go have them: Go 1.26 those of
 * Unicode 15, and Go 1.27 those of Unicode 17.
 *
 * The data are unicode_15.def and unicode_17.def, which tests/support/unicode-table makes.
 */
#ifndef TYPECHECK_BASE_UNICODE_H
#define TYPECHECK_BASE_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

enum { UNICODE_MAX = 0x10FFFF };

enum unicode_edition { UNICODE_15, UNICODE_17 };

/* The code points from lo to hi in steps of stride. */
struct unicode_range {
    int32_t lo, hi, stride;
};

/* A category or a script; its ranges are in no order. */
struct unicode_class {
    const char *name;
    uint16_t first, count;
    uint16_t fold_first, fold_count; /* ranges that Go adds if case is ignored; not always all other cases */
};

/*
 * The class that \p{name} has in a regular expression: a category (Lu, L), its long name, or a script. Case,
 * '_', '-' and ' ' are ignored: "Greek", "greek", "Lower-case letter". Returns NULL if there is none. Go 1.26
 * does not find scripts of two words, such as "Old_Italic".
 */
const struct unicode_class *unicode_find(struct str name, enum unicode_edition edition);

/* The ranges of a class in that edition. */
const struct unicode_range *unicode_ranges(const struct unicode_class *c, enum unicode_edition edition);
const struct unicode_range *unicode_fold_ranges(const struct unicode_class *c, enum unicode_edition edition);

/* Letters, in steps of the stride, with the same distance to the next case; the last case leads back. */
struct unicode_fold {
    int32_t lo, hi, stride, delta;
};
const struct unicode_fold *unicode_folds(enum unicode_edition edition, size_t *count);

/* The next case of the character; itself if it has no other. */
int32_t unicode_simple_fold(int32_t c, enum unicode_edition edition);

/* Returns true if strconv.Quote of Go 1.26 prints it as it is. */
bool unicode_is_printable(int32_t c);

/* The text without the white space at its ends: strings.TrimSpace. */
struct str unicode_trimmed(struct str s);

#endif
