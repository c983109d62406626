#include "client/discovery/discovery.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"

enum { TEXT_BYTES = 8 * 1024 };

struct origin {
    char *bytes;
    size_t len;
    char *etag;
};

/* Everything that a discovery owns: blocks are its arrays and strings. */
struct discovery_private {
    void **blocks;
    size_t n_blocks;
    char *text; /* the place of the next string, in a block */
    size_t text_left;
    const struct discovery_group **by_name; /* the groups, sorted; a block */
    struct origin origins[DISCOVERY_HALVES];
};

/* ---- memory ---- */

static void *keep(struct discovery *d, void *block)
{
    struct discovery_private *p = d->private;
    p->blocks = mem_grow(p->blocks, p->n_blocks, sizeof *p->blocks);
    p->blocks[p->n_blocks++] = block;
    return block;
}

void *discovery_array(struct discovery *discovery, size_t count, size_t element_bytes)
{
    return keep(discovery, mem_array(count, element_bytes));
}

/* Many short ones: each by itself would take twice its bytes. */
const char *discovery_text(struct discovery *discovery, const char *text, size_t len)
{
    struct discovery_private *p = discovery->private;
    if (len + 1 > p->text_left) {
        p->text_left = len + 1 > TEXT_BYTES ? len + 1 : TEXT_BYTES;
        p->text = keep(discovery, mem_zalloc(p->text_left));
    }
    char *copy = p->text;
    memcpy(copy, text, len);
    copy[len] = '\0';
    p->text += len + 1;
    p->text_left -= len + 1;
    return copy;
}

const char *discovery_string(struct discovery *discovery, const char *text)
{
    return text && *text ? discovery_text(discovery, text, strlen(text)) : "";
}

struct discovery *discovery_new(void)
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
    for (size_t i = 0; i < DISCOVERY_HALVES; i++) {
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
    return order ? order : (*l > *r) - (*l < *r); /* of two groups with the same name the first counts */
}

void discovery_set_partial(struct discovery *d, const char *why)
{
    if (d->partial == NULL)
        d->partial = discovery_string(d, why);
}

void discovery_finish(struct discovery *discovery, const struct discovery_group *groups, size_t n_groups)
{
    const struct discovery_group **list =
        discovery_array(discovery, n_groups, sizeof(const struct discovery_group *));
    for (size_t i = 0; i < n_groups; i++)
        list[i] = &groups[i];
    if (n_groups)
        qsort(list, n_groups, sizeof(const struct discovery_group *), name_order);
    discovery->private->by_name = list;
    discovery->groups = groups;
    discovery->n_groups = n_groups;
}

static const struct discovery_group *indexed_group(const struct discovery *discovery, const char *group)
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

void discovery_set_origin(struct discovery *discovery, enum discovery_half half, const char *bytes,
                          size_t len, const char *etag)
{
    struct origin *o = &discovery->private->origins[half];
    mem_free(o->bytes);
    mem_free(o->etag);
    *o = (struct origin){bytes ? mem_strndup(bytes, len) : NULL, len, mem_strdup_or_null(etag)};
}

void discovery_origin(const struct discovery *discovery, enum discovery_half half, const char **bytes,
                      size_t *len, const char **etag)
{
    const struct origin *o = &discovery->private->origins[half];
    *bytes = o->bytes ? o->bytes : "";
    *len = o->len;
    *etag = o->bytes && o->etag ? o->etag : "";
}

/* ---- reading a discovery ---- */

