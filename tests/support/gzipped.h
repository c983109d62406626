/* gzipped: bytes as one gzip member, as a server makes one at each flush of a watch. Like the server's own it
 * is flushed before it ends: clients in Go hand out nothing of a last block until the next member begins. */
#ifndef SUPPORT_GZIPPED_H
#define SUPPORT_GZIPPED_H

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIPPED_FLUSH_BYTES = 64 }; /* more than the flush and the empty last block take */

/* The caller frees; NULL: zlib has no memory. */
static inline char *gzipped(const char *bytes, size_t len, size_t *out_len)
{
    z_stream z = {0};
    *out_len = 0;
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    const size_t room = deflateBound(&z, (uLong)len) + GZIPPED_FLUSH_BYTES;
    char *out = malloc(room);
    memcpy(&z.next_in, &bytes, sizeof z.next_in);
    z.avail_in = (unsigned)len;
    z.next_out = (unsigned char *)out;
    z.avail_out = (unsigned)room;
    if (out && deflate(&z, Z_SYNC_FLUSH) == Z_OK && deflate(&z, Z_FINISH) == Z_STREAM_END)
        *out_len = room - z.avail_out;
    deflateEnd(&z);
    return out;
}

#endif
