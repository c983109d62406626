#include "client/discovery/discovery_parse.h"

#include <string.h>

#include "client/text/jsonval.h"

/* ---- pieces of both forms ---- */

const char *const *discovery_read_strings(struct discovery *d, struct json_object *array, size_t *count)
{
    const size_t n = jsonval_length(array);
    const char **list = discovery_array(d, n, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        const char *text = jsonval_text(jsonval_at(array, i));
        if (text)
            list[(*count)++] = discovery_string(d, text);
    }
    return list;
}

/* An empty group or version of a kind means the resource's. */
void discovery_read_kind(struct discovery *d, struct discovery_resource *r, struct json_object *kind,
                         const char *group, const char *version)
{
    const char *own_group = jsonval_string_or_empty(kind, "group");
    const char *own_version = jsonval_string_or_empty(kind, "version");
    r->group = discovery_string(d, *own_group ? own_group : group);
    r->version = discovery_string(d, *own_version ? own_version : version);
    r->kind = discovery_string(d, jsonval_string_or_empty(kind, "kind"));
}

int discovery_read_root(const char *bytes, size_t len, const char *expected, struct json_object **out,
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

/* ---- reading ---- */

static void read_subresources(struct discovery *d, struct discovery_resource *parent,
                              struct json_object *array, const char *group, const char *version)
{
    struct discovery_resource *list = discovery_array(d, jsonval_length(array), sizeof *list);
    for (size_t i = 0; i < jsonval_length(array); i++) {
        struct json_object *o = jsonval_at(array, i);
        struct discovery_resource *r = &list[i];
        r->name = discovery_string(d, jsonval_string_or_empty(o, "subresource"));
        r->singular = "";
        r->is_namespaced = parent->is_namespaced;
        discovery_read_kind(d, r, jsonval_get(o, "responseKind"), group, version);
        r->verbs = discovery_read_strings(d, jsonval_array(o, "verbs"), &r->n_verbs);
        r->short_names = discovery_read_strings(d, NULL, &r->n_short_names);
    }
    parent->subresources = list;
    parent->n_subresources = jsonval_length(array);
}

static void read_resource(struct discovery *d, struct discovery_resource *r, struct json_object *o,
                          const char *group, const char *version)
{
    r->name = discovery_string(d, jsonval_string_or_empty(o, "resource"));
    r->singular = discovery_string(d, jsonval_string_or_empty(o, "singularResource"));
    r->is_namespaced = strcmp(jsonval_string_or_empty(o, "scope"), "Namespaced") == 0;
    discovery_read_kind(d, r, jsonval_get(o, "responseKind"), group, version);
    r->verbs = discovery_read_strings(d, jsonval_array(o, "verbs"), &r->n_verbs);
    r->short_names = discovery_read_strings(d, jsonval_array(o, "shortNames"), &r->n_short_names);
    read_subresources(d, r, jsonval_array(o, "subresources"), group, version);
}

static void read_version(struct discovery *d, struct discovery_version *v, struct json_object *o,
                         const char *group)
{
    struct json_object *resources = jsonval_array(o, "resources");
    const size_t n = jsonval_length(resources);
    struct discovery_resource *list = discovery_array(d, n, sizeof *list);
    v->version = discovery_string(d, jsonval_string_or_empty(o, "version"));
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
    struct discovery_version *list = discovery_array(d, n, sizeof *list);
    g->name = discovery_string(d, jsonval_string_or_empty(jsonval_get(o, "metadata"), "name"));
    for (size_t i = 0; i < n; i++)
        read_version(d, &list[i], jsonval_at(versions, i), g->name);
    g->versions = list;
    g->n_versions = n;
    g->preferred_version = n ? list[0].version : "";
}

int discovery_parse(const char *core, size_t core_len, const char *groups, size_t groups_len,
                    struct discovery **out, struct err *err)
{
    const char *const bytes[DISCOVERY_HALVES] = {core, groups};
    const size_t lengths[DISCOVERY_HALVES] = {core_len, groups_len};
    struct json_object *roots[DISCOVERY_HALVES] = {NULL};
    size_t n = 0;
    int result = 0;
    *out = NULL;
    for (size_t i = 0; i < DISCOVERY_HALVES && result == 0; i++) {
        if (bytes[i])
            result = discovery_read_root(bytes[i], lengths[i], "APIGroupDiscoveryList", &roots[i], err);
        n += jsonval_length(jsonval_array(roots[i], "items"));
    }
    if (result == 0) {
        struct discovery *d = discovery_new();
        struct discovery_group *list = discovery_array(d, n, sizeof *list);
        size_t n_read = 0;
        for (size_t i = 0; i < DISCOVERY_HALVES; i++) {
            struct json_object *items = jsonval_array(roots[i], "items");
            for (size_t j = 0; j < jsonval_length(items); j++)
                read_group(d, &list[n_read++], jsonval_at(items, j));
        }
        discovery_finish(d, list, n);
        *out = d;
    }
    json_object_put(roots[0]);
    json_object_put(roots[1]);
    return result;
}

/* ---- writing ---- */

static void write_strings(struct buf *b, const char *key, const char *const *list, size_t count)
{
    buf_printf(b, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        buf_puts(b, i ? "," : "");
        buf_put_json(b, list[i], strlen(list[i]));
    }
    buf_putc(b, ']');
}

static void write_string(struct buf *b, const char *key, const char *value)
{
    buf_puts(b, key);
    buf_put_json(b, value, strlen(value));
}

/* The name's key says which it is: a resource, or a subresource. */
static void write_resource(struct buf *b, const char *key, const struct discovery_resource *r)
{
    write_string(b, key, r->name);
    write_string(b, ",\"responseKind\":{\"group\":", r->group);
    write_string(b, ",\"version\":", r->version);
    write_string(b, ",\"kind\":", r->kind);
    buf_putc(b, '}');
    write_strings(b, "verbs", r->verbs, r->n_verbs);
}

static void write_version(struct buf *b, const struct discovery_version *v)
{
    write_string(b, "{\"version\":", v->version);
    buf_puts(b, v->state == DISCOVERY_CURRENT ? ",\"freshness\":\"Current\"" : ",\"freshness\":\"Stale\"");
    buf_puts(b, ",\"resources\":[");
    for (size_t i = 0; i < v->n_resources; i++) {
        const struct discovery_resource *r = &v->resources[i];
        write_resource(b, i ? ",{\"resource\":" : "{\"resource\":", r);
        write_string(b,
                     r->is_namespaced ? ",\"scope\":\"Namespaced\",\"singularResource\":"
                                      : ",\"scope\":\"Cluster\",\"singularResource\":",
                     r->singular);
        write_strings(b, "shortNames", r->short_names, r->n_short_names);
        buf_puts(b, ",\"subresources\":[");
        for (size_t j = 0; j < r->n_subresources; j++) {
            write_resource(b, j ? ",{\"subresource\":" : "{\"subresource\":", &r->subresources[j]);
            buf_putc(b, '}');
        }
        buf_puts(b, "]}");
    }
    buf_puts(b, "]}");
}

/* The order of versions is their preference, in this form. */
static void write_group(struct buf *b, const struct discovery_group *g)
{
    size_t n = 0;
    write_string(b, "{\"metadata\":{\"name\":", g->name);
    buf_puts(b, "},\"versions\":[");
    for (int is_rest = 0; is_rest < 2; is_rest++) {
        for (size_t i = 0; i < g->n_versions; i++) {
            if ((strcmp(g->versions[i].version, g->preferred_version) != 0) != is_rest)
                continue;
            buf_puts(b, n++ ? "," : "");
            write_version(b, &g->versions[i]);
        }
    }
    buf_puts(b, "]}");
}

int discovery_write(const struct discovery *discovery, enum discovery_half half, struct buf *out)
{
    size_t n = 0;
    buf_puts(out, "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\","
                  "\"metadata\":{},\"items\":[");
    for (size_t i = 0; i < discovery->n_groups; i++) {
        const struct discovery_group *g = &discovery->groups[i];
        if ((*g->name == '\0') != (half == DISCOVERY_CORE))
            continue;
        buf_puts(out, n++ ? "," : "");
        write_group(out, g);
    }
    return buf_puts(out, "]}");
}
