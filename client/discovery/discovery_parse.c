#include "client/discovery/discovery_parse.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonpick.h"
#include "client/text/jsonval.h"
#include "client/text/jsonweight.h"

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

enum { KIND_BYTES = 256 }; /* the work of reading a kind, beside its text */

/* The documents are read group by group, and resource by resource, core first. Only the tree of one resource
 * is in memory at any time. */
struct discovery_reader {
    struct discovery_reader_text texts[DISCOVERY_HALVES];
    size_t half; /* that is being read */
    bool is_open;
    struct jsonpick items, item;         /* of the half: groups */
    struct jsonpick versions, version;   /* of the group that is being read */
    struct jsonpick resources, resource; /* of the version that is being read */
    struct discovery_version *of_group;  /* the group's version that is being read; NULL if no group is */
    /* The version's resource that is being read; NULL if no version is. */
    struct discovery_resource *of_version;
    size_t n_versions, n_resources; /* read of them */
    struct discovery *d;
    struct discovery_group *groups; /* of ours, until the end */
    size_t n_groups;
    bool has_failed;
    struct err failure;
};

struct discovery_reader *discovery_reader_new(const struct discovery_reader_text *core,
                                              const struct discovery_reader_text *groups)
{
    struct discovery_reader *r = mem_zalloc(sizeof *r);
    r->texts[DISCOVERY_CORE] = *core;
    r->texts[DISCOVERY_GROUPS] = *groups;
    r->d = discovery_new();
    for (size_t i = 0; i < DISCOVERY_HALVES; i++) {
        if (r->texts[i].missing)
            discovery_set_partial(r->d, r->texts[i].missing);
    }
    return r;
}

static size_t count_elements(const struct jsonpick *array)
{
    struct jsonpick element = {0};
    size_t count = 0;
    while (jsonpick_next(array, &element))
        count++;
    return count;
}

static const char *keep_string(struct discovery *d, const struct jsonpick *value)
{
    cleanup_mem char *text = jsonpick_string_or_empty(value);
    return discovery_string(d, text);
}

static void begin_group(struct discovery_reader *r)
{
    struct jsonpick_pick picks[] = {{.path = {"metadata", "name"}}, {.path = {"versions"}}};
    (void)!jsonpick_pick(r->item.at, r->item.len, picks, 2, NULL); /* it is JSON: it was walked over */
    r->versions = picks[1].value;
    r->version = (struct jsonpick){0};
    r->n_versions = 0;
    r->of_group = discovery_array(r->d, count_elements(&r->versions), sizeof *r->of_group);
    r->groups = mem_grow(r->groups, r->n_groups, sizeof *r->groups);
    r->groups[r->n_groups++] =
        (struct discovery_group){.name = keep_string(r->d, &picks[0].value), .versions = r->of_group};
}

static void end_group(struct discovery_reader *r)
{
    struct discovery_group *g = &r->groups[r->n_groups - 1];
    g->n_versions = r->n_versions;
    g->preferred_version = g->n_versions ? g->versions[0].version : "";
    r->of_group = NULL;
}

static void begin_version(struct discovery_reader *r)
{
    struct jsonpick_pick picks[] = {{.path = {"version"}}, {.path = {"freshness"}}, {.path = {"resources"}}};
    struct discovery_version *v = &r->of_group[r->n_versions];
    (void)!jsonpick_pick(r->version.at, r->version.len, picks, 3, NULL);
    r->resources = picks[2].value;
    r->resource = (struct jsonpick){0};
    r->n_resources = 0;
    const size_t count = count_elements(&r->resources);
    r->of_version = discovery_array(r->d, count, sizeof *r->of_version);
    v->version = keep_string(r->d, &picks[0].value);
    v->resources = r->of_version;
    v->state = DISCOVERY_CURRENT;
    if (jsonpick_is(&picks[1].value, "Stale"))
        v->state = count ? DISCOVERY_STALE : DISCOVERY_FAILED;
}

static void end_version(struct discovery_reader *r)
{
    r->of_group[r->n_versions++].n_resources = r->n_resources;
    r->of_version = NULL;
}

