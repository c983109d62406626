#include "client/discovery/discovery_parse.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonpick.h"
#include "client/text/jsonval.h"

enum { DOCUMENTS = 2, PATH_BYTES = 512, TEXT_BYTES = 8 * 1024 };

struct origin {
    char *bytes;
    size_t len;
    char *etag;
};

/* Everything that a discovery owns: blocks are its arrays and strings. */
struct discovery_private {
    void **blocks;
    size_t n_blocks;
    size_t room;
    char *text; /* where the next string goes; of a block */
    size_t text_left;
    const struct discovery_group **by_name; /* the groups, sorted; a block */
    struct origin origins[DOCUMENTS];
};

/* ---- memory ---- */

static void *keep(struct discovery *d, void *block)
{
    struct discovery_private *p = d->private;
    if (p->n_blocks == p->room) {
        p->room = p->room ? 2 * p->room : 256;
        p->blocks = mem_realloc(p->blocks, p->room, sizeof *p->blocks);
    }
    p->blocks[p->n_blocks++] = block;
    return block;
}

static void *new_array(struct discovery *d, size_t count, size_t element_bytes)
{
    return keep(d, mem_array(count, element_bytes));
}

/* Many short ones: each by itself would take twice its bytes. */
static char *new_text(struct discovery *d, const char *text, size_t len)
{
    struct discovery_private *p = d->private;
    if (len + 1 > p->text_left) {
        p->text_left = len + 1 > TEXT_BYTES ? len + 1 : TEXT_BYTES;
        p->text = keep(d, mem_zalloc(p->text_left));
    }
    char *copy = p->text;
    memcpy(copy, text, len);
    copy[len] = '\0';
    p->text += len + 1;
    p->text_left -= len + 1;
    return copy;
}

static const char *new_string(struct discovery *d, const char *text)
{
    return text && *text ? new_text(d, text, strlen(text)) : "";
}

static struct discovery *new_discovery(void)
{
    struct discovery *d = mem_zalloc(sizeof *d);
    d->private = mem_zalloc(sizeof *d->private);
    return d;
}

void discovery_free(struct discovery *discovery)
{
    if (!discovery)
        return;
    struct discovery_private *p = discovery->private;
    for (size_t i = 0; i < p->n_blocks; i++)
        mem_free(p->blocks[i]);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        mem_free(p->origins[i].bytes);
        mem_free(p->origins[i].etag);
    }
    mem_free(p->blocks);
    mem_free(p);
    mem_free(discovery);
}

/* ---- groups by name ---- */

static int name_order(const void *left, const void *right)
{
    const struct discovery_group *const *l = left;
    const struct discovery_group *const *r = right;
    const int order = strcmp((*l)->name, (*r)->name);
    return order ? order : (*l > *r) - (*l < *r); /* of the same name the first counts */
}

/* Once its groups are there. */
static void index_groups(struct discovery *d)
{
    const struct discovery_group **list = new_array(d, d->n_groups, sizeof(const struct discovery_group *));
    for (size_t i = 0; i < d->n_groups; i++)
        list[i] = &d->groups[i];
    if (d->n_groups)
        qsort(list, d->n_groups, sizeof(const struct discovery_group *), name_order);
    d->private->by_name = list;
}

