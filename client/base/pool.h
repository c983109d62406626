/*
 * pool: memory for many small things that are freed together. Each costs a few bytes of a large block, not an
 * allocation of its own.
 *
 *     struct pool p = {0};
 *     struct node *n = pool_alloc(&p, sizeof *n);
 *     pool_deinit(&p);
 */
#ifndef CLIENT_BASE_POOL_H
#define CLIENT_BASE_POOL_H

#include <stddef.h>

struct pool_block;

struct pool {
    struct pool_block *blocks; /* the last one first */
    char *at, *end;            /* the free rest of the last one */
};

/* Zeroed, and aligned for any type. The pool owns it. */
void *pool_alloc(struct pool *p, size_t bytes) __attribute__((returns_nonnull));
/* A copy of the bytes that ends with a NUL. The pool owns it. */
char *pool_strndup(struct pool *p, const char *text, size_t len) __attribute__((returns_nonnull));
/* The end of what was allocated so far. */
static inline struct pool pool_mark(const struct pool *p)
{
    return *p;
}
/* Frees what was allocated after the mark. */
void pool_release(struct pool *p, struct pool mark);
/* Frees all of it. The pool is empty afterwards. */
void pool_deinit(struct pool *p);

#endif
