#include "client/base/buf.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"

enum { BUF_FIRST_BYTES = 256, BUF_SMALL_BYTES = 4096 };

/* The target of data while nothing is allocated. Nothing is ever written to it. */
static char empty[1];

void buf_init(struct buf *b, size_t cap_bytes)
{
    *b = (struct buf){.data = empty, .cap_bytes = cap_bytes};
}

void buf_deinit(struct buf *b)
{
    if (b->room)
        mem_free(b->data);
    buf_init(b, b->cap_bytes);
}

void buf_reset(struct buf *b)
{
    b->len = 0;
    b->is_full = false;
    if (b->room)
        b->data[0] = '\0';
}

/* Makes room for more bytes and a NUL, or sets the flag. */
static int reserve(struct buf *b, size_t more)
{
    if (b->is_full || more > b->cap_bytes - b->len) {
        b->is_full = true;
        return -1;
    }
    const size_t need = b->len + more + 1;
    if (need <= b->room)
        return 0;
    size_t room = b->room ? b->room : BUF_FIRST_BYTES;
    while (room < need)
        room *= room < BUF_SMALL_BYTES ? 4 : 2; /* most end small: few steps to there */
    if (room - 1 > b->cap_bytes)
        room = b->cap_bytes + 1;
    b->data = mem_realloc(b->room ? b->data : NULL, room, 1);
    b->room = room;
    return 0;
}

int buf_append(struct buf *b, const void *bytes, size_t len)
{
    if (reserve(b, len) != 0)
        return -1;
    if (len)
        memcpy(b->data + b->len, bytes, len);
    b->len += len;
    b->data[b->len] = '\0';
    return 0;
}

int buf_puts(struct buf *b, const char *text)
{
    return buf_append(b, text, strlen(text));
}

int buf_putc(struct buf *b, char c)
{
    if (b->len + 1 >= b->room || b->len >= b->cap_bytes || b->is_full)
        return buf_append(b, &c, 1);
    b->data[b->len++] = c;
    b->data[b->len] = '\0';
    return 0;
}

/* Written by hand, because printf takes a thousand instructions for it. */
int buf_put_number(struct buf *b, int64_t number)
{
    enum { MOST = 20 }; /* characters: a sign and digits */
    char text[MOST];
    size_t at = sizeof text;
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do {
        text[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (number < 0)
        text[--at] = '-';
    return buf_append(b, text + at, sizeof text - at);
}

int buf_printf(struct buf *b, const char *fmt, ...)
{
    char text[128]; /* enough for most, which are formatted once then */
    va_list args;
    va_start(args, fmt);
    const int length = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (length < 0 || reserve(b, (size_t)length) != 0)
        return -1;
    if ((size_t)length < sizeof text)
        return buf_append(b, text, (size_t)length);
    va_start(args, fmt);
    (void)vsnprintf(b->data + b->len, (size_t)length + 1, fmt, args);
    va_end(args);
    b->len += (size_t)length;
    return 0;
}

static void put_json_char(struct buf *b, const char *at, size_t n, uint32_t code)
{
    static const char special[] = "\"\\\n\r\t", letters[] = "\"\\nrt";
    const char *found = code && code < 0x7f ? strchr(special, (int)code) : NULL;
    if (found)
        (void)buf_append(b, (char[]){'\\', letters[found - special]}, 2);
    else if (code < 0x20 || code == 0x7f)
        (void)buf_printf(b, "\\u%04x", (unsigned)code);
    else if (code == UTF8_REPLACEMENT)
        (void)buf_puts(b, "\xef\xbf\xbd");
    else
        (void)buf_append(b, at, n);
}

/* Returns true if one of eight bytes does not stand for itself in a JSON string. */
static bool has_special(const char *bytes)
{
    const uint64_t ones = UINT64_MAX / UCHAR_MAX, highs = ones << 7;
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    const uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\', delete = word ^ ones * 0x7f;
    return (((quote - ones) | (backslash - ones) | (delete - ones) | (word - ones * ' ') | word) & highs) !=
           0;
}

/* Returns how many bytes from here on stand for themselves in a JSON string. */
static size_t plain_length(const char *text, size_t len)
{
    size_t n = 0;
    while (len - n >= sizeof(uint64_t) && !has_special(text + n))
        n += sizeof(uint64_t);
    while (n < len && text[n] >= ' ' && text[n] < 0x7f && text[n] != '"' && text[n] != '\\')
        n++;
    return n;
}

/* Writes a string that has nothing to escape, as most have not. Returns false if the buffer has no space for
 * it. */
static bool put_plain(struct buf *b, const char *text, size_t len)
{
    if (reserve(b, len + 2) != 0)
        return false;
    char *at = b->data + b->len;
    at[0] = at[len + 1] = '"';
    memcpy(at + 1, text, len);
    at[len + 2] = '\0';
    b->len += len + 2;
    return true;
}

int buf_put_json(struct buf *b, const char *text, size_t len)
{
    const size_t before = b->len;
    size_t plain = plain_length(text, len);
    if (plain == len && put_plain(b, text, len))
        return 0;
    (void)buf_putc(b, '"');
    for (size_t i = 0; i < len && !b->is_full;) {
        uint32_t code;
        (void)buf_append(b, text + i, plain);
        i += plain;
        if (i == len)
            break;
        const size_t n = utf8_next(text + i, len - i, &code);
        put_json_char(b, text + i, n, code);
        i += n;
        plain = plain_length(text + i, len - i);
    }
    if (buf_putc(b, '"') == 0)
        return 0;
    b->len = before;
    if (b->room)
        b->data[before] = '\0';
    return -1;
}

char *buf_take(struct buf *b, size_t *len)
{
    char *data = b->room ? b->data : mem_strdup("");
    if (len)
        *len = b->len;
    buf_init(b, b->cap_bytes);
    return data;
}
