#include "client/auth/exec_credential.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bytes/base64.h"
#include "client/base/buf.h"
#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/base/timer.h"
#include "client/http/tls.h"
#include "client/text/jsonval.h"

extern char **environ;

/* IDLE -> RUNNING (three handles: process, pipe, timer) -> ENDING (they close) -> IDLE. One that is to
 * end early is KILLED before ENDING, until it has exited: else it would stay in the table of processes. */
enum plugin_state { PLUGIN_IDLE, PLUGIN_RUNNING, PLUGIN_KILLED, PLUGIN_ENDING };

/* One that cannot die, as it hangs in the kernel, is left behind then. */
enum { KILL_MS = 5000 };

struct exec_credential {
    uv_loop_t *loop;
    const struct config *config;
    struct exec_credential_value value;
    bool has_value;
    bool is_expired;

    enum plugin_state state;
    uv_process_t process;
    uv_pipe_t output;
    uv_timer_t timer;
    unsigned open_handles;
    bool has_exited;
    bool has_eof;
    int64_t exit_status;
    struct buf printed;
    char chunk[4096];
    struct err failure; /* wins over what was printed */
    void (*on_done)(void *user, const struct err *err);
    void *user;

    bool is_closing;
    void (*on_closed)(void *user);
    void *on_closed_user;
};

struct exec_credential *exec_credential_new(uv_loop_t *loop, const struct config *config)
{
    struct exec_credential *x = mem_zalloc(sizeof *x);
    x->loop = loop;
    x->config = config;
    buf_init(&x->printed, EXEC_CREDENTIAL_CAP_BYTES);
    return x;
}

void exec_credential_value_deinit(struct exec_credential_value *value)
{
    mem_free_secret(value->token);
    mem_free_secret(value->key_pem);
    mem_free(value->cert_pem);
    *value = (struct exec_credential_value){0};
}

bool exec_credential_is_fresh(const struct exec_credential *x, int64_t unix_ms)
{
    return x->has_value && !x->is_expired && unix_ms < x->value.expires_unix_ms;
}

const struct exec_credential_value *exec_credential_value(const struct exec_credential *x)
{
    return &x->value;
}

void exec_credential_expire(struct exec_credential *x)
{
    x->is_expired = true;
}

/* ---- the plugin's output ---- */

int exec_credential_parse_time(const char *text, int64_t *unix_ms)
{
    struct tm tm = {0};
    const char *at = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
    if (!at)
        return -1;
    if (*at == '.') {
        at++;
        at += strspn(at, "0123456789");
    }
    int64_t offset_s = 0;
    if (*at == '+' || *at == '-') {
        int hours;
        int minutes;
        if (strlen(at) != 6 || at[3] != ':' || strspn(at + 1, "0123456789") != 2 ||
            strspn(at + 4, "0123456789") != 2)
            return -1;
        hours = (at[1] - '0') * 10 + (at[2] - '0');
        minutes = (at[4] - '0') * 10 + (at[5] - '0');
        offset_s = hours * INT64_C(3600) + minutes * INT64_C(60);
        if (*at == '-')
            offset_s = -offset_s;
    } else if (strcmp(at, "Z") != 0) {
        return -1;
    }
    *unix_ms = ((int64_t)timegm(&tm) - offset_s) * 1000;
    return 0;
}

static char *take_status(struct json_object *status, const char *field)
{
    const char *text = jsonval_string(status, field);
    return text && *text ? mem_strdup(text) : NULL;
}

static int read_status(struct json_object *status, struct exec_credential_value *out, struct err *err)
{
    out->token = take_status(status, "token");
    out->cert_pem = take_status(status, "clientCertificateData");
    out->key_pem = take_status(status, "clientKeyData");
    out->expires_unix_ms = INT64_MAX;
    if (!out->cert_pem != !out->key_pem)
        return err_set(err, ERR_INVALID, "a certificate without its key, or the other way round");
    if (out->token && !config_fits_header(out->token))
        return err_set(err, ERR_INVALID, "a token with a line break or another control character");
    if (!out->token && !out->cert_pem)
        return err_set(err, ERR_INVALID, "neither a token nor a certificate");
    const char *expires = jsonval_string(status, "expirationTimestamp");
    if (expires && exec_credential_parse_time(expires, &out->expires_unix_ms) != 0)
        return err_set(err, ERR_INVALID, "a malformed expirationTimestamp");
    return 0;
}

int exec_credential_parse(const char *bytes, size_t len, const char *api_version,
                          struct exec_credential_value *out, struct err *err)
{
    cleanup_json struct json_object *root = NULL;
    struct err ignored;
    *out = (struct exec_credential_value){0};
    if (jsonval_parse(bytes, len, &root, &ignored) != 0)
        return err_set(err, ERR_INVALID, "its output is not JSON");
    if (strcmp(jsonval_string_or_empty(root, "kind"), "ExecCredential") != 0)
        return err_set(err, ERR_INVALID, "its output is not an ExecCredential");
    if (strcmp(jsonval_string_or_empty(root, "apiVersion"), api_version) != 0)
        return err_set(err, ERR_INVALID, "it answers in another apiVersion than %s", api_version);
    if (read_status(jsonval_get(root, "status"), out, err) == 0)
        return 0;
    exec_credential_value_deinit(out);
    return -1;
}