const struct discovery_group *discovery_indexed_group(const struct discovery *discovery, const char *group)
{
    const struct discovery_group **list = discovery->private->by_name;
    size_t low = 0;
    for (size_t high = discovery->n_groups; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(list[middle]->name, group) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < discovery->n_groups && strcmp(list[low]->name, group) == 0 ? list[low] : NULL;
}

void discovery_set_origin(struct discovery *discovery, size_t which, const char *bytes, size_t len,
                          const char *etag)
{
    struct origin *o = &discovery->private->origins[which];
    mem_free(o->bytes);
    mem_free(o->etag);
    *o = (struct origin){bytes ? mem_strndup(bytes, len) : NULL, len, mem_strdup_or_null(etag)};
}

void discovery_origin(const struct discovery *discovery, size_t which, const char **bytes, size_t *len,
                      const char **etag)
{
    const struct origin *o = &discovery->private->origins[which];
    *bytes = o->bytes ? o->bytes : "";
    *len = o->len;
    *etag = o->bytes && o->etag ? o->etag : "";
}

/* ---- pieces of both forms ---- */

static const char *const *new_strings(struct discovery *d, struct json_object *array, size_t *count)
{
    const size_t n = jsonval_length(array);
    const char **list = new_array(d, n, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        const char *text = jsonval_text(jsonval_at(array, i));
        if (text)
            list[(*count)++] = new_string(d, text);
    }
    return list;
}

/* An empty group or version of a kind means the resource's. */
static void set_kind(struct discovery *d, struct discovery_resource *r, struct json_object *kind,
                     const char *group, const char *version)
{
    const char *own_group = jsonval_string_or_empty(kind, "group");
    const char *own_version = jsonval_string_or_empty(kind, "version");
    r->group = new_string(d, *own_group ? own_group : group);
    r->version = new_string(d, *own_version ? own_version : version);
    r->kind = new_string(d, jsonval_string_or_empty(kind, "kind"));
}

static int parse_kind(const char *bytes, size_t len, const char *expected, struct json_object **out,
                      struct err *err)
{
    if (jsonval_parse(bytes, len, out, err) != 0)
        return err_prefix(err, "discovery");
    const char *kind = jsonval_string_or_empty(*out, "kind");
    if (strcmp(kind, expected) == 0)
        return 0;
    (void)err_set(err, ERR_PROTOCOL, "discovery: a %.60s where a %s belongs",
                  *kind ? kind : "document without a kind", expected);
    json_object_put(*out);
    *out = NULL;
    return -1;
}

/* ---- the aggregated form ---- */

static void read_subresources(struct discovery *d, struct discovery_resource *parent,
                              struct json_object *array, const char *group, const char *version)
{
    struct discovery_resource *list = new_array(d, jsonval_length(array), sizeof *list);
    for (size_t i = 0; i < jsonval_length(array); i++) {
        struct json_object *o = jsonval_at(array, i);
        struct discovery_resource *r = &list[i];
        r->name = new_string(d, jsonval_string_or_empty(o, "subresource"));
        r->singular = "";
        r->is_namespaced = parent->is_namespaced;
        set_kind(d, r, jsonval_get(o, "responseKind"), group, version);
        r->verbs = new_strings(d, jsonval_array(o, "verbs"), &r->n_verbs);
        r->short_names = new_strings(d, NULL, &r->n_short_names);
    }
    parent->subresources = list;
    parent->n_subresources = jsonval_length(array);
}

static void read_resource(struct discovery *d, struct discovery_resource *r, struct json_object *o,
                          const char *group, const char *version)
{
    r->name = new_string(d, jsonval_string_or_empty(o, "resource"));
    r->singular = new_string(d, jsonval_string_or_empty(o, "singularResource"));
    r->is_namespaced = strcmp(jsonval_string_or_empty(o, "scope"), "Namespaced") == 0;
    set_kind(d, r, jsonval_get(o, "responseKind"), group, version);
    r->verbs = new_strings(d, jsonval_array(o, "verbs"), &r->n_verbs);
    r->short_names = new_strings(d, jsonval_array(o, "shortNames"), &r->n_short_names);
    read_subresources(d, r, jsonval_array(o, "subresources"), group, version);
}

static void read_version(struct discovery *d, struct discovery_version *v, struct json_object *o,
                         const char *group)
{
    struct json_object *resources = jsonval_array(o, "resources");
    const size_t n = jsonval_length(resources);
    struct discovery_resource *list = new_array(d, n, sizeof *list);
    v->version = new_string(d, jsonval_string_or_empty(o, "version"));
    for (size_t i = 0; i < n; i++)
        read_resource(d, &list[i], jsonval_at(resources, i), group, v->version);
    v->resources = list;
    v->n_resources = n;
    v->state = DISCOVERY_CURRENT;
    if (strcmp(jsonval_string_or_empty(o, "freshness"), "Stale") == 0)
        v->state = n ? DISCOVERY_STALE : DISCOVERY_FAILED;
}

static void read_group(struct discovery *d, struct discovery_group *g, struct json_object *o)
{
    struct json_object *versions = jsonval_array(o, "versions");
    const size_t n = jsonval_length(versions);
    struct discovery_version *list = new_array(d, n, sizeof *list);
    g->name = new_string(d, jsonval_string_or_empty(jsonval_get(o, "metadata"), "name"));
    for (size_t i = 0; i < n; i++)
        read_version(d, &list[i], jsonval_at(versions, i), g->name);
    g->versions = list;
    g->n_versions = n;
    g->preferred_version = n ? list[0].version : "";
}

int discovery_parse(const char *core, size_t core_len, const char *groups, size_t groups_len,
                    struct discovery **out, struct err *err)
{
    const char *const bytes[DOCUMENTS] = {core, groups};
    const size_t lengths[DOCUMENTS] = {core_len, groups_len};
    struct json_object *roots[DOCUMENTS] = {NULL, NULL};
    size_t n = 0;
    int result = 0;
    *out = NULL;
    for (size_t i = 0; i < DOCUMENTS && result == 0; i++) {
        if (bytes[i])
            result = parse_kind(bytes[i], lengths[i], "APIGroupDiscoveryList", &roots[i], err);
        n += jsonval_length(jsonval_array(roots[i], "items"));
    }
    if (result == 0) {
        struct discovery *d = new_discovery();
        struct discovery_group *list = new_array(d, n, sizeof *list);
        for (size_t i = 0; i < DOCUMENTS; i++) {
            struct json_object *items = jsonval_array(roots[i], "items");
            for (size_t j = 0; j < jsonval_length(items); j++)
                read_group(d, &list[d->n_groups++], jsonval_at(items, j));
        }
        d->groups = list;
        index_groups(d);
        *out = d;
    }
    json_object_put(roots[0]);
    json_object_put(roots[1]);
    return result;
}

/* ---- the older form ---- */

bool discovery_is_legacy(const char *bytes, size_t len)
{
    struct jsonpick_pick kind = {.path = {"kind"}};
    return bytes && jsonpick_pick(bytes, len, &kind, 1, NULL) == 0 &&
           (jsonpick_is(&kind.value, "APIVersions") || jsonpick_is(&kind.value, "APIGroupList"));
}

/* path needs not be there: a group or version whose name is that long is not listed. */
static void list_version(const char *group, const char *version,
                         void (*on_path)(void *user, const char *path), void *user)
{
    char path[PATH_BYTES];
    const int n = *group ? snprintf(path, sizeof path, "/apis/%s/%s", group, version)
                         : snprintf(path, sizeof path, "/api/%s", version);
    if (n > 0 && (size_t)n < sizeof path)
        on_path(user, path);
}

int discovery_list_legacy(const char *bytes, size_t len, void (*on_path)(void *user, const char *path),
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
    *r = (struct discovery_resource){.name = new_text(d, name, len),
                                     .singular = "",
                                     .group = "",
                                     .version = "",
                                     .kind = "",
                                     .verbs = new_array(d, 0, sizeof(char *)),
                                     .short_names = new_array(d, 0, sizeof(char *))};
    if (most)
        r->subresources = new_array(d, most, sizeof *r);
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

static void read_legacy_resource(struct discovery *d, struct discovery_resource *list, size_t *count,
                                 struct json_object *resources, size_t index, const char *group,
                                 const char *version)
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
    r->singular = slash ? "" : new_string(d, jsonval_string_or_empty(o, "singularName"));
    r->is_namespaced = jsonval_is_true(o, "namespaced");
    set_kind(d, r, o, group, version);
    r->verbs = new_strings(d, jsonval_array(o, "verbs"), &r->n_verbs);
    r->short_names = new_strings(d, jsonval_array(o, "shortNames"), &r->n_short_names);
}

static void read_legacy_version(struct discovery *d, struct discovery_version *v, const char *group,
                                const char *version, const struct discovery_document *documents, size_t count)
{
    char path[PATH_BYTES];
    cleanup_json struct json_object *root = NULL;
    struct err ignored;
    const int n = *group ? snprintf(path, sizeof path, "/apis/%s/%s", group, version)
                         : snprintf(path, sizeof path, "/api/%s", version);
    v->version = new_string(d, version);
    v->state = DISCOVERY_FAILED;
    for (size_t i = 0; i < count && n > 0; i++) {
        if (strcmp(documents[i].path, path) != 0 || !documents[i].bytes)
            continue;
        if (parse_kind(documents[i].bytes, documents[i].len, "APIResourceList", &root, &ignored) == 0)
            v->state = DISCOVERY_CURRENT;
        break;
    }
    struct json_object *resources = jsonval_array(root, "resources");
    size_t most = jsonval_length(resources);
    if (most > DISCOVERY_LEGACY_RESOURCES) {
        most = 0; /* each is compared with all others */
        v->state = DISCOVERY_FAILED;
    }
    /* A subresource may bring a parent that is not listed. */
    struct discovery_resource *list = new_array(d, most, sizeof *list);
    for (size_t i = 0; i < most; i++)
        read_legacy_resource(d, list, &v->n_resources, resources, i, group, version);
    v->resources = list;
}

static void read_legacy_group(struct discovery *d, struct discovery_group *g, struct json_object *o,
                              const struct discovery_document *documents, size_t count)
{
    struct json_object *versions = jsonval_array(o, "versions");
    struct discovery_version *list = new_array(d, jsonval_length(versions), sizeof *list);
    g->name = new_string(d, jsonval_string_or_empty(o, "name"));
    g->versions = list;
    for (size_t i = 0; i < jsonval_length(versions); i++) {
        struct json_object *version = jsonval_at(versions, i);
        const char *text = jsonval_text(version);
        if (!text)
            text = jsonval_string_or_empty(version, "version");
        read_legacy_version(d, &list[g->n_versions++], g->name, text, documents, count);
    }
    const char *preferred = jsonval_string_or_empty(jsonval_get(o, "preferredVersion"), "version");
    g->preferred_version = *preferred ? new_string(d, preferred) : g->n_versions ? list[0].version : "";
}

static const struct discovery_document *find_document(const struct discovery_document *documents,
                                                      size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(documents[i].path, path) == 0 && documents[i].bytes)
            return &documents[i];
    }
    return NULL;
}

