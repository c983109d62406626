#include "client/discovery/apiindex.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/jsonweight.h"

void apiindex_init(struct apiindex *x, uint64_t seed)
{
    *x = (struct apiindex){0};
    polled_init(&x->polled, seed);
}

static void free_entry(struct apiindex_entry *e)
{
    mem_free(e->path);
    mem_free(e->url);
    mem_free(e->hash);
    mem_free(e->next_url);
}

void apiindex_deinit(struct apiindex *x)
{
    for (size_t i = 0; i < x->n_entries; i++)
        free_entry(&x->entries[i]);
    mem_free(x->entries);
    announced_deinit(&x->announced);
    *x = (struct apiindex){0};
}

static int path_order(const void *path, const void *entry)
{
    return strcmp(path, ((const struct apiindex_entry *)entry)->path);
}

static int entry_order(const void *left, const void *right)
{
    return strcmp(((const struct apiindex_entry *)left)->path, ((const struct apiindex_entry *)right)->path);
}

/* Finds an entry among the first count ones, which are sorted. */
static struct apiindex_entry *find(const struct apiindex *x, size_t count, const char *path)
{
    return count ? bsearch(path, x->entries, count, sizeof *x->entries, path_order) : NULL;
}

const struct apiindex_entry *apiindex_find(const struct apiindex *x, const char *path)
{
    const struct apiindex_entry *e = find(x, x->n_entries, path);
    return e && !e->is_new ? e : NULL;
}

/* "apis/GROUP/VERSION" -> GROUP; "api/v1" -> "". Returns NULL if the path is of no group. */
static const char *group_of(const char *path, size_t *len)
{
    *len = 0;
    if (strncmp(path, "api/", 4) == 0)
        return "";
    if (strncmp(path, "apis/", 5) != 0)
        return NULL;
    *len = strcspn(path + 5, "/");
    return path[5 + *len] == '/' ? path + 5 : NULL;
}

static bool is_announced(const struct apiindex *x, const char *path, uint64_t now_ms)
{
    size_t len;
    const char *group = group_of(path, &len);
    return group && announced_has(&x->announced, group, len, now_ms);
}

static void close_announcement(struct apiindex *x, const char *path)
{
    size_t len;
    const char *group = group_of(path, &len);
    if (group)
        announced_close(&x->announced, group, len, x->polled.began_ms);
}

static char *hash_of(const char *url)
{
    const char *at = strstr(url, "?hash=");
    if (!at)
        at = strstr(url, "&hash=");
    if (!at)
        return mem_strdup(url);
    at += 6;
    return mem_strndup(at, strcspn(at, "&"));
}

static void forget_candidate(struct apiindex_entry *e)
{
    mem_free(e->next_url);
    e->next_url = NULL;
    e->is_gone = false;
    belief_forget(&e->belief);
}

/* Returns true if the other url (NULL: the path is gone) is to be believed; else it is the candidate. */
static bool is_believed(struct apiindex_entry *e, const char *url, bool is_told, uint64_t now_ms)
{
    const bool is_same = url ? e->next_url && strcmp(e->next_url, url) == 0 : e->is_gone;
    if (belief_weigh(&e->belief, is_same, is_told, now_ms))
        return true;
    if (!is_same) {
        mem_free(e->next_url);
        e->next_url = mem_strdup_or_null(url);
        e->is_gone = !url;
    }
    return false;
}

static void accept_url(struct apiindex_entry *e, const char *url)
{
    forget_candidate(e);
    mem_free(e->url);
    mem_free(e->hash);
    e->url = mem_strdup(url);
    e->hash = hash_of(url);
    e->is_new = false;
}

/* New entries stand after the sorted ones until the reading is complete. */
static struct apiindex_entry *entry_for(struct apiindex *x, size_t n_sorted, const char *path)
{
    struct apiindex_entry *e = find(x, n_sorted, path);
    if (e)
        return e;
    x->entries = mem_grow(x->entries, x->n_entries, sizeof *x->entries);
    e = &x->entries[x->n_entries++];
    *e = (struct apiindex_entry){.path = mem_strdup(path), .is_new = true};
    return e;
}

/* Returns whether something was accepted. */
static bool take_entry(struct apiindex *x, struct apiindex_entry *e, const char *url, uint64_t now_ms)
{
    e->is_seen = true;
    if (!e->is_new && strcmp(e->url, url) == 0) {
        forget_candidate(e);
        return false;
    }
    if (x->has_read && !is_believed(e, url, is_announced(x, e->path, now_ms), now_ms))
        return false;
    accept_url(e, url);
    return true;
}

/* It is sent back to the server: a path on it, nothing else. */
static bool is_proper_url(const char *url)
{
    if (url[0] != '/' || url[1] == '/')
        return false;
    for (; *url; url++) {
        if ((unsigned char)*url <= ' ' || *url == 0x7f || *url == '#')
            return false;
    }
    return true;
}

