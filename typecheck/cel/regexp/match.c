#include "typecheck/cel/regexp/match.h"

#include "bytes/utf8.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/regexp/regexp_program.h"
#include "typecheck/cel/regexp/tree.h"

enum { NO_RUNE = -1 };

struct thread {
    uint32_t inst;
    size_t from; /* the start of its match */
};

/* A set of instructions in the order of preference, with O(1) for "is it in?". */
struct threads {
    uint32_t *places; /* by instruction: its index below, if that is one */
    struct thread *list;
    size_t count;
};

struct machine {
    struct arena *arena;
    const struct regexp_program *program;
    struct str text;
    struct threads now, then;
    uint32_t *pending;     /* instructions to visit */
    size_t looks;          /* at instructions, since the last payment */
    int32_t before, after; /* the characters around the place that threads are added for */
    bool wants_any;        /* the first match that is found will do */
};

static struct threads new_threads(struct arena *a, size_t count)
{
    return (struct threads){ARENA_ARRAY(a, count, uint32_t), ARENA_ARRAY(a, count, struct thread), 0};
}

static bool is_word(int32_t rune)
{
    return rune == '_' || (rune >= '0' && rune <= '9') || (rune >= 'A' && rune <= 'Z') ||
           (rune >= 'a' && rune <= 'z');
}

/* The assertions that hold between two characters. */
static uint32_t assertions_between(int32_t before, int32_t after)
{
    uint32_t all = is_word(before) != is_word(after) ? REGEXP_WORD_BOUNDARY : REGEXP_NO_WORD_BOUNDARY;
    if (before == NO_RUNE)
        all |= REGEXP_BEGIN_TEXT | REGEXP_BEGIN_LINE;
    if (before == '\n')
        all |= REGEXP_BEGIN_LINE;
    if (after == NO_RUNE)
        all |= REGEXP_END_TEXT | REGEXP_END_LINE;
    if (after == '\n')
        all |= REGEXP_END_LINE;
    return all;
}

static inline int32_t rune_at(struct str text, size_t at, size_t *len)
{
    *len = at < text.len;
    if (at == text.len)
        return NO_RUNE;
    unsigned char c = (unsigned char)text.at[at];
    if (c < 0x80)
        return c;
    uint32_t code;
    *len = utf8_next(text.at + at, text.len - at, &code);
    return (int32_t)code;
}

static int32_t rune_before(struct str text, size_t at)
{
    size_t start = at;
    uint32_t code;
    if (at == 0)
        return NO_RUNE;
    /* a character has at most 4 bytes */
    for (start = at - 1; start > 0 && at - start < 4 && ((unsigned char)text.at[start] & 0xC0) == 0x80;)
        start--;
    size_t len = utf8_next(text.at + start, at - start, &code);
    return len == at - start ? (int32_t)code : UTF8_REPLACEMENT;
}

static bool is_in(const struct threads *t, uint32_t inst)
{
    uint32_t place = t->places[inst];
    return place < t->count && t->list[place].inst == inst;
}

/* Adds what is reached from the instruction without a character. */
static void add(struct machine *m, struct threads *t, uint32_t inst, size_t from)
{
    size_t pending = 0;
    m->pending[pending++] = inst;
    while (pending > 0) {
        inst = m->pending[--pending];
        m->looks++;
        if (is_in(t, inst))
            continue;
        t->places[inst] = (uint32_t)t->count;
        t->list[t->count++] = (struct thread){inst, from};
        const struct regexp_inst *x = &m->program->insts[inst];
        if (x->kind == REGEXP_INST_SPLIT) {
            m->pending[pending++] = x->other;
            m->pending[pending++] = x->out;
        } else if (x->kind == REGEXP_INST_ASSERT &&
                   (x->assertion & ~assertions_between(m->before, m->after)) == 0) {
            m->pending[pending++] = x->out;
        }
    }
}

static bool takes(const struct regexp_inst *x, int32_t rune)
{
    if (x->kind == REGEXP_INST_RUNE)
        return x->rune == rune;
    return x->kind == REGEXP_INST_CLASS && regexp_set_has(x->set, rune);
}

