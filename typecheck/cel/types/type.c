/*
 * Equal types are one pointer. Each function that makes a type fills a struct on the stack and calls
 * intern(), which looks for an equal type by its hash, and copies the struct into the arena only if there is
 * none. Parameters of a type are interned before the type itself, so a hash and a comparison read only their
 * addresses and never walk into a type. A look-up reads the parent's table, too, but only the table at hand
 * grows: in this way the checks of one environment share its types. The end of the file prints the names of
 * types as cel-go does, in a short form for messages and in a long one.
 */
#include "typecheck/cel/types/type.h"

#include "typecheck/base/arena.h"

#define SCALAR(symbol, type_kind, type_name)                                                                 \
    const struct type symbol = {                                                                             \
        .kind = (type_kind), .depth = 1, .exact = &(symbol), .name = STR_INIT(type_name)}

/* The names are those of the long form. */
SCALAR(type_dyn, TYPE_DYN, "dyn");
SCALAR(type_any, TYPE_ANY, "google.protobuf.Any");
SCALAR(type_error, TYPE_ERROR, "error");
SCALAR(type_null, TYPE_NULL, "null_type");
SCALAR(type_bool, TYPE_BOOL, "bool");
SCALAR(type_int, TYPE_INT, "int");
SCALAR(type_uint, TYPE_UINT, "uint");
SCALAR(type_double, TYPE_DOUBLE, "double");
SCALAR(type_string, TYPE_STRING, "string");
SCALAR(type_bytes, TYPE_BYTES, "bytes");
SCALAR(type_duration, TYPE_DURATION, "google.protobuf.Duration");
SCALAR(type_timestamp, TYPE_TIMESTAMP, "google.protobuf.Timestamp");
SCALAR(type_type, TYPE_TYPE, "type");

const struct type type_quantity_text = {
    .kind = TYPE_STRING, .depth = 1, .exact = &type_string, .name = STR_INIT("string")};

/* dyn in all but their address. */
#define JSON_TYPE(symbol)                                                                                    \
    const struct type symbol = {.kind = TYPE_DYN, .depth = 1, .exact = &type_dyn, .name = STR_INIT("dyn")}

JSON_TYPE(type_int_or_string);
JSON_TYPE(type_number);
JSON_TYPE(type_json);
JSON_TYPE(type_open);

#define FIRST_SLOTS 64u

/* The price of a look-up, in steps. It does not count the probes, which depend on addresses, so that a check
 * always takes the same number of steps. */
#define PROBES 1u

/* Unknowns that are found without a look into the hash. */
#define UNKNOWNS_KEPT 64u

struct types {
    struct arena *arena, *scratch;
    const struct types *parent;
    const struct type **slots; /* open addressing; capacity is a power of two, or 0 */
    uint32_t capacity, count;
    uint32_t param_count;
    const struct type **unknowns; /* the first ones by number; only a table without parent keeps them */
    uint32_t unknown_count;
    struct str optional; /* the name of optional types */
    int minor;           /* of Kubernetes */
    int validating_minor;
    struct reads *reads;
};

struct types *types_new(struct arena *a, const struct types *parent)
{
    struct types *ts = ARENA_NEW(a, struct types);
    ts->arena = ts->scratch = a;
    ts->parent = parent;
    ts->param_count = parent == NULL ? 0 : parent->param_count;
    ts->optional = parent == NULL ? STR("optional_type") : parent->optional;
    return ts;
}

const struct type *types_nullable(struct types *ts, const struct type *not_null)
{
    struct type *t = ARENA_NEW(ts->arena, struct type);
    *t = type_json;
    t->data = not_null;
    return t;
}

const struct type *type_not_null(const struct type *t)
{
    return t->kind == TYPE_DYN ? t->data : NULL;
}

struct arena *types_arena(struct types *ts)
{
    return ts->arena;
}

struct arena *types_scratch(struct types *ts)
{
    return ts->scratch;
}

