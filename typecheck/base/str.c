#include "typecheck/base/str.h"

#include <stdio.h>
#include <string.h>

#include "bytes/hash.h"
#include "typecheck/base/arena.h"

/* The first capacity of a text, in bytes: few messages are longer. */
#define FIRST_CAP 128

size_t str_find_last(struct str s, char c)
{
    size_t at = s.len;
    while (at != 0 && s.at[at - 1] != c)
        at--;
    return at == 0 ? SIZE_MAX : at - 1;
}

bool str_has_suffix(struct str s, struct str suffix)
{
    return s.len >= suffix.len && str_eq((struct str){s.at + (s.len - suffix.len), suffix.len}, suffix);
}

bool str_cut(struct str *s, char at, struct str *before)
{
    const char *found = s->len == 0 ? NULL : memchr(s->at, at, s->len);
    *before = found == NULL ? *s : (struct str){s->at, (size_t)(found - s->at)};
    *s = str_skip(*s, found == NULL ? s->len : before->len + 1);
    return found != NULL;
}

int str_cmp(struct str a, struct str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter == 0 ? 0 : memcmp(a.at, b.at, shorter);
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

uint32_t str_hash(struct str s)
{
    const uint64_t hash = hash_text(s.at, s.len);
    return (uint32_t)(hash ^ hash >> 32);
}

struct str str_copy(struct arena *a, struct str s)
{
    return (struct str){arena_copy(a, s.at, s.len), s.len};
}

struct str str_join(struct arena *a, const struct str *parts, size_t count)
{
    size_t len = 0;
    for (size_t i = 0; i < count; i++)
        len += parts[i].len;
    arena_pay_bytes(a, len);
    char *at = arena_alloc(a, len + 1), *end = at;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].len != 0)
            memcpy(end, parts[i].at, parts[i].len);
        end += parts[i].len;
    }
    return (struct str){at, len};
}

char *text_grow(struct text *t, size_t more)
{
    if (more >= SIZE_MAX - t->len)
        arena_fail(t->arena, ARENA_BUDGET);
    size_t need = t->len + more + 1;
    size_t cap = need > SIZE_MAX / 2 ? need : need < FIRST_CAP / 2 ? FIRST_CAP : 2 * need;
    t->at = arena_grow(t->arena, t->at, t->cap, cap, 1);
    t->cap = cap;
    return t->at + t->len;
}

void text_add(struct text *t, struct str s)
{
    arena_pay_bytes(t->arena, s.len);
    char *end = text_reserve(t, s.len);
    if (s.len != 0)
        memcpy(end, s.at, s.len);
    t->len += s.len;
}

void text_add_packed(struct text *t, uint64_t number)
{
    for (; number >= 128; number /= 128)
        text_add_char(t, (char)(128 + number % 128));
    text_add_char(t, (char)number);
}

void text_add_int(struct text *t, int64_t value)
{
    char digits[20];
    size_t first = sizeof digits;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        digits[--first] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0)
        digits[--first] = '-';
    text_add(t, (struct str){digits + first, sizeof digits - first});
}

__attribute__((nonnull, format(printf, 2, 0))) static void add_formatted(struct text *t, const char *format,
                                                                         va_list args)
{
    enum { STEPS = 4 }; /* the cost of printf beside the bytes */
    arena_pay(t->arena, STEPS);
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len > 0) {
        arena_pay_bytes(t->arena, (size_t)len);
        char *end = text_reserve(t, (size_t)len);
        vsnprintf(end, (size_t)len + 1, format, again);
        t->len += (size_t)len;
    }
    va_end(again);
}

void text_addf(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_formatted(t, format, args);
    va_end(args);
}

struct str text_str(struct text *t)
{
    text_reserve(t, 0)[0] = '\0';
    return (struct str){t->at, t->len};
}

struct str str_vformat(struct arena *a, const char *format, va_list args)
{
    struct text t = {.arena = a};
    add_formatted(&t, format, args);
    return text_str(&t);
}

struct str str_format(struct arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str s = str_vformat(a, format, args);
    va_end(args);
    return s;
}
