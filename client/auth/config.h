/*
 * config: which API server a client talks to, and with which credentials.
 *
 * The result of reading a kubeconfig file (kubeconfig.h) or the environment of
 * a pod (config_source.h): a plain struct on the heap, owned by the caller.
 * TLS, tokens and credential plugins read it and never change it. Its paths
 * are absolute or relative to the working directory. The files that the paths
 * name are read again whenever they are needed, since they may change.
 */
#ifndef CLIENT_AUTH_CONFIG_H
#define CLIENT_AUTH_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"
#include "client/http/tls.h"

/* A kubeconfig file above this is refused. */
enum { CONFIG_FILE_CAP_BYTES = 4 * 1024 * 1024 };

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
    bool is_in_cluster; /* the service account of our own pod */

    struct tls_options tls;
    char *proxy_url;
    bool disable_compression;

    char *token;
    char *token_file; /* wins over token once it was readable */
    char *username;
    char *password;
    struct config_exec *exec; /* the plugin that gives credentials; NULL if there is none */

    char *as_user; /* impersonation */
    char *as_uid;
    char **as_groups;
    size_t n_as_groups;
    struct config_pair *as_extra; /* one entry a value */
    size_t n_as_extra;
};

/* Returns true if text may stand in a header line of a request: it has no control characters. */
bool config_fits_header(const char *text);

/* Wipes what is secret; NULL is fine. */
void config_free(struct config *config);

#endif
