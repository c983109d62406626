#include "client/http/gunzip.h"

#include <string.h>

enum { GZIP_WINDOW_BITS = 15 + 16 }; /* zlib's way to say: the largest window, and gzip's head and tail */

void gunzip_init(struct gunzip *g)
{
    *g = (struct gunzip){0};
}

/* Between two members nothing is kept: a watch is silent most of the time. */
static void leave_member(struct gunzip *g)
{
    if (g->is_in_member)
        (void)inflateEnd(&g->stream);
    g->is_in_member = false;
    g->has_more = false;
}

void gunzip_deinit(struct gunzip *g)
{
    leave_member(g);
}

static int enter_member(struct gunzip *g, struct err *err)
{
    g->stream = (z_stream){0};
    if (inflateInit2(&g->stream, GZIP_WINDOW_BITS) != Z_OK)
        return err_set(err, ERR_INTERNAL, "zlib cannot be initialised");
    g->is_in_member = true;
    return 0;
}

static int check(struct gunzip *g, int result, struct err *err)
{
    switch (result) {
    case Z_OK:
    case Z_STREAM_END:
    case Z_BUF_ERROR: /* no progress without more input */
        return 0;
    case Z_MEM_ERROR:
        return err_set(err, ERR_INTERNAL, "no memory to inflate a gzip stream");
    default:
        return err_set(err, ERR_PROTOCOL, "malformed gzip: %s",
                       g->stream.msg ? g->stream.msg : "no deflated data");
    }
}

static int count_barren(struct gunzip *g, size_t taken, size_t made, struct err *err)
{
    g->barren_bytes = made ? 0 : g->barren_bytes + taken;
    if (g->barren_bytes <= GUNZIP_BARREN_CAP_BYTES)
        return 0;
    return err_set(err, ERR_LIMIT, "more than %d bytes of gzip that hold nothing", GUNZIP_BARREN_CAP_BYTES);
}

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Calls zlib once, and hands out the bytes that it made. */
static int inflate_block(struct gunzip *g, const char **bytes, size_t *len, size_t *work,
                         gunzip_on_bytes *on_bytes, void *user, struct err *err)
{
    unsigned char block[GUNZIP_BLOCK_BYTES];
    /* Input that makes nothing takes time, too: not more of it than a block costs. */
    const size_t offered = at_most(*len, GUNZIP_BLOCK_BYTES / GUNZIP_INPUT_COST);
    memcpy(&g->stream.next_in, bytes,
           sizeof g->stream.next_in); /* zlib only reads there, but says so to nobody */
    g->stream.avail_in = (unsigned)offered;
    g->stream.next_out = block;
    g->stream.avail_out = sizeof block;
    const int result = inflate(&g->stream, Z_NO_FLUSH);
    const size_t taken = offered - g->stream.avail_in;
    const size_t made = sizeof block - g->stream.avail_out;
    g->has_more = g->stream.avail_out == 0 && result == Z_OK;
    if (check(g, result, err) != 0 || count_barren(g, taken, made, err) != 0)
        return -1;
    if (result == Z_STREAM_END)
        leave_member(g);
    *bytes += taken;
    *len -= taken;
    *work -= at_most(*work, made + taken * GUNZIP_INPUT_COST);
    return made ? on_bytes(user, (const char *)block, made, err) : 0;
}

int gunzip_feed(struct gunzip *g, const char **bytes, size_t *len, size_t *work, gunzip_on_bytes *on_bytes,
                void *user, struct err *err)
{
    while (*work > 0 && (*len > 0 || g->has_more)) {
        if (!g->is_in_member && enter_member(g, err) != 0)
            return -1;
        if (inflate_block(g, bytes, len, work, on_bytes, user, err) != 0)
            return -1;
    }
    return 0;
}

bool gunzip_has_more(const struct gunzip *g)
{
    return g->has_more;
}

int gunzip_end(const struct gunzip *g, struct err *err)
{
    return g->is_in_member ? err_set(err, ERR_NETWORK, "the gzip stream ends within a member") : 0;
}
