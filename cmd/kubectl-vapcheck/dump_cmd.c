#include "cmd/kubectl-vapcheck/dump_cmd.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "client/api.h"
#include "client/config.h"
#include "client/jsonval.h"
#include "client/mem.h"
#include "client/snapshot.h"

#define AGGREGATED_DISCOVERY                                                                                 \
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"

/* What is read first; the index's documents follow. */
static const struct document {
    const char *path, *accept;
} fixed[] = {
    {"/version", NULL},
    {"/api", AGGREGATED_DISCOVERY},
    {"/apis", AGGREGATED_DISCOVERY},
    {"/openapi/v3", NULL},
};
enum { N_FIXED = sizeof fixed / sizeof *fixed, INDEX = N_FIXED - 1 };

/* A dump in progress: one document after the other. */
struct dump {
    struct api *api;
    struct snapshot_writer *writer;
    char **paths; /* of the index: "api/v1", ... */
    char **urls;
    size_t n_paths;
    size_t next; /* the document to read, the fixed ones first */
    bool is_done;
    struct err err;
};

static void read_next(struct dump *d);

/* Ends the loop: all that is left is to close what it runs. */
static void finish(struct dump *d)
{
    d->is_done = true;
    api_close(d->api, NULL, NULL);
}

static void fail(struct dump *d, const struct err *err, const char *path)
{
    err_copy(&d->err, err);
    err_prefix(&d->err, "%s", path);
    finish(d);
}

static bool is_group_version(const char *path)
{
    const char *slash = strchr(path, '/');
    return strncmp(path, "api/", 4) == 0 ||
           (strncmp(path, "apis/", 5) == 0 && slash != NULL && strchr(slash + 1, '/') != NULL);
}

/* The index: group-versions by path, and the URL of each document. */
static int read_index(struct dump *d, const struct api_reply *reply, struct err *err)
{
    cleanup_json struct json_object *index = NULL;
    if (jsonval_parse(reply->body, reply->len, &index, err) != 0)
        return -1;
    struct json_object *paths = jsonval_get(index, "paths");
    if (!json_object_is_type(paths, json_type_object))
        return err_set(err, ERR_PROTOCOL, "the index has no paths");
    size_t count = (size_t)json_object_object_length(paths);
    d->paths = mem_array(count + 1, sizeof *d->paths);
    d->urls = mem_array(count + 1, sizeof *d->urls);
    json_object_object_foreach(paths, path, entry)
    {
        const char *url = jsonval_string(entry, "serverRelativeURL");
        if (url == NULL || !is_group_version(path))
            continue;
        d->paths[d->n_paths] = mem_printf("/openapi/v3/%s", path);
        d->urls[d->n_paths++] = mem_strdup(url);
    }
    return 0;
}

static const char *current_path(const struct dump *d)
{
    return d->next < N_FIXED ? fixed[d->next].path : d->paths[d->next - N_FIXED];
}

static void on_document(void *user, const struct err *err, const struct api_reply *reply)
{
    struct dump *d = user;
    struct err own = {0};
    const char *path = current_path(d);
    if (err != NULL) {
        fail(d, err, path);
    } else if ((d->next == INDEX && read_index(d, reply, &own) != 0) ||
               snapshot_writer_add(d->writer, path, reply->body, reply->len, &own) != 0) {
        fail(d, &own, path);
    } else {
        d->next++;
        read_next(d);
    }
}

static void read_next(struct dump *d)
{
    struct api_get get = {0};
    if (d->next == N_FIXED + d->n_paths) {
        finish(d);
        return;
    }
    if (d->next < N_FIXED)
        get = (struct api_get){.path = fixed[d->next].path, .accept = fixed[d->next].accept};
    else
        get.path = d->urls[d->next - N_FIXED];
    api_get(d->api, &get, on_document, d);
}

static int run_dump(struct dump *d, const struct config *config, const char *directory)
{
    uv_loop_t loop;
    struct api_options options = {.program = "kubectl-vapcheck"};
    if (snapshot_writer_open(directory, SNAPSHOT_DIRECTORY, &d->writer, &d->err) != 0)
        return -1;
    uv_loop_init(&loop);
    if (api_new(&loop, config, &options, &d->api, &d->err) == 0) {
        read_next(d);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    uv_loop_close(&loop);
    if (d->err.code != ERR_NONE) {
        snapshot_writer_abandon(d->writer);
        return -1;
    }
    return snapshot_writer_finish(d->writer, &d->err);
}

static int dump_cluster(const struct config_source *source, const char *directory)
{
    struct dump d = {0};
    struct config *config;
    if (config_load(source, &config, &d.err) != 0) {
        fprintf(stderr, "kubectl-vapcheck dump: %s\n", d.err.msg);
        return 2;
    }
    int answer = run_dump(&d, config, directory);
    if (answer != 0)
        fprintf(stderr, "kubectl-vapcheck dump: %s\n", d.err.msg);
    else
        printf("%zu documents written to %s\n", N_FIXED + d.n_paths, directory);
    for (size_t i = 0; i < d.n_paths; i++) {
        mem_free(d.paths[i]);
        mem_free(d.urls[i]);
    }
    mem_free(d.paths);
    mem_free(d.urls);
    config_free(config);
    return answer == 0 ? 0 : 2;
}

static void usage(FILE *out)
{
    fputs(
        "Writes a cluster's version, discovery and OpenAPI v3 schemas to a directory, for\n"
        "\"kubectl vapcheck check --schemas DIR\".\n\n"
        "Usage: kubectl vapcheck dump DIR [FLAGS]\n\nFlags:\n"
        "      --kubeconfig FILE   as kubectl's (default: KUBECONFIG, then ~/.kube/config, then in-cluster)\n"
        "      --context NAME      as kubectl's\n"
        "  -h, --help\n",
        out);
}

int dump_cmd(int argc, char **argv)
{
    enum { OPTION_KUBECONFIG = 256, OPTION_CONTEXT };
    static const struct option flags[] = {
        {"kubeconfig", required_argument, NULL, OPTION_KUBECONFIG},
        {"context", required_argument, NULL, OPTION_CONTEXT},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct config_source source;
    config_source_from_env(&source);
    int option;
    while ((option = getopt_long(argc, argv, "h", flags, NULL)) != -1) {
        switch (option) {
        case OPTION_KUBECONFIG:
            source.kubeconfig = optarg;
            break;
        case OPTION_CONTEXT:
            source.context = optarg;
            break;
        case 'h':
            usage(stdout);
            return 0;
        default:
            return 2;
        }
    }
    if (optind + 1 != argc) {
        fputs("kubectl-vapcheck dump: one directory is required (see --help)\n", stderr);
        return 2;
    }
    return dump_cluster(&source, argv[optind]);
}
