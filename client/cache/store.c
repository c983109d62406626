#include "client/cache/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/hash.h"
#include "client/base/buf.h"
#include "client/base/deflated.h"
#include "client/base/mem.h"
#include "client/text/jsonpick.h"
#include "client/text/jsonval.h"
#include "client/text/jsonweight.h"

enum { FIRST_SLOTS = 64 };

/* One allocation: the object, then its strings. */
struct entry {
    struct store_object object;
    struct entry *next; /* in its slot */
    bool is_known;      /* in a list that is arriving: the store has it already, with its text */
    char text[];
};

struct store {
    struct entry **slots; /* a power of two of them */
    size_t n_slots;
    size_t count;
    size_t bytes;
    size_t left_out;
    struct store_budget *budget; /* the budget that the store shares with others; NULL if it has none */
    const char *sample;          /* of deflated texts; NULL: none */
    const struct store *known;   /* the store that this list, which is arriving, will replace; NULL: none */
    size_t replaced_bytes;       /* the budget that `known` uses for the objects that this store has too */
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

void store_set_budget(struct store *store, struct store_budget *budget)
{
    store->budget = budget;
}

void store_set_sample(struct store *store, const char *sample)
{
    store->sample = sample;
}

struct store *store_new_beside(const struct store *store)
{
    struct store *s = store_new(NULL, NULL);
    s->budget = store->budget;
    s->sample = store->sample;
    s->known = store;
    return s;
}

/* The part of the budget that an entry uses. */
static size_t cost_of(const struct entry *e)
{
    return sizeof *e + strlen(e->object.key) + strlen(e->object.uid) + strlen(e->object.resource_version) +
           e->object.packed_len;
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

/* The entry of the store that the arriving list will replace; NULL: none. */
static const struct entry *known_entry(const struct store *s, const char *key)
{
    return s->known ? *find(s->known, key) : NULL;
}

/* The part of the budget that becomes free in the store when e replaces an entry there, with the rest of its
 * list. */
static size_t replaced_by(const struct store *s, const struct entry *e)
{
    const struct entry *known = e->is_known ? NULL : known_entry(s, e->object.key);
    return known ? cost_of(known) : 0;
}

static void count_in(struct store *s, const struct entry *e)
{
    s->bytes += e->object.packed_len;
    s->left_out += e->object.left_out != STORE_WHOLE;
    s->replaced_bytes += replaced_by(s, e);
    if (s->budget)
        s->budget->used_bytes += cost_of(e);
}

static void count_out(struct store *s, const struct entry *e)
{
    s->bytes -= e->object.packed_len;
    s->left_out -= e->object.left_out != STORE_WHOLE;
    s->replaced_bytes -= replaced_by(s, e);
    if (s->budget)
        s->budget->used_bytes -= cost_of(e);
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

void store_free(struct store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->n_slots; i++) {
        for (struct entry *e = store->slots[i]; e;) {
            struct entry *next = e->next;
            count_out(store, e);
            mem_free(e);
            e = next;
        }
    }
    mem_free(store->slots);
    mem_free(store);
}

static const char *put_text(char **at, const char *bytes, size_t len)
{
    char *text = *at;
    memcpy(text, bytes, len);
    text[len] = '\0';
    *at += len + 1;
    return text;
}

/* The content of an object's metadata. It owns its strings. */
struct meta {
    char *key, *uid, *version;
    int64_t generation;
    struct jsonpick managed, applied, labels; /* spans that are not kept whole */
};

static void meta_deinit(struct meta *m)
{
    mem_free(m->key);
    mem_free(m->uid);
    mem_free(m->version);
}

/* known: the metadata that was picked already; NULL: none. */
static int meta_read(struct meta *m, const char *bytes, size_t len, const struct jsonmeta *known,
                     struct err *err)
{
    struct jsonmeta picked;
    *m = (struct meta){0};
    if (!known && jsonmeta_read(&picked, bytes, len, err) != 0)
        return -1;
    known = known ? known : &picked;
    cleanup_mem char *name = jsonpick_string_or_empty(&known->name);
    cleanup_mem char *namespace = jsonpick_string_or_empty(&known->namespace);
    if (!*name) {
        (void)err_set(err, ERR_PROTOCOL, "an object without a name");
        return -1;
    }
    m->key = *namespace ? mem_printf("%s/%s", namespace, name) : mem_strdup(name);
    m->uid = jsonpick_string_or_empty(&known->uid);
    m->version = jsonpick_string_or_empty(&known->version);
    m->generation = jsonpick_int(&known->generation, 0);
    m->managed = known->managed;
    m->applied = known->applied;
    if (known->labels.len > STORE_LABELS_BYTES)
        m->labels = known->labels;
    return 0;
}

/* An entry of managedFields that says who owns the status. */
static bool is_of_status(const struct jsonpick *entry)
{
    static const char key[] = "\"f:status\"";
    return memmem(entry->at, entry->len, key, sizeof key - 1) != NULL;
}

static void put_managed(struct buf *out, const struct jsonpick *entries)
{
    struct jsonpick entry = {0};
    const char *separator = "[";
    while (jsonpick_next(entries, &entry)) {
        if (!is_of_status(&entry))
            continue;
        (void)buf_puts(out, separator);
        (void)buf_append(out, entry.at, entry.len);
        separator = ",";
    }
    (void)buf_puts(out, *separator == '[' ? "[]" : "]");
}

enum { ESCAPE_BYTES = sizeof "\\u003c" - 1 };

/* Go's JSON writes "<", ">" and "&" as escapes: six bytes for one. The character that the escape at the text
 * stands for; '\0': it is another escape. */
static char unescaped(const char *at, size_t len)
{
    static const struct {
        const char *escape;
        char c;
    } rows[] = {{"\\u003c", '<'}, {"\\u003e", '>'}, {"\\u0026", '&'}};
    for (size_t i = 0; len >= ESCAPE_BYTES && i < sizeof rows / sizeof *rows; i++) {
        if (memcmp(at, rows[i].escape, ESCAPE_BYTES) == 0)
            return rows[i].c;
    }
    return '\0';
}

/* Appends a part of the text, without these escapes. */
static void put_part(struct buf *out, const char *bytes, size_t len)
{
    enum { STAGE_BYTES = 4096, LONGEST = 2 };
    const char *end = bytes + len;
    char stage[STAGE_BYTES];
    size_t staged = 0;
    for (const char *at = bytes; at < end;) {
        if (*at != '\\') {
            const char *run = memchr(at, '\\', (size_t)(end - at));
            run = run ? run : end;
            (void)buf_append(out, stage, staged);
            (void)buf_append(out, at, (size_t)(run - at));
            staged = 0;
            at = run;
            continue;
        }
        const char c = unescaped(at, (size_t)(end - at));
        const size_t taken = c != '\0' ? ESCAPE_BYTES : (size_t)(end - at) < LONGEST ? 1 : LONGEST;
        if (staged + LONGEST > sizeof stage) {
            (void)buf_append(out, stage, staged);
            staged = 0;
        }
        if (c != '\0') {
            stage[staged++] = c;
        } else {
            memcpy(stage + staged, at, taken);
            staged += taken;
        }
        at += taken;
    }
    (void)buf_append(out, stage, staged);
}

/* A span of the text, and what is kept instead. */
struct cut {
    struct jsonpick span;
    const char *instead;
};

static int compare_cuts(const void *left, const void *right)
{
    const struct cut *l = left, *r = right;
    return l->span.at < r->span.at ? -1 : l->span.at > r->span.at;
}

/* The text without what nobody here reads: owners of anything but the status, kubectl's copy of what
 * was applied, labels without an end. */
static void put_kept(struct buf *out, const char *bytes, size_t len, const struct meta *m)
{
    struct buf owners;
    buf_init(&owners, len);
    put_managed(&owners, &m->managed);
    struct cut cuts[] = {{m->managed, owners.data}, {m->applied, "\"\""}, {m->labels, "{}"}};
    const char *at = bytes;
    qsort(cuts, sizeof cuts / sizeof *cuts, sizeof *cuts, compare_cuts);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        const struct jsonpick *span = &cuts[i].span;
        if (!span->at)
            continue;
        put_part(out, at, (size_t)(span->at - at));
        (void)buf_puts(out, cuts[i].instead);
        at = span->at + span->len;
    }
    put_part(out, at, (size_t)(bytes + len - at));
    buf_deinit(&owners);
}

/* ---- objects that do not fit ---- */

/* The part of the budget that may be used when an object of this size is put. */
static size_t share_of(const struct store_budget *budget, size_t bytes)
{
    if (bytes <= STORE_SMALL_BYTES)
        return budget->cap_bytes;
    return bytes <= STORE_MEDIUM_BYTES ? budget->cap_bytes / 8 * 7 : budget->cap_bytes / 4 * 3;
}

static bool fits(const struct store *s, const char *key, size_t bytes, bool is_stub)
{
    if (!s->budget)
        return true;
    const struct entry *before = *find(s, key);
    const struct entry *known = !before || before->is_known ? known_entry(s, key) : NULL;
    const size_t cap = is_stub ? s->budget->cap_bytes / 4 * 5 : share_of(s->budget, bytes);
    const size_t freed = s->replaced_bytes + (before ? cost_of(before) : 0) + (known ? cost_of(known) : 0);
    const size_t used = s->budget->used_bytes > freed ? s->budget->used_bytes - freed : 0;
    return bytes <= cap && used <= cap - bytes;
}

/* A member of the whole text, if there is one and it is no longer than most. */
static void put_member(struct buf *out, const char *name, const char *at, size_t len, size_t most)
{
    if (!at || len > most)
        return;
    (void)buf_printf(out, "%s\"%s\":", out->len > 1 ? "," : "", name);
    (void)buf_append(out, at, len);
}

static void put_identity(struct buf *out, const struct meta *m)
{
    const char *slash = strchr(m->key, '/');
    (void)buf_puts(out, "{\"metadata\":{\"name\":");
    (void)buf_put_json(out, slash ? slash + 1 : m->key, strlen(slash ? slash + 1 : m->key));
    if (slash) {
        (void)buf_puts(out, ",\"namespace\":");
        (void)buf_put_json(out, m->key, (size_t)(slash - m->key));
    }
    (void)buf_puts(out, ",\"uid\":");
    (void)buf_put_json(out, m->uid, strlen(m->uid));
    (void)buf_puts(out, ",\"resourceVersion\":");
    (void)buf_put_json(out, m->version, strlen(m->version));
    (void)buf_printf(out, ",\"generation\":%" PRId64 "}}", m->generation);
}

/* The spec: whole if it is short, else what a binding is about. */
static void put_short_spec(struct buf *out, const struct jsonpick *spec, const struct jsonpick *policy_name)
{
    if (spec->len <= STORE_MEMBER_BYTES || !policy_name->at || policy_name->len > STORE_MEMBER_BYTES) {
        put_member(out, "spec", spec->at, spec->len, STORE_MEMBER_BYTES);
        return;
    }
    (void)buf_puts(out, out->len > 1 ? ",\"spec\":{\"policyName\":" : "\"spec\":{\"policyName\":");
    (void)buf_append(out, policy_name->at, policy_name->len);
    (void)buf_putc(out, '}');
}

/* The text of an object that is left out: the parts of its whole text that say what it is, and its status. */
static void put_stub(struct buf *out, const char *bytes, size_t len, const struct meta *m)
{
    struct jsonpick_pick picks[] = {{.path = {"apiVersion"}}, {.path = {"kind"}},
                                    {.path = {"metadata"}},   {.path = {"spec"}},
                                    {.path = {"status"}},     {.path = {"spec", "policyName"}}};
    if (jsonpick_pick(bytes, len, picks, sizeof picks / sizeof picks[0], NULL) != 0)
        return; /* it passed before */
    (void)buf_putc(out, '{');
    put_member(out, "apiVersion", picks[0].value.at, picks[0].value.len, STORE_MEMBER_BYTES);
    put_member(out, "kind", picks[1].value.at, picks[1].value.len, STORE_MEMBER_BYTES);
    put_member(out, "metadata", picks[2].value.at, picks[2].value.len, STORE_STUB_BYTES);
    put_short_spec(out, &picks[3].value, &picks[5].value);
    put_member(out, "status", picks[4].value.at, picks[4].value.len, STORE_STUB_BYTES);
    (void)buf_putc(out, '}');
    if (out->len > STORE_STUB_BYTES || picks[2].value.len > STORE_STUB_BYTES) {
        buf_reset(out);
        put_identity(out, m);
    }
}

/* ---- entries ---- */

/* The text of an object, as it is kept. */
struct packed {
    struct buf bytes; /* not deflated if it has as many bytes as the text */
    size_t len, tree_bytes;
    enum store_left_out left_out;
};

static void pack(struct packed *out, const struct store *s, const char *bytes, size_t len,
                 enum store_left_out left_out)
{
    *out = (struct packed){.len = len, .tree_bytes = jsonweight(bytes, len), .left_out = left_out};
    buf_init(&out->bytes, len);
    if (len > STORE_PACKED_BYTES || deflated_put(&out->bytes, bytes, len, s->sample) != 0)
        (void)buf_append(&out->bytes, bytes, len);
}

char *store_text(const struct store_object *object)
{
    return object->packed_len == object->len
               ? mem_strndup(object->packed, object->len)
               : deflated_text(object->packed, object->packed_len, object->len, object->sample);
}

int store_parse(const struct store_object *object, struct json_object **out, struct err *err)
{
    cleanup_mem char *text = store_text(object);
    return jsonval_parse(text, object->len, out, err);
}

static size_t entry_bytes(const struct meta *m, size_t len)
{
    return sizeof(struct entry) + strlen(m->key) + strlen(m->uid) + strlen(m->version) + len;
}

/* packed: NULL if there is no text. */
static struct entry *make_entry(const struct store *s, const struct meta *m, const struct packed *packed)
{
    struct entry *e = mem_zalloc(entry_bytes(m, packed ? packed->bytes.len : 0) + 4);
    char *at = e->text;
    e->object.key = put_text(&at, m->key, strlen(m->key));
    e->object.uid = put_text(&at, m->uid, strlen(m->uid));
    e->object.resource_version = put_text(&at, m->version, strlen(m->version));
    e->object.generation = m->generation;
    if (!packed)
        return e;
    e->object.packed = put_text(&at, packed->bytes.data, packed->bytes.len);
    e->object.packed_len = packed->bytes.len;
    e->object.sample = s->sample;
    e->object.len = packed->len;
    e->object.tree_bytes = packed->tree_bytes;
    e->object.left_out = packed->left_out;
    return e;
}

static bool is_version(const struct entry *e, const char *version, const char *uid)
{
    return *version && strcmp(e->object.resource_version, version) == 0 && strcmp(e->object.uid, uid) == 0;
}

static bool is_same(const struct entry *a, const struct entry *b)
{
    return is_version(a, b->object.resource_version, b->object.uid) &&
           a->object.left_out == b->object.left_out;
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
    count_in(s, e);
    if (before)
        count_out(s, before);
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
    count_out(s, e);
    report(s, NULL, e);
    mem_free(e);
}

/* An entry of this text if there is room for it, or of no text but the identity. */
static struct entry *left_out_entry(const struct store *s, const struct meta *m, const struct buf *text,
                                    enum store_left_out why)
{
    struct buf identity;
    struct packed packed;
    struct entry *e = NULL;
    buf_init(&identity, STORE_STUB_BYTES);
    if (text->len == 0)
        put_identity(&identity, m);
    text = text->len == 0 ? &identity : text;
    pack(&packed, s, text->data, text->len, why);
    if (fits(s, m->key, entry_bytes(m, packed.bytes.len), true))
        e = make_entry(s, m, &packed);
    buf_deinit(&packed.bytes);
    buf_deinit(&identity);
    return e;
}

/* A stub if that is shorter, else the whole text again; NULL: not even that fits. */
static struct entry *stub_entry(const struct store *s, const struct meta *m, const struct buf *kept,
                                enum store_left_out why)
{
    struct buf stub;
    buf_init(&stub, kept->len + STORE_STUB_BYTES);
    put_stub(&stub, kept->data, kept->len, m);
    struct entry *e =
        stub.len < kept->len ? left_out_entry(s, m, &stub, why) : left_out_entry(s, m, kept, STORE_WHOLE);
    buf_deinit(&stub);
    return e;
}

/* The whole text if it fits, else a stub; NULL: not even that fits. */
static struct entry *fitting_entry(const struct store *s, const struct meta *m, const struct buf *kept)
{
    struct packed packed;
    pack(&packed, s, kept->data, kept->len, STORE_WHOLE);
    const bool is_large = packed.tree_bytes > STORE_TREE_CAP_BYTES;
    const bool has_room = !is_large && fits(s, m->key, entry_bytes(m, packed.bytes.len), false);
    struct entry *e = has_room ? make_entry(s, m, &packed) : NULL;
    buf_deinit(&packed.bytes);
    return e ? e : stub_entry(s, m, kept, is_large ? STORE_TOO_MANY_PARTS : STORE_NO_ROOM);
}

static void say_no_room(const struct store *s, struct err *err)
{
    (void)err_set(err, ERR_LIMIT, "the objects need more than the %zu bytes that they may use",
                  s->budget->cap_bytes);
}

/* An entry of the text for the store; NULL with err LIMIT. */
static struct entry *new_entry(struct store *s, const char *bytes, size_t len, struct meta *m,
                               struct err *err)
{
    const struct entry *known = known_entry(s, m->key);
    struct entry *e;
    if (known && known->object.left_out == STORE_WHOLE && is_version(known, m->version, m->uid)) {
        e = make_entry(s, m, NULL);
        e->is_known = true;
        return e;
    }
    struct buf kept;
    buf_init(&kept, len + sizeof "[]"); /* for the "[]" that replaces managedFields */
    put_kept(&kept, bytes, len, m);
    e = fitting_entry(s, m, &kept);
    buf_deinit(&kept);
    if (!e)
        say_no_room(s, err);
    return e;
}

const char *store_left_out_text(enum store_left_out left_out)
{
    static const char *const texts[] = {
        [STORE_WHOLE] = NULL,
        [STORE_NO_ROOM] = "the object was not kept: the memory for objects of the cluster is used up",
        [STORE_TOO_LONG] = "the object was not read: its JSON text is too long",
        [STORE_TOO_MANY_PARTS] = "the object was not kept: it has too many fields and elements",
    };
    return texts[left_out];
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

size_t store_left_out(const struct store *store)
{
    return store->left_out;
}

void store_each(const struct store *store, void (*visit)(void *user, const struct store_object *object),
                void *user)
{
    for (size_t i = 0; i < store->n_slots; i++) {
        for (const struct entry *e = store->slots[i]; e; e = e->next)
            visit(user, &e->object);
    }
}

int store_put(struct store *store, const char *bytes, size_t len, const struct jsonmeta *meta,
              struct err *err)
{
    struct meta m;
    if (meta_read(&m, bytes, len, meta, err) != 0)
        return -1;
    struct entry *e = new_entry(store, bytes, len, &m, err);
    meta_deinit(&m);
    if (!e)
        return -1;
    put(store, e);
    return 0;
}

int store_put_long(struct store *store, const struct jsonmeta *meta, struct err *err)
{
    static const struct buf none = {.data = NULL};
    struct entry *e = NULL;
    struct meta m;
    if (meta_read(&m, NULL, 0, meta, err) != 0)
        return -1;
    if (!*m.uid || !*m.version)
        (void)err_set(err, ERR_PROTOCOL, "an object without a uid or a resourceVersion");
    else if ((e = left_out_entry(store, &m, &none, STORE_TOO_LONG)) == NULL)
        say_no_room(store, err);
    meta_deinit(&m);
    if (!e)
        return -1;
    put(store, e);
    return 0;
}

int store_delete(struct store *store, const char *bytes, size_t len, const struct jsonmeta *meta,
                 struct err *err)
{
    struct meta m;
    if (meta_read(&m, bytes, len, meta, err) != 0)
        return -1;
    struct entry **link = find(store, m.key);
    if (*link)
        drop(store, link);
    meta_deinit(&m);
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
            count_out(fresh, e);
            if (e->is_known)
                mem_free(e);
            else
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
