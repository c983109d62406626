#include <stdlib.h>

#include "client/auth/config_source.h"

void config_source_from_env(struct config_source *source)
{
    *source = (struct config_source){
        .env_kubeconfig = getenv("KUBECONFIG"),
        .home = getenv("HOME"),
        .service_host = getenv("KUBERNETES_SERVICE_HOST"),
        .service_port = getenv("KUBERNETES_SERVICE_PORT"),
        .serviceaccount_dir = CONFIG_SOURCE_SERVICEACCOUNT_DIR,
    };
}