const struct discovery_group *discovery_find_group(const struct discovery *discovery, const char *group)
{
    if (discovery->private)
        return indexed_group(discovery, group);
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

const struct discovery_resource *discovery_find_kind(const struct discovery_version *version,
                                                     const char *kind)
{
    for (size_t i = 0; version != NULL && i < version->n_resources; i++) {
        if (strcmp(version->resources[i].kind, kind) == 0)
            return &version->resources[i];
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

bool discovery_has_status(const struct discovery_resource *resource)
{
    for (size_t i = 0; i < resource->n_subresources; i++) {
        if (strcmp(resource->subresources[i].name, "status") == 0)
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
    if (a->n_groups != b->n_groups || !a->partial != !b->partial)
        return false;
    for (size_t i = 0; i < a->n_groups; i++) {
        if (!equal_groups(&a->groups[i], &b->groups[i]))
            return false;
    }
    return true;
}

/* ---- merging ---- */

static const char *const *copy_strings(struct discovery *d, const char *const *from, size_t count)
{
    const char **list = discovery_array(d, count, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = discovery_string(d, from[i]);
    return list;
}

static const struct discovery_resource *copy_resources(struct discovery *d,
                                                       const struct discovery_resource *from, size_t count)
{
    struct discovery_resource *list = discovery_array(d, count, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        struct discovery_resource *r = &list[i];
        *r = from[i];
        r->name = discovery_string(d, from[i].name);
        r->singular = discovery_string(d, from[i].singular);
        r->group = discovery_string(d, from[i].group);
        r->version = discovery_string(d, from[i].version);
        r->kind = discovery_string(d, from[i].kind);
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
    to->version = discovery_string(d, newer->version);
    to->resources = copy_resources(d, from->resources, from->n_resources);
    to->n_resources = from->n_resources;
    to->state = from == older ? DISCOVERY_STALE : newer->state;
}

bool discovery_has_lost(const struct discovery *discovery)
{
    if (discovery->partial)
        return true;
    for (size_t i = 0; i < discovery->n_groups; i++) {
        for (size_t j = 0; j < discovery->groups[i].n_versions; j++) {
            if (is_lost(&discovery->groups[i].versions[j]))
                return true;
        }
    }
    return false;
}

static void merge_group(struct discovery *d, struct discovery_group *to, const struct discovery_group *newer,
                        const struct discovery *older)
{
    struct discovery_version *versions = discovery_array(d, newer->n_versions, sizeof *versions);
    for (size_t j = 0; j < newer->n_versions; j++) {
        const struct discovery_version *v = &newer->versions[j];
        merge_version(d, &versions[j], v,
                      older ? discovery_find_version(older, newer->name, v->version) : NULL);
    }
    *to = (struct discovery_group){.name = discovery_string(d, newer->name),
                                   .preferred_version = discovery_string(d, newer->preferred_version),
                                   .versions = versions,
                                   .n_versions = newer->n_versions};
}

/* Copies the groups that only the older one has: the newer one may have failed to read them. Returns how
 * many groups that are. */
static size_t keep_old_groups(struct discovery *d, struct discovery_group *to, const struct discovery *newer,
                              const struct discovery *older)
{
    size_t count = 0;
    for (size_t i = 0; i < older->n_groups; i++) {
        const struct discovery_group *g = &older->groups[i];
        if (discovery_find_group(newer, g->name))
            continue;
        struct discovery_version *versions = discovery_array(d, g->n_versions, sizeof *versions);
        for (size_t j = 0; j < g->n_versions; j++) {
            merge_version(d, &versions[j], &g->versions[j], NULL);
            versions[j].state = g->versions[j].n_resources > 0 ? DISCOVERY_STALE : g->versions[j].state;
        }
        to[count++] = (struct discovery_group){.name = discovery_string(d, g->name),
                                               .preferred_version = discovery_string(d, g->preferred_version),
                                               .versions = versions,
                                               .n_versions = g->n_versions};
    }
    return count;
}

struct discovery *discovery_merge(const struct discovery *newer, const struct discovery *older)
{
    struct discovery *d = discovery_new();
    size_t n_groups = newer->n_groups;
    struct discovery_group *groups =
        discovery_array(d, n_groups + (older ? older->n_groups : 0), sizeof *groups);
    for (size_t i = 0; i < newer->n_groups; i++)
        merge_group(d, &groups[i], &newer->groups[i], older);
    if (newer->partial) {
        discovery_set_partial(d, newer->partial);
        n_groups += older ? keep_old_groups(d, groups + n_groups, newer, older) : 0;
    }
    discovery_finish(d, groups, n_groups);
    for (enum discovery_half i = 0; i < DISCOVERY_HALVES; i++) {
        const struct origin *o = &newer->private->origins[i];
        discovery_set_origin(d, i, o->bytes, o->len, o->etag);
    }
    return d;
}
