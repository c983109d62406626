#include "client/base/deflated.h"

#include <string.h>
#define ZLIB_CONST /* what zlib only reads is const */
#include <zlib.h>

#include "client/base/mem.h"

/* The parameters of zlib: no header, and little memory, because most texts are short. Of a sample, only the
 * last 2^WINDOW_BITS bytes are of use. */
enum { LEVEL = 1, WINDOW_BITS = 13, MEMORY_LEVEL = 5 };

static void *allocate(void *unused, uInt count, uInt bytes)
{
    (void)unused;
    return mem_array(count, bytes);
}

static void release(void *unused, void *p)
{
    (void)unused;
    mem_free(p);
}

static const Bytef *bytes_of(const char *text)
{
    return (const Bytef *)text;
}

int deflated_put(struct buf *out, const char *text, size_t len, const char *sample)
{
    z_stream z = {.zalloc = allocate, .zfree = release};
    const size_t left = out->cap_bytes - out->len, room = left < len ? left : len - 1;
    if (len == 0 || len > UINT32_MAX || room == 0 ||
        deflateInit2(&z, LEVEL, Z_DEFLATED, -WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return -1;
    if (sample != NULL)
        (void)deflateSetDictionary(&z, bytes_of(sample), (uInt)strlen(sample));
    cleanup_mem char *made = mem_zalloc(room);
    z.next_in = bytes_of(text);
    z.avail_in = (uInt)len;
    z.next_out = (Bytef *)made;
    z.avail_out = (uInt)room;
    const int result = deflate(&z, Z_FINISH);
    (void)deflateEnd(&z);
    return result == Z_STREAM_END ? buf_append(out, made, room - z.avail_out) : -1;
}

char *deflated_text(const char *bytes, size_t len, size_t text_len, const char *sample)
{
    z_stream z = {.zalloc = allocate, .zfree = release};
    char *text = mem_zalloc(text_len + 1);
    if (inflateInit2(&z, -WINDOW_BITS) != Z_OK)
        return text;
    if (sample != NULL)
        (void)inflateSetDictionary(&z, bytes_of(sample), (uInt)strlen(sample));
    z.next_in = bytes_of(bytes);
    z.avail_in = (uInt)len;
    z.next_out = (Bytef *)text;
    z.avail_out = (uInt)text_len;
    (void)inflate(&z, Z_FINISH);
    (void)inflateEnd(&z);
    return text;
}
