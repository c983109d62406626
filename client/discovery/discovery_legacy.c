#include "client/discovery/discovery_legacy.h"

#include <stdint.h>
#include <string.h>

#include "client/base/groupversion.h"
#include "client/discovery/discovery_parse.h"
#include "client/text/jsonpick.h"
#include "client/text/jsonval.h"

enum { PATH_BYTES = 512 };

struct documents {
    const struct discovery_legacy_document *list;
    size_t count;
};

bool discovery_legacy_is(const char *bytes, size_t len)
{
    struct jsonpick_pick kind = {.path = {"kind"}};
    return bytes && jsonpick_pick(bytes, len, &kind, 1, NULL) == 0 &&
           (jsonpick_is(&kind.value, "APIVersions") || jsonpick_is(&kind.value, "APIGroupList"));
}

/* Writes the path of the version's document. Returns false if the name is too long: the version is then not
 * listed. */
static bool version_path(const char *group, const char *version, char out[PATH_BYTES])
{
    out[0] = '/';
    return groupversion_path(group, version, out + 1, PATH_BYTES - 1) == 0;
}

static void list_version(const char *group, const char *version,
                         void (*on_path)(void *user, const char *path), void *user)
{
    char path[PATH_BYTES];
    if (version_path(group, version, path))
        on_path(user, path);
}

int discovery_legacy_list(const char *bytes, size_t len, void (*on_path)(void *user, const char *path),
                          void *user, struct err *err)
{
    cleanup_json struct json_object *root = NULL;
    if (jsonval_parse(bytes, len, &root, err) != 0)
        return err_prefix(err, "discovery");
    struct json_object *versions = jsonval_array(root, "versions");
    for (size_t i = 0; i < jsonval_length(versions); i++) {
        const char *version = jsonval_text(jsonval_at(versions, i));
        if (version)
            list_version("", version, on_path, user);
    }
    struct json_object *groups = jsonval_array(root, "groups");
    for (size_t i = 0; i < jsonval_length(groups); i++) {
        struct json_object *group = jsonval_at(groups, i);
        versions = jsonval_array(group, "versions");
        for (size_t j = 0; j < jsonval_length(versions); j++)
            list_version(jsonval_string_or_empty(group, "name"),
                         jsonval_string_or_empty(jsonval_at(versions, j), "version"), on_path, user);
    }
    return 0;
}

/* The resource of that name in the list, or a new one: a subresource may come before its parent. */
static struct discovery_resource *resource_named(struct discovery *d, struct discovery_resource *list,
                                                 size_t *count, const char *name, size_t len, size_t most)
{
    for (size_t i = 0; i < *count; i++) {
        if (strncmp(list[i].name, name, len) == 0 && list[i].name[len] == '\0')
            return &list[i];
    }
    struct discovery_resource *r = &list[(*count)++];
    *r = (struct discovery_resource){.name = discovery_text(d, name, len),
                                     .singular = "",
                                     .group = "",
                                     .version = "",
                                     .kind = "",
                                     .verbs = discovery_array(d, 0, sizeof(char *)),
                                     .short_names = discovery_array(d, 0, sizeof(char *))};
    if (most)
        r->subresources = discovery_array(d, most, sizeof *r);
    return r;
}

static size_t count_subresources(struct json_object *resources, const char *name, size_t len)
{
    size_t count = 0;
    for (size_t i = 0; i < jsonval_length(resources); i++) {
        const char *other = jsonval_string_or_empty(jsonval_at(resources, i), "name");
        count += strncmp(other, name, len) == 0 && other[len] == '/';
    }
    return count;
}

