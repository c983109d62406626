#include "cmd/kubectl-vapcheck/schemas.h"

#include <stdio.h>
#include <string.h>

#include "client/mem.h"
#include "client/snapshot.h"
#include "controller/kubeversion.h"

/* A document that was asked for. */
struct loaded {
    char *path;
    struct schema *schema; /* NULL: there is none, or it is broken */
};

struct schemas {
    struct snapshot *snapshot;
    struct discovery *discovery;
    struct kubeversion version;
    struct env *env;
    struct loaded *loaded;
    size_t n_loaded;
};

static int read_discovery(struct schemas *s, struct err *err)
{
    const char *core, *groups;
    size_t core_len, groups_len;
    if (snapshot_get(s->snapshot, "/api", &core, &core_len, err) != 0 ||
        snapshot_get(s->snapshot, "/apis", &groups, &groups_len, err) != 0)
        return -1;
    return discovery_parse(core, core_len, groups, groups_len, &s->discovery, err);
}

static int read_version(struct schemas *s, struct err *err)
{
    const char *bytes;
    size_t len;
    if (snapshot_get(s->snapshot, "/version", &bytes, &len, err) != 0)
        return -1;
    if (kubeversion_parse(bytes, len, &s->version, err) != 0)
        return err_prefix(err, "version");
    s->env = env_new(s->version.minor);
    return s->env == NULL ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

/* Takes the snapshot. */
static int open_snapshot(struct snapshot *snapshot, struct schemas **out, struct err *err)
{
    struct schemas *s = mem_zalloc(sizeof *s);
    s->snapshot = snapshot;
    if (read_discovery(s, err) != 0 || read_version(s, err) != 0) {
        schemas_free(s);
        return -1;
    }
    *out = s;
    return 0;
}

int schemas_open(const char *path, struct schemas **out, struct err *err)
{
    struct snapshot *snapshot;
    if (snapshot_open(path, &snapshot, err) != 0)
        return -1; /* the message has the path */
    return open_snapshot(snapshot, out, err) == 0 ? 0 : err_prefix(err, "%s", path);
}

int schemas_open_bytes(const void *bytes, size_t len, struct schemas **out, struct err *err)
{
    struct snapshot *snapshot;
    return snapshot_open_bytes(bytes, len, &snapshot, err) == 0 ? open_snapshot(snapshot, out, err) : -1;
}

void schemas_free(struct schemas *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->n_loaded; i++) {
        schema_free(s->loaded[i].schema);
        mem_free(s->loaded[i].path);
    }
    mem_free(s->loaded);
    env_free(s->env);
    discovery_free(s->discovery);
    snapshot_free(s->snapshot);
    mem_free(s);
}

const struct discovery *schemas_discovery(const struct schemas *s)
{
    return s->discovery;
}

int schemas_minor(const struct schemas *s)
{
    return s->version.minor;
}

const struct env *schemas_env(const struct schemas *s)
{
    return s->env;
}

static struct schema *load(struct schemas *s, const char *path)
{
    cleanup_mem char *url = mem_printf("/openapi/v3/%s", path);
    const char *bytes;
    size_t len;
    struct err err = {0};
    char message[512];
    if (snapshot_get(s->snapshot, url, &bytes, &len, &err) != 0) {
        if (err.code != ERR_NOT_FOUND)
            fprintf(stderr, "kubectl-vapcheck: %s\n", err.msg);
        return NULL;
    }
    struct schema *schema = schema_new(bytes, len, message, sizeof message);
    if (schema == NULL)
        fprintf(stderr, "kubectl-vapcheck: %s: %s\n", url, message);
    return schema;
}

const struct schema *schemas_lookup(void *schemas, const char *path, enum openapi_state *state)
{
    struct schemas *s = schemas;
    size_t i = 0;
    while (i < s->n_loaded && strcmp(s->loaded[i].path, path) != 0)
        i++;
    if (i == s->n_loaded) {
        s->loaded = mem_realloc(s->loaded, s->n_loaded + 1, sizeof *s->loaded);
        s->loaded[s->n_loaded++] = (struct loaded){mem_strdup(path), load(s, path)};
    }
    *state = s->loaded[i].schema == NULL ? OPENAPI_ABSENT : OPENAPI_FRESH;
    return s->loaded[i].schema;
}
