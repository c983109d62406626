#include "typecheck/policy/abstract/domain/hint.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/suggest.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/cel/types/reads.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/abstract/domain/absmap.h"

/* Comparisons of two letters that one step of the budget pays for. */
#define LETTERS_PER_STEP 8u

/* Values of these kinds are strings in JSON. Returns the function that makes such a value from a string; NULL
 * if we know none. */
static const char *find_wrapper(uint32_t kinds, struct str opaque)
{
    if (kinds == ABS_TIMESTAMP)
        return "timestamp";
    if (kinds == ABS_DURATION)
        return "duration";
    return kinds == ABS_OPAQUE && str_eq(opaque, STR("kubernetes.Quantity")) ? "quantity" : NULL;
}

const char *hint_wrapper(const struct absval *wanted, const struct absval *given)
{
    return (given->kinds & ABS_STRING) == 0 ? NULL : find_wrapper(wanted->kinds, wanted->opaque);
}

/*
 * The one function that would make all of the call's strings what the overload takes. Of several operands one
 * must be such a value already: `a - b` of two strings says nothing about durations.
 */
static const char *wrapper_for_overload(const struct overload *o, const struct absval *const *args,
                                        size_t count)
{
    const char *wrapper = NULL;
    bool is_certain = count == 1;
    for (size_t i = 0; i < count; i++) {
        const struct type *wanted = o->args[i];
        uint32_t kinds = kinds_of_type(wanted);
        is_certain = is_certain || (args[i]->kinds != 0 && (args[i]->kinds & ~kinds) == 0);
        if ((kinds & args[i]->kinds) != 0)
            continue;
        const char *found = (args[i]->kinds & ABS_STRING) == 0 ? NULL : find_wrapper(kinds, wanted->name);
        if (found == NULL || (wrapper != NULL && wrapper != found))
            return NULL;
        wrapper = found;
    }
    return is_certain ? wrapper : NULL;
}

