#include "typecheck/cel/regexp/limits.h"

#include "typecheck/base/arena.h"

/* Go's limits. */
#define MAX_HEIGHT 1000
#define MAX_SIZE   ((128 << 20) / 40) /* instructions of 40 bytes in 128 MiB */
#define MAX_COPIES 1000

enum term_kind {
    TERM_LITERAL,
    TERM_CLASS,
    TERM_OTHER, /* assertions, captures, repetitions, the empty expression */
    TERM_CONCAT,
    TERM_ALTERNATE,
    TERM_PAREN, /* an open "(": not a tree yet, as the next */
    TERM_BAR,   /* stands above the alternatives before it */
};

struct regexp_term {
    uint8_t kind;  /* enum term_kind */
    bool fold;     /* LITERAL: matches in any case */
    uint8_t flags; /* PAREN: what to return to */
    bool captures;
    uint16_t count;  /* of a counted repetition; 1 for all others */
    uint16_t copies; /* largest product of counts on a path down */
    uint32_t runes;  /* LITERAL */
    uint32_t height;
    int64_t size; /* instructions when compiled */
};

void regexp_limits_init(struct regexp_limits *s, struct arena *a)
{
    *s = (struct regexp_limits){.arena = a, .repeats = 1};
}

static struct regexp_term *top(const struct regexp_limits *s)
{
    return &s->terms[s->count - 1];
}

static bool is_tree(const struct regexp_term *t)
{
    return t->kind < TERM_PAREN;
}

/* Matches exactly one character. */
static bool is_one(const struct regexp_term *t)
{
    return t->kind == TERM_CLASS || (t->kind == TERM_LITERAL && t->runes == 1);
}

/* Go counts the nodes it allocates to put off measuring; so the count must be Go's. */
static struct regexp_term new_term(struct regexp_limits *s, enum term_kind kind)
{
    if (s->spare_nodes > 0)
        s->spare_nodes--;
    else
        s->nodes++;
    return (struct regexp_term){
        .kind = (uint8_t)kind, .count = 1, .copies = 1, .runes = 1, .height = 1, .size = 1};
}

static void release_term(struct regexp_limits *s)
{
    s->spare_nodes++;
}

static void check_size(struct regexp_limits *s, struct regexp_term *t)
{
    if (!s->sized) {
        s->repeats = t->count > MAX_SIZE / s->repeats ? MAX_SIZE : s->repeats * t->count;
        if ((int64_t)s->nodes < MAX_SIZE / s->repeats)
            return;
        s->sized = true;
        for (size_t i = 0; i < s->count; i++)
            check_size(s, &s->terms[i]);
    }
    /* A literal that grows is measured again only when it is at the top. */
    if (t->kind == TERM_LITERAL)
        t->size = t->runes;
    if (t->size > MAX_SIZE && s->exceeded == NULL)
        s->exceeded = "expression too large";
}

static void check_limits(struct regexp_limits *s, struct regexp_term *t)
{
    check_size(s, t);
    if (s->nodes >= MAX_HEIGHT && t->height > MAX_HEIGHT && s->exceeded == NULL)
        s->exceeded = "expression nests too deeply";
}

/*
 * Two literals on top become one string. If `literal`, its character takes
 * the place of the upper one; returns whether it did.
 */
static bool join_literals(struct regexp_limits *s, const struct regexp_term *literal)
{
    if (s->count < 2)
        return false;
    struct regexp_term *upper = top(s), *lower = upper - 1;
    if (upper->kind != TERM_LITERAL || lower->kind != TERM_LITERAL || upper->fold != lower->fold)
        return false;
    lower->runes += upper->runes;
    if (!s->sized)
        lower->size = lower->runes;
    if (literal != NULL) {
        upper->runes = 1;
        upper->fold = literal->fold;
        if (!s->sized)
            upper->size = 1;
        return true;
    }
    s->count--;
    release_term(s);
    return false;
}

static void push(struct regexp_limits *s, struct regexp_term t)
{
    join_literals(s, NULL);
    ARENA_ROOM(s->arena, s->terms, s->count, s->cap, 16);
    s->terms[s->count++] = t;
    check_limits(s, top(s));
}

void regexp_limits_literal(struct regexp_limits *s, bool fold)
{
    struct regexp_term t = new_term(s, TERM_LITERAL);
    t.fold = fold;
    push(s, t);
}

void regexp_limits_class(struct regexp_limits *s, bool single)
{
    struct regexp_term t = new_term(s, single ? TERM_LITERAL : TERM_CLASS);
    if (!single || !join_literals(s, &t))
        push(s, t);
}

void regexp_limits_assertion(struct regexp_limits *s)
{
    push(s, new_term(s, TERM_OTHER));
}

