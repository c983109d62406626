#include "cmd/kubectl-vapcheck/lsp/server.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/text/jsonval.h"
#include "client/text/textedits.h"
#include "cmd/kubectl-vapcheck/lsp/assistant.h"

/* TextDocumentSyncKind, MessageType */
enum { SYNC_INCREMENTAL = 2, MESSAGE_ERROR = 1 };

void server_init(struct server *s, int argc, char **argv, struct transport *transport)
{
    *s = (struct server){.transport = transport};
    workspace_init(&s->workspace, argc, argv);
}

void server_deinit(struct server *s)
{
    workspace_deinit(&s->workspace);
}

/* ---- to the editor ---- */

static void show_error(const char *text)
{
    struct json_object *params = json_object_new_object();
    cleanup_mem char *shown = plain_text(text);
    jsonval_set(params, "type", json_object_new_int(MESSAGE_ERROR));
    jsonval_set(params, "message", json_object_new_string(shown));
    transport_send(rpcmessage_notification("window/showMessage", params));
}

static void publish(const struct textdocument *d, struct json_object *take_list)
{
    struct json_object *params = json_object_new_object();
    jsonval_set(params, "uri", json_object_new_string(d->uri));
    jsonval_set(params, "version", json_object_new_int64(d->version));
    jsonval_set(params, "diagnostics", take_list);
    transport_send(rpcmessage_notification("textDocument/publishDiagnostics", params));
}

static void load(struct server *s)
{
    struct err err = {0};
    if (workspace_load(&s->workspace, &err) != 0)
        show_error(err.msg);
}

/* ---- the life of a session ---- */

static const char *const unit_names[] = {
    [TEXTLINES_UTF16] = "utf-16", [TEXTLINES_UTF8] = "utf-8", [TEXTLINES_UTF32] = "utf-32"};

/* The first of the editor's units that we know, which are in the order of its wishes. */
static enum textlines_unit choose_unit(struct json_object *params)
{
    struct json_object *general = jsonval_get(jsonval_get(params, "capabilities"), "general");
    struct json_object *offered = jsonval_array(general, "positionEncodings");
    for (size_t i = 0; i < jsonval_length(offered); i++) {
        for (size_t unit = 0; unit < sizeof unit_names / sizeof *unit_names; unit++) {
            if (strcmp(jsonval_text_at(offered, i), unit_names[unit]) == 0)
                return (enum textlines_unit)unit;
        }
    }
    return TEXTLINES_UTF16;
}

/* Returns true if the editor shows Markdown in a hover. */
static bool shows_markdown(struct json_object *params)
{
    struct json_object *document = jsonval_get(jsonval_get(params, "capabilities"), "textDocument");
    struct json_object *formats = jsonval_array(jsonval_get(document, "hover"), "contentFormat");
    bool is_shown = false;
    for (size_t i = 0; i < jsonval_length(formats); i++)
        is_shown = is_shown || strcmp(jsonval_text_at(formats, i), "markdown") == 0;
    return is_shown;
}

/* Paths begin at the workspace's first folder. */
static void enter_root(struct json_object *params)
{
    struct json_object *folder = jsonval_at(jsonval_array(params, "workspaceFolders"), 0);
    const char *uri = jsonval_string(folder, "uri");
    cleanup_mem char *path =
        textdocument_path(uri != NULL ? uri : jsonval_string_or_empty(params, "rootUri"));
    const char *root = path != NULL ? path : jsonval_string(params, "rootPath");
    if (root == NULL || chdir(root) == 0)
        return;
    cleanup_mem char *problem = mem_printf("%s: %s", root, strerror(errno));
    show_error(problem);
}

static struct json_object *list_capabilities(enum textlines_unit unit)
{
    struct json_object *capabilities = json_object_new_object(), *sync = json_object_new_object();
    struct json_object *completion = json_object_new_object(), *triggers = json_object_new_array();
    struct json_object *actions = json_object_new_object(), *kinds = json_object_new_array();
    jsonval_set(capabilities, "positionEncoding", json_object_new_string(unit_names[unit]));
    jsonval_set(sync, "openClose", json_object_new_boolean(true));
    jsonval_set(sync, "change", json_object_new_int(SYNC_INCREMENTAL));
    jsonval_set(sync, "save", json_object_new_boolean(true));
    jsonval_set(capabilities, "textDocumentSync", sync);
    jsonval_append(kinds, json_object_new_string("quickfix"));
    jsonval_set(actions, "codeActionKinds", kinds);
    jsonval_set(capabilities, "codeActionProvider", actions);
    jsonval_set(capabilities, "hoverProvider", json_object_new_boolean(true));
    jsonval_set(capabilities, "definitionProvider", json_object_new_boolean(true));
    jsonval_append(triggers, json_object_new_string("."));
    jsonval_set(completion, "triggerCharacters", triggers);
    jsonval_set(capabilities, "completionProvider", completion);
    return capabilities;
}