void types_set_scratch(struct types *ts, struct arena *scratch)
{
    ts->scratch = scratch;
}

void types_set_minor(struct types *ts, int minor)
{
    ts->minor = minor;
}

int types_minor(const struct types *ts)
{
    return ts->minor;
}

void types_set_validating_minor(struct types *ts, int minor)
{
    ts->validating_minor = minor;
}

int types_validating_minor(const struct types *ts)
{
    return ts->validating_minor;
}

void types_set_reads(struct types *ts, struct reads *reads)
{
    ts->reads = reads;
}

struct reads *types_reads(const struct types *ts)
{
    return ts->reads;
}

static uint32_t mix(uint32_t hash, uintptr_t value)
{
    uint64_t product = (hash ^ (uint64_t)value) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(product >> 32) ^ (uint32_t)product;
}

static uint32_t hash_type(const struct type *t)
{
    uint32_t hash = mix((uint32_t)t->kind * 2 + t->nullable, (uintptr_t)t->data);
    for (size_t i = 0; i < t->param_count; i++)
        hash = mix(hash, (uintptr_t)t->params[i]);
    /* A type that has parameters is distinguished by them well enough. */
    return t->param_count != 0 ? hash : mix(hash, str_hash(t->name));
}

static bool is_same(const struct type *a, const struct type *b)
{
    if (a->kind != b->kind || a->nullable != b->nullable || a->param_count != b->param_count ||
        a->ops != b->ops || a->data != b->data || !str_eq(a->name, b->name))
        return false;
    for (size_t i = 0; i < a->param_count; i++) {
        if (a->params[i] != b->params[i])
            return false;
    }
    return true;
}

static const struct type *find(const struct types *ts, const struct type *wanted, uint32_t hash)
{
    struct arena *payer = ts->arena;
    for (; ts != NULL; ts = ts->parent) {
        if (ts->capacity == 0)
            continue;
        arena_pay(payer, PROBES + wanted->name.len / ARENA_STEP_BYTES);
        for (uint32_t i = hash & (ts->capacity - 1); ts->slots[i] != NULL; i = (i + 1) & (ts->capacity - 1)) {
            if (is_same(ts->slots[i], wanted))
                return ts->slots[i];
        }
    }
    return NULL;
}

static void insert(struct types *ts, const struct type *t, uint32_t hash)
{
    uint32_t i = hash & (ts->capacity - 1);
    while (ts->slots[i] != NULL)
        i = (i + 1) & (ts->capacity - 1);
    ts->slots[i] = t;
    ts->count++;
}

static void make_room(struct types *ts)
{
    if (2 * (ts->count + 1) <= ts->capacity)
        return;
    const struct type **old = ts->slots;
    uint32_t old_capacity = ts->capacity, capacity = old_capacity == 0 ? FIRST_SLOTS : 2 * old_capacity;
    ts->slots = ARENA_ARRAY(ts->arena, capacity, const struct type *); /* may jump: the table is as it was */
    ts->capacity = capacity;
    ts->count = 0;
    for (uint32_t i = 0; i < old_capacity; i++) {
        if (old[i] != NULL)
            insert(ts, old[i], hash_type(old[i]));
    }
}

static const struct type *intern(struct types *ts, struct type wanted);

/* The same type with every wrapper in it unwrapped. */
static const struct type *find_exact(struct types *ts, const struct type *t)
{
    bool differs = false;
    for (size_t i = 0; i < t->param_count; i++)
        differs |= t->params[i]->exact != t->params[i];
    if (!differs)
        return t;
    struct type plain = *t;
    const struct type **params = ARENA_ARRAY(ts->arena, t->param_count, const struct type *);
    for (size_t i = 0; i < t->param_count; i++)
        params[i] = t->params[i]->exact;
    plain.params = params;
    return intern(ts, plain);
}

