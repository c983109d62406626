#include "client/store.h"

#include <stdbool.h>
#include <string.h>

#include "client/jsonval.h"
#include "client/mem.h"

enum { FIRST_SLOTS = 64 };

/* One allocation: the object, then its strings. */
struct entry {
    struct store_object object;
    struct entry *next; /* in its slot */
    char text[];
};

struct store {
    struct entry **slots; /* a power of two of them */
    size_t n_slots;
    size_t count;
    size_t bytes;
    store_on_change *on_change;
    void *user;
};

struct store *store_new(store_on_change *on_change, void *user)
{
    struct store *s = mem_zalloc(sizeof *s);
    s->n_slots = FIRST_SLOTS;
    s->slots = mem_array(s->n_slots, sizeof(struct entry *));
    s->on_change = on_change;
    s->user = user;
    return s;
}

void store_free(struct store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->n_slots; i++) {
        for (struct entry *e = store->slots[i]; e;) {
            struct entry *next = e->next;
            mem_free(e);
            e = next;
        }
    }
    mem_free(store->slots);
    mem_free(store);
}

/* FNV-1a: names are short, and who may create objects may slow us down in cheaper ways. */
static size_t hash(const char *key)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *key; key++)
        h = (h ^ (unsigned char)*key) * 0x100000001b3u;
    return (size_t)(h ^ h >> 32);
}

/* The link that points to the key's entry, or to where it belongs. */
static struct entry **find(const struct store *s, const char *key)
{
    struct entry **link = &s->slots[hash(key) & (s->n_slots - 1)];
    while (*link && strcmp((*link)->object.key, key) != 0)
        link = &(*link)->next;
    return link;
}

static void grow(struct store *s)
{
    struct entry **old = s->slots;
    const size_t n_old = s->n_slots;
    s->n_slots *= 2;
    s->slots = mem_array(s->n_slots, sizeof(struct entry *));
    for (size_t i = 0; i < n_old; i++) {
        for (struct entry *e = old[i]; e;) {
            struct entry *next = e->next;
            struct entry **slot = &s->slots[hash(e->object.key) & (s->n_slots - 1)];
            e->next = *slot;
            *slot = e;
            e = next;
        }
    }
    mem_free(old);
}

static const char *put_text(char **at, const char *bytes, size_t len)
{
    char *text = *at;
    memcpy(text, bytes, len);
    text[len] = '\0';
    *at += len + 1;
    return text;
}

/* Reads the metadata; the tree lives only here. */
static struct entry *new_entry(const char *bytes, size_t len, struct err *err)
{
    cleanup_json struct json_object *root = NULL;
    if (jsonval_parse(bytes, len, &root, err) != 0)
        return NULL;
    struct json_object *metadata = jsonval_get(root, "metadata");
    const char *name = jsonval_string_or_empty(metadata, "name");
    const char *namespace = jsonval_string_or_empty(metadata, "namespace");
    const char *uid = jsonval_string_or_empty(metadata, "uid");
    const char *version = jsonval_string_or_empty(metadata, "resourceVersion");
    if (!*name) {
        (void)err_set(err, ERR_PROTOCOL, "an object without a name");
        return NULL;
    }
    cleanup_mem char *key = *namespace ? mem_printf("%s/%s", namespace, name) : mem_strdup(name);
    struct entry *e = mem_zalloc(sizeof *e + strlen(key) + strlen(uid) + strlen(version) + len + 4);
    char *at = e->text;
    e->object.key = put_text(&at, key, strlen(key));
    e->object.uid = put_text(&at, uid, strlen(uid));
    e->object.resource_version = put_text(&at, version, strlen(version));
    e->object.generation = jsonval_int(metadata, "generation", 0);
    e->object.bytes = put_text(&at, bytes, len);
    e->object.len = len;
    return e;
}

static bool is_same(const struct entry *a, const struct entry *b)
{
    return *a->object.resource_version &&
           strcmp(a->object.resource_version, b->object.resource_version) == 0 &&
           strcmp(a->object.uid, b->object.uid) == 0;
}

static void report(const struct store *s, const struct entry *now, const struct entry *before)
{
    if (s->on_change)
        s->on_change(s->user, now ? &now->object : NULL, before ? &before->object : NULL);
}

/* Takes e. */
static void put(struct store *s, struct entry *e)
{
    struct entry **link = find(s, e->object.key);
    struct entry *before = *link;
    if (before && is_same(before, e)) {
        mem_free(e);
        return;
    }
    e->next = before ? before->next : NULL;
    *link = e;
    s->bytes += e->object.len;
    if (before)
        s->bytes -= before->object.len;
    else if (++s->count > s->n_slots)
        grow(s);
    report(s, e, before);
    mem_free(before);
}

static void drop(struct store *s, struct entry **link)
{
    struct entry *e = *link;
    *link = e->next;
    s->count--;
    s->bytes -= e->object.len;
    report(s, NULL, e);
    mem_free(e);
}

const struct store_object *store_get(const struct store *store, const char *key)
{
    const struct entry *e = *find(store, key);
    return e ? &e->object : NULL;
}

size_t store_count(const struct store *store)
{
    return store->count;
}

size_t store_bytes(const struct store *store)
{
    return store->bytes;
}

void store_each(const struct store *store, void (*visit)(void *user, const struct store_object *object),
                void *user)
{
    for (size_t i = 0; i < store->n_slots; i++) {
        for (const struct entry *e = store->slots[i]; e; e = e->next)
            visit(user, &e->object);
    }
}

int store_put(struct store *store, const char *bytes, size_t len, struct err *err)
{
    struct entry *e = new_entry(bytes, len, err);
    if (!e)
        return -1;
    put(store, e);
    return 0;
}

int store_delete(struct store *store, const char *bytes, size_t len, struct err *err)
{
    struct entry *e = new_entry(bytes, len, err);
    if (!e)
        return -1;
    struct entry **link = find(store, e->object.key);
    if (*link)
        drop(store, link);
    mem_free(e);
    return 0;
}

void store_replace(struct store *store, struct store *fresh)
{
    for (size_t i = 0; i < store->n_slots; i++) {
        for (struct entry **link = &store->slots[i]; *link;) {
            if (*find(fresh, (*link)->object.key))
                link = &(*link)->next;
            else
                drop(store, link);
        }
    }
    for (size_t i = 0; i < fresh->n_slots; i++) {
        for (struct entry *e = fresh->slots[i]; e;) {
            struct entry *next = e->next;
            put(store, e);
            e = next;
        }
        fresh->slots[i] = NULL;
    }
    store_free(fresh);
}

void store_mute(struct store *store)
{
    store->on_change = NULL;
}
