#include "client/auth/kubeconfig.h"

#include <string.h>
#include <strings.h>

#include "bytes/base64.h"
#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"

struct source {
    const char *path;
    char *directory;
    struct yaml *yaml;
    struct json_object *root;
};

struct sources {
    struct source *files;
    size_t count;
};

/* One of "clusters", "users", "contexts" by its name, and the file it came from. */
struct entry {
    struct json_object *value;
    const struct source *file;
    const char *kind;
    const char *name;
};

static int read_source(struct source *s, const char *path, struct err *err)
{
    cleanup_mem char *bytes = NULL;
    size_t len;
    s->path = path;
    s->directory = file_directory(path);
    if (file_read(path, CONFIG_FILE_CAP_BYTES, &bytes, &len, err) != 0)
        return err_prefix(err, "kubeconfig");
    struct yaml_place where;
    const int result = yaml_parse(bytes, len, &s->yaml, &where, err);
    mem_wipe(bytes, len);
    /* the reason is not reported: libyaml's message may quote a part of the file, which may be a password */
    if (result != 0)
        return err_set(err, err->code, "kubeconfig %s: line %u, column %u: malformed YAML", path, where.line,
                       where.column);
    if (yaml_count(s->yaml) == 0)
        return 0;
    s->root = yaml_root(s->yaml, 0)->json;
    if (!json_object_is_type(s->root, json_type_object))
        return err_set(err, ERR_INVALID, "kubeconfig %s: not a YAML mapping", path);
    return 0;
}

static void sources_deinit(struct sources *s)
{
    for (size_t i = 0; i < s->count; i++) {
        mem_free(s->files[i].directory);
        yaml_close(s->files[i].yaml);
    }
    mem_free(s->files);
}

static const char *current_context(const struct sources *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const char *name = jsonval_string_or_empty(s->files[i].root, "current-context");
        if (*name)
            return name;
    }
    return NULL;
}

/* list is "clusters", kind "cluster": - name: x, cluster: {...} */
static int find_entry(const struct sources *s, const char *list, const char *kind, const char *name,
                      struct entry *out, struct err *err)
{
    for (size_t i = 0; i < s->count; i++) {
        struct json_object *entries = jsonval_array(s->files[i].root, list);
        for (size_t j = 0; j < jsonval_length(entries); j++) {
            struct json_object *entry = jsonval_at(entries, j);
            if (strcmp(jsonval_string_or_empty(entry, "name"), name) != 0)
                continue;
            *out = (struct entry){jsonval_get(entry, kind), &s->files[i], kind, name};
            return 0;
        }
    }
    (void)err_set(err, ERR_NOT_FOUND, "kubeconfig %s: there is no %s \"%s\"", s->files[0].path, kind, name);
    return -1;
}

static int invalid(const struct entry *e, const char *field, const char *why, struct err *err)
{
    return err_set(err, ERR_INVALID, "kubeconfig %s: %s \"%s\": %s%s%s", e->file->path, e->kind, e->name,
                   field, *field ? ": " : "", why);
}

/* A field that is a string into *out, where it is set. */
static int take_text(const struct entry *e, const char *field, char **out, struct err *err)
{
    struct json_object *value = jsonval_get(e->value, field);
    if (!value)
        return 0;
    const char *text = jsonval_text(value);
    if (!text)
        return invalid(e, field, "not a string", err);
    if (*text)
        *out = mem_strdup(text);
    return 0;
}

static int take_path(const struct entry *e, const char *field, char **out, struct err *err)
{
    char *path = NULL;
    if (take_text(e, field, &path, err) != 0)
        return -1;
    if (path)
        *out = file_resolve(e->file->directory, path);
    mem_free(path);
    return 0;
}

static int take_base64(const struct entry *e, const char *field, char **out, struct err *err)
{
    cleanup_mem char *text = NULL;
    size_t len;
    if (take_text(e, field, &text, err) != 0)
        return -1;
    if (!text)
        return 0;
    const size_t most = BASE64_BYTES(strlen(text));
    char *bytes = mem_zalloc(most + 1);
    if (base64_decode(text, strlen(text), bytes, &len)) {
        *out = bytes;
        return 0;
    }
    mem_wipe(bytes, most);
    mem_free(bytes);
    return invalid(e, field, "malformed base64", err);
}

static int read_cluster(const struct entry *e, struct config *c, struct err *err)
{
    if (take_text(e, "server", &c->server, err) != 0 ||
        take_path(e, "certificate-authority", &c->tls.ca_file, err) != 0 ||
        take_base64(e, "certificate-authority-data", &c->tls.ca_data, err) != 0 ||
        take_text(e, "tls-server-name", &c->tls.server_name, err) != 0 ||
        take_text(e, "proxy-url", &c->proxy_url, err) != 0)
        return -1;
    c->tls.insecure_skip_verify = jsonval_is_true(e->value, "insecure-skip-tls-verify");
    c->disable_compression = jsonval_is_true(e->value, "disable-compression");
    return c->server ? 0 : invalid(e, "server", "missing", err);
}

static int take_strings(const struct entry *e, struct json_object *array, const char *field, char ***out,
                        size_t *count, struct err *err)
{
    const size_t n = jsonval_length(array);
    *out = mem_array(n + 1, sizeof **out);
    for (size_t i = 0; i < n; i++) {
        const char *text = jsonval_text(jsonval_at(array, i));
        if (!text)
            return invalid(e, field, "not a list of strings", err);
        (*out)[(*count)++] = mem_strdup(text);
    }
    return 0;
}

static void add_pair(struct config_pair **pairs, size_t *count, const char *name, const char *value)
{
    *pairs = mem_realloc(*pairs, *count + 1, sizeof **pairs);
    (*pairs)[(*count)++] = (struct config_pair){mem_strdup(name), mem_strdup(value)};
}

