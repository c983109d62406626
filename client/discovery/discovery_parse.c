#include "client/discovery/discovery_parse.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonreader.h"
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

/* Puts *out where it is of another kind. */
static int expect_kind(struct json_object **out, const char *expected, struct err *err)
{
    const char *kind = jsonval_string_or_empty(*out, "kind");
    if (strcmp(kind, expected) == 0)
        return 0;
    (void)err_set(err, ERR_PROTOCOL, "discovery: a %.60s where a %s belongs",
                  *kind ? kind : "document without a kind", expected);
    json_object_put(*out);
    *out = NULL;
    return -1;
}

int discovery_read_root(const char *bytes, size_t len, const char *expected, struct json_object **out,
                        struct err *err)
{
    if (jsonval_parse(bytes, len, out, err) != 0)
        return err_prefix(err, "discovery");
    return expect_kind(out, expected, err);
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

/* ---- in slices ---- */

enum { KIND_BYTES = 256 }; /* of work: about what reading a kind takes, in bytes that are parsed */

/* The texts are parsed, core first; then the groups are read, resource by resource. */
struct discovery_reader {
    struct jsonreader texts[DISCOVERY_HALVES];
    size_t n_parsed;
    struct json_object *roots[DISCOVERY_HALVES];
    struct discovery *d; /* NULL before the groups are read */
    struct discovery_group *groups;
    size_t n_groups, n_read;
    size_t half, item, version, resource; /* that comes next: of the half's items, of a group, of a version */
    struct discovery_version *versions;   /* of the group that is being read; NULL: none is */
    struct discovery_resource *resources; /* of the version that is being read; NULL: none is */
    bool has_failed;
    struct err failure;
};

struct discovery_reader *discovery_reader_new(const char *core, size_t core_len, const char *groups,
                                              size_t groups_len)
{
    struct discovery_reader *r = mem_zalloc(sizeof *r);
    jsonreader_init(&r->texts[DISCOVERY_CORE], core, core_len);
    jsonreader_init(&r->texts[DISCOVERY_GROUPS], groups, groups_len);
    return r;
}

static void begin_version(struct discovery_reader *r, struct discovery_version *v, struct json_object *o)
{
    const size_t n = jsonval_length(jsonval_array(o, "resources"));
    v->version = discovery_string(r->d, jsonval_string_or_empty(o, "version"));
    v->resources = r->resources = discovery_array(r->d, n, sizeof *r->resources);
    v->n_resources = n;
    v->state = DISCOVERY_CURRENT;
    if (strcmp(jsonval_string_or_empty(o, "freshness"), "Stale") == 0)
        v->state = n ? DISCOVERY_STALE : DISCOVERY_FAILED;
    r->resource = 0;
}

/* The version's beginning, one of its resources, or its end. */
static void read_in_version(struct discovery_reader *r, const char *group, struct json_object *o)
{
    struct discovery_version *v = &r->versions[r->version];
    struct json_object *resources = jsonval_array(o, "resources");
    if (r->resources == NULL) {
        begin_version(r, v, o);
    } else if (r->resource < v->n_resources) {
        read_resource(r->d, &r->resources[r->resource], jsonval_at(resources, r->resource), group,
                      v->version);
        r->resource++;
    } else {
        r->resources = NULL;
        r->version++;
    }
}

static void begin_group(struct discovery_reader *r, struct discovery_group *g, struct json_object *o)
{
    const size_t n = jsonval_length(jsonval_array(o, "versions"));
    g->name = discovery_string(r->d, jsonval_metadata(o, "name"));
    g->versions = r->versions = discovery_array(r->d, n, sizeof *r->versions);
    g->n_versions = n;
    r->version = 0;
}

/* One piece of the groups. False: there are no more. */
static bool read_piece(struct discovery_reader *r)
{
    struct json_object *items = jsonval_array(r->roots[r->half], "items"), *o = jsonval_at(items, r->item);
    struct discovery_group *g = &r->groups[r->n_read];
    if (r->item == jsonval_length(items)) {
        r->item = 0;
        return ++r->half < DISCOVERY_HALVES;
    }
    if (r->versions == NULL) {
        begin_group(r, g, o);
    } else if (r->version < g->n_versions) {
        read_in_version(r, g->name, jsonval_at(jsonval_array(o, "versions"), r->version));
    } else {
        g->preferred_version = g->n_versions ? r->versions[0].version : "";
        r->versions = NULL;
        r->n_read++;
        r->item++;
    }
    return true;
}

/* The text is parsed: its tree is there, or what is wrong with it. */
static void end_text(struct discovery_reader *r)
{
    struct jsonreader *text = &r->texts[r->n_parsed];
    struct json_object **root = &r->roots[r->n_parsed++];
    if (text->bytes == NULL)
        return;
    r->has_failed = jsonreader_end(text, root, &r->failure) != 0;
    if (r->has_failed)
        err_prefix(&r->failure, "discovery");
    else
        r->has_failed = expect_kind(root, "APIGroupDiscoveryList", &r->failure) != 0;
}

static void begin_groups(struct discovery_reader *r)
{
    for (size_t i = 0; i < DISCOVERY_HALVES; i++)
        r->n_groups += jsonval_length(jsonval_array(r->roots[i], "items"));
    r->d = discovery_new();
    r->groups = discovery_array(r->d, r->n_groups, sizeof *r->groups);
}

bool discovery_reader_step(struct discovery_reader *r, size_t bytes)
{
    if (r->has_failed)
        return false;
    if (r->n_parsed < DISCOVERY_HALVES) {
        if (!jsonreader_step(&r->texts[r->n_parsed], bytes))
            end_text(r);
        return !r->has_failed;
    }
    if (r->d == NULL)
        begin_groups(r);
    for (size_t spent = 0; spent < bytes; spent += KIND_BYTES) {
        if (!read_piece(r))
            return false;
    }
    return true;
}

int discovery_reader_end(struct discovery_reader *r, struct discovery **out, struct err *err)
{
    const bool is_read = r->half == DISCOVERY_HALVES;
    const int result = is_read ? 0 : -1;
    if (is_read)
        discovery_finish(r->d, r->groups, r->n_groups);
    else
        discovery_free(r->d);
    if (out != NULL)
        *out = is_read ? r->d : NULL;
    else if (is_read)
        discovery_free(r->d);
    if (err != NULL && !is_read)
        err_copy(err, &r->failure);
    for (size_t i = 0; i < DISCOVERY_HALVES; i++) {
        (void)jsonreader_end(&r->texts[i], NULL, NULL);
        json_object_put(r->roots[i]);
    }
    mem_free(r);
    return result;
}

int discovery_parse(const char *core, size_t core_len, const char *groups, size_t groups_len,
                    struct discovery **out, struct err *err)
{
    struct discovery_reader *r = discovery_reader_new(core, core_len, groups, groups_len);
    while (discovery_reader_step(r, DISCOVERY_SLICE_BYTES))
        continue;
    return discovery_reader_end(r, out, err);
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
