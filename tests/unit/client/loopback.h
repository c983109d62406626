/*
 * loopback: a scripted HTTP server on the test's own loop. It replays bytes; it emulates nothing.
 *
 * on_request gets each complete request (head and body) and answers with loopback_send, now or
 * later, in as many pieces as it likes.
 */
#ifndef TESTS_UNIT_CLIENT_LOOPBACK_H
#define TESTS_UNIT_CLIENT_LOOPBACK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

struct loopback;

struct loopback_peer {
    uv_tcp_t tcp;
    struct loopback *server;
    char request[65536];
    size_t len;
    bool is_closing;
};

struct loopback {
    uv_loop_t *loop;
    uv_tcp_t listener;
    int port;
    unsigned peers; /* connections so far */
    unsigned requests;
    struct loopback_peer *open[64];
    void (*on_request)(struct loopback_peer *peer, const char *request, unsigned number);
    void *user;
};

static inline void loopback_peer_closed(uv_handle_t *handle)
{
    struct loopback_peer *peer = handle->data;
    for (size_t i = 0; i < 64; i++) {
        if (peer->server->open[i] == peer)
            peer->server->open[i] = NULL;
    }
    free(peer);
}

static inline void loopback_hang_up(struct loopback_peer *peer)
{
    if (peer->is_closing)
        return;
    peer->is_closing = true;
    uv_close((uv_handle_t *)&peer->tcp, loopback_peer_closed);
}

static inline void loopback_sent(uv_write_t *write, int status)
{
    (void)status;
    free(write->data);
    free(write);
}

static inline void loopback_send_bytes(struct loopback_peer *peer, const char *bytes, size_t len)
{
    uv_write_t *write = calloc(1, sizeof *write);
    char *copy = malloc(len ? len : 1);
    memcpy(copy, bytes, len);
    write->data = copy;
    uv_buf_t buf = uv_buf_init(copy, (unsigned)len);
    uv_write(write, (uv_stream_t *)&peer->tcp, &buf, 1, loopback_sent);
}

static inline void loopback_send(struct loopback_peer *peer, const char *text)
{
    loopback_send_bytes(peer, text, strlen(text));
}

static inline void loopback_shut(uv_shutdown_t *shutdown, int status)
{
    (void)status;
    free(shutdown);
}

/* The end of the connection, behind what was sent. */
static inline void loopback_finish(struct loopback_peer *peer)
{
    uv_shutdown(calloc(1, sizeof(uv_shutdown_t)), (uv_stream_t *)&peer->tcp, loopback_shut);
}

/* A whole answer with a length. headers: "Name: value\r\n" lines, or "". */
static inline void loopback_reply(struct loopback_peer *peer, int status, const char *headers,
                                  const char *body)
{
    char head[1024];
    snprintf(head, sizeof head, "HTTP/1.1 %d X\r\nContent-Length: %zu\r\n%s\r\n", status, strlen(body),
             headers);
    loopback_send(peer, head);
    loopback_send(peer, body);
}

/* The head of an answer that goes on until its chunks end; then chunks. */
static inline void loopback_begin_chunks(struct loopback_peer *peer)
{
    loopback_send(peer, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
}

/* As loopback_begin_chunks; each chunk is a gzip member, or a part of one. */
static inline void loopback_begin_gzip(struct loopback_peer *peer)
{
    loopback_send(peer, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n");
}

static inline void loopback_chunk_bytes(struct loopback_peer *peer, const char *bytes, size_t len)
{
    char head[32];
    snprintf(head, sizeof head, "%zx\r\n", len);
    loopback_send(peer, head);
    loopback_send_bytes(peer, bytes, len);
    loopback_send(peer, "\r\n");
}

static inline void loopback_chunk(struct loopback_peer *peer, const char *text)
{
    loopback_chunk_bytes(peer, text, strlen(text));
}

static inline void loopback_end_chunks(struct loopback_peer *peer)
{
    loopback_send(peer, "0\r\n\r\n");
}

static inline void loopback_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct loopback_peer *peer = handle->data;
    (void)suggested;
    *buf = uv_buf_init(peer->request + peer->len, (unsigned)(sizeof peer->request - peer->len - 1));
}

static inline size_t loopback_complete_length(const struct loopback_peer *peer)
{
    const char *end = strstr(peer->request, "\r\n\r\n");
    if (!end)
        return 0;
    const size_t head = (size_t)(end - peer->request) + 4;
    const char *length = strstr(peer->request, "Content-Length: ");
    const size_t body = length && length < end ? strtoul(length + 16, NULL, 10) : 0;
    return peer->len >= head + body ? head + body : 0;
}

static inline void loopback_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct loopback_peer *peer = stream->data;
    (void)buf;
    if (n < 0) {
        loopback_hang_up(peer);
        return;
    }
    peer->len += (size_t)n;
    peer->request[peer->len] = '\0';
    size_t length;
    while (!peer->is_closing && (length = loopback_complete_length(peer)) > 0) {
        char *request = strndup(peer->request, length);
        memmove(peer->request, peer->request + length, peer->len - length + 1);
        peer->len -= length;
        peer->server->on_request(peer, request, peer->server->requests++);
        free(request);
    }
}

static inline void loopback_accept(uv_stream_t *stream, int status)
{
    struct loopback *server = stream->data;
    if (status != 0)
        return;
    struct loopback_peer *peer = calloc(1, sizeof *peer);
    uv_tcp_init(server->loop, &peer->tcp);
    peer->tcp.data = peer;
    peer->server = server;
    server->open[server->peers++ % 64] = peer;
    uv_accept(stream, (uv_stream_t *)&peer->tcp);
    uv_tcp_nodelay(&peer->tcp, 1); /* a piece is sent when it is said */
    uv_read_start((uv_stream_t *)&peer->tcp, loopback_room, loopback_read);
}

static inline void loopback_open(struct loopback *server, uv_loop_t *loop,
                                 void (*on_request)(struct loopback_peer *, const char *, unsigned),
                                 void *user)
{
    struct sockaddr_in address;
    int len = sizeof address;
    *server = (struct loopback){.loop = loop, .on_request = on_request, .user = user};
    uv_tcp_init(loop, &server->listener);
    server->listener.data = server;
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_tcp_bind(&server->listener, (const struct sockaddr *)&address, 0);
    uv_listen((uv_stream_t *)&server->listener, 16, loopback_accept);
    uv_tcp_getsockname(&server->listener, (struct sockaddr *)&address, &len);
    server->port = ntohs(address.sin_port);
}

static inline void loopback_close(struct loopback *server)
{
    uv_close((uv_handle_t *)&server->listener, NULL);
    for (size_t i = 0; i < 64; i++) {
        if (server->open[i])
            loopback_hang_up(server->open[i]);
    }
}

#endif
