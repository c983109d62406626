/*
 * config_source: finds the configuration of a client, as kubectl finds it: in
 * the file of --kubeconfig, in the files of KUBECONFIG, in ~/.kube/config, or,
 * in a pod, in the environment and the files of the service account.
 *
 *     struct config_source source;
 *     config_source_from_env(&source);
 *     source.kubeconfig = options.kubeconfig;      (NULL if not given)
 *     struct config *config;
 *     if (config_source_load(&source, &config, &err) != 0) ...
 */
#ifndef CLIENT_AUTH_CONFIG_SOURCE_H
#define CLIENT_AUTH_CONFIG_SOURCE_H

#include "client/auth/config.h"
#include "client/base/err.h"

#define CONFIG_SOURCE_SERVICEACCOUNT_DIR "/var/run/secrets/kubernetes.io/serviceaccount"

/* The places to look at. All are borrowed, any may be NULL. */
struct config_source {
    const char *kubeconfig;         /* --kubeconfig: a missing file is an error */
    const char *context;            /* --context: wins over current-context */
    const char *env_kubeconfig;     /* KUBECONFIG: a ':' list */
    const char *home;               /* HOME, for ~/.kube/config */
    const char *service_host;       /* KUBERNETES_SERVICE_HOST */
    const char *service_port;       /* KUBERNETES_SERVICE_PORT */
    const char *serviceaccount_dir; /* /var/run/secrets/kubernetes.io/serviceaccount */
};

/* Fills source from the environment. The strings belong to the environment. */
void config_source_from_env(struct config_source *source);

/* Finds, reads and validates the configuration. The caller frees *out with config_free.
 * Errors: NOT_FOUND (no file, no context), INVALID (names the file and the field), LIMIT. */
int config_source_load(const struct config_source *source, struct config **out, struct err *err) MUST_CHECK;

#endif
