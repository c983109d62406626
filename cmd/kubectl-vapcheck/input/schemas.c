#include "cmd/kubectl-vapcheck/input/schemas.h"

#include <stdio.h>
#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/base/print.h"
#include "client/discovery/clusterdump.h"
#include "client/discovery/discovery_parse.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/input/remote.h"
#include "controller/findings/kubeversion.h"
#include "typecheck/schema.h"
#include "typecheck/version.h"

enum { PATH_BYTES = 512, SHORT_NAMES = 20 };

/* More than all definitions may have: no text is cut. */
enum { DOCUMENT_CAP_BYTES = 1024 * 1024 * 1024 };

/* A document that was asked for. */
struct loaded {
    char *path;
    struct schema *schema;    /* the parsed document; NULL in the other states */
    enum openapi_state state; /* UNKNOWN: there is one, but it cannot be read */
};

struct schemas {
    struct clusterdump *snapshot; /* the dump of a cluster; NULL for a live cluster */
    struct remote *remote;        /* the live cluster; NULL for a dump */
    const struct crds *crds;      /* the definitions of the files; NULL if there are none */
    struct json_object *meta;     /* the document with what CRDs refer to, where there are CRDs */
    struct discovery *discovery;
    struct kubeversion version;
    struct env *env, *new_env;
    struct loaded *loaded;
    struct json_object *places; /* by path: the index in loaded */
    size_t n_loaded;
    bool has_failed;
};

/* The document at a URL path, good as long as the schemas are. */
static int get(struct schemas *s, const char *url, const char **bytes, size_t *len, struct err *err)
{
    return s->remote != NULL ? remote_get(s->remote, url, bytes, len, err)
                             : clusterdump_get(s->snapshot, url, bytes, len, err);
}

/* A definition's lists of names stand at each of its versions: together they may be a thousand times as long
 * as the definition. Nobody reads categories, and only hints need short names. */
static void drop_names(struct json_object *group)
{
    struct json_object *versions = jsonval_array(group, "versions");
    for (size_t i = 0; i < jsonval_length(versions); i++) {
        struct json_object *resources = jsonval_array(jsonval_at(versions, i), "resources");
        for (size_t j = 0; j < jsonval_length(resources); j++) {
            struct json_object *resource = jsonval_at(resources, j);
            jsonval_drop(resource, "categories");
            if (jsonval_length(jsonval_array(resource, "shortNames")) > SHORT_NAMES)
                jsonval_drop(resource, "shortNames");
        }
    }
}

/* Both documents of discovery, the groups' with the definitions' resources. */
static int read_discovery(struct schemas *s, struct discovery **out, struct err *err)
{
    const char *core, *groups;
    size_t core_len, groups_len;
    if (get(s, "/api", &core, &core_len, err) != 0 || get(s, "/apis", &groups, &groups_len, err) != 0)
        return -1;
    if (s->crds == NULL)
        return discovery_parse(core, core_len, groups, groups_len, out, err);
    cleanup_json struct json_object *served = NULL;
    if (jsonval_parse(groups, groups_len, &served, err) != 0)
        return -1;
    cleanup_json struct json_object *all = crds_discovery(s->crds, served);
    struct json_object *items = jsonval_array(all, "items");
    for (size_t i = 0; i < jsonval_length(items); i++)
        drop_names(jsonval_at(items, i));
    groups = json_object_to_json_string_length(all, JSON_C_TO_STRING_PLAIN, &groups_len);
    return discovery_parse(core, core_len, groups, groups_len, out, err);
}

