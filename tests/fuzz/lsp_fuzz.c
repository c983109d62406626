/*
 * The server of editors. An input that begins with a brace is messages, one a line; any other is a document
 * with a "^" where the cursor is: it is opened, asked about, changed and closed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/lsp/server.h"
#include "tests/fuzz/fuzz.h"

static struct server server;

static struct json_object *text_of(const uint8_t *data, size_t size)
{
    return json_object_new_string_len((const char *)data, (int)size);
}

static void take(const char *bytes, size_t len)
{
    struct transport_message m = {.why = "the message is none"};
    m.problem = rpcmessage_read(bytes, len, &m.content);
    server_take(&server, &m);
    server_idle(&server);
}

/* Takes the params. */
static void call(const char *method, struct json_object *params)
{
    struct json_object *message = rpcmessage_notification(method, params);
    if (strcmp(method, "textDocument/hover") == 0 || strcmp(method, "textDocument/completion") == 0)
        json_object_object_add(message, "id", json_object_new_int(1));
    const char *bytes = json_object_to_json_string(message);
    take(bytes, strlen(bytes));
    json_object_put(message);
}

static struct json_object *document(void)
{
    struct json_object *params = json_object_new_object(), *named = json_object_new_object();
    json_object_object_add(named, "uri", json_object_new_string("file:///nowhere/x.yaml"));
    json_object_object_add(named, "version", json_object_new_int(1));
    json_object_object_add(params, "textDocument", named);
    return params;
}

static struct json_object *place(const uint8_t *data, size_t cursor)
{
    struct json_object *at = json_object_new_object();
    int line = 0, column = 0;
    for (size_t i = 0; i < cursor; i++) {
        line += data[i] == '\n';
        column = data[i] == '\n' ? 0 : column + 1;
    }
    json_object_object_add(at, "line", json_object_new_int(line));
    json_object_object_add(at, "character", json_object_new_int(column));
    return at;
}

static struct json_object *with(struct json_object *params, const char *key, struct json_object *value)
{
    json_object_object_add(params, key, value);
    return params;
}

/* Two letters are typed at the cursor. */
static struct json_object *change(const uint8_t *data, size_t cursor)
{
    struct json_object *list = json_object_new_array(), *range = json_object_new_object();
    json_object_object_add(range, "start", place(data, cursor));
    json_object_object_add(range, "end", place(data, cursor));
    struct json_object *one = with(json_object_new_object(), "range", range);
    json_object_array_add(list, with(one, "text", json_object_new_string(".x")));
    return list;
}

static void edit(const uint8_t *data, size_t size)
{
    const uint8_t *mark = size == 0 ? NULL : memchr(data, '^', size);
    const size_t cursor = mark == NULL ? size : (size_t)(mark - data);
    struct json_object *opened = document();
    json_object_object_add(json_object_object_get(opened, "textDocument"), "text", text_of(data, size));
    call("textDocument/didOpen", opened);
    call("textDocument/hover", with(document(), "position", place(data, cursor)));
    call("textDocument/completion", with(document(), "position", place(data, cursor)));
    call("textDocument/didChange", with(document(), "contentChanges", change(data, cursor)));
    call("textDocument/completion", with(document(), "position", place(data, cursor)));
    call("textDocument/didClose", document());
}

static void begin(void)
{
    static char name[] = "lsp";
    static char *argv[] = {name, NULL};
    static const char hello[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}";
    struct transport *transport = mem_zalloc(sizeof *transport);
    transport_init(transport);
    if (freopen("/dev/null", "w", stdout) == NULL)
        abort();
    transport->is_ended = true; /* nothing comes from standard input */
    server_init(&server, 1, argv, transport);
    take(hello, sizeof hello - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;
    if (server.transport == NULL)
        begin();
    if (size == 0 || data[0] != '{') {
        edit(data, size);
    } else {
        for (const uint8_t *line = data, *next; line < end; line = next + 1) {
            next = memchr(line, '\n', (size_t)(end - line));
            next = next == NULL ? end : next;
            take((const char *)line, (size_t)(next - line));
        }
    }
    server.is_over = server.is_shut_down = false;
    while (server.workspace.n_documents > 0)
        workspace_close(&server.workspace, server.workspace.documents[0]);
    if (!server.is_initialized || server.workspace.schemas == NULL)
        abort();
    return 0;
}