/* Makes the type `wanted`, which the table does not have. */
static const struct type *make(struct types *ts, struct type wanted, uint32_t hash)
{
    wanted.depth = 1;
    for (size_t i = 0; i < wanted.param_count; i++) {
        if (wanted.params[i]->depth >= TYPE_MAX_DEPTH)
            arena_fail(ts->arena, ARENA_STEPS);
        if (wanted.params[i]->depth >= wanted.depth)
            wanted.depth = (uint16_t)(wanted.params[i]->depth + 1);
        wanted.generic |= wanted.params[i]->generic;
    }
    struct type *made = ARENA_NEW(ts->arena, struct type);
    *made = wanted;
    if (wanted.param_count != 0) {
        const struct type **params = ARENA_ARRAY(ts->arena, wanted.param_count, const struct type *);
        for (size_t i = 0; i < wanted.param_count; i++)
            params[i] = wanted.params[i];
        made->params = params;
    }
    if (wanted.kind == TYPE_PARAM) {
        made->generic = true;
        made->slot = ts->param_count++;
    }
    if (!wanted.nullable)
        made->exact = find_exact(ts, made);
    make_room(ts);
    insert(ts, made, hash);
    return made;
}

/* The type in the table that equals `wanted`; made if there is none. */
static const struct type *intern(struct types *ts, struct type wanted)
{
    const uint32_t hash = hash_type(&wanted);
    const struct type *found = find(ts, &wanted, hash);
    return found != NULL ? found : make(ts, wanted, hash);
}

const struct type *types_list(struct types *ts, const struct type *element)
{
    return intern(
        ts, (struct type){.kind = TYPE_LIST, .name = STR("list"), .params = &element, .param_count = 1});
}

const struct type *types_map(struct types *ts, const struct type *key, const struct type *value)
{
    const struct type *params[] = {key, value};
    return intern(ts,
                  (struct type){.kind = TYPE_MAP, .name = STR("map"), .params = params, .param_count = 2});
}

const struct type *types_type(struct types *ts, const struct type *denoted)
{
    return intern(
        ts, (struct type){.kind = TYPE_TYPE, .name = STR("type"), .params = &denoted, .param_count = 1});
}

/* A type that its name distinguishes; the name is copied only if the type is new. */
static const struct type *intern_named(struct types *ts, struct type wanted)
{
    const uint32_t hash = hash_type(&wanted);
    const struct type *found = find(ts, &wanted, hash);
    if (found != NULL)
        return found;
    wanted.name = str_copy(ts->arena, wanted.name);
    return make(ts, wanted, hash);
}

const struct type *types_param(struct types *ts, struct str name)
{
    return intern_named(ts, (struct type){.kind = TYPE_PARAM, .name = name});
}

enum { UNKNOWN_NAME_BYTES = 16 };

