#include "typecheck/base/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK_BYTES ((size_t)16 * 1024)
#define MAX_BLOCK_BYTES   ((size_t)1024 * 1024)

struct arena_block {
    struct arena_block *older;
    size_t size; /* of the whole block, this header included */
    _Alignas(max_align_t) char bytes[];
};

void arena_init(struct arena *a, size_t budget_bytes)
{
    memset(a, 0, sizeof *a);
    a->budget_bytes = budget_bytes;
    a->max_steps = UINT64_MAX;
}

void arena_init_part(struct arena *part, struct arena *whole)
{
    arena_init(part, 0);
    part->whole = arena_whole(whole);
}

static size_t held_bytes(const struct arena *a)
{
    size_t bytes = 0;
    for (const struct arena_block *b = a->blocks; b != NULL; b = b->older)
        bytes += b->size;
    return bytes;
}

void arena_leave(struct arena *part)
{
    size_t bytes = held_bytes(part);
    if (part->whole == NULL)
        return;
    free(part->spare);
    part->spare = NULL;
    part->whole->used_bytes -= bytes;
    part->whole = NULL;
    part->budget_bytes = part->used_bytes = part->peak_bytes = bytes;
}

void arena_deinit(struct arena *a)
{
    struct arena *whole = a->whole;
    arena_release(a, (struct arena_mark){NULL, NULL});
    free(a->spare);
    arena_init(a, a->budget_bytes);
    a->whole = whole;
}

_Noreturn void arena_fail(struct arena *a, enum arena_failure why)
{
    struct arena *whole = arena_whole(a);
    whole->failure = why;
    longjmp(whole->escape, 1);
}

/* The spare block if it has room, else a new one of `want` bytes, the header included; NULL: no memory. */
static struct arena_block *take_block(struct arena *a, size_t need, size_t want)
{
    struct arena *whole = arena_whole(a);
    struct arena_block *b = a->spare;
    a->spare = NULL;
    if (b != NULL && b->size >= need && b->size <= whole->budget_bytes - whole->used_bytes)
        return b;
    free(b);
    arena_pay_bytes(a, want); /* it is new to the processor */
    b = malloc(want);
    if (b != NULL)
        b->size = want;
    return b;
}

/* A block that has room for `size` bytes; blocks double so that small checks stay small. False: no memory. */
static bool add_block(struct arena *a, size_t size)
{
    struct arena *whole = arena_whole(a);
    size_t want = a->blocks == NULL ? FIRST_BLOCK_BYTES : 2 * a->blocks->size;
    if (want > MAX_BLOCK_BYTES)
        want = MAX_BLOCK_BYTES;
    size_t left = whole->budget_bytes - whole->used_bytes;
    if (want > left)
        want = left;
    if (size > left || left - size < sizeof(struct arena_block))
        return false;
    if (want < size + sizeof(struct arena_block))
        want = size + sizeof(struct arena_block);

    struct arena_block *b = take_block(a, size + sizeof(struct arena_block), want);
    if (b == NULL)
        return false;
    b->older = a->blocks;
    a->blocks = b;
    whole->used_bytes += b->size;
    if (whole->used_bytes > whole->peak_bytes)
        whole->peak_bytes = whole->used_bytes;
    a->next = b->bytes;
    a->end = (char *)b + b->size;
    return true;
}

/* The size rounded up to the alignment; near SIZE_MAX the largest multiple, which no budget has room for. */
static size_t align_up(size_t size)
{
    const size_t mask = ARENA_ALIGN - 1;
    return (size > SIZE_MAX - mask ? SIZE_MAX : size + mask) & ~mask;
}

/* The next `aligned` bytes, for which the newest block has room. */
static void *take(struct arena *a, size_t aligned)
{
    char *p = a->next;
    a->next += aligned;
    return memset(p, 0, aligned);
}

void *arena_alloc_block(struct arena *a, size_t size)
{
    size = align_up(size);
    if (!add_block(a, size))
        arena_fail(a, ARENA_BUDGET);
    return take(a, size);
}

void *arena_init_holder(struct arena *a, size_t budget_bytes, size_t size)
{
    arena_init(a, budget_bytes);
    size = align_up(size);
    return add_block(a, size) ? take(a, size) : NULL;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        arena_fail(a, ARENA_BUDGET);
    void *array = arena_alloc(a, count * size);
    arena_pay_bytes(a, count * size); /* once there is room: what has none costs nothing */
    return array;
}

void *arena_grow(struct arena *a, void *old, size_t old_count, size_t new_count, size_t size)
{
    size_t old_bytes = align_up(old_count * size);
    if (old != NULL && (char *)old + old_bytes == a->next && size != 0 && new_count <= SIZE_MAX / size) {
        size_t more = align_up(new_count * size) - old_bytes;
        if ((size_t)(a->end - a->next) >= more) {
            memset(a->next, 0, more);
            a->next += more;
            return old;
        }
    }
    void *grown = arena_array(a, new_count, size);
    arena_pay_bytes(a, old_count * size);
    if (old != NULL)
        memcpy(grown, old, old_count * size);
    return grown;
}

void *arena_room(struct arena *a, void *list, size_t *cap, size_t first, size_t size)
{
    const size_t more = *cap == 0 ? first : 2 * *cap;
    list = arena_grow(a, list, *cap, more, size);
    *cap = more;
    return list;
}

char *arena_copy(struct arena *a, const void *bytes, size_t len)
{
    if (len == SIZE_MAX)
        arena_fail(a, ARENA_BUDGET);
    arena_pay_bytes(a, len);
    char *copy = arena_alloc(a, len + 1);
    if (len != 0)
        memcpy(copy, bytes, len);
    return copy;
}

struct arena_mark arena_mark(const struct arena *a)
{
    return (struct arena_mark){a->blocks, a->next};
}

void arena_release(struct arena *a, struct arena_mark mark)
{
    struct arena *whole = arena_whole(a);
    while (a->blocks != mark.block) {
        struct arena_block *older = a->blocks->older;
        whole->used_bytes -= a->blocks->size;
        free(a->spare);
        a->spare = a->blocks;
        a->blocks = older;
    }
    a->next = mark.next;
    a->end = a->blocks == NULL ? NULL : (char *)a->blocks + a->blocks->size;
}

void arena_clear(struct arena *a)
{
    struct arena_block *oldest = a->blocks;
    if (oldest == NULL ||
        (oldest->older == NULL && oldest->size <= FIRST_BLOCK_BYTES && a->next == oldest->bytes))
        return; /* nothing was allocated since the last time, as in most parts of a check */
    while (oldest->older != NULL)
        oldest = oldest->older;
    if (oldest->size > FIRST_BLOCK_BYTES)
        arena_release(a, (struct arena_mark){NULL, NULL});
    else
        arena_release(a, (struct arena_mark){oldest, oldest->bytes});
}
