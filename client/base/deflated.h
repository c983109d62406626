/*
 * deflated: texts that take less memory while nobody reads them (RFC 1951, by zlib). Pure.
 *
 * A text is given to zlib as a whole, in one call; callers have a bound for its length. Texts that are like
 * the sample take a fraction of the memory. The same sample must be given when the text is read again.
 *
 *     cleanup_buf struct buf packed;
 *     buf_init(&packed, len);
 *     if (deflated_put(&packed, text, len, sample) == 0) ...
 *     char *text = deflated_text(packed.data, packed.len, len, sample);
 */
#ifndef CLIENT_BASE_DEFLATED_H
#define CLIENT_BASE_DEFLATED_H

#include <stddef.h>

#include "client/base/buf.h"

/* Appends the deflated text. Returns -1, and appends nothing, if it is not shorter than the text or does not
 * fit under the cap. sample: NULL if there is none. */
int deflated_put(struct buf *out, const char *text, size_t len, const char *sample);

/* The text, which has text_len bytes, and a NUL behind them; the caller frees it (mem_free). */
char *deflated_text(const char *bytes, size_t len, size_t text_len, const char *sample);

#endif
