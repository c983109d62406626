#include "typecheck/cel/regexp/regexp_program.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/regexp/tree.h"

enum { FIRST_INSTS = 32 };

struct compiler {
    struct arena *arena;
    struct regexp_program *out;
};

static uint32_t emit(struct compiler *c, struct regexp_inst inst)
{
    struct regexp_program *p = c->out;
    arena_step(c->arena);
    ARENA_ROOM(c->arena, p->insts, p->count, p->cap, FIRST_INSTS);
    p->insts[p->count] = inst;
    return (uint32_t)p->count++;
}

static uint32_t new_split(struct compiler *c)
{
    return emit(c, (struct regexp_inst){.kind = REGEXP_INST_SPLIT});
}

/* `first` is where the repeated part begins, `next` what comes behind all. */
static void set_split(struct compiler *c, uint32_t split, uint32_t first, uint32_t next, bool is_lazy)
{
    c->out->insts[split].out = is_lazy ? next : first;
    c->out->insts[split].other = is_lazy ? first : next;
}

static const struct regexp_set *new_set(struct compiler *c, const struct regexp_class *class)
{
    struct regexp_set *s = ARENA_NEW(c->arena, struct regexp_set);
    s->class = *class;
    for (size_t i = 0; i < class->count && class->ranges[i].lo < 0x80; i++) {
        for (int32_t rune = class->ranges[i].lo; rune <= class->ranges[i].hi && rune < 0x80; rune++)
            s->ascii[rune >> 6] |= (uint64_t)1 << (rune & 63);
    }
    return s;
}

/* Compiles the node so that `next` comes behind it. Returns where it begins. */
static uint32_t compile(struct compiler *c, const struct regexp_node *n, uint32_t next);

static uint32_t compile_quest(struct compiler *c, const struct regexp_node *n, uint32_t inner, uint32_t next)
{
    uint32_t split = new_split(c), body = compile(c, n->first, inner);
    set_split(c, split, body, next, n->is_lazy);
    return split;
}

static uint32_t compile_plus(struct compiler *c, const struct regexp_node *n, uint32_t next)
{
    uint32_t split = new_split(c), body = compile(c, n->first, split);
    set_split(c, split, body, next, n->is_lazy);
    return body;
}

/* Compiles x*. If x can match nothing, that is (x+)?, which keeps the order of preference. */
static uint32_t compile_star(struct compiler *c, const struct regexp_node *n, uint32_t next)
{
    uint32_t split = new_split(c);
    uint32_t body = n->first->is_nullable ? compile_plus(c, n, next) : compile(c, n->first, split);
    set_split(c, split, body, next, n->is_lazy);
    return split;
}

/* x{2,} is xx+, x{2,4} is xx(x(x)?)? */
static uint32_t compile_repeat(struct compiler *c, const struct regexp_node *n, uint32_t next)
{
    uint32_t at = next;
    int copies = n->min;
    if (n->max < 0 && n->min == 0)
        return compile_star(c, n, next);
    if (n->max < 0) {
        at = compile_plus(c, n, next);
        copies--;
    }
    for (int i = n->min; i < n->max; i++)
        at = compile_quest(c, n, at, next);
    for (int i = 0; i < copies; i++)
        at = compile(c, n->first, at);
    return at;
}

/* The last part first, since each has to know what comes behind it. */
static uint32_t compile_concat(struct compiler *c, const struct regexp_node *n, uint32_t next)
{
    size_t count = 0;
    for (const struct regexp_node *part = n->first; part != NULL; part = part->next)
        count++;
    const struct regexp_node **parts = ARENA_ARRAY(c->arena, count, const struct regexp_node *);
    count = 0;
    for (const struct regexp_node *part = n->first; part != NULL; part = part->next)
        parts[count++] = part;
    while (count-- > 0)
        next = compile(c, parts[count], next);
    return next;
}

static uint32_t compile_alternate(struct compiler *c, const struct regexp_node *n, uint32_t next)
{
    uint32_t start = UINT32_MAX, last = UINT32_MAX;
    for (const struct regexp_node *part = n->first; part != NULL; part = part->next) {
        uint32_t split = part->next == NULL ? UINT32_MAX : new_split(c);
        uint32_t body = compile(c, part, next), at = split == UINT32_MAX ? body : split;
        if (split != UINT32_MAX)
            c->out->insts[split].out = body;
        if (last == UINT32_MAX)
            start = at;
        else
            c->out->insts[last].other = at;
        last = split;
    }
    return start;
}

static uint32_t compile(struct compiler *c, const struct regexp_node *n, uint32_t next)
{
    struct regexp_inst inst = {.out = next};
    switch (n->op) {
    case REGEXP_EMPTY:
        return next;
    case REGEXP_RUNE:
        inst.kind = REGEXP_INST_RUNE;
        inst.rune = n->rune;
        return emit(c, inst);
    case REGEXP_CLASS:
        inst.kind = REGEXP_INST_CLASS;
        inst.set = new_set(c, &n->set);
        return emit(c, inst);
    case REGEXP_ASSERTION:
        inst.kind = REGEXP_INST_ASSERT;
        inst.assertion = n->assertion;
        return emit(c, inst);
    case REGEXP_REPEAT:
        return compile_repeat(c, n, next);
    case REGEXP_CONCAT:
        return compile_concat(c, n, next);
    case REGEXP_ALTERNATE:
        return compile_alternate(c, n, next);
    }
    return next;
}

struct regexp_program *regexp_program_make(struct arena *a, const struct regexp_node *tree)
{
    struct compiler c = {.arena = a, .out = ARENA_NEW(a, struct regexp_program)};
    uint32_t match = emit(&c, (struct regexp_inst){.kind = REGEXP_INST_MATCH});
    c.out->start = compile(&c, tree, match);
    const struct regexp_inst *first = &c.out->insts[c.out->start];
    c.out->begins_at_text = first->kind == REGEXP_INST_ASSERT && (first->assertion & REGEXP_BEGIN_TEXT) != 0;
    return c.out;
}
