#include "cmd/kubectl-vapcheck/lsp/lsp_cmd.h"

#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/lsp/server.h"
#include "cmd/kubectl-vapcheck/options_read.h"

static int serve(int argc, char **argv)
{
    struct transport *transport = mem_zalloc(sizeof *transport);
    struct transport_message message;
    struct server server;
    transport_init(transport);
    server_init(&server, argc, argv, transport);
    while (!server.is_over && transport_next(transport, &message)) {
        server_take(&server, &message);
        server_idle(&server);
    }
    const bool was_shut_down = server.is_over && server.is_shut_down;
    server_deinit(&server);
    transport_deinit(transport);
    mem_free(transport);
    return was_shut_down ? 0 : 1;
}

int lsp_cmd(int argc, char **argv)
{
    struct options options;
    const int answer = options_read("lsp", argc, argv, &options);
    options_deinit(&options);
    return answer < 0 ? 2 : answer > 0 ? 0 : serve(argc, argv);
}
