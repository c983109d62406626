#include "client/base/pool.h"

#include <stdalign.h>
#include <string.h>

#include "client/base/mem.h"

struct pool_block {
    struct pool_block *next;
    alignas(max_align_t) char bytes[];
};

enum { ALIGNMENT = alignof(max_align_t), FIRST_BYTES = 4096, LARGE_BYTES = 256 * 1024 };

/* The free rest of the previous block is lost. Blocks double: a small document needs little. */
static void add_block(struct pool *p, size_t bytes)
{
    const size_t before = p->blocks == NULL ? 0 : (size_t)(p->end - p->blocks->bytes);
    size_t size = before == 0 ? FIRST_BYTES : 2 * before;
    size = size < LARGE_BYTES ? size : LARGE_BYTES;
    size = size < bytes ? bytes : size;
    struct pool_block *b = mem_realloc(NULL, sizeof *b + size, 1);
    b->next = p->blocks;
    p->blocks = b;
    p->at = b->bytes;
    p->end = b->bytes + size;
}

void *pool_alloc(struct pool *p, size_t bytes)
{
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if ((size_t)(p->end - p->at) < rounded)
        add_block(p, rounded);
    void *out = p->at;
    p->at += rounded;
    return memset(out, 0, rounded);
}

char *pool_strndup(struct pool *p, const char *text, size_t len)
{
    char *copy = pool_alloc(p, len + 1);
    if (len > 0)
        memcpy(copy, text, len);
    return copy;
}

void pool_release(struct pool *p, struct pool mark)
{
    while (p->blocks != mark.blocks) {
        struct pool_block *b = p->blocks;
        p->blocks = b->next;
        mem_free(b);
    }
    *p = mark;
}

void pool_deinit(struct pool *p)
{
    pool_release(p, (struct pool){0});
}