/* ---- running it ---- */

static void put_member(struct json_object *object, const char *key, const char *text)
{
    if (text)
        jsonval_set(object, key, json_object_new_string(text));
}

static struct json_object *new_cluster(const struct config *c)
{
    struct json_object *cluster = json_object_new_object();
    cleanup_mem char *ca = NULL;
    struct err ignored;
    put_member(cluster, "server", c->server);
    put_member(cluster, "tls-server-name", c->tls.server_name);
    put_member(cluster, "proxy-url", c->proxy_url);
    if (c->tls.insecure_skip_verify)
        jsonval_set(cluster, "insecure-skip-tls-verify", json_object_new_boolean(1));
    if (c->tls.ca_data)
        ca = mem_strdup(c->tls.ca_data);
    else if (c->tls.ca_file && file_read(c->tls.ca_file, TLS_FILE_CAP_BYTES, &ca, NULL, &ignored) != 0)
        ca = NULL;
    if (ca) {
        cleanup_mem char *encoded = mem_zalloc(BASE64_LENGTH(strlen(ca)) + 1);
        base64_encode(ca, strlen(ca), encoded);
        put_member(cluster, "certificate-authority-data", encoded);
    }
    return cluster;
}

static char *exec_info(const struct config *c)
{
    cleanup_json struct json_object *root = json_object_new_object();
    struct json_object *spec = json_object_new_object();
    put_member(root, "kind", "ExecCredential");
    put_member(root, "apiVersion", c->exec->api_version);
    jsonval_set(root, "spec", spec);
    jsonval_set(spec, "interactive", json_object_new_boolean(0));
    if (c->exec->provide_cluster_info)
        jsonval_set(spec, "cluster", new_cluster(c));
    return mem_printf("KUBERNETES_EXEC_INFO=%s",
                      json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN));
}

static bool is_overridden(const struct config_exec *exec, const char *assignment)
{
    const size_t len = strcspn(assignment, "=");
    for (size_t i = 0; i < exec->n_env; i++) {
        if (strlen(exec->env[i].name) == len && strncmp(exec->env[i].name, assignment, len) == 0)
            return true;
    }
    return strncmp(assignment, "KUBERNETES_EXEC_INFO=", 21) == 0;
}

/* Ours, the config's over it, and KUBERNETES_EXEC_INFO; ends in NULL. */
static char **new_environment(const struct config *c)
{
    size_t n = 0;
    size_t n_ours = 0;
    while (environ[n_ours])
        n_ours++;
    char **env = mem_array(n_ours + c->exec->n_env + 2, sizeof *env);
    for (size_t i = 0; i < n_ours; i++) {
        if (!is_overridden(c->exec, environ[i]))
            env[n++] = mem_strdup(environ[i]);
    }
    for (size_t i = 0; i < c->exec->n_env; i++)
        env[n++] = mem_printf("%s=%s", c->exec->env[i].name, c->exec->env[i].value);
    env[n] = exec_info(c);
    return env;
}

static void free_environment(char **env)
{
    for (char **e = env; *e; e++)
        mem_free(*e);
    mem_free(env);
}

static int judge(struct exec_credential *x, struct err *err)
{
    struct exec_credential_value value;
    const char *command = x->config->exec->command;
    const char *hint = x->config->exec->install_hint;
    if (x->failure.code != ERR_NONE) {
        err_copy(err, &x->failure);
        return -1;
    }
    if (x->exit_status != 0)
        return err_set(err, ERR_UNAUTHORIZED, "credential plugin %s: it ended with status %d%s%s", command,
                       (int)x->exit_status, hint ? "\n" : "", hint ? hint : "");
    if (exec_credential_parse(x->printed.data, x->printed.len, x->config->exec->api_version, &value, err) !=
        0)
        return err_prefix(err, "credential plugin %s", command);
    exec_credential_value_deinit(&x->value);
    x->value = value;
    x->has_value = true;
    x->is_expired = false;
    return 0;
}

static void free_all(struct exec_credential *x)
{
    void (*on_closed)(void *) = x->on_closed;
    void *user = x->on_closed_user;
    mem_wipe(x->printed.data, x->printed.len);
    buf_deinit(&x->printed);
    exec_credential_value_deinit(&x->value);
    mem_free(x);
    if (on_closed)
        on_closed(user);
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct exec_credential *x = handle->data;
    struct err err;
    if (--x->open_handles > 0)
        return;
    x->state = PLUGIN_IDLE;
    if (x->is_closing) {
        free_all(x);
        return;
    }
    const int result = judge(x, &err);
    mem_wipe(x->printed.data, x->printed.len);
    buf_reset(&x->printed);
    x->on_done(x->user, result == 0 ? NULL : &err);
}

static void end(struct exec_credential *x)
{
    x->state = PLUGIN_ENDING;
    uv_close((uv_handle_t *)&x->process, on_handle_closed);
    uv_close((uv_handle_t *)&x->output, on_handle_closed);
    uv_close((uv_handle_t *)&x->timer, on_handle_closed);
}

