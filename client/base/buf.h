/*
 * buf: a byte buffer that grows up to a cap.
 *
 * Embedded by its owner. An append that does not fit under the cap sets is_full and
 * leaves the content as it was, and later appends do nothing. So a caller builds a
 * text first and checks once. data ends in a NUL that len does not count; before the
 * first append data is "".
 *
 *     struct buf b;
 *     buf_init(&b, 64 * 1024);
 *     buf_printf(&b, "%s=%d", key, value);
 *     if (b.is_full) ...
 *     buf_deinit(&b);
 */
#ifndef CLIENT_BASE_BUF_H
#define CLIENT_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
    char *data;
    size_t len;
    size_t room;      /* allocated bytes, the NUL included; 0: data is a static "" */
    size_t cap_bytes; /* len never exceeds it */
    bool is_full;     /* an append was refused */
};

#define cleanup_buf __attribute__((cleanup(buf_deinit)))

void buf_init(struct buf *b, size_t cap_bytes);
void buf_deinit(struct buf *b);

/* Forgets content and flag, keeps the memory. */
void buf_reset(struct buf *b);

/* Each returns 0, or -1 once the cap is reached (all or nothing). */
int buf_append(struct buf *b, const void *bytes, size_t len);
int buf_puts(struct buf *b, const char *text);
int buf_putc(struct buf *b, char c);
int buf_put_number(struct buf *b, int64_t number);
int buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends text as a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD. */
int buf_put_json(struct buf *b, const char *text, size_t len);

/* Moves the content out: the caller frees it with mem_free. b is empty afterwards. */
char *buf_take(struct buf *b, size_t *len);

#endif
