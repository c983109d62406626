/*
 * rpcframe: cuts a stream of bytes into messages. A header with the Content-Length stands before each
 * message, as language servers read and write them (Language Server Protocol 3.17, "Base Protocol"). Pure.
 *
 *     rpcframe_init(&frames, RPCFRAME_MAX_BYTES);
 *     rpcframe_add(&frames, bytes, len);                    what was read
 *     while ((found = rpcframe_next(&frames, &body, &len)) == RPCFRAME_MESSAGE) take(body, len);
 *     rpcframe_deinit(&frames);
 */
#ifndef CLIENT_RPC_RPCFRAME_H
#define CLIENT_RPC_RPCFRAME_H

#include <stddef.h>

#include "client/base/buf.h"

enum {
    RPCFRAME_MAX_BYTES = 64 * 1024 * 1024,
    RPCFRAME_HEADER_CAP_BYTES = 4096,
};

enum rpcframe_found {
    RPCFRAME_NOTHING, /* no further message is complete yet */
    RPCFRAME_MESSAGE,
    RPCFRAME_TOO_LARGE, /* the message is larger than max_bytes: it is left out, the stream goes on */
    RPCFRAME_BROKEN,    /* this is no header: where the next message begins is unknown */
};

struct rpcframe {
    struct buf bytes;
    size_t at;       /* bytes before this were given out */
    size_t scanned;  /* bytes before this hold no end of a header */
    size_t body_len; /* of the message whose header was read */
    size_t skip;     /* bytes of a message that is left out, which have not arrived */
    size_t max_bytes;
    bool has_header, is_broken;
};

/* max_bytes: the limit of one message, without its header. */
void rpcframe_init(struct rpcframe *frames, size_t max_bytes);
void rpcframe_deinit(struct rpcframe *frames);

void rpcframe_add(struct rpcframe *frames, const char *bytes, size_t len);

/* *body is good until bytes are added. */
enum rpcframe_found rpcframe_next(struct rpcframe *frames, const char **body, size_t *len);

#endif