static enum rpcmessage_code on_initialize(struct server *s, struct json_object *params,
                                          struct json_object **result)
{
    if (s->is_initialized)
        return RPCMESSAGE_INVALID_REQUEST;
    if (!json_object_is_type(params, json_type_object))
        return RPCMESSAGE_INVALID_PARAMS;
    struct json_object *info = json_object_new_object();
    s->is_initialized = true;
    s->unit = choose_unit(params);
    s->workspace.shows_markdown = shows_markdown(params);
    enter_root(params);
    load(s);
    *result = json_object_new_object();
    jsonval_set(*result, "capabilities", list_capabilities(s->unit));
    jsonval_set(info, "name", json_object_new_string("kubectl-vapcheck"));
    jsonval_set(info, "version", json_object_new_string(VAPCHECK_VERSION));
    jsonval_set(*result, "serverInfo", info);
    return RPCMESSAGE_OK;
}

static enum rpcmessage_code on_shutdown(struct server *s, struct json_object *params,
                                        struct json_object **result)
{
    (void)params;
    *result = NULL;
    s->is_shut_down = true;
    return RPCMESSAGE_OK;
}

static enum rpcmessage_code on_exit_asked(struct server *s, struct json_object *params,
                                          struct json_object **result)
{
    (void)params;
    (void)result;
    s->is_over = true;
    return RPCMESSAGE_OK;
}

/* ---- documents ---- */

/* The document that the params name; NULL: it is not open. */
static struct textdocument *find_document(const struct server *s, struct json_object *params)
{
    const char *uri = jsonval_string(jsonval_get(params, "textDocument"), "uri");
    return uri == NULL ? NULL : workspace_find(&s->workspace, uri);
}

static enum rpcmessage_code on_open(struct server *s, struct json_object *params, struct json_object **result)
{
    struct json_object *given = jsonval_get(params, "textDocument"), *text = jsonval_get(given, "text");
    const char *uri = jsonval_string(given, "uri");
    (void)result;
    if (uri == NULL || jsonval_text(text) == NULL ||
        (size_t)json_object_get_string_len(text) > YAML_TEXT_CAP_BYTES)
        return RPCMESSAGE_INVALID_PARAMS;
    workspace_open(&s->workspace, uri, jsonval_int(given, "version", 0), jsonval_text(text),
                   (size_t)json_object_get_string_len(text));
    return RPCMESSAGE_OK;
}

/* Reads a line or a column; returns false if it is not a number that the protocol has. */
static bool read_count(struct json_object *position, const char *key, size_t *out)
{
    const int64_t value = jsonval_int(position, key, -1);
    *out = value < 0 ? 0 : (size_t)value;
    return value >= 0 && value <= INT32_MAX;
}

static bool read_place(struct json_object *position, struct textlines_place *out)
{
    return read_count(position, "line", &out->line) && read_count(position, "character", &out->column);
}

static bool read_position(const struct server *s, const struct textdocument *d, struct json_object *position,
                          size_t *offset)
{
    struct textlines_place place;
    const bool is_place = read_place(position, &place);
    *offset = is_place ? textlines_offset(&d->text, place, s->unit) : 0;
    return is_place;
}

/* Applies a change; one without a range is the whole text. */
static bool apply_change(const struct server *s, struct textedits *edits, struct json_object *change)
{
    struct json_object *range = jsonval_get(change, "range"), *text = jsonval_get(change, "text");
    struct textlines_place from, to;
    const char *bytes = jsonval_text(text);
    if (bytes == NULL)
        return false;
    const size_t len = (size_t)json_object_get_string_len(text);
    if (range == NULL)
        return textedits_set(edits, bytes, len);
    return read_place(jsonval_get(range, "start"), &from) && read_place(jsonval_get(range, "end"), &to) &&
           textedits_replace(edits, from, to, s->unit, bytes, len);
}