static void read_resource(struct discovery *d, struct discovery_resource *list, size_t *count,
                          struct json_object *resources, size_t index, const char *group, const char *version)
{
    struct json_object *o = jsonval_at(resources, index);
    const char *name = jsonval_string_or_empty(o, "name");
    const char *slash = strchr(name, '/');
    const size_t len = slash ? (size_t)(slash - name) : strlen(name);
    struct discovery_resource *r =
        resource_named(d, list, count, name, len, count_subresources(resources, name, len));
    if (slash && r->subresources) {
        /* The list is ours, made by resource_named; only its readers see it const. */
        struct discovery_resource *subresources = (struct discovery_resource *)(uintptr_t)r->subresources;
        r = resource_named(d, subresources, &r->n_subresources, slash + 1, strlen(slash + 1), 0);
    }
    r->singular = slash ? "" : discovery_string(d, jsonval_string_or_empty(o, "singularName"));
    r->is_namespaced = jsonval_is_true(o, "namespaced");
    discovery_read_kind(d, r, o, group, version);
    r->verbs = discovery_read_strings(d, jsonval_array(o, "verbs"), &r->n_verbs);
    r->short_names = discovery_read_strings(d, jsonval_array(o, "shortNames"), &r->n_short_names);
}

static const struct discovery_legacy_document *find_document(const struct documents *all, const char *path)
{
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->list[i].path, path) == 0)
            return all->list[i].bytes ? &all->list[i] : NULL;
    }
    return NULL;
}

static void read_version(struct discovery *d, struct discovery_version *v, const char *group,
                         const char *version, const struct documents *all)
{
    char path[PATH_BYTES];
    cleanup_json struct json_object *root = NULL;
    struct err ignored;
    const struct discovery_legacy_document *own =
        version_path(group, version, path) ? find_document(all, path) : NULL;
    v->version = discovery_string(d, version);
    v->state = DISCOVERY_FAILED;
    if (own && discovery_read_root(own->bytes, own->len, "APIResourceList", &root, &ignored) == 0)
        v->state = DISCOVERY_CURRENT;
    struct json_object *resources = jsonval_array(root, "resources");
    size_t most = jsonval_length(resources);
    if (most > DISCOVERY_LEGACY_RESOURCES) {
        most = 0; /* each is compared with all others */
        v->state = DISCOVERY_FAILED;
    }
    /* A subresource may bring a parent that is not listed. */
    struct discovery_resource *list = discovery_array(d, most, sizeof *list);
    for (size_t i = 0; i < most; i++)
        read_resource(d, list, &v->n_resources, resources, i, group, version);
    v->resources = list;
}

static void read_group(struct discovery *d, struct discovery_group *g, struct json_object *o,
                       const struct documents *all)
{
    struct json_object *versions = jsonval_array(o, "versions");
    struct discovery_version *list = discovery_array(d, jsonval_length(versions), sizeof *list);
    g->name = discovery_string(d, jsonval_string_or_empty(o, "name"));
    g->versions = list;
    for (size_t i = 0; i < jsonval_length(versions); i++) {
        struct json_object *version = jsonval_at(versions, i);
        const char *text = jsonval_text(version);
        if (!text)
            text = jsonval_string_or_empty(version, "version");
        read_version(d, &list[g->n_versions++], g->name, text, all);
    }
    const char *preferred = jsonval_string_or_empty(jsonval_get(o, "preferredVersion"), "version");
    g->preferred_version = *preferred ? discovery_string(d, preferred) : g->n_versions ? list[0].version : "";
}

int discovery_legacy_parse(const struct discovery_legacy_document *documents, size_t count,
                           struct discovery **out, struct err *err)
{
    cleanup_json struct json_object *core = NULL;
    cleanup_json struct json_object *groups = NULL;
    const struct documents all = {documents, count};
    const struct discovery_legacy_document *api = find_document(&all, "/api");
    const struct discovery_legacy_document *apis = find_document(&all, "/apis");
    *out = NULL;
    if (api && discovery_read_root(api->bytes, api->len, "APIVersions", &core, err) != 0)
        return -1;
    if (apis && discovery_read_root(apis->bytes, apis->len, "APIGroupList", &groups, err) != 0)
        return -1;
    struct discovery *d = discovery_new();
    struct json_object *named = jsonval_array(groups, "groups");
    struct discovery_group *list = discovery_array(d, jsonval_length(named) + 1, sizeof *list);
    size_t n = 0;
    if (core)
        read_group(d, &list[n++], core, &all);
    for (size_t i = 0; i < jsonval_length(named); i++)
        read_group(d, &list[n++], jsonval_at(named, i), &all);
    discovery_finish(d, list, n);
    *out = d;
    return 0;
}