static int read_impersonation(const struct entry *e, struct config *c, struct err *err)
{
    if (take_text(e, "as", &c->as_user, err) != 0 || take_text(e, "as-uid", &c->as_uid, err) != 0 ||
        take_strings(e, jsonval_array(e->value, "as-groups"), "as-groups", &c->as_groups, &c->n_as_groups,
                     err) != 0)
        return -1;
    struct json_object *extra = jsonval_get(e->value, "as-user-extra");
    if (!json_object_is_type(extra, json_type_object))
        return 0;
    jsonval_each(extra, name, values)
    {
        for (size_t i = 0; i < jsonval_length(values); i++) {
            const char *value = jsonval_text(jsonval_at(values, i));
            if (!value)
                return invalid(e, "as-user-extra", "not a list of strings", err);
            add_pair(&c->as_extra, &c->n_as_extra, name, value);
        }
    }
    return 0;
}

static int read_exec_env(const struct entry *e, struct config_exec *exec, struct err *err)
{
    struct json_object *env = jsonval_array(e->value, "env");
    for (size_t i = 0; i < jsonval_length(env); i++) {
        const char *name = jsonval_string_or_empty(jsonval_at(env, i), "name");
        const char *value = jsonval_string(jsonval_at(env, i), "value");
        if (!*name || strchr(name, '=') || !value)
            return invalid(e, "exec.env", "an entry without a proper name and value", err);
        add_pair(&exec->env, &exec->n_env, name, value);
    }
    return 0;
}

static int read_exec(const struct entry *user, struct json_object *value, struct config *c, struct err *err)
{
    struct entry e = *user;
    struct config_exec *exec = mem_zalloc(sizeof *exec);
    c->exec = exec;
    e.value = value;
    if (take_text(&e, "apiVersion", &exec->api_version, err) != 0 ||
        take_text(&e, "command", &exec->command, err) != 0 ||
        take_text(&e, "installHint", &exec->install_hint, err) != 0 ||
        take_strings(&e, jsonval_array(value, "args"), "exec.args", &exec->args, &exec->n_args, err) != 0 ||
        read_exec_env(&e, exec, err) != 0)
        return -1;
    if (!exec->command)
        return invalid(&e, "exec.command", "missing", err);
    if (!exec->api_version || (strcmp(exec->api_version, "client.authentication.k8s.io/v1") != 0 &&
                               strcmp(exec->api_version, "client.authentication.k8s.io/v1beta1") != 0))
        return invalid(&e, "exec.apiVersion", "neither client.authentication.k8s.io/v1 nor v1beta1", err);
    if (strcmp(jsonval_string_or_empty(value, "interactiveMode"), "Always") == 0)
        return invalid(&e, "exec.interactiveMode", "Always needs a terminal, which there is not", err);
    exec->provide_cluster_info = jsonval_is_true(value, "provideClusterInfo");
    /* A name alone is looked for in PATH. */
    if (strchr(exec->command, '/')) {
        char *command = file_resolve(e.file->directory, exec->command);
        mem_free(exec->command);
        exec->command = command;
    }
    return 0;
}

static int read_user(const struct entry *e, struct config *c, struct err *err)
{
    if (jsonval_get(e->value, "auth-provider"))
        return invalid(e, "auth-provider", "not supported any more; use an exec plugin", err);
    if (take_text(e, "token", &c->token, err) != 0 || take_path(e, "tokenFile", &c->token_file, err) != 0 ||
        take_path(e, "client-certificate", &c->tls.client_cert_file, err) != 0 ||
        take_base64(e, "client-certificate-data", &c->tls.client_cert_data, err) != 0 ||
        take_path(e, "client-key", &c->tls.client_key_file, err) != 0 ||
        take_base64(e, "client-key-data", &c->tls.client_key_data, err) != 0 ||
        take_text(e, "username", &c->username, err) != 0 ||
        take_text(e, "password", &c->password, err) != 0 || read_impersonation(e, c, err) != 0)
        return -1;
    struct json_object *exec = jsonval_get(e->value, "exec");
    return exec ? read_exec(e, exec, c, err) : 0;
}

static int read_context(const struct sources *s, const char *context, struct config *c, struct err *err)
{
    struct entry e;
    struct entry cluster;
    struct entry user;
    if (find_entry(s, "contexts", "context", context, &e, err) != 0)
        return -1;
    c->origin = mem_printf("kubeconfig %s, context %s", e.file->path, context);
    if (take_text(&e, "namespace", &c->namespace, err) != 0)
        return -1;
    if (find_entry(s, "clusters", "cluster", jsonval_string_or_empty(e.value, "cluster"), &cluster, err) !=
            0 ||
        read_cluster(&cluster, c, err) != 0)
        return -1;
    const char *user_name = jsonval_string_or_empty(e.value, "user");
    /* Credentials travel over TLS only. */
    if (!*user_name || strncasecmp(c->server, "https://", 8) != 0)
        return 0;
    if (find_entry(s, "users", "user", user_name, &user, err) != 0)
        return -1;
    return read_user(&user, c, err);
}

int kubeconfig_load(const char *const *paths, size_t count, const char *context, struct config *config,
                    struct err *err)
{
    struct sources s = {.files = mem_array(count, sizeof(struct source))};
    int result = 0;
    while (result == 0 && s.count < count) {
        result = read_source(&s.files[s.count], paths[s.count], err);
        s.count++;
    }
    if (result == 0) {
        const char *name = context && *context ? context : current_context(&s);
        result = name ? read_context(&s, name, config, err)
                      : err_set(err, ERR_NOT_FOUND, "kubeconfig %s: no current-context", paths[0]);
    }
    sources_deinit(&s);
    return result;
}
