/*
 * The left value decides how two values compare (equal_itself): plain values as in cel-go, values of Go's
 * types by type and content, lists and maps of custom resources by the list types of their schema, and
 * objects of mutations as reflect.DeepEqual. The answer is more than a bool. NO_OVERLOAD is an error,
 * because values of Kubernetes' types compare only with their own type. UNKNOWN ends the run: the bytes that
 * were sent, or the order in which Go looks, would decide. In most lists and maps a part that is certainly
 * different decides, whatever the other parts are.
 */
#include "typecheck/cel/interpreter/values/equality.h"

#include <math.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/quantities.h"
#include "typecheck/cel/interpreter/values/semvers.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/golang/goaddress.h"
#include "typecheck/golang/gourl.h"

#define TWO_TO_63 9223372036854775808.0
#define TWO_TO_64 18446744073709551616.0

/* Lists and maps within each other are compared no deeper: values of a run are never so deep. */
enum { COMPARE_DEPTH = 1000 };

static bool is_number(const struct value *v)
{
    return v->kind == VALUE_INT || v->kind == VALUE_UINT || v->kind == VALUE_DOUBLE;
}

static int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

/* Compares a double that is not a NaN with another number. */
static int compare_double(double d, const struct value *other)
{
    if (other->kind == VALUE_DOUBLE)
        return compare_doubles(d, other->floating);
    if (other->kind == VALUE_INT)
        return d < -TWO_TO_63 ? -1 : d > TWO_TO_63 ? 1 : compare_doubles(d, (double)other->integer);
    return d < 0 ? -1 : d > TWO_TO_64 ? 1 : compare_doubles(d, (double)other->uinteger);
}

/* Compares two numbers that are not NaN. */
static int compare_numbers(const struct value *one, const struct value *two)
{
    if (one->kind == VALUE_DOUBLE)
        return compare_double(one->floating, two);
    if (two->kind == VALUE_DOUBLE)
        return -compare_double(two->floating, one);
    if (one->kind == VALUE_INT && two->kind == VALUE_INT)
        return (one->integer > two->integer) - (one->integer < two->integer);
    if (one->kind == VALUE_INT && one->integer < 0)
        return -1;
    if (two->kind == VALUE_INT && two->integer < 0)
        return 1;
    /* an int that is not negative has the same bits as a uint */
    return (one->uinteger > two->uinteger) - (one->uinteger < two->uinteger);
}

static bool is_nan(const struct value *v)
{
    return v->kind == VALUE_DOUBLE && isnan(v->floating);
}

static enum equality equal(struct arena *a, const struct value *one, const struct value *two, unsigned depth);

static enum equality equal_itself(struct arena *a, const struct value *one, const struct value *two,
                                  unsigned depth);

static enum equality when(bool is_equal)
{
    return is_equal ? EQUALITY_YES : EQUALITY_NO;
}

/* Adds an answer that decides nothing to the one so far: an unknown answer stays, whatever comes later. */
static enum equality either(enum equality all, enum equality one)
{
    return all == EQUALITY_UNKNOWN ? all : one;
}

/* An error of two items is no difference; the sum of two lists has it for its own, others do not. */
static enum equality equal_lists(struct arena *a, const struct value_list *one, const struct value_list *two,
                                 unsigned depth)
{
    enum equality all = when(one->count == two->count);
    for (size_t i = 0; all != EQUALITY_NO && i < one->count; i++) {
        enum equality items = equal(a, one->items[i], two->items[i], depth + 1);
        if (items == EQUALITY_NO)
            all = items;
        else if (items == EQUALITY_UNKNOWN || (items == EQUALITY_NO_OVERLOAD && one->is_sum))
            all = either(all, items);
    }
    return all;
}

static enum equality equal_maps(struct arena *a, const struct value_map *one, const struct value_map *two,
                                unsigned depth)
{
    enum equality all = when(one->count == two->count);
    for (size_t i = 0; all != EQUALITY_NO && i < one->count; i++) {
        const struct value *other = value_map_find(a, two, one->entries[i].key);
        enum equality values =
            other == NULL ? EQUALITY_NO : equal(a, one->entries[i].value, other, depth + 1);
        if (values == EQUALITY_NO || values == EQUALITY_UNKNOWN)
            all = values;
    }
    return all;
}

static bool equal_texts(struct arena *a, struct str one, struct str two)
{
    if (one.len == two.len)
        arena_pay_bytes(a, one.len);
    return str_eq(one, two);
}

