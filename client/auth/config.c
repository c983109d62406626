#include "client/auth/config.h"

#include "client/base/mem.h"

bool config_fits_header(const char *text)
{
    for (const char *p = text; *p; p++) {
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            return false;
    }
    return true;
}

static void free_pairs(struct config_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mem_free(pairs[i].name);
        mem_free_secret(pairs[i].value);
    }
    mem_free(pairs);
}

static void free_strings(char **strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mem_free(strings[i]);
    mem_free(strings);
}

static void free_exec(struct config_exec *exec)
{
    if (!exec)
        return;
    mem_free(exec->api_version);
    mem_free(exec->command);
    free_strings(exec->args, exec->n_args);
    free_pairs(exec->env, exec->n_env);
    mem_free(exec->install_hint);
    mem_free(exec);
}

void config_free(struct config *config)
{
    if (!config)
        return;
    char *const plain[] = {config->origin,
                           config->server,
                           config->namespace,
                           config->tls.ca_file,
                           config->tls.ca_data,
                           config->tls.server_name,
                           config->proxy_url,
                           config->token_file,
                           config->tls.client_cert_file,
                           config->tls.client_cert_data,
                           config->tls.client_key_file,
                           config->username,
                           config->as_user,
                           config->as_uid};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        mem_free(plain[i]);
    mem_free_secret(config->token);
    mem_free_secret(config->tls.client_key_data);
    mem_free_secret(config->password);
    free_exec(config->exec);
    free_strings(config->as_groups, config->n_as_groups);
    free_pairs(config->as_extra, config->n_as_extra);
    mem_free(config);
}