/* Returns false if one of them is not a change that the protocol has; those before it are applied. */
static bool apply_changes(const struct server *s, struct textdocument *d, struct json_object *changes)
{
    struct textedits edits;
    size_t len;
    bool is_good = true;
    textedits_init(&edits, d->text.text, d->text.len, YAML_TEXT_CAP_BYTES);
    for (size_t i = 0; is_good && i < jsonval_length(changes); i++)
        is_good = apply_change(s, &edits, jsonval_at(changes, i));
    char *text = textedits_take(&edits, &len);
    textdocument_set(d, text, len);
    textedits_deinit(&edits);
    return is_good;
}

static enum rpcmessage_code on_change(struct server *s, struct json_object *params,
                                      struct json_object **result)
{
    struct textdocument *d = find_document(s, params);
    struct json_object *changes = jsonval_array(params, "contentChanges");
    (void)result;
    if (d == NULL)
        return RPCMESSAGE_INVALID_PARAMS;
    d->version = jsonval_int(jsonval_get(params, "textDocument"), "version", d->version);
    return changes != NULL && apply_changes(s, d, changes) ? RPCMESSAGE_OK : RPCMESSAGE_INVALID_PARAMS;
}

static enum rpcmessage_code on_close(struct server *s, struct json_object *params,
                                     struct json_object **result)
{
    struct textdocument *d = find_document(s, params);
    (void)result;
    if (d == NULL)
        return RPCMESSAGE_INVALID_PARAMS;
    publish(d, json_object_new_array());
    workspace_close(&s->workspace, d);
    return RPCMESSAGE_OK;
}

/* A file that others are checked with, or .vapcheck.yaml, may be another one now. */
static enum rpcmessage_code on_files(struct server *s, struct json_object *params,
                                     struct json_object **result)
{
    (void)params;
    (void)result;
    load(s);
    return RPCMESSAGE_OK;
}

/* ---- questions about a place ---- */

typedef struct json_object *assistant(struct workspace *w, const struct textdocument *document, size_t offset,
                                      enum textlines_unit unit);

static enum rpcmessage_code assist(struct server *s, struct json_object *params, assistant *ask,
                                   struct json_object **result)
{
    struct textdocument *d = find_document(s, params);
    size_t offset;
    if (d == NULL || !read_position(s, d, jsonval_get(params, "position"), &offset))
        return RPCMESSAGE_INVALID_PARAMS;
    textdocument_parse(d);
    *result = ask(&s->workspace, d, offset, s->unit);
    return RPCMESSAGE_OK;
}

static enum rpcmessage_code on_hover(struct server *s, struct json_object *params,
                                     struct json_object **result)
{
    return assist(s, params, assistant_hover, result);
}

static enum rpcmessage_code on_completion(struct server *s, struct json_object *params,
                                          struct json_object **result)
{
    return assist(s, params, assistant_complete, result);
}

static enum rpcmessage_code on_definition(struct server *s, struct json_object *params,
                                          struct json_object **result)
{
    return assist(s, params, assistant_define, result);
}

/* Returns true if the editor wants actions of that kind, or of any. */
static bool wants_kind(struct json_object *only)
{
    bool is_wanted = only == NULL;
    for (size_t i = 0; i < jsonval_length(only); i++)
        is_wanted = is_wanted || strcmp(jsonval_text_at(only, i), "quickfix") == 0;
    return is_wanted;
}

static bool is_never(void *user)
{
    (void)user;
    return false;
}

/* A text that is not checked yet is checked now: the answer is about the present text. */
static enum rpcmessage_code on_actions(struct server *s, struct json_object *params,
                                       struct json_object **result)
{
    struct textdocument *d = find_document(s, params);
    struct json_object *range = jsonval_get(params, "range");
    size_t from, to;
    if (d == NULL || !read_position(s, d, jsonval_get(range, "start"), &from) ||
        !read_position(s, d, jsonval_get(range, "end"), &to))
        return RPCMESSAGE_INVALID_PARAMS;
    if (d->is_stale && s->workspace.schemas != NULL)
        publish(d, workspace_check(&s->workspace, d, s->unit, is_never, s));
    *result = wants_kind(jsonval_array(jsonval_get(params, "context"), "only"))
                  ? actions_list(&d->actions, from, to)
                  : json_object_new_array();
    return RPCMESSAGE_OK;
}

