/*
 * config: which API server to talk to, and as whom. Reads kubeconfig files
 * and the in-cluster environment; no network.
 *
 * The result is a plain struct on the heap, owned by the caller, that later
 * stages (tls, token, exec_credential) read and never change. Files named in
 * it are absolute or relative to the working directory; their content is read
 * by those stages, again and again.
 *
 *     struct config_source source;
 *     config_source_from_env(&source);
 *     source.kubeconfig = options.kubeconfig;      (NULL if not given)
 *     struct config *config;
 *     if (config_load(&source, &config, &err) != 0) ...
 */
#ifndef CLIENT_AUTH_CONFIG_H
#define CLIENT_AUTH_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"
#include "client/http/tls.h"

/* A kubeconfig file above this is refused. */
enum { CONFIG_FILE_CAP_BYTES = 4 * 1024 * 1024 };

/* Where to look. All borrowed, any may be NULL. */
struct config_source {
    const char *kubeconfig;         /* --kubeconfig: a missing file is an error */
    const char *context;            /* --context: wins over current-context */
    const char *env_kubeconfig;     /* KUBECONFIG: a ':' list */
    const char *home;               /* HOME, for ~/.kube/config */
    const char *service_host;       /* KUBERNETES_SERVICE_HOST */
    const char *service_port;       /* KUBERNETES_SERVICE_PORT */
    const char *serviceaccount_dir; /* /var/run/secrets/kubernetes.io/serviceaccount */
};

struct config_pair {
    char *name;
    char *value;
};

struct config_exec {
    char *api_version; /* client.authentication.k8s.io/v1 or v1beta1 */
    char *command;
    char **args; /* n_args, then NULL */
    size_t n_args;
    struct config_pair *env;
    size_t n_env;
    char *install_hint;
    bool provide_cluster_info;
};

struct config {
    char *origin;       /* for the log: "kubeconfig /x, context y", "in-cluster" */
    char *server;       /* https://host:port/prefix, no slash at the end */
    char *namespace;    /* of the context or the service account; "default" */
    bool is_in_cluster; /* the service account of the pod that we are in */

    struct tls_options tls;
    char *proxy_url;
    bool disable_compression;

    char *token;
    char *token_file; /* wins over token once it was readable */
    char *username;
    char *password;
    struct config_exec *exec; /* NULL for none */

    char *as_user; /* impersonation */
    char *as_uid;
    char **as_groups;
    size_t n_as_groups;
    struct config_pair *as_extra; /* one entry a value */
    size_t n_as_extra;
};

/* Fills source from the environment; strings are the environment's. */
void config_source_from_env(struct config_source *source);

/* Finds and reads the configuration: kubeconfig, else env_kubeconfig, else ~/.kube/config
 * if it exists, else in-cluster. The caller frees *out with config_free.
 * Errors: NOT_FOUND (no file, no context), INVALID (names file and field), LIMIT. */
int config_load(const struct config_source *source, struct config **out, struct err *err) MUST_CHECK;

/* Whether a line of a request's head can have it: no control characters. */
bool config_fits_header(const char *text);

/* Wipes what is secret; NULL is fine. */
void config_free(struct config *config);

#endif
