/*
 * h2peer: the frames of HTTP/2 that a test's server needs to say goodbye (RFC 9113).
 *
 * It answers without reading what it is asked: one answer fits all. Scripts for tlspeer.h, whose
 * protocol must be "h2".
 */
#ifndef TESTS_UNIT_CLIENT_H2PEER_H
#define TESTS_UNIT_CLIENT_H2PEER_H

#include <stdint.h>

#include "tests/unit/client/tlspeer.h"

enum { H2PEER_DATA = 0, H2PEER_HEADERS = 1, H2PEER_RST_STREAM = 3, H2PEER_SETTINGS = 4, H2PEER_GOAWAY = 7 };
enum { H2PEER_ACK = 1, H2PEER_END_STREAM = 1, H2PEER_END_HEADERS = 4 };

static inline bool h2peer_read(SSL *ssl, void *out, size_t len)
{
    char *at = out;
    while (len > 0) {
        const int n = SSL_read(ssl, at, (int)len);
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static inline void h2peer_write(SSL *ssl, int type, int flags, uint32_t stream, const void *payload,
                                uint8_t len)
{
    unsigned char frame[9 + 255] = {0, 0, len, (unsigned char)type, (unsigned char)flags};
    for (int i = 0; i < 4; i++)
        frame[5 + i] = (unsigned char)(stream >> (24 - 8 * i));
    if (len)
        memcpy(frame + 9, payload, len);
    SSL_write(ssl, frame, 9 + len);
}

/* The head of a frame, whose payload is skipped. False at the connection's end. */
static inline bool h2peer_next(SSL *ssl, int *type, int *flags, uint32_t *stream)
{
    unsigned char head[9];
    char payload[65536];
    if (!h2peer_read(ssl, head, sizeof head))
        return false;
    *type = head[3];
    *flags = head[4];
    *stream = (uint32_t)head[5] << 24 | (uint32_t)head[6] << 16 | (uint32_t)head[7] << 8 | head[8];
    return h2peer_read(ssl, payload, (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2]);
}

/* Waits for a request's head, or (is_whole) for its end; returns its stream; 0: the connection ended. */
static inline uint32_t h2peer_request(SSL *ssl, bool is_whole)
{
    int type = -1;
    int flags;
    uint32_t stream;
    while (h2peer_next(ssl, &type, &flags, &stream)) {
        if (type == H2PEER_SETTINGS && !(flags & H2PEER_ACK))
            h2peer_write(ssl, H2PEER_SETTINGS, H2PEER_ACK, 0, NULL, 0);
        const bool is_request = type == H2PEER_HEADERS || type == H2PEER_DATA;
        if (is_request && (!is_whole || flags & H2PEER_END_STREAM))
            return stream;
    }
    return 0;
}

static inline bool h2peer_greet(SSL *ssl)
{
    char preface[24];
    if (!h2peer_read(ssl, preface, sizeof preface))
        return false;
    h2peer_write(ssl, H2PEER_SETTINGS, 0, 0, NULL, 0);
    return true;
}

/* Indices of HPACK's static table. */
#define H2PEER_200 "\x88"
#define H2PEER_404 "\x8d"

static inline void h2peer_answer(SSL *ssl, uint32_t stream, const char *status, const char *body)
{
    h2peer_write(ssl, H2PEER_HEADERS, H2PEER_END_HEADERS, stream, status, 1);
    h2peer_write(ssl, H2PEER_DATA, H2PEER_END_STREAM, stream, body, (uint8_t)strlen(body));
}

/* No error; streams above last were not looked at. */
static inline void h2peer_goaway(SSL *ssl, uint32_t last)
{
    const unsigned char payload[8] = {(unsigned char)(last >> 24), (unsigned char)(last >> 16),
                                      (unsigned char)(last >> 8), (unsigned char)last};
    h2peer_write(ssl, H2PEER_GOAWAY, 0, 0, payload, sizeof payload);
}

#endif
