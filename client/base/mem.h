/*
 * mem: the only place (beside typecheck's arena) that asks for heap memory.
 *
 * Exhaustion ends the process with a line on stderr: a level-triggered
 * controller restarts safely, and no caller needs a path that is never tested.
 * Memory driven by input is capped by its owner (see buf.h), so it never gets here.
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

/* Frees; NULL is fine. */
void mem_free(void *p);

/* Gives free pages back to the system: after work that took much more than it left. */
void mem_trim(void);

/* Bytes of the heap that are in use; 0 where the C library cannot tell. */
size_t mem_in_use(void);

char *mem_strdup(const char *text) __attribute__((returns_nonnull));
/* NULL stays NULL. */
char *mem_strdup_or_null(const char *text);
/* Copies length bytes and ends them with a NUL. */
char *mem_strndup(const char *text, size_t length) __attribute__((returns_nonnull));
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2), returns_nonnull));
char *mem_vprintf(const char *fmt, va_list args) __attribute__((format(printf, 1, 0), returns_nonnull));

/* Overwrites a secret so that the compiler cannot leave the stores out. */
void mem_wipe(void *p, size_t bytes);

/* Overwrites a text and frees it. NULL is fine. */
void mem_free_secret(char *text);

/* For cleanup_mem; takes the address of the pointer. */
void mem_cleanup(void *pointer_to_pointer);

#endif
