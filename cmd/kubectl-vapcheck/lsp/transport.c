#include "cmd/kubectl-vapcheck/lsp/transport.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "client/base/print.h"
#include "client/text/jsonval.h"

enum { CHUNK_BYTES = 64 * 1024 };

void transport_init(struct transport *t)
{
    t->first = t->count = 0;
    t->is_ended = t->is_broken = false;
    rpcframe_init(&t->frames, RPCFRAME_MAX_BYTES);
}

void transport_deinit(struct transport *t)
{
    for (; t->count > 0; t->count--)
        rpcmessage_deinit(&t->ahead[(t->first + t->count - 1) % TRANSPORT_AHEAD_MAX].content);
    rpcframe_deinit(&t->frames);
}

/* A request that waits, and that this notification cancels, is not worked on. */
static void cancel(struct transport *t, const struct rpcmessage *notification)
{
    struct json_object *id = jsonval_get(notification->params, "id");
    for (size_t i = 0; i < t->count && id != NULL; i++) {
        struct transport_message *m = &t->ahead[(t->first + i) % TRANSPORT_AHEAD_MAX];
        if (m->content.is_request && m->content.id != NULL && json_object_equal(m->content.id, id))
            m->is_canceled = true;
    }
}

static void add(struct transport *t, enum rpcframe_found found, const char *body, size_t len)
{
    struct transport_message *m = &t->ahead[(t->first + t->count) % TRANSPORT_AHEAD_MAX];
    *m = (struct transport_message){.content = {.method = ""}};
    if (found == RPCFRAME_MESSAGE) {
        m->problem = rpcmessage_read(body, len, &m->content);
        m->why = m->problem == RPCMESSAGE_PARSE_ERROR ? "the message is no JSON"
                                                      : "the message is none of JSON-RPC 2.0";
    } else {
        m->problem = found == RPCFRAME_BROKEN ? RPCMESSAGE_PARSE_ERROR : RPCMESSAGE_INVALID_REQUEST;
        m->why = found == RPCFRAME_BROKEN ? "the header has no Content-Length that can be read"
                                          : "the message is too large";
    }
    const bool is_cancel =
        m->problem == RPCMESSAGE_OK && jsonval_is(m->content.tree, "method", "$/cancelRequest");
    if (is_cancel)
        cancel(t, &m->content);
    t->count++;
}

/* Messages from the bytes that were read, as far as there is room. */
static void take_frames(struct transport *t)
{
    enum rpcframe_found found;
    const char *body = NULL;
    size_t len = 0;
    while (t->count < TRANSPORT_AHEAD_MAX && !t->is_broken &&
           (found = rpcframe_next(&t->frames, &body, &len)) != RPCFRAME_NOTHING) {
        t->is_broken = found == RPCFRAME_BROKEN;
        add(t, found, body, len);
    }
}

void transport_end_input(struct transport *t)
{
    t->is_ended = true;
}

bool transport_put(struct transport *t, const char *body, size_t len)
{
    if (t->count == TRANSPORT_AHEAD_MAX)
        return false;
    add(t, RPCFRAME_MESSAGE, body, len);
    return true;
}

/* Some bytes more. wait: until there are any. */
static bool read_some(struct transport *t, bool wait)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char chunk[CHUNK_BYTES];
    if (t->is_ended || t->is_broken || poll(&input, 1, wait ? -1 : 0) == 0)
        return false;
    const ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
    if (n > 0)
        rpcframe_add(&t->frames, chunk, (size_t)n);
    t->is_ended = n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
    return n > 0;
}

/* All that is there by now. */
static void read_ahead(struct transport *t)
{
    take_frames(t);
    while (t->count < TRANSPORT_AHEAD_MAX && read_some(t, false))
        take_frames(t);
}

bool transport_is_waiting(struct transport *t)
{
    read_ahead(t);
    return t->count > 0;
}

bool transport_next(struct transport *t, struct transport_message *out)
{
    read_ahead(t);
    while (t->count == 0 && !t->is_ended && !t->is_broken) {
        (void)read_some(t, true);
        read_ahead(t);
    }
    if (t->count == 0)
        return false;
    *out = t->ahead[t->first];
    t->first = (t->first + 1) % TRANSPORT_AHEAD_MAX;
    t->count--;
    return true;
}

void transport_send(struct json_object *take_message)
{
    size_t len;
    const char *text = json_object_to_json_string_length(take_message, JSON_C_TO_STRING_PLAIN, &len);
    print_raw(stdout, "Content-Length: %zu\r\n\r\n%s", len, text);
    (void)fflush(stdout);
    json_object_put(take_message);
}