static int make_envs(struct schemas *s, struct celgo celgo, struct err *err)
{
    env_free(s->env);
    env_free(s->new_env);
    s->env = env_new(s->version.minor, celgo);
    s->new_env = env_new(s->version.oldest_minor, celgo);
    return s->env == NULL || s->new_env == NULL ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int schemas_use_cel_go(struct schemas *s, int release, struct err *err)
{
    return make_envs(s, celgo_of(release), err);
}

static int read_version(struct schemas *s, struct err *err)
{
    const char *bytes;
    size_t len;
    if (get(s, "/version", &bytes, &len, err) != 0)
        return -1;
    if (kubeversion_parse(bytes, len, &s->version, err) != 0)
        return err_prefix(err, "version");
    return make_envs(s, celgo_in(s->version.minor), err);
}

int schemas_set_minor(struct schemas *s, int minor, struct err *err)
{
    s->version.minor = minor;
    s->version.oldest_minor = minor - 1;
    return make_envs(s, celgo_in(minor), err);
}

/* Takes the one that is not NULL. */
static int open_source(struct clusterdump *snapshot, struct remote *remote, struct schemas **out,
                       struct err *err)
{
    struct schemas *s = mem_zalloc(sizeof *s);
    s->snapshot = snapshot;
    s->remote = remote;
    s->places = json_object_new_object();
    if (read_discovery(s, &s->discovery, err) != 0 || read_version(s, err) != 0) {
        schemas_free(s);
        return -1;
    }
    *out = s;
    return 0;
}

int schemas_open(const char *path, struct schemas **out, struct err *err)
{
    struct clusterdump *snapshot;
    if (clusterdump_open(path, &snapshot, err) != 0)
        return -1; /* the message has the path */
    return open_source(snapshot, NULL, out, err) == 0 ? 0 : err_prefix(err, "%s", path);
}

int schemas_open_bytes(const void *bytes, size_t len, struct schemas **out, struct err *err)
{
    struct clusterdump *snapshot;
    return clusterdump_open_bytes(bytes, len, &snapshot, err) == 0 ? open_source(snapshot, NULL, out, err)
                                                                   : -1;
}

int schemas_open_cluster(const struct config_source *source, struct schemas **out, struct err *err)
{
    struct remote *remote;
    return remote_open(source, &remote, err) == 0 ? open_source(NULL, remote, out, err) : -1;
}

static void forget_loaded(struct schemas *s)
{
    for (size_t i = 0; i < s->n_loaded; i++) {
        schema_free(s->loaded[i].schema);
        mem_free(s->loaded[i].path);
    }
    json_object_put(s->places);
    s->places = json_object_new_object();
    s->n_loaded = 0;
}

void schemas_free(struct schemas *s)
{
    if (s == NULL)
        return;
    forget_loaded(s);
    json_object_put(s->places);
    mem_free(s->loaded);
    json_object_put(s->meta);
    env_free(s->env);
    env_free(s->new_env);
    discovery_free(s->discovery);
    clusterdump_free(s->snapshot);
    remote_close(s->remote);
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

const struct env *schemas_new_env(const struct schemas *s)
{
    return s->new_env;
}

/* A document of the snapshot; NULL with ERR_NONE where there is none. */
static const char *get_document(struct schemas *s, const char *path, size_t *len, struct err *err)
{
    cleanup_mem char *url = mem_printf("/openapi/v3/%s", path);
    const char *bytes;
    if (get(s, url, &bytes, len, err) == 0)
        return bytes;
    if (err->code == ERR_NOT_FOUND)
        *err = (struct err){0};
    return NULL;
}

/* Something that is there cannot be used. */
static void report_failure(struct schemas *s, const char *what, const char *why)
{
    s->has_failed = true;
    print_line(stderr, "kubectl-vapcheck: %s%s%s", what, *what == '\0' ? "" : ": ", why);
}

/* The same as a tree, for the caller to put; NULL where there is none to be had. */
static struct json_object *get_tree(struct schemas *s, const char *path)
{
    struct json_object *tree = NULL;
    struct err err = {0};
    size_t len;
    const char *bytes = get_document(s, path, &len, &err);
    if (bytes != NULL && jsonval_parse(bytes, len, &tree, &err) == 0)
        return tree;
    if (err.code != ERR_NONE)
        report_failure(s, path, err.msg);
    return NULL;
}

/* The document of the definitions' kinds, with what the snapshot has there beside them; false: there is none.
 */
static bool write_document(struct schemas *s, const char *path, struct buf *out)
{
    if (s->crds == NULL)
        return false;
    cleanup_json struct json_object *base = get_tree(s, path);
    return crds_write(s->crds, path, base, s->meta, out);
}

static struct loaded load(struct schemas *s, const char *path)
{
    cleanup_buf struct buf made;
    buf_init(&made, DOCUMENT_CAP_BYTES);
    const bool is_made = write_document(s, path, &made);
    struct loaded answer = {.path = mem_strdup(path), .state = OPENAPI_FRESH};
    struct err err = {0};
    char message[512];
    bool is_limit;
    size_t len = made.len;
    const char *bytes = is_made ? made.data : get_document(s, path, &len, &err);
    if (bytes == NULL) {
        answer.state = err.code == ERR_NONE    ? OPENAPI_ABSENT
                       : err.code == ERR_LIMIT ? OPENAPI_TOO_LARGE
                                               : OPENAPI_UNKNOWN;
        if (err.code != ERR_NONE)
            report_failure(s, "", err.msg);
        return answer;
    }
    answer.schema = schema_new(bytes, len, message, sizeof message, &is_limit);
    if (answer.schema == NULL) {
        cleanup_mem char *url = mem_printf("/openapi/v3/%s", path);
        answer.state = is_limit ? OPENAPI_TOO_LARGE : OPENAPI_UNKNOWN;
        report_failure(s, url, message);
    } else if (is_made) {
        schema_digest_kinds(answer.schema); /* of kinds that policies of `*` ask alike (identities.h) */
    }
    return answer;
}

struct json_object *schemas_document(struct schemas *s, struct str group, struct str version)
{
    cleanup_mem char *path = group.len == 0 ? mem_printf("api/%.*s", STR_ARG(version))
                                            : mem_printf("apis/%.*s/%.*s", STR_ARG(group), STR_ARG(version));
    struct json_object *base = get_tree(s, path);
    struct json_object *made = s->crds == NULL ? NULL : crds_document(s->crds, path, base, s->meta);
    if (made == NULL)
        return base;
    json_object_put(base);
    return made;
}

void schemas_put(struct schemas *s, const struct crds *crds)
{
    const struct crds *wanted = crds == NULL || crds_is_empty(crds) ? NULL : crds;
    struct discovery *discovery;
    struct err err = {0};
    if (s->crds == NULL && wanted == NULL)
        return;
    s->crds = wanted;
    forget_loaded(s);
    if (read_discovery(s, &discovery, &err) != 0) {
        report_failure(s, "discovery with the CustomResourceDefinitions", err.msg);
        return;
    }
    discovery_free(s->discovery);
    s->discovery = discovery;
    if (s->meta == NULL)
        s->meta = get_tree(s, "apis/apps/v1");
}

const struct schema *schemas_lookup(void *schemas, const char *path, enum openapi_state *state)
{
    struct schemas *s = schemas;
    int64_t place = jsonval_int(s->places, path, -1);
    if (place < 0) {
        place = (int64_t)s->n_loaded;
        jsonval_set(s->places, path, json_object_new_int64(place));
        s->loaded = mem_grow(s->loaded, s->n_loaded, sizeof *s->loaded);
        s->loaded[s->n_loaded++] = load(s, path);
    }
    *state = s->loaded[place].state;
    return s->loaded[place].schema;
}

static struct policy_run_type find_in(struct schemas *s, const char *path, const char *group,
                                      const char *version, const char *kind)
{
    enum openapi_state state;
    const struct schema *doc = schemas_lookup(s, path, &state);
    return (struct policy_run_type){
        doc, doc == NULL ? NULL : schema_find(doc, str_of(group), str_of(version), str_of(kind))};
}

struct policy_run_type schemas_type(struct schemas *s, const char *group, const char *version,
                                    const char *kind)
{
    char path[PATH_BYTES];
    struct policy_run_type type = {NULL, NULL};
    if (groupversion_path(group, version, path, sizeof path) == 0)
        type = find_in(s, path, group, version, kind);
    return type.root != NULL ? type : find_in(s, "api/v1", group, version, kind);
}

bool schemas_has_failed(const struct schemas *s)
{
    return s->has_failed;
}