static enum equality equal_optionals(struct arena *a, const struct value *one, const struct value *two,
                                     unsigned depth)
{
    if (one->inner == NULL || two->inner == NULL)
        return when(one->inner == two->inner);
    return equal_itself(a, one->inner, two->inner, depth + 1);
}

/* The answer for two values of different types. */
static enum equality equal_others(const struct value *one)
{
    return value_is_own(one) ? EQUALITY_NO_OVERLOAD : EQUALITY_NO;
}

/* ---- typed values ---- */

static enum equality equal_contents(struct arena *a, const struct value *one, const struct value *two,
                                    unsigned depth);

static bool is_empty_or_null(const struct value *v)
{
    return v->kind == VALUE_NULL || (v->kind == VALUE_LIST && v->list->count == 0) ||
           (v->kind == VALUE_MAP && v->map->go_struct.len == 0 && v->map->count == 0);
}

static bool may_be_nil_bytes(const struct value *one, const struct value *two)
{
    return one->kind == VALUE_NULL && two->kind == VALUE_STRING && two->text.len == 0;
}

static bool is_amount(const struct value *v)
{
    return v->kind == VALUE_STRING && v->go == VALUE_GO_QUANTITY;
}

static enum equality equal_list_contents(struct arena *a, const struct value_list *one,
                                         const struct value_list *two, unsigned depth)
{
    enum equality all = when(one->count == two->count);
    for (size_t i = 0; all != EQUALITY_NO && i < one->count; i++) {
        enum equality items = equal_contents(a, one->items[i], two->items[i], depth + 1);
        if (items != EQUALITY_YES)
            all = items;
    }
    return all;
}

/* Compares two values that stand in the same place of two others. */
typedef enum equality comparer(struct arena *a, const struct value *one, const struct value *two,
                               unsigned depth);

/* Compares two maps, entry by entry. */
static enum equality equal_entries(struct arena *a, const struct value_map *one, const struct value_map *two,
                                   unsigned depth, comparer *compare)
{
    enum equality all = when(one->count == two->count);
    for (size_t i = 0; all != EQUALITY_NO && i < one->count; i++) {
        const struct value *other = value_map_at(a, two, one->entries[i].key);
        const enum equality entries =
            other == NULL ? EQUALITY_NO : compare(a, one->entries[i].value, other, depth + 1);
        if (entries != EQUALITY_YES)
            all = entries;
    }
    return all;
}

static enum equality equal_map_contents(struct arena *a, const struct value_map *one,
                                        const struct value_map *two, unsigned depth)
{
    return str_eq(one->go_struct, two->go_struct) ? equal_entries(a, one, two, depth, equal_contents)
                                                  : EQUALITY_NO;
}

/*
 * Compares two structs of one type as apimachinery's third_party/forked/golang/reflect does: nil equals
 * empty. The bytes that were sent are not known here: equal JSON can be of different bytes, and null can be
 * nil bytes, which equal "".
 */
static enum equality equal_contents(struct arena *a, const struct value *one, const struct value *two,
                                    unsigned depth)
{
    arena_step(a);
    if (depth > COMPARE_DEPTH)
        arena_fail(a, ARENA_STEPS);
    if (one->go == VALUE_GO_JSON || two->go == VALUE_GO_JSON)
        return equal(a, one, two, depth) == EQUALITY_NO ? EQUALITY_NO : EQUALITY_UNKNOWN;
    if (is_amount(one) && is_amount(two))
        return when(quantities_texts_are_equal(a, one, two));
    if (is_empty_or_null(one) && is_empty_or_null(two))
        return EQUALITY_YES;
    if (one->kind == VALUE_LIST && two->kind == VALUE_LIST)
        return equal_list_contents(a, one->list, two->list, depth);
    if (one->kind == VALUE_MAP && two->kind == VALUE_MAP)
        return equal_map_contents(a, one->map, two->map, depth);
    if (may_be_nil_bytes(one, two) || may_be_nil_bytes(two, one))
        return EQUALITY_UNKNOWN;
    return equal(a, one, two, depth);
}

/* Compares two typed lists; items whose comparison fails are different. */
static enum equality equal_typed_lists(struct arena *a, const struct value_list *one,
                                       const struct value_list *two, unsigned depth)
{
    enum equality all = when(one->count == two->count);
    for (size_t i = 0; all != EQUALITY_NO && i < one->count; i++) {
        enum equality items = equal_itself(a, one->items[i], two->items[i], depth + 1);
        if (items != EQUALITY_YES)
            all = items == EQUALITY_UNKNOWN ? items : EQUALITY_NO;
    }
    return all;
}

