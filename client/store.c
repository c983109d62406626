#include "client/store.h"

#include <stdbool.h>
#include <string.h>

#include "client/buf.h"
#include "client/hash.h"
#include "client/jsontext.h"
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

static size_t hash(const char *key)
{
    return (size_t)hash_text(key, strlen(key));
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

/* ORDER PICKS */
enum { NAME, NAMESPACE, UID, VERSION, GENERATION, MANAGED, APPLIED, N_PICKS };

/* What an object's metadata says; its strings are its own. */
struct meta {
    char *key, *uid, *version;
    int64_t generation;
    struct jsontext managed, applied; /* spans that are not kept whole */
};

static void meta_deinit(struct meta *m)
{
    mem_free(m->key);
    mem_free(m->uid);
    mem_free(m->version);
}

static int meta_read(struct meta *m, const char *bytes, size_t len, struct err *err)
{
    /* ORDER PICKS */
    struct jsontext_pick picks[N_PICKS] = {
        {.path = {"metadata", "name"}},
        {.path = {"metadata", "namespace"}},
        {.path = {"metadata", "uid"}},
        {.path = {"metadata", "resourceVersion"}},
        {.path = {"metadata", "generation"}},
        {.path = {"metadata", "managedFields"}},
        {.path = {"metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"}},
    };
    *m = (struct meta){0};
    if (jsontext_pick(bytes, len, picks, N_PICKS, err) != 0)
        return -1;
    cleanup_mem char *name = jsontext_string_or_empty(&picks[NAME].value);
    cleanup_mem char *namespace = jsontext_string_or_empty(&picks[NAMESPACE].value);
    if (!*name) {
        (void)err_set(err, ERR_PROTOCOL, "an object without a name");
        return -1;
    }
    m->key = *namespace ? mem_printf("%s/%s", namespace, name) : mem_strdup(name);
    m->uid = jsontext_string_or_empty(&picks[UID].value);
    m->version = jsontext_string_or_empty(&picks[VERSION].value);
    m->generation = jsontext_int(&picks[GENERATION].value, 0);
    m->managed = picks[MANAGED].value;
    m->applied = picks[APPLIED].value;
    return 0;
}

/* An entry of managedFields that says who owns the status. */
static bool is_of_status(const struct jsontext *entry)
{
    static const char key[] = "\"f:status\"";
    return memmem(entry->at, entry->len, key, sizeof key - 1) != NULL;
}

static void put_managed(struct buf *out, const struct jsontext *entries)
{
    struct jsontext entry = {0};
    const char *separator = "[";
    while (jsontext_next(entries, &entry)) {
        if (!is_of_status(&entry))
            continue;
        (void)buf_puts(out, separator);
        (void)buf_append(out, entry.at, entry.len);
        separator = ",";
    }
    (void)buf_puts(out, *separator == '[' ? "[]" : "]");
}

/* The text without what nobody here reads: owners of anything but the status, kubectl's copy of what
 * was applied. */
static void put_kept(struct buf *out, const char *bytes, size_t len, const struct meta *m)
{
    struct buf owners;
    buf_init(&owners, len);
    put_managed(&owners, &m->managed);
    struct {
        struct jsontext span;
        const char *instead;
    } cuts[] = {{m->managed, owners.data}, {m->applied, "\"\""}};
    const char *at = bytes;
    const size_t first = m->applied.at && m->managed.at && m->applied.at < m->managed.at;
    for (size_t i = 0; i < 2; i++) {
        const struct jsontext *span = &cuts[i ^ first].span;
        if (!span->at)
            continue;
        (void)buf_append(out, at, (size_t)(span->at - at));
        (void)buf_puts(out, cuts[i ^ first].instead);
        at = span->at + span->len;
    }
    (void)buf_append(out, at, (size_t)(bytes + len - at));
    buf_deinit(&owners);
}

static struct entry *new_entry(const char *bytes, size_t len, struct err *err)
{
    struct meta m;
    struct buf kept;
    if (meta_read(&m, bytes, len, err) != 0)
        return NULL;
    buf_init(&kept, len + sizeof "[]"); /* of null */
    put_kept(&kept, bytes, len, &m);
    struct entry *e =
        mem_zalloc(sizeof *e + strlen(m.key) + strlen(m.uid) + strlen(m.version) + kept.len + 4);
    char *at = e->text;
    e->object.key = put_text(&at, m.key, strlen(m.key));
    e->object.uid = put_text(&at, m.uid, strlen(m.uid));
    e->object.resource_version = put_text(&at, m.version, strlen(m.version));
    e->object.generation = m.generation;
    e->object.bytes = put_text(&at, kept.data, kept.len);
    e->object.len = kept.len;
    buf_deinit(&kept);
    meta_deinit(&m);
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