static void take_resource(struct discovery_reader *r)
{
    cleanup_json struct json_object *tree = NULL;
    const struct jsonpick *text = &r->resource;
    const char *group = r->groups[r->n_groups - 1].name;
    if (jsonweight(text->at, text->len) <= DISCOVERY_KIND_CAP_BYTES &&
        jsonval_parse(text->at, text->len, &tree, NULL) == 0) {
        read_resource(r->d, &r->of_version[r->n_resources++], tree, group,
                      r->of_group[r->n_versions].version);
        return;
    }
    cleanup_mem char *why =
        mem_printf("a resource of the API group %.253s is too large", *group ? group : "core");
    discovery_set_partial(r->d, why);
}

static void end_text(struct discovery_reader *r)
{
    r->half++;
    r->is_open = false;
    r->item = (struct jsonpick){0};
}

/* Ends the reading with a failure. Always returns false. */
static bool fail(struct discovery_reader *r)
{
    const char *path = r->texts[r->half].path;
    if (path != NULL) {
        cleanup_mem char *why = mem_printf("%s cannot be read: %s", path, r->failure.msg);
        discovery_set_partial(r->d, why);
        err_clear(&r->failure);
        end_text(r);
        return true;
    }
    r->has_failed = true;
    (void)err_prefix(&r->failure, "discovery");
    return false;
}

/* If the text is cut off, the groups that are whole are found. */
static int open_text(struct discovery_reader *r, struct err *err)
{
    static const char expected[] = "APIGroupDiscoveryList";
    const struct discovery_reader_text *text = &r->texts[r->half];
    struct jsonpick_pick picks[] = {{.path = {"kind"}}, {.path = {"items"}}};
    if (text->is_cut) {
        jsonpick_head(text->bytes, text->len, picks, 1);
        picks[1].value = jsonpick_rest(text->bytes, text->len, "items");
    } else if (jsonpick_pick(text->bytes, text->len, picks, 2, err) != 0) {
        return -1;
    }
    cleanup_mem char *kind = jsonpick_string_or_empty(&picks[0].value);
    if (strcmp(kind, expected) != 0)
        return err_set(err, ERR_PROTOCOL, "a %.60s where a %s belongs",
                       *kind ? kind : "document without a kind", expected);
    r->items = picks[1].value;
    r->is_open = true;
    return 0;
}

/* One piece. Returns how much work it was. */
static size_t read_piece(struct discovery_reader *r)
{
    if (r->of_version != NULL) {
        if (jsonpick_next(&r->resources, &r->resource))
            take_resource(r);
        else
            end_version(r);
        return KIND_BYTES + r->resource.len;
    }
    if (r->of_group != NULL) {
        if (jsonpick_next(&r->versions, &r->version))
            begin_version(r);
        else
            end_group(r);
        return KIND_BYTES + r->version.len;
    }
    if (jsonpick_next(&r->items, &r->item))
        begin_group(r);
    else
        end_text(r);
    return KIND_BYTES + r->item.len;
}

bool discovery_reader_step(struct discovery_reader *r, size_t bytes)
{
    for (size_t spent = 0; spent < bytes && !r->has_failed;) {
        if (r->half == DISCOVERY_HALVES)
            return false;
        const struct discovery_reader_text *text = &r->texts[r->half];
        if (text->bytes == NULL) {
            end_text(r);
        } else if (!r->is_open) {
            if (open_text(r, &r->failure) != 0)
                (void)fail(r);
            spent += text->len;
        } else {
            spent += read_piece(r);
        }
    }
    return !r->has_failed;
}

static void keep_groups(struct discovery_reader *r)
{
    struct discovery_group *groups = discovery_array(r->d, r->n_groups, sizeof *groups);
    if (r->n_groups > 0)
        memcpy(groups, r->groups, r->n_groups * sizeof *groups);
    discovery_finish(r->d, groups, r->n_groups);
}

int discovery_reader_end(struct discovery_reader *r, struct discovery **out, struct err *err)
{
    const bool is_read = r->half == DISCOVERY_HALVES && !r->has_failed;
    if (is_read)
        keep_groups(r);
    if (out != NULL)
        *out = is_read ? r->d : NULL;
    if (out == NULL || !is_read)
        discovery_free(r->d);
    if (err != NULL && !is_read)
        err_copy(err, &r->failure);
    mem_free(r->groups);
    mem_free(r);
    return is_read ? 0 : -1;
}

int discovery_parse(const char *core, size_t core_len, const char *groups, size_t groups_len,
                    struct discovery **out, struct err *err)
{
    struct discovery_reader *r =
        discovery_reader_new(&(struct discovery_reader_text){.bytes = core, .len = core_len},
                             &(struct discovery_reader_text){.bytes = groups, .len = groups_len});
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
