/*
 * mem: allocates heap memory; apart from typecheck's arenas, nothing else does.
 *
 * No function here returns NULL. When memory is exhausted, the process prints a line to stderr and ends. A
 * controller can restart safely at any time, and so no caller needs a path for this case, which no test
 * could cover. If input decides how much memory is needed, the caller has a limit (see buf.h) that is
 * reached long before.
 *
 *     char *name = mem_strdup(text);        caller frees with mem_free
 *     cleanup_mem char *tmp = mem_printf("%s/%s", a, b);
 */
#ifndef CLIENT_BASE_MEM_H
#define CLIENT_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

/* A local that is freed when it goes out of scope. */
#define cleanup_mem __attribute__((cleanup(mem_cleanup)))

/* Zeroed memory. Never NULL. */
void *mem_zalloc(size_t bytes) __attribute__((malloc, returns_nonnull));

/* An array of count zeroed elements; an overflowing product ends the process. */
void *mem_array(size_t count, size_t element_bytes) __attribute__((malloc, returns_nonnull));

/* Grows or shrinks; p may be NULL; new bytes are not zeroed. Never NULL. */
void *mem_realloc(void *p, size_t count, size_t element_bytes) __attribute__((returns_nonnull));

/* Makes room for one more element. Use it alone for an array: it assumes that the array has room for the next
 * power of two from count on. */
void *mem_grow(void *p, size_t count, size_t element_bytes) __attribute__((returns_nonnull));

/* Frees; NULL is fine. */
void mem_free(void *p);

/* Frees what its owner made, and what is const for all others. */
void mem_free_const(const void *p);

/* Gives free pages back to the system. Use it at the end of work that needed much more memory than it left
 * in use. */
void mem_trim(void);

/* Bytes of the heap that are in use; 0 where the C library cannot tell. */
size_t mem_in_use(void);

char *mem_strdup(const char *text) __attribute__((returns_nonnull));
/* Copies the text; a copy of NULL is NULL. */
char *mem_strdup_or_null(const char *text);
/* Copies length bytes and ends them with a NUL. */
char *mem_strndup(const char *text, size_t length) __attribute__((returns_nonnull));
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2), returns_nonnull));
/* Joins the texts, for what is done thousands of times: mem_printf takes several times as long. */
char *mem_join(const char *const *parts, size_t count) __attribute__((returns_nonnull));
char *mem_vprintf(const char *fmt, va_list args) __attribute__((format(printf, 1, 0), returns_nonnull));

/* Overwrites a secret so that the compiler cannot leave the stores out. */
void mem_wipe(void *p, size_t bytes);

/* Overwrites a text and frees it. NULL is fine. */
void mem_free_secret(char *text);

/* The function behind cleanup_mem; it takes the address of the pointer. */
void mem_cleanup(void *pointer_to_pointer);

#endif
