/*
 * server: the Language Server Protocol 3.17 for policies: the answer to each message of an editor.
 *
 *     server_init(&server, argc, argv, transport);
 *     while (!server.is_over && transport_next(transport, &message)) {
 *         server_take(&server, &message);
 *         server_idle(&server);
 *     }
 *     server_deinit(&server);
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_SERVER_H
#define CMD_KUBECTL_VAPCHECK_LSP_SERVER_H

#include "cmd/kubectl-vapcheck/lsp/transport.h"
#include "cmd/kubectl-vapcheck/lsp/workspace.h"

struct server {
    struct transport *transport;
    struct workspace workspace;
    enum textlines_unit unit;
    bool is_initialized, is_shut_down, is_over;
};

/* argv: see workspace_init. */
void server_init(struct server *s, int argc, char **argv, struct transport *transport);
void server_deinit(struct server *s);

/* Handles the message, and answers it. Takes its content. */
void server_take(struct server *s, struct transport_message *message);
/* Checks documents that changed, until a message waits. */
void server_idle(struct server *s);

#endif
