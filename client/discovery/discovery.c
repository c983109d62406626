#include "client/discovery/discovery.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/discovery/discovery_parse.h"

/* ---- reading a discovery ---- */

const struct discovery_group *discovery_find_group(const struct discovery *discovery, const char *group)
{
    if (discovery->private)
        return discovery_indexed_group(discovery, group);
    for (size_t i = 0; i < discovery->n_groups; i++) {
        if (strcmp(discovery->groups[i].name, group) == 0)
            return &discovery->groups[i];
    }
    return NULL;
}

const struct discovery_version *discovery_find_version(const struct discovery *discovery, const char *group,
                                                       const char *version)
{
    const struct discovery_group *g = discovery_find_group(discovery, group);
    for (size_t i = 0; g && i < g->n_versions; i++) {
        if (strcmp(g->versions[i].version, version) == 0)
            return &g->versions[i];
    }
    return NULL;
}

static const struct discovery_resource *find(const struct discovery_resource *list, size_t count,
                                             const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    }
    return NULL;
}

const struct discovery_resource *discovery_find_resource(const struct discovery_version *version,
                                                         const char *resource, const char *subresource)
{
    const struct discovery_resource *r = find(version->resources, version->n_resources, resource);
    if (!r || !subresource || !*subresource)
        return r;
    return find(r->subresources, r->n_subresources, subresource);
}

bool discovery_has_verb(const struct discovery_resource *resource, const char *verb)
{
    for (size_t i = 0; i < resource->n_verbs; i++) {
        if (strcmp(resource->verbs[i], verb) == 0)
            return true;
    }
    return false;
}

static bool equal_strings(const char *const *a, size_t n_a, const char *const *b, size_t n_b)
{
    if (n_a != n_b)
        return false;
    for (size_t i = 0; i < n_a; i++) {
        if (strcmp(a[i], b[i]) != 0)
            return false;
    }
    return true;
}

static bool equal_resources(const struct discovery_resource *a, size_t n_a,
                            const struct discovery_resource *b, size_t n_b)
{
    if (n_a != n_b)
        return false;
    for (size_t i = 0; i < n_a; i++, a++, b++) {
        if (strcmp(a->name, b->name) != 0 || strcmp(a->singular, b->singular) != 0 ||
            strcmp(a->group, b->group) != 0 || strcmp(a->version, b->version) != 0 ||
            strcmp(a->kind, b->kind) != 0 || a->is_namespaced != b->is_namespaced ||
            !equal_strings(a->verbs, a->n_verbs, b->verbs, b->n_verbs) ||
            !equal_strings(a->short_names, a->n_short_names, b->short_names, b->n_short_names) ||
            !equal_resources(a->subresources, a->n_subresources, b->subresources, b->n_subresources))
            return false;
    }
    return true;
}

static bool equal_groups(const struct discovery_group *a, const struct discovery_group *b)
{
    if (strcmp(a->name, b->name) != 0 || strcmp(a->preferred_version, b->preferred_version) != 0 ||
        a->n_versions != b->n_versions)
        return false;
    for (size_t i = 0; i < a->n_versions; i++) {
        const struct discovery_version *v = &a->versions[i];
        const struct discovery_version *w = &b->versions[i];
        if (strcmp(v->version, w->version) != 0 || v->state != w->state ||
            !equal_resources(v->resources, v->n_resources, w->resources, w->n_resources))
            return false;
    }
    return true;
}

bool discovery_equal(const struct discovery *a, const struct discovery *b)
{
    if (a->n_groups != b->n_groups)
        return false;
    for (size_t i = 0; i < a->n_groups; i++) {
        if (!equal_groups(&a->groups[i], &b->groups[i]))
            return false;
    }
    return true;
}

/* ---- fetching one ---- */

enum { CORE, GROUPS, DOCUMENTS };

static const char *const paths[DOCUMENTS] = {"/api", "/apis"};

/* AGGREGATED: both documents are asked for at once. LEGACY: the server answered in the old form;
 * what it listed is asked for, one group-version after the other. */
enum fetch_state { FETCH_AGGREGATED, FETCH_LEGACY };

struct document {
    char *path;
    char *bytes; /* NULL: not there */
    size_t len;
    char *etag;
};

struct discovery_call {
    struct api *api;
    const struct discovery *last;
    discovery_on_done *on_done;
    void *user;
    enum fetch_state state;
    struct api_call *calls[DOCUMENTS];
    struct document *documents;
    size_t n_documents;
    size_t next; /* LEGACY: the document that is under way */
    size_t n_unchanged;
    size_t n_arrived;
    struct err failure;
};

static void free_call(struct discovery_call *c)
{
    for (size_t i = 0; i < c->n_documents; i++) {
        mem_free(c->documents[i].path);
        mem_free(c->documents[i].bytes);
        mem_free(c->documents[i].etag);
    }
    mem_free(c->documents);
    mem_free(c);
}

void discovery_cancel(struct discovery_call *call)
{
    if (!call)
        return;
    for (size_t i = 0; i < DOCUMENTS; i++)
        api_cancel(call->calls[i]);
    free_call(call);
}

/* Takes found. The one way to on_done. */
static void finish(struct discovery_call *c, const struct err *err, struct discovery *found)
{
    discovery_on_done *on_done = c->on_done;
    void *user = c->user;
    struct err failure;
    err_copy(&failure, err);
    if (found && c->last && discovery_has_lost(found)) {
        struct discovery *merged = discovery_merge(found, c->last);
        discovery_free(found);
        found = merged;
    }
    free_call(c);
    on_done(user, err ? &failure : NULL, found);
}