/* Each thread takes the character; true where one matches, which ends those that are less preferred. */
static bool step(struct machine *m, int32_t rune, size_t at, struct regexp_span *out)
{
    m->then.count = 0;
    arena_pay(m->arena, 1 + (m->now.count + m->looks) / ARENA_LOOKS_PER_STEP);
    m->looks = 0;
    for (size_t i = 0; i < m->now.count; i++) {
        struct thread thread = m->now.list[i];
        const struct regexp_inst *x = &m->program->insts[thread.inst];
        if (x->kind == REGEXP_INST_MATCH) {
            *out = (struct regexp_span){thread.from, at};
            return true;
        }
        if (takes(x, rune))
            add(m, &m->then, x->out, thread.from);
    }
    return false;
}

/* Moves *at to the earliest place where a match can begin; false if there is none. */
static bool skip(const struct machine *m, size_t *at)
{
    const struct regexp_inst *first = &m->program->insts[m->program->start];
    if (first->kind != REGEXP_INST_RUNE || first->rune >= 0x80 || *at == m->text.len)
        return true;
    const char *found = memchr(m->text.at + *at, first->rune, m->text.len - *at);
    arena_pay_bytes(m->arena, (found == NULL ? m->text.len : (size_t)(found - m->text.at)) - *at);
    *at = found == NULL ? m->text.len : (size_t)(found - m->text.at);
    return found != NULL;
}

static bool search(struct machine *m, size_t from, struct regexp_span *out)
{
    bool found = false;
    size_t at = from, len, next_len;
    m->now.count = 0;
    if (!skip(m, &at))
        return false;
    int32_t rune = rune_at(m->text, at, &len);
    m->before = rune_before(m->text, at);
    m->after = rune;
    for (;;) {
        bool can_begin = !found && (at == 0 || !m->program->begins_at_text);
        if (can_begin)
            add(m, &m->now, m->program->start, at);
        if (m->now.count == 0 && !can_begin)
            return found;
        int32_t next = rune_at(m->text, at + len, &next_len);
        m->before = rune;
        m->after = next;
        found = step(m, rune, at, out) || found;
        if (rune == NO_RUNE || (found && m->wants_any))
            return found;
        struct threads then = m->then;
        m->then = m->now;
        m->now = then;
        at += len;
        len = next_len;
        rune = next;
        if (m->now.count != 0 || found)
            continue;
        if (!skip(m, &at))
            return false;
        rune = rune_at(m->text, at, &len);
        m->before = rune_before(m->text, at);
        m->after = rune;
    }
}

static bool run(struct arena *a, const struct regexp_program *p, struct str text, size_t from, bool wants_any,
                struct regexp_span *out)
{
    struct arena_mark mark = arena_mark(a);
    struct machine m = {.arena = a, .program = p, .text = text, .wants_any = wants_any};
    arena_pay(a, p->count / ARENA_LOOKS_PER_STEP);
    m.now = new_threads(a, p->count);
    m.then = new_threads(a, p->count);
    m.pending = ARENA_ARRAY(a, 2 * p->count + 1, uint32_t);
    bool found = search(&m, from, out);
    arena_release(a, mark);
    return found;
}

bool regexp_match_any(struct arena *a, const struct regexp_program *p, struct str text)
{
    struct regexp_span unimportant;
    return run(a, p, text, 0, true, &unimportant);
}

bool regexp_match_find(struct arena *a, const struct regexp_program *p, struct str text, size_t from,
                       struct regexp_span *out)
{
    return run(a, p, text, from, false, out);
}

bool regexp_match_next(struct arena *a, const struct regexp_program *p, struct regexp_walk *walk,
                       struct regexp_span *out)
{
    while (walk->at <= walk->text.len) {
        size_t len;
        if (!regexp_match_find(a, p, walk->text, walk->at, out))
            break;
        bool is_accepted = true;
        if (out->to == walk->at) {
            is_accepted = walk->last_end != out->from + 1;
            (void)rune_at(walk->text, walk->at, &len);
            walk->at += len == 0 ? 1 : len;
        } else {
            walk->at = out->to;
        }
        walk->last_end = out->to + 1;
        if (is_accepted)
            return true;
    }
    walk->at = walk->text.len + 1;
    return false;
}