const char *hint_wrapper_for(const struct function *f, const struct absval *const *args, size_t count)
{
    for (size_t i = 0; i < f->count; i++) {
        const char *found =
            f->overloads[i].arg_count == count ? wrapper_for_overload(&f->overloads[i], args, count) : NULL;
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* Fields */

static bool lists_names(const struct type *t)
{
    return t != NULL && t->kind == TYPE_OBJECT && t->ops != NULL && t->ops->name != NULL;
}

/* The name of a field in objects, which is the one that an expression selects; a schema's may be escaped. */
static struct str plain_name(struct types *ts, struct str name)
{
    struct arena *a = types_scratch(ts);
    struct str plain;
    if (!property_name_unescape(a, name, &plain) || plain.at == name.at)
        return name;
    return str_copy(a, plain);
}

/* The name of the field at the index; false after the last. */
static bool name_of_field(struct types *ts, const struct type *object, size_t index, struct str *out)
{
    const bool is_there = object->ops->name(object, index, out);
    if (is_there)
        *out = plain_name(ts, *out);
    return is_there;
}

/* About as many as a search among an object's names takes. */
#define NAMES_STEPS 2u

/* Returns true if the object itself lists the field: open ones have any. */
static bool lists_field(struct types *ts, const struct type *object, struct str field)
{
    arena_pay(types_scratch(ts), NAMES_STEPS);
    return object->ops->lists(object, field, ts);
}

/* The first field from `from` on below which `field` may be. */
static size_t find_listing(struct types *ts, const struct type *object, size_t from, struct str field)
{
    if (object->ops->find_listing == NULL)
        return from;
    const size_t found = object->ops->find_listing(object, from, field);
    arena_pay(types_scratch(ts), found - from);
    return found;
}

/* The one field below which `field` is; what a status has is rarely meant. */
static struct str find_below(struct types *ts, const struct type *object, struct str field)
{
    struct str found = STR(""), name;
    for (size_t i = find_listing(ts, object, 0, field); name_of_field(ts, object, i, &name);
         i = find_listing(ts, object, i + 1, field)) {
        struct object_entry entry;
        arena_step(types_scratch(ts));
        if (str_eq(name, STR("status")) || !object->ops->key(object, name, ts, &entry) ||
            !lists_names(entry.type) || !lists_field(ts, entry.type, field))
            continue;
        if (found.len != 0)
            return STR("");
        found = name;
    }
    return found;
}

/* The ways to the fields of Pods in the kinds that make Pods; those from the whole object come first. */
enum { PODS_WAYS = 6, PODS_WAY_MAX = 6 };
static const char *const PODS_BELOW[PODS_WAYS][PODS_WAY_MAX] = {
    {"template", "spec"},
    {"jobTemplate", "spec"},
    {"jobTemplate", "spec", "template", "spec"},
    {"spec", "template", "spec"},
    {"spec", "jobTemplate", "spec"},
    {"spec", "jobTemplate", "spec", "template", "spec"},
};

/* The type at the end of the way; NULL if the object has none there. */
static const struct type *find_type(struct types *ts, const struct type *object, const char *const *way)
{
    const struct type *at = object;
    for (; *way != NULL && lists_names(at); way++) {
        struct object_entry entry;
        arena_step(types_scratch(ts));
        at = at->ops->key(at, str_of(*way), ts, &entry) ? entry.type : NULL;
    }
    return *way == NULL ? at : NULL;
}

static struct str join_way(struct arena *a, const char *const *way)
{
    struct str path = STR("");
    for (; *way != NULL; way++)
        path = str_join(a, STR_PARTS(path, path.len == 0 ? STR("") : STR("."), str_of(*way)));
    return path;
}

/* Every letter is compared with every letter. */
static void offer(struct types *ts, struct suggest *nearest, struct str field, struct str name)
{
    size_t shorter = field.len < name.len ? field.len : name.len;
    arena_pay(types_scratch(ts), 1 + shorter * shorter / LETTERS_PER_STEP);
    suggest_offer_str(nearest, name);
}

/* The first field from `from` on whose name is to be offered. */
static size_t find_offer(struct types *ts, const struct type *object, size_t from,
                         const struct suggest *nearest)
{
    if (object->ops->find_near == NULL)
        return from;
    const size_t found = object->ops->find_near(object, from, nearest);
    arena_pay(types_scratch(ts), found - from);
    return found;
}

static void offer_fields(struct types *ts, const struct type *object, struct suggest *nearest,
                         struct str field)
{
    struct str name;
    for (size_t i = find_offer(ts, object, 0, nearest); name_of_field(ts, object, i, &name);
         i = find_offer(ts, object, i + 1, nearest))
        offer(ts, nearest, field, name);
}

/* A name that is so near is meant also where it is not expected. */
enum { FAR_NAME_BYTES = 6, FAR_DISTANCE = 2 };

/* The name of a field of the object that is the nearest to a misspelt one; empty if none is near enough. */
static struct str find_misspelt(struct types *ts, const struct type *object, struct str field)
{
    struct suggest nearest;
    suggest_init(&nearest, str_copy(types_scratch(ts), field).at);
    offer_fields(ts, object, &nearest, field);
    const bool is_near =
        nearest.best != NULL && field.len >= FAR_NAME_BYTES && nearest.distance <= FAR_DISTANCE;
    return is_near ? str_of(nearest.best) : STR("");
}

/* "spec.replicas" for `replcas` of a Deployment, if one of the fields of a whole object has such a name
 * below. */
static struct str find_misspelt_below(struct types *ts, const struct type *object, struct str field)
{
    struct arena *a = types_scratch(ts);
    struct str found = STR(""), name;
    if (!lists_field(ts, object, STR("metadata")))
        return found;
    for (size_t i = 0; name_of_field(ts, object, i, &name); i++) {
        struct object_entry entry;
        arena_step(a);
        if (str_eq(name, STR("status")) || !object->ops->key(object, name, ts, &entry) ||
            !lists_names(entry.type))
            continue;
        const struct str near = find_misspelt(ts, entry.type, field);
        if (near.len != 0 && found.len != 0)
            return STR("");
        if (near.len != 0)
            found = str_join(a, STR_PARTS(name, STR("."), near));
    }
    return found;
}

/* Finds the ways that begin with a field that the object lists. */
static void find_ways(struct types *ts, const struct type *object, bool begins[PODS_WAYS])
{
    for (size_t i = 0; i < PODS_WAYS; i++) {
        const struct str first = str_of(PODS_BELOW[i][0]);
        const bool is_same = i > 0 && str_eq(first, str_of(PODS_BELOW[i - 1][0]));
        begins[i] = is_same ? begins[i - 1] : object->ops->lists(object, first, ts);
    }
}

/* "template.spec.containers" for `containers` of a Deployment's spec; empty: no pod is made there, or it has
 * no such field. begins: of find_ways, which is paid for here. */
static struct str find_in_pods(struct types *ts, const struct type *object, const bool begins[PODS_WAYS],
                               struct str field, bool is_misspelt)
{
    struct arena *a = types_scratch(ts);
    for (size_t i = 0; i < PODS_WAYS; i++) {
        arena_pay(a, NAMES_STEPS);
        if (!begins[i])
            continue;
        const struct type *at = find_type(ts, object, PODS_BELOW[i]);
        struct str name = STR("");
        if (lists_names(at) && is_misspelt)
            name = find_misspelt(ts, at, field);
        else if (lists_names(at) && lists_field(ts, at, field))
            name = field;
        if (name.len != 0)
            return str_join(a, STR_PARTS(join_way(a, PODS_BELOW[i]), STR("."), name));
    }
    return STR("");
}

static struct str find_near(struct types *ts, const struct absmap *map, struct str field)
{
    struct suggest nearest;
    suggest_init(&nearest, str_copy(types_scratch(ts), plain_name(ts, field)).at);
    for (size_t i = 0; i < map->field_count; i++) {
        if (map->fields[i].presence != ABS_ABSENT)
            offer(ts, &nearest, field, str_copy(types_scratch(ts), map->fields[i].name));
    }
    if (lists_names(map->type))
        offer_fields(ts, map->type, &nearest, field);
    return nearest.best == NULL ? STR("") : str_of(nearest.best);
}

/* Any other name stands in backquotes. */
static bool is_plain(struct str name)
{
    bool is_plain = name.len != 0 && (name.at[0] < '0' || name.at[0] > '9');
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        is_plain = is_plain &&
                   ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
    }
    return is_plain;
}

static struct hint_change find_field(struct types *ts, const struct absmap *map, struct str field,
                                     bool *is_of_pods)
{
    struct arena *a = types_scratch(ts);
    const bool has_names = lists_names(map->type);
    bool begins[PODS_WAYS] = {false};
    struct str meant = has_names ? find_below(ts, map->type, field) : STR("");
    if (meant.len != 0)
        meant = str_join(a, STR_PARTS(meant, STR("."), field));
    if (meant.len == 0 && has_names) {
        find_ways(ts, map->type, begins);
        meant = find_in_pods(ts, map->type, begins, field, false);
        *is_of_pods = meant.len != 0;
    }
    if (meant.len == 0)
        meant = find_near(ts, map, field);
    if (meant.len == 0 && has_names)
        meant = find_misspelt_below(ts, map->type, field);
    if (meant.len == 0 && has_names) {
        meant = find_in_pods(ts, map->type, begins, field, true);
        *is_of_pods = meant.len != 0;
    }
    return meant.len == 0 ? HINT_CHANGE_NOTHING : (struct hint_change){HINT_NAME, field, meant};
}

static struct hint_change find_of_sort(struct types *ts, const struct absmap *map, struct str field,
                                       bool *is_of_pods)
{
    struct reads *reads = types_reads(ts);
    *is_of_pods = false;
    reads_pause(reads);
    const struct hint_change change = find_field(ts, map, field, is_of_pods);
    reads_resume(reads);
    if (map->type != NULL)
        reads_hint(reads, map, map->type, field, &change, *is_of_pods);
    return change;
}

/* The change that was meant in each sort of the value, if it is the same in all. */
static struct hint_change find_of_sorts(struct types *ts, const struct hint *h, bool *is_of_pods)
{
    struct hint_change change = find_of_sort(ts, h->map, h->field, is_of_pods);
    for (const struct absmap *m = h->map->next; m != NULL && change.sort != HINT_NOTHING; m = m->next) {
        const struct hint_change other = find_of_sort(ts, m, h->field, is_of_pods);
        if (other.sort != change.sort || !str_eq(other.to, change.to))
            return HINT_CHANGE_NOTHING;
    }
    return change;
}

struct hint_change hint_change_find(struct types *ts, const struct hint *h, bool *is_of_pods)
{
    *is_of_pods = false;
    if (h->wrapper != NULL)
        return (struct hint_change){HINT_WRAP, STR(""), str_of(h->wrapper)};
    if (is_plain(h->optional))
        return (struct hint_change){HINT_OPTIONAL, h->optional, h->optional};
    if (h->value.at != NULL)
        return (struct hint_change){HINT_VALUE, h->field, h->value};
    return h->map == NULL ? HINT_CHANGE_NOTHING : find_of_sorts(ts, h, is_of_pods);
}

bool hint_change_is_near(const struct hint_change *change)
{
    const size_t dot = str_find_last(change->to, '.');
    return change->sort != HINT_NOTHING &&
           (dot == SIZE_MAX || str_eq(str_skip(change->to, dot + 1), change->from));
}

struct str hint_text(struct arena *a, const struct hint_change *change)
{
    switch (change->sort) {
    case HINT_NOTHING:
        break;
    case HINT_NAME:
    case HINT_VALUE:
        return str_join(a, STR_PARTS(STR("did you mean '"), change->to, STR("'?")));
    case HINT_OPTIONAL:
        return str_join(a, STR_PARTS(STR("did you mean '.?"), change->to, STR("'?")));
    case HINT_WRAP:
        return str_join(a, STR_PARTS(STR("a string at run time: wrap it in "), change->to, STR("()")));
    }
    return STR("");
}