/* ---- messages ---- */

static enum rpcmessage_code on_nothing(struct server *s, struct json_object *params,
                                       struct json_object **result)
{
    (void)s;
    (void)params;
    (void)result;
    return RPCMESSAGE_OK;
}

static const struct method {
    const char *name;
    bool is_request;
    enum rpcmessage_code (*run)(struct server *s, struct json_object *params, struct json_object **result);
} methods[] = {
    {"initialize", true, on_initialize},
    {"initialized", false, on_nothing},
    {"shutdown", true, on_shutdown},
    {"exit", false, on_exit_asked},
    {"textDocument/didOpen", false, on_open},
    {"textDocument/didChange", false, on_change},
    {"textDocument/didClose", false, on_close},
    {"textDocument/didSave", false, on_files},
    {"textDocument/hover", true, on_hover},
    {"textDocument/completion", true, on_completion},
    {"textDocument/definition", true, on_definition},
    {"textDocument/codeAction", true, on_actions},
    {"workspace/didChangeWatchedFiles", false, on_files},
};

static const struct method *find_method(const struct rpcmessage *m)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(methods[i].name, m->method) == 0 && methods[i].is_request == m->is_request)
            return &methods[i];
    }
    return NULL;
}

static const char *describe(enum rpcmessage_code code)
{
    switch (code) {
    case RPCMESSAGE_OK:
    case RPCMESSAGE_PARSE_ERROR:
        break;
    case RPCMESSAGE_INVALID_REQUEST:
        return "the request does not fit the state of the session";
    case RPCMESSAGE_METHOD_NOT_FOUND:
        return "there is no such method";
    case RPCMESSAGE_INVALID_PARAMS:
        return "the parameters are not those of the method";
    case RPCMESSAGE_NOT_INITIALIZED:
        return "the session is not initialized";
    case RPCMESSAGE_CANCELED:
        return "the request was canceled";
    }
    return "";
}

/* Before initialize and behind shutdown only what begins and ends a session is done. */
static enum rpcmessage_code run(struct server *s, const struct transport_message *m,
                                struct json_object **result)
{
    const struct method *method = find_method(&m->content);
    const bool is_exit = method != NULL && method->run == on_exit_asked;
    if (m->is_canceled)
        return RPCMESSAGE_CANCELED;
    if (s->is_shut_down && !is_exit)
        return RPCMESSAGE_INVALID_REQUEST;
    if (!s->is_initialized && !is_exit && (method == NULL || method->run != on_initialize))
        return RPCMESSAGE_NOT_INITIALIZED;
    return method == NULL ? RPCMESSAGE_METHOD_NOT_FOUND : method->run(s, m->content.params, result);
}

/* A notification has no answer; a failed change of a document's text is shown, since the editor's text and
 * ours may differ from now on. */
static void show_fault(const struct rpcmessage *m)
{
    static const char documents[] = "textDocument/did";
    if (strncmp(m->method, documents, sizeof documents - 1) != 0)
        return;
    cleanup_mem char *text = mem_printf("%s: %s", m->method, describe(RPCMESSAGE_INVALID_PARAMS));
    show_error(text);
}

void server_take(struct server *s, struct transport_message *m)
{
    struct json_object *result = NULL;
    if (m->problem != RPCMESSAGE_OK) {
        transport_send(rpcmessage_error(m->content.id, m->problem, m->why));
    } else if (!m->content.is_response) {
        const enum rpcmessage_code code = run(s, m, &result);
        if (m->content.is_request && code == RPCMESSAGE_OK)
            transport_send(rpcmessage_result(m->content.id, result));
        else if (m->content.is_request)
            transport_send(rpcmessage_error(m->content.id, code, describe(code)));
        else if (code == RPCMESSAGE_INVALID_PARAMS)
            show_fault(&m->content);
    }
    rpcmessage_deinit(&m->content);
}

static bool is_waited_for(void *user)
{
    const struct server *s = user;
    return transport_is_waiting(s->transport);
}

void server_idle(struct server *s)
{
    struct textdocument *d;
    while (!s->is_over && !transport_is_waiting(s->transport) &&
           (d = workspace_stale(&s->workspace)) != NULL) {
        struct json_object *list = workspace_check(&s->workspace, d, s->unit, is_waited_for, s);
        if (list != NULL)
            publish(d, list);
    }
}
