#include "client/apiindex.h"

#include <stdlib.h>
#include <string.h>

#include "client/backoff.h"
#include "client/jsonval.h"
#include "client/mem.h"

enum { FAILURE_FIRST_MS = 1000 };

void apiindex_init(struct apiindex *x, uint64_t seed)
{
    *x = (struct apiindex){.random = seed};
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
    for (size_t i = 0; i < x->n_triggers; i++)
        mem_free(x->triggers[i].group);
    mem_free(x->entries);
    mem_free(x->triggers);
    *x = (struct apiindex){0};
}

/* The place of path, or where it belongs. */
static size_t position(const struct apiindex *x, const char *path, bool *is_found)
{
    size_t low = 0;
    size_t high = x->n_entries;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(x->entries[middle].path, path);
        if (order == 0) {
            *is_found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *is_found = false;
    return low;
}

const struct apiindex_entry *apiindex_find(const struct apiindex *x, const char *path)
{
    bool is_found;
    const size_t at = position(x, path, &is_found);
    return is_found && !x->entries[at].is_new ? &x->entries[at] : NULL;
}

/* "apis/GROUP/VERSION" -> GROUP; "api/v1" -> "". */
static bool is_of_group(const char *path, const char *group)
{
    const size_t len = strlen(group);
    if (len == 0)
        return strncmp(path, "api/", 4) == 0;
    return strncmp(path, "apis/", 5) == 0 && strncmp(path + 5, group, len) == 0 && path[5 + len] == '/';
}

static bool is_triggered(const struct apiindex *x, const char *path)
{
    for (size_t i = 0; i < x->n_triggers; i++) {
        if (is_of_group(path, x->triggers[i].group))
            return true;
    }
    return false;
}

static void drop_trigger(struct apiindex *x, size_t at)
{
    mem_free(x->triggers[at].group);
    x->triggers[at] = x->triggers[--x->n_triggers];
}

static void resolve_triggers(struct apiindex *x, const char *path)
{
    for (size_t i = x->n_triggers; i > 0; i--) {
        if (is_of_group(path, x->triggers[i - 1].group))
            drop_trigger(x, i - 1);
    }
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
    e->has_candidate = false;
}

/* True once the candidate (NULL: the path is gone) was seen twice, APIINDEX_CONFIRM_MS apart. */
static bool is_confirmed(struct apiindex_entry *e, const char *url, uint64_t now_ms)
{
    const bool is_same =
        e->has_candidate && (url ? e->next_url && strcmp(e->next_url, url) == 0 : e->is_gone);
    if (is_same)
        return now_ms - e->candidate_ms >= APIINDEX_CONFIRM_MS;
    forget_candidate(e);
    e->has_candidate = true;
    e->is_gone = !url;
    e->next_url = mem_strdup_or_null(url);
    e->candidate_ms = now_ms;
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

static struct apiindex_entry *entry_for(struct apiindex *x, const char *path)
{
    bool is_found;
    const size_t at = position(x, path, &is_found);
    if (is_found)
        return &x->entries[at];
    x->entries = mem_realloc(x->entries, x->n_entries + 1, sizeof *x->entries);
    memmove(x->entries + at + 1, x->entries + at, (x->n_entries - at) * sizeof *x->entries);
    x->n_entries++;
    x->entries[at] = (struct apiindex_entry){.path = mem_strdup(path), .is_new = true};
    return &x->entries[at];
}

/* Returns whether something was accepted. */
static bool take_entry(struct apiindex *x, struct apiindex_entry *e, const char *url, uint64_t now_ms)
{
    e->is_seen = true;
    if (!e->is_new && strcmp(e->url, url) == 0) {
        forget_candidate(e);
        return false;
    }
    if (x->has_read && !is_triggered(x, e->path) && !is_confirmed(e, url, now_ms))
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
    c->paths = mem_realloc(c->paths, c->count + 1, sizeof(char *));
    c->paths[c->count++] = mem_strdup(path);
}

static void drop_entry(struct apiindex *x, size_t at)
{
    free_entry(&x->entries[at]);
    memmove(x->entries + at, x->entries + at + 1, (--x->n_entries - at) * sizeof *x->entries);
}

static void take_missing(struct apiindex *x, uint64_t now_ms, struct changes *changes)
{
    for (size_t i = x->n_entries; i > 0; i--) {
        struct apiindex_entry *e = &x->entries[i - 1];
        if (e->is_seen)
            continue;
        if (e->is_new) {
            drop_entry(x, i - 1);
        } else if (is_confirmed(e, NULL, now_ms)) {
            add_change(changes, e->path);
            drop_entry(x, i - 1);
        }
    }
}

int apiindex_read(struct apiindex *x, const char *bytes, size_t len, uint64_t now_ms,
                  void (*on_change)(void *user, const char *path), void *user, struct err *err)
{
    cleanup_json struct json_object *root = NULL;
    struct changes changes = {0};
    if (jsonval_parse(bytes, len, &root, err) != 0)
        return err_prefix(err, "OpenAPI index");
    struct json_object *paths = jsonval_get(root, "paths");
    if (!json_object_is_type(paths, json_type_object))
        return err_set(err, ERR_PROTOCOL, "OpenAPI index: no paths");
    if (json_object_object_length(paths) > APIINDEX_ENTRIES)
        return err_set(err, ERR_LIMIT, "OpenAPI index: more than %d paths", APIINDEX_ENTRIES);
    for (size_t i = 0; i < x->n_entries; i++)
        x->entries[i].is_seen = false;
    json_object_object_foreach(paths, path, value)
    {
        const char *url = jsonval_string_or_empty(value, "serverRelativeURL");
        if (is_proper_url(url) && take_entry(x, entry_for(x, path), url, now_ms))
            add_change(&changes, path);
    }
    take_missing(x, now_ms, &changes);
    x->has_read = true;
    x->has_failed = false;
    x->failures = 0;
    /* All of it is taken in before anybody is told. */
    for (size_t i = 0; i < changes.count; i++)
        resolve_triggers(x, changes.paths[i]);
    for (size_t i = 0; i < changes.count; i++) {
        if (on_change)
            on_change(user, changes.paths[i]);
        mem_free(changes.paths[i]);
    }
    mem_free(changes.paths);
    return 0;
}

void apiindex_on_failure(struct apiindex *x)
{
    x->has_failed = true;
    x->failures++;
}

void apiindex_trigger(struct apiindex *x, const char *group, uint64_t now_ms)
{
    for (size_t i = 0; i < x->n_triggers; i++) {
        if (strcmp(x->triggers[i].group, group) == 0) {
            x->triggers[i].began_ms = now_ms;
            x->triggers[i].step_ms = 0;
            return;
        }
    }
    x->triggers = mem_realloc(x->triggers, x->n_triggers + 1, sizeof *x->triggers);
    x->triggers[x->n_triggers++] = (struct apiindex_trigger){mem_strdup(group), now_ms, 0};
}

static uint64_t min_ms(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t delay_of_triggers(struct apiindex *x, uint64_t now_ms)
{
    uint64_t delay = UINT64_MAX;
    for (size_t i = x->n_triggers; i > 0; i--) {
        struct apiindex_trigger *t = &x->triggers[i - 1];
        if (now_ms - t->began_ms < APIINDEX_EAGER_FOR_MS) {
            delay = APIINDEX_EAGER_MS;
            continue;
        }
        t->step_ms = t->step_ms ? 2 * t->step_ms : 1000;
        if (t->step_ms > APIINDEX_EAGER_LAST_MS)
            drop_trigger(x, i - 1);
        else
            delay = min_ms(delay, t->step_ms);
    }
    return delay;
}

uint64_t apiindex_delay(struct apiindex *x, uint64_t now_ms)
{
    const double spread = 0.2 * backoff_random(&x->random) - 0.1;
    uint64_t delay = (uint64_t)(APIINDEX_PERIOD_MS * (1.0 + spread));
    for (size_t i = 0; i < x->n_entries; i++) {
        const struct apiindex_entry *e = &x->entries[i];
        if (!e->has_candidate)
            continue;
        const uint64_t due = e->candidate_ms + APIINDEX_CONFIRM_MS;
        delay = min_ms(delay, due > now_ms ? due - now_ms : 0);
    }
    if (x->has_failed) {
        uint64_t again = FAILURE_FIRST_MS;
        for (uint64_t i = 1; i < x->failures && again < APIINDEX_PERIOD_MS; i++)
            again *= 2;
        /* A server that does not answer is not asked four times a second. */
        return min_ms(again, APIINDEX_PERIOD_MS);
    }
    return min_ms(delay, delay_of_triggers(x, now_ms));
}
