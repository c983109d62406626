#include "typecheck/cel/regexp/class.h"

#include <stdlib.h>

#include "typecheck/base/arena.h"

enum { FIRST_RANGES = 4 };

void regexp_class_add(struct regexp_class *c, int32_t lo, int32_t hi)
{
    arena_step(c->arena);
    ARENA_ROOM(c->arena, c->ranges, c->count, c->cap, FIRST_RANGES);
    c->ranges[c->count++] = (struct regexp_range){lo, hi};
}

void regexp_class_add_all(struct regexp_class *c, const struct regexp_class *other)
{
    for (size_t i = 0; i < other->count; i++)
        regexp_class_add(c, other->ranges[i].lo, other->ranges[i].hi);
}

/* ---- classes with names ---- */

/* `ranges`: the first and the last character of each. */
struct named {
    struct str name;
    const char *ranges;
    size_t len;
};

#define NAMED(name, ranges)                                                                                  \
    {                                                                                                        \
        STR_INIT(name), ranges, sizeof(ranges) - 1                                                           \
    }

static const struct named perl[] = {NAMED("d", "09"), NAMED("s", "\t\n\f\r  "), NAMED("w", "09AZ__az")};

static const struct named posix[] = {
    NAMED("alnum", "09AZaz"),
    NAMED("alpha", "AZaz"),
    NAMED("ascii", "\0\x7F"),
    NAMED("blank", "\t\t  "),
    NAMED("cntrl", "\0\x1F\x7F\x7F"),
    NAMED("digit", "09"),
    NAMED("graph", "!~"),
    NAMED("lower", "az"),
    NAMED("print", " ~"),
    NAMED("punct", "!/:@[`{~"),
    NAMED("space", "\t\r  "),
    NAMED("upper", "AZ"),
    NAMED("word", "09AZ__az"),
    NAMED("xdigit", "09AFaf"),
};

static const struct named *find_named(const struct named *list, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(list[i].name, name))
            return &list[i];
    }
    return NULL;
}

static void add_named(struct regexp_class *c, const struct named *named)
{
    for (size_t i = 0; i < named->len; i += 2)
        regexp_class_add(c, named->ranges[i], named->ranges[i + 1]);
}

void regexp_class_add_perl(struct regexp_class *c, char letter)
{
    const struct named *named = find_named(perl, sizeof perl / sizeof *perl, (struct str){&letter, 1});
    if (named != NULL)
        add_named(c, named);
}

bool regexp_class_add_posix(struct regexp_class *c, struct str name)
{
    const struct named *named = find_named(posix, sizeof posix / sizeof *posix, name);
    if (named != NULL)
        add_named(c, named);
    return named != NULL;
}

bool regexp_class_is_posix(struct str name)
{
    return find_named(posix, sizeof posix / sizeof *posix, name) != NULL;
}

/* ---- Unicode ---- */

/* Classes that Go has besides the categories and scripts. */
enum special { SPECIAL_NONE, SPECIAL_ANY, SPECIAL_ASCII, SPECIAL_ASSIGNED };

static bool is_spelled(struct str name, const char *wanted)
{
    size_t len = 0;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        if (c == '_' || c == '-' || c == ' ')
            continue;
        if (wanted[len] == '\0' || (c | 0x20) != wanted[len])
            return false;
        len++;
    }
    return wanted[len] == '\0';
}

static enum special find_special(struct str name)
{
    if (is_spelled(name, "any"))
        return SPECIAL_ANY;
    if (is_spelled(name, "ascii"))
        return SPECIAL_ASCII;
    return is_spelled(name, "assigned") ? SPECIAL_ASSIGNED : SPECIAL_NONE;
}

bool regexp_class_is_unicode(struct str name, enum unicode_edition edition)
{
    return find_special(name) != SPECIAL_NONE || unicode_find(name, edition) != NULL;
}

static void add_table(struct regexp_class *c, const struct unicode_range *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (at[i].stride == 1) {
            regexp_class_add(c, at[i].lo, at[i].hi);
            continue;
        }
        for (int32_t rune = at[i].lo; rune <= at[i].hi; rune += at[i].stride)
            regexp_class_add(c, rune, rune);
    }
}