int discovery_parse_legacy(const struct discovery_document *documents, size_t count, struct discovery **out,
                           struct err *err)
{
    cleanup_json struct json_object *core = NULL;
    cleanup_json struct json_object *groups = NULL;
    const struct discovery_document *api = find_document(documents, count, "/api");
    const struct discovery_document *apis = find_document(documents, count, "/apis");
    *out = NULL;
    if (api && parse_kind(api->bytes, api->len, "APIVersions", &core, err) != 0)
        return -1;
    if (apis && parse_kind(apis->bytes, apis->len, "APIGroupList", &groups, err) != 0)
        return -1;
    struct discovery *d = new_discovery();
    struct json_object *named = jsonval_array(groups, "groups");
    struct discovery_group *list = new_array(d, jsonval_length(named) + 1, sizeof *list);
    if (core)
        read_legacy_group(d, &list[d->n_groups++], core, documents, count);
    for (size_t i = 0; i < jsonval_length(named); i++)
        read_legacy_group(d, &list[d->n_groups++], jsonval_at(named, i), documents, count);
    d->groups = list;
    index_groups(d);
    *out = d;
    return 0;
}

/* ---- merging ---- */

static const char *const *copy_strings(struct discovery *d, const char *const *from, size_t count)
{
    const char **list = new_array(d, count, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = new_string(d, from[i]);
    return list;
}

static const struct discovery_resource *copy_resources(struct discovery *d,
                                                       const struct discovery_resource *from, size_t count)
{
    struct discovery_resource *list = new_array(d, count, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        struct discovery_resource *r = &list[i];
        *r = from[i];
        r->name = new_string(d, from[i].name);
        r->singular = new_string(d, from[i].singular);
        r->group = new_string(d, from[i].group);
        r->version = new_string(d, from[i].version);
        r->kind = new_string(d, from[i].kind);
        r->verbs = copy_strings(d, from[i].verbs, from[i].n_verbs);
        r->short_names = copy_strings(d, from[i].short_names, from[i].n_short_names);
        /* Subresources have none themselves, so this ends at the second level. */
        r->subresources = copy_resources(d, from[i].subresources, from[i].n_subresources);
    }
    return list;
}

static bool is_lost(const struct discovery_version *v)
{
    return v->state != DISCOVERY_CURRENT && v->n_resources == 0;
}

static void merge_version(struct discovery *d, struct discovery_version *to,
                          const struct discovery_version *newer, const struct discovery_version *older)
{
    const struct discovery_version *from = is_lost(newer) && older && older->n_resources ? older : newer;
    to->version = new_string(d, newer->version);
    to->resources = copy_resources(d, from->resources, from->n_resources);
    to->n_resources = from->n_resources;
    to->state = from == older ? DISCOVERY_STALE : newer->state;
}

bool discovery_has_lost(const struct discovery *discovery)
{
    for (size_t i = 0; i < discovery->n_groups; i++) {
        for (size_t j = 0; j < discovery->groups[i].n_versions; j++) {
            if (is_lost(&discovery->groups[i].versions[j]))
                return true;
        }
    }
    return false;
}

struct discovery *discovery_merge(const struct discovery *newer, const struct discovery *older)
{
    struct discovery *d = new_discovery();
    struct discovery_group *groups = new_array(d, newer->n_groups, sizeof *groups);
    for (size_t i = 0; i < newer->n_groups; i++) {
        const struct discovery_group *g = &newer->groups[i];
        struct discovery_version *versions = new_array(d, g->n_versions, sizeof *versions);
        for (size_t j = 0; j < g->n_versions; j++) {
            const struct discovery_version *v = &g->versions[j];
            merge_version(d, &versions[j], v,
                          older ? discovery_find_version(older, g->name, v->version) : NULL);
        }
        groups[i] = (struct discovery_group){.name = new_string(d, g->name),
                                             .preferred_version = new_string(d, g->preferred_version),
                                             .versions = versions,
                                             .n_versions = g->n_versions};
    }
    d->groups = groups;
    d->n_groups = newer->n_groups;
    index_groups(d);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        const struct origin *o = &newer->private->origins[i];
        discovery_set_origin(d, i, o->bytes, o->len, o->etag);
    }
    return d;
}
