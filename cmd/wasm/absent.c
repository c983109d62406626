/*
 * Functions that kubectl-vapcheck cannot have in WebAssembly: it asks no cluster, starts no program, and
 * waits for no change of a file. Each of them answers so.
 */
#include "client/base/print.h"
#include "cmd/kubectl-vapcheck/check/check_watch.h"
#include "cmd/kubectl-vapcheck/dump_cmd.h"
#include "cmd/kubectl-vapcheck/input/remote.h"
#include "cmd/kubectl-vapcheck/input/subprocess.h"
#include "cmd/kubectl-vapcheck/status_cmd.h"

#define NO_CLUSTER "this form of vapcheck (WebAssembly) asks no cluster"

static int refuse_command(const char *name)
{
    print_line(stderr, "kubectl-vapcheck %s: " NO_CLUSTER, name);
    return 2;
}

int status_cmd(const struct options *o)
{
    (void)o;
    return refuse_command("status");
}

int dump_cmd(const struct options *o)
{
    (void)o;
    return refuse_command("dump");
}

int check_watch(const struct options *options, void (*check)(void *user, const struct inputs *inputs),
                void *user)
{
    (void)options;
    (void)check;
    (void)user;
    print_line(stderr,
               "kubectl-vapcheck check: --watch: this form of vapcheck (WebAssembly) sees no file change");
    return 2;
}

int subprocess_run(const char *const *arguments, struct buf *text, struct err *err)
{
    (void)text;
    return err_set(err, ERR_INVALID, "this form of vapcheck (WebAssembly) starts no program, not even %s",
                   arguments[0]);
}

/* ---- remote: it cannot be opened, so that there is nothing of it ---- */

int remote_open(const struct config_source *source, struct remote **out, struct err *err)
{
    (void)source;
    *out = NULL;
    return err_set(err, ERR_NOT_FOUND, NO_CLUSTER);
}

void remote_close(struct remote *remote)
{
    (void)remote;
}

int remote_get(struct remote *remote, const char *path, const char **bytes, size_t *len, struct err *err)
{
    (void)remote;
    (void)path;
    (void)bytes;
    (void)len;
    return err_set(err, ERR_NOT_FOUND, NO_CLUSTER);
}

int remote_discovery(struct remote *remote, struct discovery **out, struct err *err)
{
    (void)remote;
    (void)out;
    return err_set(err, ERR_NOT_FOUND, NO_CLUSTER);
}

int remote_list(struct remote *remote, const char *path, unsigned limit, char **continue_token,
                remote_on_item *on_item, void *user, struct err *err)
{
    (void)remote;
    (void)path;
    (void)limit;
    (void)continue_token;
    (void)on_item;
    (void)user;
    return err_set(err, ERR_NOT_FOUND, NO_CLUSTER);
}

int remote_user(struct remote *remote, struct json_object **out, struct err *err)
{
    (void)remote;
    (void)out;
    return err_set(err, ERR_NOT_FOUND, NO_CLUSTER);
}

void remote_forget_last(struct remote *remote)
{
    (void)remote;
}
