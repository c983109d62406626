#include "typecheck/base/unicode.h"

#include <ctype.h>
#include <stdlib.h>

#define CLASS(name, first, count, fold_first, fold_count) {name, first, count, fold_first, fold_count},
static const struct unicode_class classes_15[] = {
#include "typecheck/base/unicode_15.def"
};
static const struct unicode_class classes_17[] = {
#include "typecheck/base/unicode_17.def"
};
#undef CLASS

#define RANGE(lo, hi, stride) {lo, hi, stride},
static const struct unicode_range ranges_15[] = {
#include "typecheck/base/unicode_15.def"
};
static const struct unicode_range ranges_17[] = {
#include "typecheck/base/unicode_17.def"
};
#undef RANGE

#define FOLD(lo, hi, stride, delta) {lo, hi, stride, delta},
static const struct unicode_fold folds_15[] = {
#include "typecheck/base/unicode_15.def"
};
static const struct unicode_fold folds_17[] = {
#include "typecheck/base/unicode_17.def"
};
#undef FOLD

/* Sorted, and none meets the next. */
#define PRINTABLE(lo, hi) {lo, hi},
static const struct {
    int32_t lo, hi;
} printable[] = {
#include "typecheck/base/unicode_15.def"
};
#undef PRINTABLE

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static const struct {
    const struct unicode_class *classes;
    const struct unicode_range *ranges;
    const struct unicode_fold *folds;
    size_t class_count, fold_count;
} editions[] = {
    [UNICODE_15] = {classes_15, ranges_15, folds_15, COUNT(classes_15), COUNT(folds_15)},
    [UNICODE_17] = {classes_17, ranges_17, folds_17, COUNT(classes_17), COUNT(folds_17)},
};

enum { NAME_MAX_BYTES = 31 };

/* An upper-case letter first, lower-case ones then, no separators. False when no name is that long. */
static bool canonical(struct str name, char out[NAME_MAX_BYTES + 1])
{
    size_t len = 0;
    for (size_t i = 0; i < name.len; i++) {
        const unsigned char c = (unsigned char)name.at[i];
        if (c == '_' || c == '-' || c == ' ')
            continue;
        if (c == '\0' || len == NAME_MAX_BYTES)
            return false;
        out[len] = (char)(len == 0 ? toupper(c) : tolower(c));
        len++;
    }
    out[len] = '\0';
    return true;
}

static int compare(const void *wanted, const void *class)
{
    return strcmp(wanted, ((const struct unicode_class *)class)->name);
}

const struct unicode_class *unicode_find(struct str name, enum unicode_edition edition)
{
    char wanted[NAME_MAX_BYTES + 1];
    if (!canonical(name, wanted))
        return NULL;
    const struct unicode_class *classes = editions[edition].classes;
    return bsearch(wanted, classes, editions[edition].class_count, sizeof *classes, compare);
}

const struct unicode_range *unicode_ranges(const struct unicode_class *c, enum unicode_edition edition)
{
    return editions[edition].ranges + c->first;
}

const struct unicode_range *unicode_fold_ranges(const struct unicode_class *c, enum unicode_edition edition)
{
    return editions[edition].ranges + c->fold_first;
}

const struct unicode_fold *unicode_folds(enum unicode_edition edition, size_t *count)
{
    *count = editions[edition].fold_count;
    return editions[edition].folds;
}

/* Rows overlap with the one before at most. */
static const struct unicode_fold *find_fold(int32_t c, enum unicode_edition edition)
{
    const struct unicode_fold *folds = editions[edition].folds;
    size_t low = 0, high = editions[edition].fold_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (folds[middle].lo <= c)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i-- > 0 && low - i <= 2;) {
        if (c <= folds[i].hi && (c - folds[i].lo) % folds[i].stride == 0)
            return &folds[i];
    }
    return NULL;
}

int32_t unicode_simple_fold(int32_t c, enum unicode_edition edition)
{
    const struct unicode_fold *fold = find_fold(c, edition);
    return fold == NULL ? c : c + fold->delta;
}

bool unicode_is_printable(int32_t c)
{
    size_t low = 0, high = COUNT(printable);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c < printable[middle].lo)
            high = middle;
        else if (c > printable[middle].hi)
            low = middle + 1;
        else
            return true;
    }
    return false;
}

/* Bytes of the white space of Unicode that begins, or ends, the string; 0: none does. */
static size_t space_len(struct str s, bool at_end)
{
    static const struct str spaces[] = {
        STR_INIT("\t"),     STR_INIT("\n"),       STR_INIT("\v"),     STR_INIT("\f"),     STR_INIT("\r"),
        STR_INIT(" "),      STR_INIT("\xc2\x85"), STR_INIT("\u00a0"), STR_INIT("\u1680"), STR_INIT("\u2000"),
        STR_INIT("\u2001"), STR_INIT("\u2002"),   STR_INIT("\u2003"), STR_INIT("\u2004"), STR_INIT("\u2005"),
        STR_INIT("\u2006"), STR_INIT("\u2007"),   STR_INIT("\u2008"), STR_INIT("\u2009"), STR_INIT("\u200a"),
        STR_INIT("\u2028"), STR_INIT("\u2029"),   STR_INIT("\u202f"), STR_INIT("\u205f"), STR_INIT("\u3000")};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (at_end ? str_has_suffix(s, spaces[i]) : str_has_prefix(s, spaces[i]))
            return spaces[i].len;
    }
    return 0;
}

struct str unicode_trimmed(struct str s)
{
    for (size_t len; s.len != 0 && (len = space_len(s, false)) != 0;)
        s = str_skip(s, len);
    for (size_t len; s.len != 0 && (len = space_len(s, true)) != 0;)
        s.len -= len;
    return s;
}
