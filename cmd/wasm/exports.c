/*
 * The functions that the module exports to its host, beside its memory. The host first calls _initialize,
 * which the linker makes.
 *
 *     vapcheck_run()          the command line, with WASI's arguments, environment and files; once
 *
 *     vapcheck_lsp_open()     the language server, with WASI's arguments as its flags; once
 *     vapcheck_lsp_room(len)  where the host writes the next message: JSON-RPC, without a header
 *     vapcheck_lsp_take(len)  takes the message; when it returns, the answers are on standard output
 *
 * Neither ends by proc_exit: an exception of the host that passes a frame of C which can be left by longjmp
 * ends some versions of V8.
 */
#include <stdio.h>
#include <stdlib.h>
#include <wasi/api.h>

#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/lsp/server.h"
#include "cmd/kubectl-vapcheck/options_read.h"

#define EXPORT(name) __attribute__((export_name(name)))

int __main_void(void);
int vapcheck_run(void);
int vapcheck_lsp_open(void);
char *vapcheck_lsp_room(size_t len);
int vapcheck_lsp_take(size_t len);

EXPORT("vapcheck_run") int vapcheck_run(void)
{
    const int status = __main_void();
    (void)fflush(NULL);
    return status;
}

/* ---- the language server ---- */

static struct {
    struct transport transport;
    struct server server;
    char *room;
    size_t room_len;
} lsp;

static char **read_arguments(int *count)
{
    size_t argc = 0, bytes = 0;
    if (__wasi_args_sizes_get(&argc, &bytes) != __WASI_ERRNO_SUCCESS)
        return NULL;
    char **argv = mem_array(argc + 1, sizeof *argv);
    char *texts = mem_array(bytes + 1, 1);
    if (__wasi_args_get((uint8_t **)argv, (uint8_t *)texts) != __WASI_ERRNO_SUCCESS)
        return NULL;
    *count = (int)argc;
    return argv;
}

static bool lsp_takes_flags(int argc, char **argv)
{
    struct options options;
    const int answer = options_read("lsp", argc, argv, &options);
    options_deinit(&options);
    return answer == 0;
}

/* 0, or 2 if the flags are wrong. The arguments stay for as long as the server. */
EXPORT("vapcheck_lsp_open") int vapcheck_lsp_open(void)
{
    int argc = 0;
    char **argv = read_arguments(&argc);
    if (argv == NULL || !lsp_takes_flags(argc, argv))
        return 2;
    transport_init(&lsp.transport);
    transport_end_input(&lsp.transport);
    server_init(&lsp.server, argc, argv, &lsp.transport);
    return 0;
}

EXPORT("vapcheck_lsp_room") char *vapcheck_lsp_room(size_t len)
{
    if (len > lsp.room_len || lsp.room == NULL) {
        mem_free(lsp.room);
        lsp.room = mem_array(len + 1, 1);
        lsp.room_len = len;
    }
    return lsp.room;
}

/* 1: the client has said exit. */
EXPORT("vapcheck_lsp_take") int vapcheck_lsp_take(size_t len)
{
    struct transport_message message;
    (void)transport_put(&lsp.transport, lsp.room, len);
    while (!lsp.server.is_over && transport_next(&lsp.transport, &message)) {
        server_take(&lsp.server, &message);
        server_idle(&lsp.server);
    }
    return lsp.server.is_over;
}