/* A struct passes on how the first of its fields differs, in an order that Go throws dice for. */
static enum equality equal_typed_maps(struct arena *a, const struct value_map *one,
                                      const struct value_map *two, unsigned depth)
{
    unsigned seen = 0;
    bool is_struct = one->go_struct.len != 0;
    if (one->count != two->count)
        return EQUALITY_NO;
    for (size_t i = 0; i < one->count; i++) {
        const struct value *other = value_map_find(a, two, one->entries[i].key);
        enum equality values =
            other == NULL ? EQUALITY_NO : equal_itself(a, one->entries[i].value, other, depth + 1);
        seen |= 1u << (values == EQUALITY_NO_OVERLOAD && !is_struct ? EQUALITY_NO : values);
    }
    seen &= ~(1u << EQUALITY_YES);
    if (seen == 0)
        return EQUALITY_YES;
    if (seen == 1u << EQUALITY_NO_OVERLOAD)
        return EQUALITY_NO_OVERLOAD;
    bool differs = is_struct ? seen == 1u << EQUALITY_NO : (seen & 1u << EQUALITY_NO) != 0;
    return differs ? EQUALITY_NO : EQUALITY_UNKNOWN;
}

static enum equality equal_typed(struct arena *a, const struct value *one, const struct value *two,
                                 unsigned depth)
{
    if (one->kind != two->kind)
        return EQUALITY_NO_OVERLOAD;
    if (one->kind == VALUE_LIST)
        return equal_typed_lists(a, one->list, two->list, depth);
    if (one->map->go_struct.len == 0 || two->map->go_struct.len == 0)
        return equal_typed_maps(a, one->map, two->map, depth);
    return equal_map_contents(a, one->map, two->map, depth);
}

/* ---- values of custom resources ---- */

static enum equality equal_ordered(struct arena *a, const struct value_list *one,
                                   const struct value_list *two, unsigned depth)
{
    enum equality all = EQUALITY_YES;
    for (size_t i = 0; all == EQUALITY_YES && i < one->count; i++)
        all = equal_itself(a, one->items[i], two->items[i], depth + 1);
    return all;
}

static const struct value *key_of(struct arena *a, const struct value *item, struct str name)
{
    const struct value *key = item->kind == VALUE_MAP ? value_map_member(a, item->map, name) : NULL;
    return key == NULL ? &value_null : key;
}

static bool have_same_keys(struct arena *a, const struct value_list *keys, const struct value *one,
                           const struct value *two)
{
    bool are_same = true;
    for (size_t i = 0; are_same && i < keys->count; i++)
        are_same = equal(a, key_of(a, one, keys->items[i]->text), key_of(a, two, keys->items[i]->text), 0) ==
                   EQUALITY_YES;
    return are_same;
}

size_t equality_find_same(struct arena *a, const struct value_list *list, const struct value *item)
{
    size_t i = list->type == VALUE_LIST_ATOMIC ? list->count : 0;
    for (; i < list->count; i++) {
        const bool is_same = list->type == VALUE_LIST_MAP
                                 ? have_same_keys(a, list->keys, list->items[i], item)
                                 : equal(a, list->items[i], item, 0) == EQUALITY_YES;
        arena_step(a);
        if (is_same)
            break;
    }
    return i;
}

/* An item that is there twice counts in another way in each version of Kubernetes. */
static enum equality equal_unordered(struct arena *a, const struct value_list *one,
                                     const struct value_list *two, unsigned depth)
{
    enum equality all = EQUALITY_YES;
    bool *is_seen = ARENA_ARRAY(a, one->count + 1, bool);
    for (size_t i = 0; all == EQUALITY_YES && i < two->count; i++) {
        const size_t same = equality_find_same(a, one, two->items[i]);
        if (same == one->count)
            return EQUALITY_NO;
        if (is_seen[same])
            return EQUALITY_UNKNOWN;
        is_seen[same] = true;
        if (one->type == VALUE_LIST_MAP)
            all = equal_itself(a, one->items[same], two->items[i], depth + 1);
    }
    return all;
}

/* An entry that no expression finds (custom_value.h). */
static bool is_hidden(const struct value_entry *e)
{
    return e->key->text.len != 0 && e->key->text.at[0] == VALUE_MAP_HIDDEN;
}

static enum equality equal_hidden(struct arena *a, const struct value_entry *e, const struct value_map *two,
                                  unsigned depth)
{
    const struct value *other = value_map_at(a, two, e->key);
    if (e->value->kind == VALUE_NULL)
        return when(value_map_member(a, two, str_skip(e->key->text, 1)) == NULL);
    return other == NULL ? EQUALITY_YES : equal(a, e->value, other, depth + 1);
}

