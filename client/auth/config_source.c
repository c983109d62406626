#include "client/auth/config_source.h"

#include <stdlib.h>
#include <string.h>

#include "client/auth/kubeconfig.h"
#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/http/url.h"

static bool is_set(const char *text)
{
    return text && *text;
}

static char *trimmed(char *text)
{
    size_t len = strlen(text);
    while (len && strchr(" \t\r\n", text[len - 1]))
        text[--len] = '\0';
    return text;
}

static int load_in_cluster(const struct config_source *source, struct config *c, struct err *err)
{
    const char *dir =
        source->serviceaccount_dir ? source->serviceaccount_dir : CONFIG_SOURCE_SERVICEACCOUNT_DIR;
    const bool is_v6 = strchr(source->service_host, ':') != NULL;
    c->origin = mem_strdup("in-cluster");
    c->is_in_cluster = true;
    c->server = mem_printf("https://%s%s%s:%s", is_v6 ? "[" : "", source->service_host, is_v6 ? "]" : "",
                           source->service_port);
    c->token_file = mem_printf("%s/token", dir);
    c->tls.ca_file = mem_printf("%s/ca.crt", dir);
    cleanup_mem char *namespace_file = mem_printf("%s/namespace", dir);
    struct err ignored;
    if (file_read(namespace_file, CONFIG_FILE_CAP_BYTES, &c->namespace, NULL, &ignored) == 0)
        (void)trimmed(c->namespace);
    if (!file_exists(c->token_file))
        return err_set(err, ERR_NOT_FOUND, "in-cluster: there is no %s", c->token_file);
    return 0;
}

/* The files of a KUBECONFIG list, those that exist. */
static int load_list(const char *list, const char *context, struct config *c, bool *is_found, struct err *err)
{
    char **paths = NULL;
    size_t n = 0;
    for (const char *p = list; *p;) {
        const size_t len = strcspn(p, ":");
        char *path = mem_strndup(p, len);
        if (len && file_exists(path)) {
            paths = mem_realloc(paths, n + 1, sizeof *paths);
            paths[n++] = path;
        } else {
            mem_free(path);
        }
        p += len + (p[len] == ':');
    }
    *is_found = n > 0;
    const int result = n ? kubeconfig_load((const char *const *)paths, n, context, c, err) : 0;
    for (size_t i = 0; i < n; i++)
        mem_free(paths[i]);
    mem_free(paths);
    return result;
}

static int find(const struct config_source *source, struct config *c, struct err *err)
{
    bool is_found = false;
    if (is_set(source->kubeconfig))
        return kubeconfig_load(&source->kubeconfig, 1, source->context, c, err);
    if (is_set(source->env_kubeconfig)) {
        const int result = load_list(source->env_kubeconfig, source->context, c, &is_found, err);
        if (is_found)
            return result;
    } else if (is_set(source->home)) {
        cleanup_mem char *path = mem_printf("%s/.kube/config", source->home);
        if (file_exists(path))
            return kubeconfig_load((const char *const *)&path, 1, source->context, c, err);
    }
    if (is_set(source->service_host) && is_set(source->service_port))
        return load_in_cluster(source, c, err);
    if (is_set(source->env_kubeconfig))
        return err_set(err, ERR_NOT_FOUND, "KUBECONFIG names no file that exists: %.400s",
                       source->env_kubeconfig);
    return err_set(err, ERR_NOT_FOUND,
                   "no configuration: no --kubeconfig, no KUBECONFIG, no ~/.kube/config, not in a cluster");
}

/* text may be NULL. */
static int check_header(const struct config *c, const char *field, const char *text, struct err *err)
{
    if (!text || config_fits_header(text))
        return 0;
    return err_set(err, ERR_INVALID, "%s: %s: a line break or another control character", c->origin, field);
}

/* Checks the values that go into headers. A request without one of them would be somebody else's. */
static int validate_identity(const struct config *c, struct err *err)
{
    int result = check_header(c, "token", c->token, err);
    if (result == 0)
        result = check_header(c, "as", c->as_user, err);
    if (result == 0)
        result = check_header(c, "as-uid", c->as_uid, err);
    for (size_t i = 0; i < c->n_as_groups && result == 0; i++)
        result = check_header(c, "as-groups", c->as_groups[i], err);
    for (size_t i = 0; i < c->n_as_extra && result == 0; i++)
        result = check_header(c, "as-user-extra", c->as_extra[i].value, err);
    return result;
}

static int validate(struct config *c, struct err *err)
{
    struct url url;
    if (url_parse(c->server, &url, err) != 0)
        return err_prefix(err, "%s: server", c->origin);
    if (c->tls.insecure_skip_verify && (c->tls.ca_file || c->tls.ca_data))
        return err_set(err, ERR_INVALID,
                       "%s: insecure-skip-tls-verify and a certificate-authority contradict", c->origin);
    if ((c->token || c->token_file) && c->username)
        return err_set(err, ERR_INVALID, "%s: both a token and a username", c->origin);
    if ((c->tls.client_cert_data || c->tls.client_cert_file) && !c->tls.client_key_data &&
        !c->tls.client_key_file)
        return err_set(err, ERR_INVALID, "%s: a client-certificate without a client-key", c->origin);
    size_t len = strlen(c->server);
    while (len && c->server[len - 1] == '/')
        c->server[--len] = '\0';
    return validate_identity(c, err);
}

int config_source_load(const struct config_source *source, struct config **out, struct err *err)
{
    struct config *c = mem_zalloc(sizeof *c);
    *out = NULL;
    if (find(source, c, err) != 0 || validate(c, err) != 0) {
        config_free(c);
        return -1;
    }
    if (!is_set(c->namespace)) {
        mem_free(c->namespace);
        c->namespace = mem_strdup("default");
    }
    *out = c;
    return 0;
}
