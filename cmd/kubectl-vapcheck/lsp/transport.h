/*
 * transport: the messages of an editor, read from standard input as they come, and ours, written to standard
 * output.
 *
 * Everything that waits is read before a message is given out. So a cancellation that arrived later is known
 * before its request is handled, and a check can see that something newer waits.
 *
 *     struct transport transport;
 *     transport_init(&transport);
 *     while (transport_next(&transport, &message)) {
 *         ...
 *         transport_send(answer);
 *         rpcmessage_deinit(&message.content);
 *     }
 *     transport_deinit(&transport);
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_TRANSPORT_H
#define CMD_KUBECTL_VAPCHECK_LSP_TRANSPORT_H

#include "client/rpc/rpcframe.h"
#include "client/rpc/rpcmessage.h"

/* Messages that are read ahead. */
enum { TRANSPORT_AHEAD_MAX = 1000 };

struct transport_message {
    enum rpcmessage_code problem; /* RPCMESSAGE_OK: there is none */
    const char *why;              /* the problem */
    bool is_canceled;
    struct rpcmessage content;
};

struct transport {
    struct rpcframe frames;
    struct transport_message ahead[TRANSPORT_AHEAD_MAX]; /* a ring */
    size_t first, count;
    bool is_ended;  /* there is nothing more to read */
    bool is_broken; /* the bytes are no message, and the start of the next one is unknown */
};

void transport_init(struct transport *t);
void transport_deinit(struct transport *t);

/* Ends reading from standard input, because somebody else reads the editor's messages and puts each one,
 * without its header. Returns false if there is no space until some are taken. */
void transport_end_input(struct transport *t);
bool transport_put(struct transport *t, const char *body, size_t len);

/* Returns true if a message waits; does not wait itself. */
bool transport_is_waiting(struct transport *t);
/* Waits for the next one. Returns false if there are no more. The caller deinitialises its content. */
bool transport_next(struct transport *t, struct transport_message *out);

void transport_send(struct json_object *take_message);

#endif