/* "_var<n>", written by hand, since each environment makes many of them. */
static struct str name_unknown(char room[UNKNOWN_NAME_BYTES], uint32_t n)
{
    static const char prefix[] = "_var";
    size_t at = UNKNOWN_NAME_BYTES;
    do {
        room[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    at -= sizeof prefix - 1;
    memcpy(room + at, prefix, sizeof prefix - 1);
    return (struct str){room + at, UNKNOWN_NAME_BYTES - at};
}

const struct type *types_unknown(struct types *ts, uint32_t n)
{
    const struct types *root = ts;
    while (root->parent != NULL)
        root = root->parent;
    if (n < root->unknown_count)
        return root->unknowns[n];

    char room[UNKNOWN_NAME_BYTES];
    const struct type *made = types_param(ts, name_unknown(room, n));
    if (root == ts && n == ts->unknown_count && n < UNKNOWNS_KEPT) {
        if (n == 0)
            ts->unknowns = ARENA_ARRAY(ts->arena, UNKNOWNS_KEPT, const struct type *);
        ts->unknowns[ts->unknown_count++] = made;
    }
    return made;
}

const struct type *types_opaque(struct types *ts, struct str name, const struct type *const *params,
                                size_t count)
{
    return intern_named(
        ts, (struct type){.kind = TYPE_OPAQUE, .name = name, .params = params, .param_count = count});
}

void types_name_optional(struct types *ts, struct str name)
{
    ts->optional = name;
}

const struct type *types_optional(struct types *ts, const struct type *value)
{
    return intern(
        ts, (struct type){.kind = TYPE_OPAQUE, .name = ts->optional, .params = &value, .param_count = 1});
}

const struct type *types_wrapper(struct types *ts, const struct type *t)
{
    return intern(ts, (struct type){.kind = t->kind, .nullable = true, .exact = t, .name = t->name});
}

const struct type *types_object(struct types *ts, struct str name, const struct object_ops *ops,
                                const void *data)
{
    return intern_named(ts, (struct type){.kind = TYPE_OBJECT, .name = name, .ops = ops, .data = data});
}

const struct type *type_of_literal(enum literal_kind kind)
{
    static const struct type *const TYPES[] = {
        [LITERAL_NULL] = &type_null,   [LITERAL_BOOL] = &type_bool,     [LITERAL_INT] = &type_int,
        [LITERAL_UINT] = &type_uint,   [LITERAL_DOUBLE] = &type_double, [LITERAL_STRING] = &type_string,
        [LITERAL_BYTES] = &type_bytes,
    };
    return TYPES[kind];
}

bool type_is_optional(const struct type *t)
{
    return t->kind == TYPE_OPAQUE && t->param_count == 1 &&
           (str_eq(t->name, STR("optional_type")) || str_eq(t->name, STR("optional")));
}

bool type_is_exact(const struct type *a, const struct type *b)
{
    return a->exact == b->exact;
}

static void print_params(struct text *out, const struct type *t,
                         void (*print)(struct text *out, const struct type *t))
{
    for (size_t i = 0; i < t->param_count; i++) {
        text_add(out, i == 0 ? STR("(") : STR(", "));
        print(out, t->params[i]);
    }
    if (t->param_count != 0)
        text_add_char(out, ')');
}

void type_tell_name(const struct type *t)
{
    if (t->kind == TYPE_OBJECT && t->ops != NULL && t->ops->is_named != NULL)
        t->ops->is_named(t);
}

static void print_name(struct text *out, const struct type *t, struct str name)
{
    type_tell_name(t);
    if (t->nullable)
        text_add(out, STR("wrapper("));
    text_add(out, name);
    if (t->nullable)
        text_add_char(out, ')');
}

/* The name in messages. */
static struct str short_name(const struct type *t)
{
    static const struct str NAMES[] = {
        [TYPE_ANY] = STR_INIT("any"),
        [TYPE_ERROR] = STR_INIT("!error!"),
        [TYPE_NULL] = STR_INIT("null"),
        [TYPE_DURATION] = STR_INIT("duration"),
        [TYPE_TIMESTAMP] = STR_INIT("timestamp"),
    };
    bool is_long = t->kind >= sizeof NAMES / sizeof *NAMES || NAMES[t->kind].len == 0;
    return is_long ? t->name : NAMES[t->kind];
}

void type_print(struct text *out, const struct type *t)
{
    arena_step(out->arena);
    print_name(out, t, short_name(t));
    print_params(out, t, type_print);
}

struct str type_text(struct arena *a, const struct type *t)
{
    if (!t->nullable && t->param_count == 0) {
        type_tell_name(t);
        return short_name(t);
    }
    struct text text = {.arena = a};
    type_print(&text, t);
    return text_str(&text);
}

void type_print_long(struct text *out, const struct type *t)
{
    arena_step(out->arena);
    if (t->kind == TYPE_PARAM)
        text_add_char(out, '<');
    print_name(out, t, t->name);
    if (t->kind == TYPE_PARAM)
        text_add_char(out, '>');
    print_params(out, t, type_print_long);
}