struct changes {
    char **paths;
    size_t count;
};

static void add_change(struct changes *c, const char *path)
{
    c->paths = mem_grow(c->paths, c->count, sizeof(char *));
    c->paths[c->count++] = mem_strdup(path);
}

/* Returns true if an entry that the reading lacks is to be kept. */
static bool is_kept(struct apiindex_entry *e, uint64_t now_ms, struct changes *changes)
{
    if (e->is_seen)
        return true;
    if (!e->is_new && !is_believed(e, NULL, false, now_ms))
        return true;
    if (!e->is_new)
        add_change(changes, e->path);
    return false;
}

static void take_missing(struct apiindex *x, uint64_t now_ms, struct changes *changes)
{
    size_t kept = 0;
    for (size_t i = 0; i < x->n_entries; i++) {
        if (is_kept(&x->entries[i], now_ms, changes))
            x->entries[kept++] = x->entries[i];
        else
            free_entry(&x->entries[i]);
    }
    x->n_entries = kept;
}

/* Plans when the next reading must be there. If several entries are in doubt, the oldest doubt counts. */
static void plan(struct apiindex *x, uint64_t now_ms)
{
    uint64_t newest_ms, since_ms = UINT64_MAX;
    for (size_t i = 0; i < x->n_entries; i++) {
        const struct belief *b = &x->entries[i].belief;
        if (b->has_candidate && b->since_ms < since_ms)
            since_ms = b->since_ms;
    }
    polled_trust(&x->polled);
    if (since_ms != UINT64_MAX)
        polled_doubt(&x->polled, since_ms);
    polled_settle(&x->polled);
    if (announced_newest(&x->announced, now_ms, &newest_ms))
        polled_announce(&x->polled, newest_ms);
}

static int find_paths(struct json_object *root, struct json_object **paths, struct err *err)
{
    *paths = jsonval_get(root, "paths");
    if (!json_object_is_type(*paths, json_type_object))
        return err_set(err, ERR_PROTOCOL, "OpenAPI index: no paths");
    return 0;
}

static void take_paths(struct apiindex *x, struct json_object *paths, uint64_t now_ms,
                       struct changes *changes)
{
    const size_t n_sorted = x->n_entries;
    size_t taken = 0;
    x->is_partial = jsonval_count(paths) > APIINDEX_ENTRIES;
    for (size_t i = 0; i < n_sorted; i++)
        x->entries[i].is_seen = false;
    jsonval_each(paths, path, value)
    {
        const char *url = jsonval_string_or_empty(value, "serverRelativeURL");
        if (taken++ == APIINDEX_ENTRIES)
            break;
        if (is_proper_url(url) && take_entry(x, entry_for(x, n_sorted, path), url, now_ms))
            add_change(changes, path);
    }
    if (x->n_entries > n_sorted)
        qsort(x->entries, x->n_entries, sizeof *x->entries, entry_order);
    take_missing(x, now_ms, changes);
}

int apiindex_read(struct apiindex *x, const char *bytes, size_t len, uint64_t now_ms,
                  void (*on_change)(void *user, const char *path), void *user, struct err *err)
{
    cleanup_json struct json_object *root = NULL;
    struct json_object *paths;
    struct changes changes = {0};
    if (jsonweight(bytes, len) > APIINDEX_WEIGHT_BYTES)
        return err_set(err, ERR_LIMIT, "OpenAPI index: too many paths");
    if (jsonval_parse(bytes, len, &root, err) != 0)
        return err_prefix(err, "OpenAPI index");
    if (find_paths(root, &paths, err) != 0)
        return -1;
    take_paths(x, paths, now_ms, &changes);
    x->has_read = true;
    /* All of it is taken in before anybody hears of it. */
    for (size_t i = 0; i < changes.count; i++)
        close_announcement(x, changes.paths[i]);
    polled_end(&x->polled, true, now_ms);
    plan(x, now_ms);
    for (size_t i = 0; i < changes.count; i++) {
        if (on_change)
            on_change(user, changes.paths[i]);
        mem_free(changes.paths[i]);
    }
    mem_free(changes.paths);
    return 0;
}

void apiindex_begin(struct apiindex *x, uint64_t now_ms)
{
    polled_begin(&x->polled, now_ms);
}

void apiindex_on_failure(struct apiindex *x, uint64_t now_ms)
{
    polled_end(&x->polled, false, now_ms);
}

void apiindex_on_limit(struct apiindex *x, uint64_t now_ms)
{
    x->has_read = true;
    x->is_partial = true;
    apiindex_on_failure(x, now_ms);
}

void apiindex_trigger(struct apiindex *x, const char *group, uint64_t now_ms)
{
    announced_add(&x->announced, group, now_ms);
    polled_announce(&x->polled, now_ms);
}

uint64_t apiindex_delay(const struct apiindex *x, uint64_t now_ms)
{
    return polled_delay(&x->polled, now_ms);
}