static void end_if_complete(struct exec_credential *x)
{
    if (x->has_exited && (x->has_eof || x->state == PLUGIN_KILLED))
        end(x);
}

static void on_exit_status(uv_process_t *process, int64_t status, int term_signal)
{
    struct exec_credential *x = process->data;
    x->has_exited = true;
    x->exit_status = term_signal ? 128 + term_signal : status;
    end_if_complete(x);
}

static void on_timeout(uv_timer_t *timer);

static void end_early(struct exec_credential *x)
{
    x->state = PLUGIN_KILLED;
    uv_read_stop((uv_stream_t *)&x->output);
    timer_start(&x->timer, on_timeout, KILL_MS, 0);
    if (!x->has_exited)
        uv_process_kill(&x->process, SIGKILL);
    end_if_complete(x);
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct exec_credential *x = handle->data;
    (void)suggested;
    *buf = uv_buf_init(x->chunk, sizeof x->chunk);
}

static void on_printed(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct exec_credential *x = stream->data;
    if (n < 0) {
        uv_read_stop(stream);
        x->has_eof = true;
        end_if_complete(x);
        return;
    }
    if (buf_append(&x->printed, buf->base, (size_t)n) == 0)
        return;
    (void)err_set(&x->failure, ERR_LIMIT, "credential plugin %s: it prints more than %d bytes",
                  x->config->exec->command, EXEC_CREDENTIAL_CAP_BYTES);
    end_early(x);
}

static void on_timeout(uv_timer_t *timer)
{
    struct exec_credential *x = timer->data;
    if (x->state == PLUGIN_KILLED) {
        end(x);
        return;
    }
    (void)err_set(&x->failure, ERR_TIMEOUT, "credential plugin %s: no answer within %d s",
                  x->config->exec->command, EXEC_CREDENTIAL_TIMEOUT_MS / 1000);
    end_early(x);
}

/* Makes a plugin inherit none of our connections and files, and no descriptor that our own parent left open.
 * libuv closes nothing in the child, and some descriptors are made where nobody can ask for them to close:
 * in the resolver's threads. */
static void keep_descriptors(void)
{
    DIR *open_now = opendir("/proc/self/fd");
    for (struct dirent *entry; open_now && (entry = readdir(open_now));) {
        const int fd = (int)strtol(entry->d_name, NULL, 10);
        if (fd > STDERR_FILENO)
            (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    if (open_now)
        closedir(open_now);
}

static int spawn(struct exec_credential *x)
{
    const struct config_exec *exec = x->config->exec;
    char **args = mem_array(exec->n_args + 2, sizeof *args);
    args[0] = exec->command;
    for (size_t i = 0; i < exec->n_args; i++)
        args[i + 1] = exec->args[i];
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_IGNORE},
        {.flags = (uv_stdio_flags)(UV_CREATE_PIPE | UV_WRITABLE_PIPE),
         .data.stream = (uv_stream_t *)&x->output},
        {.flags = UV_INHERIT_FD, .data.fd = STDERR_FILENO},
    };
    uv_process_options_t options = {
        .exit_cb = on_exit_status,
        .file = exec->command,
        .args = args,
        .env = new_environment(x->config),
        .stdio_count = 3,
        .stdio = stdio,
    };
    keep_descriptors();
    const int result = uv_spawn(x->loop, &x->process, &options);
    free_environment(options.env);
    mem_free(args);
    return result;
}

void exec_credential_run(struct exec_credential *x, void (*on_done)(void *user, const struct err *err),
                         void *user)
{
    const struct config_exec *exec = x->config->exec;
    x->state = PLUGIN_RUNNING;
    x->on_done = on_done;
    x->user = user;
    x->has_exited = false;
    x->has_eof = false;
    x->exit_status = 0;
    err_clear(&x->failure);
    buf_reset(&x->printed);
    uv_pipe_init(x->loop, &x->output, 0);
    uv_timer_init(x->loop, &x->timer);
    x->process.data = x;
    x->output.data = x;
    x->timer.data = x;
    x->open_handles = 3;
    const int result = spawn(x);
    x->process.data = x;
    if (result != 0) {
        /* The handles close as after a run, and on_done comes from there. */
        (void)err_set(&x->failure, ERR_UNAUTHORIZED, "credential plugin %s: %s%s%s", exec->command,
                      uv_strerror(result), exec->install_hint ? "\n" : "",
                      exec->install_hint ? exec->install_hint : "");
        end(x);
        return;
    }
    timer_start(&x->timer, on_timeout, EXEC_CREDENTIAL_TIMEOUT_MS, 0);
    uv_read_start((uv_stream_t *)&x->output, on_room, on_printed);
}

void exec_credential_close(struct exec_credential *x, void (*on_closed)(void *user), void *user)
{
    x->is_closing = true;
    x->on_closed = on_closed;
    x->on_closed_user = user;
    if (x->state == PLUGIN_IDLE)
        free_all(x);
    else if (x->state == PLUGIN_RUNNING)
        end_early(x);
}