bool regexp_class_add_unicode(struct regexp_class *c, struct str name, bool fold)
{
    enum special special = find_special(name);
    if (special == SPECIAL_ANY || special == SPECIAL_ASCII) {
        regexp_class_add(c, 0, special == SPECIAL_ANY ? UNICODE_MAX : 0x7F);
        if (fold)
            regexp_class_fold(c);
        return true;
    }
    const struct unicode_class *class =
        unicode_find(special == SPECIAL_ASSIGNED ? STR("Cn") : name, c->edition);
    if (class == NULL)
        return false;
    struct regexp_class set = {.arena = c->arena, .edition = c->edition};
    add_table(&set, unicode_ranges(class, c->edition), class->count);
    if (fold)
        add_table(&set, unicode_fold_ranges(class, c->edition), class->fold_count);
    if (special == SPECIAL_ASSIGNED)
        regexp_class_negate(&set);
    regexp_class_add_all(c, &set);
    return true;
}

/* ---- sets ---- */

static int by_start(const void *one, const void *two)
{
    const struct regexp_range *x = one, *y = two;
    return x->lo != y->lo ? (x->lo > y->lo) - (x->lo < y->lo) : (x->hi > y->hi) - (x->hi < y->hi);
}

void regexp_class_normalise(struct regexp_class *c)
{
    size_t count = 0;
    if (c->count < 2)
        return;
    arena_pay(c->arena, c->count);
    qsort(c->ranges, c->count, sizeof *c->ranges, by_start);
    for (size_t i = 1; i < c->count; i++) {
        struct regexp_range *last = &c->ranges[count];
        if (c->ranges[i].lo > last->hi + 1)
            c->ranges[++count] = c->ranges[i];
        else if (c->ranges[i].hi > last->hi)
            last->hi = c->ranges[i].hi;
    }
    c->count = count + 1;
}

void regexp_class_negate(struct regexp_class *c)
{
    struct regexp_class others = {.arena = c->arena, .edition = c->edition};
    int32_t next = 0;
    regexp_class_normalise(c);
    for (size_t i = 0; i < c->count; i++) {
        if (c->ranges[i].lo > next)
            regexp_class_add(&others, next, c->ranges[i].lo - 1);
        next = c->ranges[i].hi + 1;
    }
    if (next <= UNICODE_MAX)
        regexp_class_add(&others, next, UNICODE_MAX);
    *c = others;
}

/* Adds the other cases of those letters of a fold that the range has. */
static void add_cases(struct regexp_class *c, struct regexp_range range, const struct unicode_fold *fold)
{
    int32_t rune = fold->lo;
    if (range.lo > rune)
        rune += (range.lo - rune + fold->stride - 1) / fold->stride * fold->stride;
    arena_pay(c->arena, (uint64_t)(fold->hi - fold->lo) / ARENA_LOOKS_PER_STEP);
    for (; rune <= fold->hi && rune <= range.hi; rune += fold->stride) {
        for (int32_t other = rune + fold->delta; other != rune;
             other = unicode_simple_fold(other, c->edition)) {
            if (other < range.lo || other > range.hi)
                regexp_class_add(c, other, other);
        }
    }
}

void regexp_class_fold(struct regexp_class *c)
{
    size_t fold_count;
    const struct unicode_fold *folds = unicode_folds(c->edition, &fold_count);
    regexp_class_normalise(c);
    size_t count = c->count;
    for (size_t i = 0; i < count; i++) {
        struct regexp_range range = c->ranges[i];
        if (range.lo <= folds[0].lo && range.hi >= folds[fold_count - 1].hi) /* all letters that have cases */
            continue;
        arena_pay(c->arena, fold_count / ARENA_LOOKS_PER_STEP);
        for (size_t f = 0; f < fold_count && folds[f].lo <= range.hi; f++) {
            if (folds[f].hi >= range.lo)
                add_cases(c, range, &folds[f]);
        }
    }
    regexp_class_normalise(c);
}

bool regexp_class_has(const struct regexp_class *c, int32_t rune)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rune > c->ranges[middle].hi)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && rune >= c->ranges[low].lo;
}