static enum equality equal_custom_maps(struct arena *a, const struct value_map *one,
                                       const struct value_map *two, unsigned depth)
{
    enum equality all = when(one->count == two->count);
    for (size_t i = 0; all == EQUALITY_YES && i < one->count; i++) {
        const struct value_entry *e = &one->entries[i];
        const struct value *other = is_hidden(e) ? NULL : value_map_at(a, two, e->key);
        if (is_hidden(e))
            all = equal_hidden(a, e, two, depth);
        else
            all = other == NULL ? EQUALITY_NO : equal_itself(a, e->value, other, depth + 1);
    }
    return all;
}

static enum equality equal_custom(struct arena *a, const struct value *one, const struct value *two,
                                  unsigned depth)
{
    if (one->kind != two->kind)
        return EQUALITY_NO_OVERLOAD;
    if (one->kind == VALUE_MAP)
        return equal_custom_maps(a, one->map, two->map, depth);
    if (one->list->count != two->list->count)
        return EQUALITY_NO;
    return one->list->type == VALUE_LIST_ATOMIC ? equal_ordered(a, one->list, two->list, depth)
                                                : equal_unordered(a, one->list, two->list, depth);
}

/* ---- objects of mutations ---- */

/* reflect.DeepEqual of two objects, or of the values in them. UNKNOWN: it would look at places in memory. */
static enum equality equal_objects(struct arena *a, const struct value *one, const struct value *two,
                                   unsigned depth)
{
    const uint32_t scalars = VALUE_KIND(VALUE_NULL) | VALUE_KIND(VALUE_BOOL) | VALUE_KIND(VALUE_INT) |
                             VALUE_KIND(VALUE_UINT) | VALUE_KIND(VALUE_DOUBLE) | VALUE_KIND(VALUE_STRING) |
                             VALUE_KIND(VALUE_BYTES) | VALUE_KIND(VALUE_DURATION);
    arena_step(a);
    if (depth > COMPARE_DEPTH)
        arena_fail(a, ARENA_STEPS);
    if (one->kind != two->kind)
        return EQUALITY_NO;
    if ((scalars >> one->kind & 1) != 0)
        return equality_of(a, one, two);
    if (one->kind != VALUE_OBJECT)
        return EQUALITY_UNKNOWN;
    if (!str_eq(one->object->type, two->object->type))
        return EQUALITY_NO;
    return equal_entries(a, one->object->fields, two->object->fields, depth, equal_objects);
}

static struct str patch_text(struct arena *a, const struct value_object *patch, struct str field)
{
    const struct value *text = value_map_member(a, patch->fields, field);
    return text == NULL ? STR("") : text->text;
}

static enum equality equal_patches(struct arena *a, const struct value_object *one,
                                   const struct value_object *two)
{
    static const struct str texts[] = {STR_INIT("op"), STR_INIT("path"), STR_INIT("from")};
    const struct value *v = value_map_member(a, one->fields, STR("value")),
                       *w = value_map_member(a, two->fields, STR("value"));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!str_eq(patch_text(a, one, texts[i]), patch_text(a, two, texts[i])))
            return EQUALITY_NO;
    }
    if (v == NULL || w == NULL)
        return when(v == w);
    return equality_of(a, v, w);
}

/* Compares as cel-go's operator does: null first. */
static enum equality equal(struct arena *a, const struct value *one, const struct value *two, unsigned depth)
{
    if (one->kind == VALUE_NULL || two->kind == VALUE_NULL)
        return when(one->kind == two->kind);
    return equal_itself(a, one, two, depth);
}

