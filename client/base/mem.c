#include "client/base/mem.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static void *or_die(void *p)
{
    if (!p) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return p;
}

/* Apart from its caller, which else is compiled to calloc again. */
static __attribute__((noinline)) void *allocate(size_t bytes)
{
    return or_die(malloc(bytes));
}

/* glibc has small pieces that were freed at hand for malloc, and not for calloc. */
void *mem_zalloc(size_t bytes)
{
    enum { SMALL_BYTES = 1024 };
    if (bytes > SMALL_BYTES)
        return or_die(calloc(1, bytes));
    void *p = allocate(bytes ? bytes : 1);
    memset(p, 0, bytes);
    return p;
}

void *mem_array(size_t count, size_t element_bytes)
{
    if (element_bytes && count > SIZE_MAX / element_bytes)
        or_die(NULL);
    return mem_zalloc(count * element_bytes);
}

void *mem_realloc(void *p, size_t count, size_t element_bytes)
{
    if (element_bytes && count > SIZE_MAX / element_bytes)
        or_die(NULL);
    const size_t bytes = count * element_bytes;
    return or_die(realloc(p, bytes ? bytes : 1));
}

void *mem_grow(void *p, size_t count, size_t element_bytes)
{
    const bool is_full = (count & (count - 1)) == 0;
    return is_full ? mem_realloc(p, count == 0 ? 1 : 2 * count, element_bytes) : or_die(p);
}

void mem_free(void *p)
{
    free(p);
}

void mem_free_const(const void *p)
{
    union {
        const void *shown;
        void *owned;
    } u = {.shown = p};
    free(u.owned);
}

void mem_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

size_t mem_in_use(void)
{
#ifdef __GLIBC__
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd; /* bytes of the heaps, and of blocks that are mapped by themselves */
#else
    return 0;
#endif
}

char *mem_strdup(const char *text)
{
    return mem_strndup(text, strlen(text));
}

char *mem_strdup_or_null(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

char *mem_strndup(const char *text, size_t length)
{
    char *copy = or_die(malloc(length + 1));
    if (length)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *mem_vprintf(const char *fmt, va_list args)
{
    char *text = NULL;
    const int length = vasprintf(&text, fmt, args);
    return or_die(length < 0 ? NULL : text);
}

char *mem_join(const char *const *parts, size_t count)
{
    size_t len = 0;
    for (size_t i = 0; i < count; i++)
        len += strlen(parts[i]);
    char *joined = mem_zalloc(len + 1), *end = joined;
    for (size_t i = 0; i < count; i++)
        end = stpcpy(end, parts[i]);
    return joined;
}

char *mem_printf(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = mem_vprintf(fmt, args);
    va_end(args);
    return text;
}

void mem_wipe(void *p, size_t bytes)
{
    if (p && bytes) {
        memset(p, 0, bytes);
        __asm__ volatile("" : : "r"(p) : "memory");
    }
}

void mem_free_secret(char *text)
{
    if (text)
        mem_wipe(text, strlen(text));
    free(text);
}

void mem_cleanup(void *pointer_to_pointer)
{
    void *p;
    memcpy(&p, pointer_to_pointer, sizeof p);
    free(p);
}
