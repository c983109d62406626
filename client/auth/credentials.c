#include "client/auth/credentials.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/auth/exec_credential.h"
#include "client/auth/token.h"
#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/base/redact.h"
#include "client/http/url.h"

enum { SENT = 2 };

struct credentials {
    const struct config *config;
    struct tls *tls;
    struct token token;
    struct exec_credential *exec; /* the plugin that gives the token; NULL if there is none */
    void (*on_done)(void *user, const struct err *err, bool is_new_identity);
    void *user;
    void (*on_closed)(void *user);
    void *on_closed_user;
    char *sent[SENT]; /* tokens, the newest first: an answer may repeat one that is no longer ours */
};

struct credentials *credentials_new(uv_loop_t *loop, const struct config *config, struct tls *tls)
{
    struct credentials *c = mem_zalloc(sizeof *c);
    c->config = config;
    c->tls = tls;
    token_init(&c->token, config);
    if (config->exec)
        c->exec = exec_credential_new(loop, config);
    return c;
}

static void free_all(void *user)
{
    struct credentials *c = user;
    void (*on_closed)(void *) = c->on_closed;
    void *on_closed_user = c->on_closed_user;
    token_deinit(&c->token);
    for (size_t i = 0; i < SENT; i++)
        mem_free_secret(c->sent[i]);
    mem_free(c);
    on_closed(on_closed_user);
}

void credentials_close(struct credentials *c, void (*on_closed)(void *user), void *user)
{
    c->on_closed = on_closed;
    c->on_closed_user = user;
    if (c->exec)
        exec_credential_close(c->exec, free_all, c);
    else
        free_all(c);
}

static int64_t unix_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool credentials_are_ready(const struct credentials *c)
{
    return !c->exec || exec_credential_is_fresh(c->exec, unix_ms());
}

static void on_plugin_done(void *user, const struct err *failure)
{
    struct credentials *c = user;
    bool is_new_identity = false;
    struct err err;
    if (failure) {
        c->on_done(c->user, failure, false);
        return;
    }
    const struct exec_credential_value *value = exec_credential_value(c->exec);
    if (tls_set_identity(c->tls, value->cert_pem, value->key_pem, &is_new_identity, &err) != 0) {
        /* else it would count as good until it expires, and requests go out as nobody's */
        exec_credential_expire(c->exec);
        c->on_done(c->user, &err, false);
        return;
    }
    c->on_done(c->user, NULL, is_new_identity);
}

void credentials_refresh(struct credentials *c,
                         void (*on_done)(void *user, const struct err *err, bool is_new_identity), void *user)
{
    c->on_done = on_done;
    c->user = user;
    exec_credential_run(c->exec, on_plugin_done, c);
}

static void remember(struct credentials *c, const char *bearer)
{
    if (c->sent[0] && strcmp(c->sent[0], bearer) == 0)
        return;
    mem_free_secret(c->sent[SENT - 1]);
    memmove(c->sent + 1, c->sent, (SENT - 1) * sizeof *c->sent);
    c->sent[0] = mem_strdup(bearer);
}

static void add_extra(const struct config_pair *extra, struct http_headers *headers)
{
    struct buf name;
    buf_init(&name, URL_CAP_BYTES);
    cleanup_mem char *lower = mem_strdup(extra->name);
    for (char *p = lower; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    (void)buf_puts(&name, "Impersonate-Extra-");
    if (url_put_encoded(&name, lower) == 0)
        http_headers_add(headers, name.data, extra->value);
    buf_deinit(&name);
}

void credentials_add(struct credentials *c, uint64_t now_ms, struct http_headers *headers)
{
    const struct config *config = c->config;
    const char *bearer = token_get(&c->token, now_ms);
    if (!bearer && c->exec)
        bearer = exec_credential_value(c->exec)->token;
    if (bearer) {
        remember(c, bearer);
        char *value = mem_printf("Bearer %s", bearer);
        http_headers_add(headers, "Authorization", value);
        mem_free_secret(value);
    }
    if (config->as_user)
        http_headers_add(headers, "Impersonate-User", config->as_user);
    if (config->as_uid)
        http_headers_add(headers, "Impersonate-Uid", config->as_uid);
    for (size_t i = 0; i < config->n_as_groups; i++)
        http_headers_add(headers, "Impersonate-Group", config->as_groups[i]);
    for (size_t i = 0; i < config->n_as_extra; i++)
        add_extra(&config->as_extra[i], headers);
}

/* curl takes the first of these that suits the URL; which it was does not matter here. */
static void redact_proxies(const struct config *config, char *text)
{
    static const char *const variables[] = {"https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy",
                                            "ALL_PROXY"};
    redact_proxy(text, config->proxy_url);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        redact_proxy(text, getenv(variables[i]));
}

void credentials_redact(const struct credentials *c, char *text)
{
    const struct config *config = c->config;
    if (!*text)
        return; /* as the error of nearly every event of a watch */
    redact_proxies(config, text);
    redact_urls(text);
    redact_secret(text, c->token.text);
    redact_secret(text, config->token);
    for (size_t i = 0; i < SENT; i++)
        redact_secret(text, c->sent[i]);
    if (c->exec)
        redact_secret(text, exec_credential_value(c->exec)->token);
    if (config->password) {
        char *pair = mem_printf("%s:%s", config->username ? config->username : "", config->password);
        redact_secret(text, pair);
        mem_free_secret(pair);
    }
    redact_secret(text, config->password);
    redact_headers(text);
}

bool credentials_expire(struct credentials *c)
{
    if (c->exec)
        exec_credential_expire(c->exec);
    if (c->config->token_file)
        token_expire(&c->token);
    return c->exec || c->config->token_file;
}
