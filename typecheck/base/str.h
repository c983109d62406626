/*
 * str: texts that need no NUL at their end, and a builder of texts in an arena.
 *
 * A struct str points to bytes that somebody else owns and keeps. A struct text
 * appends to a text in its arena. The result of text_str is valid until the
 * next append, and the last one lives as long as the arena.
 *
 *     struct text t = {.arena = a};
 *     text_add(&t, STR("undefined field '"));
 *     text_add(&t, field);
 *     text_addf(&t, "' (%d more)", more);
 */
#ifndef TYPECHECK_BASE_STR_H
#define TYPECHECK_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;

struct str {
    const char *at;
    size_t len;
};

/* The str of a string literal, and its parts for a static initialiser. */
#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
#define STR_INIT(literal)                                                                                    \
    {                                                                                                        \
        (literal), sizeof(literal) - 1                                                                       \
    }

/* The list and its length for functions that take several texts, as in str_join(a, STR_PARTS(STR("."),
 * name)). */
#define STR_PARTS(...)                                                                                       \
    (const struct str[]){__VA_ARGS__}, sizeof((const struct str[]){__VA_ARGS__}) / sizeof(struct str)

/* Two arguments of printf: "%.*s", STR_ARG(s). The length must fit an int. */
#define STR_ARG(s) (int)(s).len, (s).at

static inline struct str str_of(const char *nul_terminated)
{
    return (struct str){nul_terminated, strlen(nul_terminated)};
}
static inline bool str_eq(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || (a.at[0] == b.at[0] && memcmp(a.at, b.at, a.len) == 0));
}
static inline bool str_has_prefix(struct str s, struct str prefix)
{
    return s.len >= prefix.len && str_eq((struct str){s.at, prefix.len}, prefix);
}
/* The text without its first `n` <= s.len bytes. */
static inline struct str str_skip(struct str s, size_t n)
{
    return (struct str){s.at + n, s.len - n};
}
static inline bool str_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
/* The offset of the last byte c; SIZE_MAX: there is none. */
size_t str_find_last(struct str s, char c);
bool str_has_suffix(struct str s, struct str suffix);
/* Cuts *s at the first such byte: *before becomes the text before it, *s the text after it. Returns false if
 * there is none. */
bool str_cut(struct str *s, char at, struct str *before);
/* memcmp order, the shorter first: <0, 0, >0. */
int str_cmp(struct str a, struct str b);
uint32_t str_hash(struct str s);
/* A copy in the arena, followed by a NUL. */
struct str str_copy(struct arena *a, struct str s);
/* A copy of the parts, one after the other, followed by a NUL. */
struct str str_join(struct arena *a, const struct str *parts, size_t count);

struct text {
    struct arena *arena;
    char *at;
    size_t len, cap;
};

/* Makes room for `more` bytes and a NUL at the end; returns where they begin. */
char *text_grow(struct text *t, size_t more);
static inline char *text_reserve(struct text *t, size_t more)
{
    return more < t->cap - t->len ? t->at + t->len : text_grow(t, more);
}

void text_add(struct text *t, struct str s);
static inline void text_add_char(struct text *t, char c)
{
    *text_reserve(t, 1) = c;
    t->len++;
}
/* Appends the number in decimal. */
void text_add_int(struct text *t, int64_t value);
/* Appends the number in bytes of seven bits, the low ones first; the last byte is below 128. */
void text_add_packed(struct text *t, uint64_t number);
/* Appends as printf; formats must have no floating point. */
void text_addf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text so far, NUL-terminated. */
struct str text_str(struct text *t);
/* str_copy of a formatted text. */
struct str str_vformat(struct arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
struct str str_format(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
