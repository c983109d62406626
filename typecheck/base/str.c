#include "typecheck/base/str.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "typecheck/base/arena.h"

/* Of a text: few messages are longer. */
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

int str_cmp(struct str a, struct str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter == 0 ? 0 : memcmp(a.at, b.at, shorter);
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* SipHash-1-3 with a key of the process: nobody can prepare names that all fall into one slot. */
static uint64_t process_key[2];

__attribute__((constructor)) static void draw_key(void)
{
    if (getentropy(process_key, sizeof process_key) != 0) {
        process_key[0] = (uintptr_t)process_key;
        process_key[1] = (uintptr_t)__builtin_frame_address(0);
    }
}

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

/* Inline in every build: the four words stay in registers. */
static inline __attribute__((always_inline)) void mix(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

uint32_t str_hash(struct str s)
{
    enum { WORD = 8, LAST_ROUNDS = 3 };
    uint64_t v[4] = {process_key[0] ^ 0x736f6d6570736575u, process_key[1] ^ 0x646f72616e646f6du,
                     process_key[0] ^ 0x6c7967656e657261u, process_key[1] ^ 0x7465646279746573u};
    const size_t whole = s.len - s.len % WORD;
    for (size_t at = 0; at <= whole; at += WORD) {
        uint64_t word = at < whole ? 0 : (uint64_t)s.len << 56;
        if (at < s.len)
            memcpy(&word, s.at + at, at < whole ? WORD : s.len - whole);
        v[3] ^= word;
        mix(v);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    for (int i = 0; i < LAST_ROUNDS; i++)
        mix(v);
    const uint64_t hash = v[0] ^ v[1] ^ v[2] ^ v[3];
    return (uint32_t)(hash ^ hash >> 32);
}

size_t str_utf8_len(const char *at, size_t room)
{
    const unsigned char *s = (const unsigned char *)at;
    size_t len = s[0] < 0x80 ? 1 : s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    unsigned char low = 0x80, high = 0xBF; /* what the second byte may be */
    if ((len > 1 && s[0] < 0xC2) || s[0] > 0xF4 || room < len)
        return 0;
    if (s[0] == 0xE0)
        low = 0xA0;
    else if (s[0] == 0xED)
        high = 0x9F;
    else if (s[0] == 0xF0)
        low = 0x90;
    else if (s[0] == 0xF4)
        high = 0x8F;
    if (len > 1 && (s[1] < low || s[1] > high))
        return 0;
    for (size_t i = 2; i < len; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    }
    return len;
}

size_t str_put_utf8(char *out, uint32_t code_point)
{
    size_t len = code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--, code_point >>= 6)
        out[i] = (char)(0x80 | (code_point & 0x3F));
    out[0] = (char)(len == 1 ? code_point : (0xF00 >> len) | code_point);
    return len;
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