void regexp_limits_open(struct regexp_limits *s, bool captures, uint8_t flags)
{
    struct regexp_term t = new_term(s, TERM_PAREN);
    t.captures = captures;
    t.flags = flags;
    push(s, t);
}

/* One term of `kind` from the terms at `first` and above, which are taken off. */
static struct regexp_term collapse(struct regexp_limits *s, size_t first, enum term_kind kind)
{
    size_t count = s->count - first;
    const struct regexp_term *subs = s->terms + first;
    s->count = first;
    if (count == 1)
        return subs[0];
    struct regexp_term t = new_term(s, kind);
    t.size = kind == TERM_ALTERNATE ? (int64_t)count - 1 : 0;
    for (size_t i = 0; i < count; i++) {
        /* A term of the same kind hands up its own terms. */
        bool same = subs[i].kind == kind;
        uint32_t height = same ? subs[i].height : subs[i].height + 1;
        if (same)
            release_term(s);
        t.size += subs[i].size;
        t.height = height > t.height ? height : t.height;
        t.copies = subs[i].copies > t.copies ? subs[i].copies : t.copies;
    }
    return t;
}

/* Makes one term of the terms above the newest "(" or "|". */
static void collapse_top(struct regexp_limits *s, enum term_kind kind)
{
    size_t first = s->count;
    while (first > 0 && is_tree(&s->terms[first - 1]))
        first--;
    push(s, first == s->count ? new_term(s, TERM_OTHER) : collapse(s, first, kind));
}

static void concatenate(struct regexp_limits *s)
{
    join_literals(s, NULL);
    collapse_top(s, TERM_CONCAT);
}

/* Moves the newest term below the bar under it, to the alternatives before. False if there is no bar. */
static bool move_below_bar(struct regexp_limits *s)
{
    if (s->count < 2 || s->terms[s->count - 2].kind != TERM_BAR)
        return false;
    struct regexp_term *t = top(s);
    if (s->count >= 3 && is_one(t) && is_one(t - 2)) {
        t[-2].kind = TERM_CLASS;
        release_term(s);
        s->count--;
        return true;
    }
    struct regexp_term bar = t[-1];
    t[-1] = *t;
    *t = bar;
    return true;
}

void regexp_limits_bar(struct regexp_limits *s)
{
    concatenate(s);
    if (!move_below_bar(s))
        push(s, new_term(s, TERM_BAR));
}

/* The alternatives above the newest "(" become one term. */
static void alternate(struct regexp_limits *s)
{
    concatenate(s);
    if (move_below_bar(s))
        s->count--;
    collapse_top(s, TERM_ALTERNATE);
}

bool regexp_limits_close(struct regexp_limits *s, uint8_t *flags)
{
    alternate(s);
    if (s->count < 2)
        return false;
    struct regexp_term inner = s->terms[s->count - 1], paren = s->terms[s->count - 2];
    s->count -= 2;
    *flags = paren.flags;
    if (paren.captures) {
        inner.kind = TERM_OTHER;
        inner.count = 1;
        inner.height++;
        inner.size += 2;
    }
    push(s, inner);
    return true;
}

bool regexp_limits_repeatable(const struct regexp_limits *s)
{
    return s->count > 0 && is_tree(top(s));
}

static int64_t repeated_size(int64_t size, enum regexp_repeat how, int min, int max)
{
    switch (how) {
    case REGEXP_STAR:
        return 2 + size;
    case REGEXP_PLUS:
    case REGEXP_QUEST:
        return 1 + size;
    case REGEXP_COUNT:
        break;
    }
    int64_t copies = max < 0 ? 1 + min * size : max * size + (max - min);
    if (max < 0 && min == 0)
        copies = 2 + size;
    return copies > 1 ? copies : 1;
}

bool regexp_limits_repeat(struct regexp_limits *s, enum regexp_repeat how, int min, int max)
{
    struct regexp_term t = new_term(s, TERM_OTHER);
    const struct regexp_term *sub = top(s);
    int count = how != REGEXP_COUNT ? 1 : max < 0 ? min : max;
    t.count = (uint16_t)(count > 1 ? count : 1);
    int copies = how == REGEXP_COUNT && max == 0 ? 1 : sub->copies * t.count;
    t.copies = (uint16_t)(copies > MAX_COPIES ? MAX_COPIES + 1 : copies);
    t.height = sub->height + 1;
    t.size = repeated_size(sub->size, how, min, max);
    *top(s) = t;
    check_limits(s, top(s));
    return how != REGEXP_COUNT || (min < 2 && max < 2) || t.copies <= MAX_COPIES;
}

bool regexp_limits_finish(struct regexp_limits *s)
{
    alternate(s);
    return s->count == 1;
}
