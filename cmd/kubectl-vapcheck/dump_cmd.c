#include "cmd/kubectl-vapcheck/dump_cmd.h"

#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/discovery/clusterdump.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/input/remote.h"
#include "cmd/kubectl-vapcheck/options.h"

/* A dump in progress. */
struct dump {
    struct remote *remote;
    const char *directory;
    size_t count; /* documents written */
};

/* One document of the server; *bytes is good until the remote is closed. */
static int copy(struct dump *d, const char *path, const char **bytes, size_t *len, struct err *err)
{
    if (remote_get(d->remote, path, bytes, len, err) != 0 ||
        clusterdump_write(d->directory, path, *bytes, *len, err) != 0)
        return -1;
    d->count++;
    return 0;
}

static bool is_group_version(const char *path)
{
    const char *slash = strchr(path, '/');
    return strncmp(path, "api/", 4) == 0 ||
           (strncmp(path, "apis/", 5) == 0 && slash != NULL && strchr(slash + 1, '/') != NULL);
}

/* The index is the last of what is read first, and its documents follow. The version comes at the end: half a
 * dump has none, and nobody takes it for a whole one. */
static int copy_all(struct dump *d, struct err *err)
{
    static const char *const fixed[] = {"/api", "/apis", "/openapi/v3"};
    cleanup_json struct json_object *index = NULL;
    const char *bytes = NULL;
    size_t len = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (copy(d, fixed[i], &bytes, &len, err) != 0)
            return -1;
    }
    if (jsonval_parse(bytes, len, &index, err) != 0)
        return err_prefix(err, "/openapi/v3");
    struct json_object *paths = jsonval_get(index, "paths");
    if (!json_object_is_type(paths, json_type_object))
        return err_set(err, ERR_PROTOCOL, "/openapi/v3: the index has no paths");
    jsonval_each(paths, path, entry)
    {
        cleanup_mem char *url = mem_printf("/openapi/v3/%s", path);
        if (jsonval_string(entry, "serverRelativeURL") == NULL || !is_group_version(path))
            continue;
        if (copy(d, url, &bytes, &len, err) != 0)
            return -1;
        remote_forget_last(d->remote);
    }
    return copy(d, "/version", &bytes, &len, err);
}

static int run(const struct config_source *source, const char *directory)
{
    struct dump d = {.directory = directory};
    struct err err = {0};
    int answer = remote_open(source, &d.remote, &err);
    if (answer == 0)
        answer = clusterdump_make(directory, &err);
    if (answer == 0)
        answer = copy_all(&d, &err);
    remote_close(d.remote);
    if (answer != 0)
        print_line(stderr, "kubectl-vapcheck dump: %s", err.msg);
    else
        print_line(stdout, "%zu documents written to %s", d.count, directory);
    return answer == 0 ? 0 : 2;
}

int dump_cmd(const struct options *o)
{
    if (o->n_names == 1)
        return run(&o->cluster, o->names[0]);
    print_line(stderr, "kubectl-vapcheck dump: one directory is required (see --help)");
    return 2;
}
