#include "client/rest/session.h"

#include <string.h>
#include <sys/utsname.h>

#include "client/auth/credentials.h"
#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/timer.h"
#include "client/http/http.h"
#include "client/http/tls.h"
#include "client/http/url.h"

static char *user_agent(const char *program)
{
    struct utsname os;
    const char *machine = "unknown", *system = "linux";
    if (uname(&os) == 0) {
        system = strcmp(os.sysname, "Darwin") == 0 ? "darwin" : "linux";
        machine = strcmp(os.machine, "x86_64") == 0    ? "amd64"
                  : strcmp(os.machine, "aarch64") == 0 ? "arm64"
                                                       : os.machine;
    }
    return mem_printf("%s/%s (%s/%s) %s", program, VAPCHECK_VERSION, system, machine, VAPCHECK_COMMIT);
}

static bool is_loopback(const char *host)
{
    return strcmp(host, "localhost") == 0 || strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0;
}

static int open_http(struct session *session, const struct url *url, const struct session_options *options,
                     struct err *err)
{
    const struct config *config = session->config;
    cleanup_mem char *agent = user_agent(options->program ? options->program : "vapcheck");
    char *basic = config->username
                      ? mem_printf("%s:%s", config->username, config->password ? config->password : "")
                      : NULL;
    const struct http_options http = {
        .tls = session->tls,
        /* A proxy of the environment is not used to reach our own machine, as in Go. */
        .proxy_url = config->proxy_url        ? config->proxy_url
                     : is_loopback(url->host) ? ""
                                              : NULL,
        .user_agent = agent,
        .basic_auth = basic,
        .disable_compression = config->disable_compression,
        .left_ms = options->left_ms,
        .user = options->user,
    };
    const int result = http_new(session->loop, &http, &session->http, err);
    mem_free_secret(basic);
    return result;
}

/* A rotated CA or client certificate must not wait for a connection to end by itself. */
static void on_reload(uv_timer_t *timer)
{
    struct session *session = timer->data;
    bool has_changed;
    struct err err;
    if (tls_reload(session->tls, &has_changed, &err) != 0)
        log_warn("tls", "%s; what was read before is kept", err.msg);
    else if (has_changed)
        http_reset(session->http, "the certificates changed");
}

void session_reload_soon(struct session *session)
{
    if (!session->is_closing &&
        uv_timer_get_due_in(&session->reload) <= TLS_RELOAD_INTERVAL_MS - TLS_RELOAD_LEAST_MS)
        timer_start(&session->reload, on_reload, 0, TLS_RELOAD_INTERVAL_MS);
}

int session_init(struct session *session, uv_loop_t *loop, const struct config *config,
                 const struct session_options *options, struct err *err)
{
    struct url url;
    *session = (struct session){.loop = loop, .config = config, .open_parts = 1};
    if (url_parse(config->server, &url, err) != 0 || tls_new(&config->tls, &session->tls, err) != 0 ||
        open_http(session, &url, options, err) != 0) {
        tls_free(session->tls);
        return err_prefix(err, "%s", config->origin ? config->origin : "config");
    }
    session->host = mem_printf(strchr(url.host, ':') ? "[%s]:%u" : "%s:%u", url.host, url.port);
    session->credentials = credentials_new(loop, config, session->tls);
    uv_timer_init(loop, &session->reload);
    session->reload.data = session;
    timer_start(&session->reload, on_reload, TLS_RELOAD_INTERVAL_MS, TLS_RELOAD_INTERVAL_MS);
    return 0;
}

void session_open_part(struct session *session)
{
    session->open_parts++;
}

void session_close_part(struct session *session)
{
    if (--session->open_parts > 0)
        return;
    tls_free(session->tls);
    mem_free(session->host);
    session->on_closed(session->on_closed_user);
}

static void on_part_closed(void *user)
{
    session_close_part(user);
}

static void on_reload_closed(uv_handle_t *handle)
{
    session_close_part(handle->data);
}

void session_close(struct session *session, void (*on_closed)(void *user), void *user)
{
    session->is_closing = true;
    session->on_closed = on_closed;
    session->on_closed_user = user;
    /* The timer, http, the credentials; the session and each part of the owner count already. */
    session->open_parts += 3;
    uv_close((uv_handle_t *)&session->reload, on_reload_closed);
    http_close(session->http, on_part_closed, session);
    credentials_close(session->credentials, on_part_closed, session);
    session_close_part(session);
}