static void add_document(struct discovery_call *c, const char *path)
{
    c->documents = mem_realloc(c->documents, c->n_documents + 1, sizeof *c->documents);
    c->documents[c->n_documents++] = (struct document){.path = mem_strdup(path)};
}

static void finish_legacy(struct discovery_call *c)
{
    struct discovery_document *list = mem_array(c->n_documents, sizeof *list);
    struct discovery *found;
    struct err err;
    for (size_t i = 0; i < c->n_documents; i++)
        list[i] =
            (struct discovery_document){c->documents[i].path, c->documents[i].bytes, c->documents[i].len};
    const int result = discovery_parse_legacy(list, c->n_documents, &found, &err);
    mem_free(list);
    finish(c, result == 0 ? NULL : &err, found);
}

static void ask_next(struct discovery_call *c);

/* A group-version that cannot be read is FAILED, and the rest goes on. */
static void on_legacy(void *user, const struct err *err, const struct api_reply *reply)
{
    struct discovery_call *c = user;
    struct document *d = &c->documents[c->next++];
    c->calls[CORE] = NULL;
    if (!err) {
        d->bytes = mem_strndup(reply->body, reply->len);
        d->len = reply->len;
    }
    ask_next(c);
}

static void ask_next(struct discovery_call *c)
{
    if (c->next == c->n_documents) {
        finish_legacy(c);
        return;
    }
    const struct api_get get = {.path = c->documents[c->next].path, .cap_bytes = DISCOVERY_CAP_BYTES};
    c->calls[CORE] = api_get(c->api, &get, on_legacy, c);
}

static void on_listed(void *user, const char *path)
{
    add_document(user, path);
}

static void finish_aggregated(struct discovery_call *c)
{
    const struct document *core = &c->documents[CORE];
    const struct document *groups = &c->documents[GROUPS];
    struct discovery *found = NULL;
    struct err err;
    if (discovery_parse(core->bytes, core->len, groups->bytes, groups->len, &found, &err) != 0) {
        finish(c, &err, NULL);
        return;
    }
    for (size_t i = 0; i < DOCUMENTS; i++)
        discovery_set_origin(found, i, c->documents[i].bytes, c->documents[i].len, c->documents[i].etag);
    finish(c, NULL, found);
}

static void on_both(struct discovery_call *c)
{
    struct err err;
    if (c->failure.code != ERR_NONE) {
        err = c->failure;
        finish(c, &err, NULL);
        return;
    }
    if (c->n_unchanged == DOCUMENTS) {
        finish(c, NULL, NULL);
        return;
    }
    bool is_legacy = false;
    for (size_t i = 0; i < DOCUMENTS; i++)
        is_legacy = is_legacy || discovery_is_legacy(c->documents[i].bytes, c->documents[i].len);
    if (!is_legacy) {
        finish_aggregated(c);
        return;
    }
    c->state = FETCH_LEGACY;
    c->next = DOCUMENTS;
    for (size_t i = 0; i < DOCUMENTS; i++) {
        if (discovery_list_legacy(c->documents[i].bytes, c->documents[i].len, on_listed, c, &err) != 0) {
            finish(c, &err, NULL);
            return;
        }
    }
    if (c->n_documents > DISCOVERY_LEGACY_VERSIONS) {
        (void)err_set(&err, ERR_LIMIT, "discovery: more than %d versions of groups",
                      DISCOVERY_LEGACY_VERSIONS);
        finish(c, &err, NULL);
        return;
    }
    ask_next(c);
}

static void on_document(struct discovery_call *c, size_t which, const struct err *err,
                        const struct api_reply *reply)
{
    struct document *d = &c->documents[which];
    c->calls[which] = NULL;
    if (err) {
        err_copy(&c->failure, err);
    } else if (reply->status == 304 && c->last) {
        const char *bytes;
        const char *etag;
        discovery_origin(c->last, which, &bytes, &d->len, &etag);
        d->bytes = mem_strndup(bytes, d->len);
        d->etag = mem_strdup(etag);
        c->n_unchanged++;
    } else {
        d->bytes = mem_strndup(reply->body, reply->len);
        d->len = reply->len;
        d->etag = mem_strdup(reply->etag);
    }
    if (++c->n_arrived == DOCUMENTS)
        on_both(c);
}

static void on_core(void *user, const struct err *err, const struct api_reply *reply)
{
    on_document(user, CORE, err, reply);
}

static void on_groups(void *user, const struct err *err, const struct api_reply *reply)
{
    on_document(user, GROUPS, err, reply);
}

struct discovery_call *discovery_fetch(struct api *api, const struct discovery *last,
                                       discovery_on_done *on_done, void *user)
{
    static api_on_reply *const handlers[DOCUMENTS] = {on_core, on_groups};
    struct discovery_call *c = mem_zalloc(sizeof *c);
    c->api = api;
    c->last = last;
    c->on_done = on_done;
    c->user = user;
    for (size_t i = 0; i < DOCUMENTS; i++) {
        const char *bytes;
        size_t len;
        const char *etag = NULL;
        add_document(c, paths[i]);
        if (last)
            discovery_origin(last, i, &bytes, &len, &etag);
        const struct api_get get = {
            .path = paths[i],
            .accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json",
            .if_none_match = etag,
            .cap_bytes = DISCOVERY_CAP_BYTES,
        };
        c->calls[i] = api_get(api, &get, handlers[i], c);
    }
    return c;
}