/* Compares as the left value's type does. */
static enum equality equal_itself(struct arena *a, const struct value *one, const struct value *two,
                                  unsigned depth)
{
    arena_step(a);
    if (depth > COMPARE_DEPTH)
        arena_fail(a, ARENA_STEPS);
    if (is_number(one) && is_number(two))
        return when(!is_nan(one) && !is_nan(two) && compare_numbers(one, two) == 0);
    if (value_is_typed(one))
        return equal_typed(a, one, two, depth);
    if (value_is_custom(one))
        return equal_custom(a, one, two, depth);
    if (one->kind != two->kind)
        return equal_others(one);
    switch (one->kind) {
    case VALUE_NULL:
        return EQUALITY_YES;
    case VALUE_BOOL:
        return when(one->boolean == two->boolean);
    case VALUE_DURATION:
        return when(one->integer == two->integer);
    case VALUE_STRING:
    case VALUE_BYTES:
    case VALUE_TYPE:
        return when(equal_texts(a, one->text, two->text));
    case VALUE_TIMESTAMP:
        return when(one->timestamp.seconds == two->timestamp.seconds &&
                    one->timestamp.nanoseconds == two->timestamp.nanoseconds);
    case VALUE_LIST:
        return equal_lists(a, one->list, two->list, depth);
    case VALUE_MAP:
        return equal_maps(a, one->map, two->map, depth);
    case VALUE_OPTIONAL:
        return equal_optionals(a, one, two, depth);
    case VALUE_IP:
    case VALUE_CIDR:
        return when(goaddress_are_equal(one->address, two->address));
    case VALUE_URL:
        return when(equal_texts(a, gourl_text(a, one->url), gourl_text(a, two->url)));
    case VALUE_FORMAT:
        return when(one->format == two->format);
    case VALUE_SEMVER:
        return when(semvers_are_equal(a, one, two));
    case VALUE_AUTHORIZATION:
        return EQUALITY_NO_OVERLOAD;
    case VALUE_OBJECT:
        return equal_objects(a, one, two, depth);
    case VALUE_JSON_PATCH:
        return equal_patches(a, one->object, two->object);
    case VALUE_QUANTITY:
        return two->quantity->is_sum ? EQUALITY_NO_OVERLOAD : when(quantities_are_equal(a, one, two));
    case VALUE_INT:
    case VALUE_UINT:
    case VALUE_DOUBLE:
    case VALUE_ERROR:
        break;
    }
    return EQUALITY_NO;
}

enum equality equality_of(struct arena *a, const struct value *one, const struct value *two)
{
    return equal(a, one, two, 0);
}

/* The answer as a bool; one that is not known ends the run. */
static bool settle(const struct invocation *c, enum equality equality)
{
    if (equality == EQUALITY_UNKNOWN)
        *c->missing = STR(EQUALITY_LACKS);
    return equality == EQUALITY_YES;
}

bool equality_equal(const struct invocation *c, const struct value *one, const struct value *two)
{
    return settle(c, equal_itself(c->arena, one, two, 0));
}

/* Items that are typed or of a custom resource are asked, others are what is looked for; a sum asks its
 * parts. */
static bool contains(const struct invocation *c, const struct value *list, const struct value *item,
                     unsigned depth)
{
    const struct value_list *l = list->list;
    if (depth > COMPARE_DEPTH)
        arena_fail(c->arena, ARENA_STEPS);
    if (l->has_typed)
        return contains(c, l->first, item, depth + 1) || contains(c, l->second, item, depth + 1);
    for (size_t i = 0; i < l->count; i++) {
        bool is_asked = value_is_typed(list) || value_is_custom(list);
        const struct value *one = is_asked ? l->items[i] : item, *two = is_asked ? item : l->items[i];
        if (equality_equal(c, one, two))
            return true;
    }
    return false;
}

bool equality_contains(const struct invocation *c, const struct value *list, const struct value *item)
{
    return contains(c, list, item, 0);
}

static int compare_timestamps(const struct value *one, const struct value *two)
{
    int order =
        (one->timestamp.seconds > two->timestamp.seconds) - (one->timestamp.seconds < two->timestamp.seconds);
    return order != 0 ? order : one->timestamp.nanoseconds - two->timestamp.nanoseconds;
}

const struct value *equality_compare(struct arena *a, const struct value *one, const struct value *two,
                                     int *order)
{
    if (is_number(one) && is_number(two)) {
        if (is_nan(one) || is_nan(two))
            return value_error_of(a, ISSUE_OTHER, STR("NaN values cannot be ordered"));
        *order = compare_numbers(one, two);
        return NULL;
    }
    if (is_nan(one))
        return value_error_of(a, ISSUE_OTHER, STR("NaN values cannot be ordered"));
    if (one->kind != two->kind)
        return value_no_overload(a);
    if (one->kind == VALUE_BOOL)
        *order = one->boolean - two->boolean;
    else if (one->kind == VALUE_DURATION)
        *order = (one->integer > two->integer) - (one->integer < two->integer);
    else if (one->kind == VALUE_TIMESTAMP)
        *order = compare_timestamps(one, two);
    else if (one->kind == VALUE_STRING || one->kind == VALUE_BYTES) {
        arena_pay_bytes(a, one->text.len);
        *order = str_cmp(one->text, two->text);
    } else
        return value_no_overload(a);
    return NULL;
}
