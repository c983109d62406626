/*
 * arena: the memory of one check, with a budget of bytes and a budget of work.
 *
 * Everything that is allocated during the check of one policy lies in one arena,
 * and is freed with it. arena_alloc never returns NULL. When the budget or the machine has no
 * more memory, the arena stores the reason in `failure`, where it stays, and jumps
 * to the place that its owner prepared with setjmp. Nothing is lost by the jump,
 * because in this library only arenas own memory.
 *
 *     struct arena a;
 *     arena_init(&a, budget_bytes);
 *     if (setjmp(a.escape) == 0)      // before the first allocation
 *         work(&a);
 *     else                            // a.failure says why
 *         report_limit(a.failure);
 *     arena_deinit(&a);
 *
 * An arena also counts work, in steps. A loop whose length the input decides pays
 * one step for each turn, and one step for ARENA_STEP_BYTES bytes that it compares,
 * copies or searches.
 */
#ifndef TYPECHECK_BASE_ARENA_H
#define TYPECHECK_BASE_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum arena_failure {
    ARENA_OK,
    ARENA_BUDGET, /* the byte budget is used up, or malloc failed */
    ARENA_STEPS,  /* more steps were paid than allowed */
    ARENA_LATER,  /* set by the owner: something else must be done first */
};

struct arena_block;

#define ARENA_ALIGN _Alignof(max_align_t)

/* Bytes that are compared, copied, zeroed or searched for one step. */
#define ARENA_STEP_BYTES 64u
/* Comparisons of two small values for one step; bytes that are hashed for one step. */
#define ARENA_LOOKS_PER_STEP  8u
#define ARENA_HASHED_PER_STEP 8u

struct arena {
    struct arena_block *blocks; /* newest first */
    char *next, *end;           /* free space of the newest block */
    struct arena_block *spare;  /* released last, kept for the next need; counts as free. NULL: none */
    struct arena *whole; /* of arena_init_part: the fields below are used in that arena; NULL: in this one */
    size_t budget_bytes; /* the limit of all blocks together */
    size_t used_bytes;   /* all blocks together */
    size_t peak_bytes;   /* the most that used_bytes ever was */
    uint64_t steps, max_steps; /* UINT64_MAX: no limit */
    enum arena_failure failure;
    jmp_buf escape;
};

/* An empty arena. Allocates nothing; max_steps starts as no limit. */
void arena_init(struct arena *a, size_t budget_bytes);

/*
 * An empty arena that is a part of another: what it allocates and the steps
 * that it pays count there, and it jumps to the escape there. The whole must
 * not move until its parts are deinitialised or left.
 */
void arena_init_part(struct arena *part, struct arena *whole);
/* From now on the part is an independent arena, whose budget is the memory that it holds. */
void arena_leave(struct arena *part);

/*
 * Initialises `a` and allocates `size` bytes in it, for a structure that holds its own arena; NULL when there
 * is no memory. The caller may then move `a` into these bytes.
 */
void *arena_init_holder(struct arena *a, size_t budget_bytes, size_t size);

/* Frees every block; `a` may be initialised again. */
void arena_deinit(struct arena *a);

/* arena_alloc when the newest block has no room. */
void *arena_alloc_block(struct arena *a, size_t size);

/* `size` zeroed bytes, aligned for any type. Jumps to `escape` when there are none. */
static inline void *arena_alloc(struct arena *a, size_t size)
{
    size_t aligned = (size + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
    if (a->next == NULL || aligned > (size_t)(a->end - a->next) || aligned < size)
        return arena_alloc_block(a, size);
    void *p = a->next;
    a->next += aligned;
    return memset(p, 0, aligned);
}

/* An array of `count` zeroed elements; guards the multiplication. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* `old` (of old_count elements, from this arena) grown to new_count: same place if it is the newest. */
void *arena_grow(struct arena *a, void *old, size_t old_count, size_t new_count, size_t size);

/* Makes room for one more element, for ARENA_ROOM: *cap, 0 at first, becomes `first` and doubles then. */
void *arena_room(struct arena *a, void *list, size_t *cap, size_t first, size_t size);

/* A copy of `len` bytes with a final NUL. */
char *arena_copy(struct arena *a, const void *bytes, size_t len);

/* A place to return to: arena_release frees everything that was allocated since. */
struct arena_mark {
    struct arena_block *block;
    char *next;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_release(struct arena *a, struct arena_mark mark);

/* Frees everything that was allocated, but keeps a small block for the next allocations. */
void arena_clear(struct arena *a);

/* Remembers `why` and jumps to `escape`. */
_Noreturn void arena_fail(struct arena *a, enum arena_failure why);

/* The arena that the memory and the steps count in: that of which it is a part, or itself. */
static inline struct arena *arena_whole(struct arena *a)
{
    return a->whole != NULL ? a->whole : a;
}

/* Counts steps of work; jumps to `escape` past max_steps. */
static inline void arena_pay(struct arena *a, uint64_t steps)
{
    struct arena *payer = arena_whole(a);
    payer->steps += steps;
    if (payer->steps > payer->max_steps)
        arena_fail(payer, ARENA_STEPS);
}
/* The steps that were paid so far. */
static inline uint64_t arena_steps(const struct arena *a)
{
    return a->whole != NULL ? a->whole->steps : a->steps;
}
/*
 * Work that was paid for already is done again between the two: it costs nothing, and does not reach the
 * limit of steps, as long as it has less than ARENA_FREE_STEPS.
 *
 *     const uint64_t paid = arena_begin_free(a);
 *     ...
 *     arena_end_free(a, paid);
 */
#define ARENA_FREE_STEPS 100000u
static inline uint64_t arena_begin_free(struct arena *a)
{
    struct arena *payer = arena_whole(a);
    const uint64_t paid = payer->steps;
    payer->steps = paid > ARENA_FREE_STEPS ? paid - ARENA_FREE_STEPS : 0;
    return paid;
}
static inline void arena_end_free(struct arena *a, uint64_t paid)
{
    arena_whole(a)->steps = paid;
}
static inline void arena_step(struct arena *a)
{
    arena_pay(a, 1);
}
/* Pays for bytes that are compared, copied or searched. */
static inline void arena_pay_bytes(struct arena *a, size_t bytes)
{
    arena_pay(a, bytes / ARENA_STEP_BYTES);
}
/* Pays for a name that is hashed and looked up. Probes are free, since hashes differ from run to run, but
 * steps must not. */
static inline void arena_pay_hash(struct arena *a, size_t name_bytes)
{
    arena_pay(a, 1 + name_bytes / ARENA_HASHED_PER_STEP);
}

#define ARENA_NEW(a, type)          ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, count, type) ((type *)arena_array((a), (count), sizeof(type)))
#define ARENA_ROOM(a, list, count, cap, first)                                                               \
    ((list) = (count) < (cap) ? (list) : arena_room((a), (list), &(cap), (first), sizeof *(list)))

#endif
