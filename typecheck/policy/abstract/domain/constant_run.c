#include "typecheck/policy/abstract/domain/constant_run.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/settled.h"
#include "typecheck/cel/interpreter/values/addresses.h"
#include "typecheck/cel/types/decl.h"

enum { MAX_ARGS = 4 };

/* Bytes of a text that one step of the budget pays for: some functions look at each byte more than once. */
#define BYTES_PER_STEP 8u

/* ---- what is given ---- */

static const enum value_kind KINDS[] = {
    [LITERAL_NULL] = VALUE_NULL,   [LITERAL_BOOL] = VALUE_BOOL,     [LITERAL_INT] = VALUE_INT,
    [LITERAL_UINT] = VALUE_UINT,   [LITERAL_DOUBLE] = VALUE_DOUBLE, [LITERAL_STRING] = VALUE_STRING,
    [LITERAL_BYTES] = VALUE_BYTES,
};

static struct value of_literal(const struct literal *l)
{
    struct value v = {.kind = KINDS[l->kind]};
    if (l->kind == LITERAL_STRING || l->kind == LITERAL_BYTES)
        v.text = l->bytes;
    else
        v.uinteger = l->uinteger;
    return v;
}

bool constant_run_equal(struct arena *a, const struct literal *one, const struct literal *two)
{
    const struct value v = of_literal(one), w = of_literal(two);
    return equality_of(a, &v, &w) == EQUALITY_YES;
}

enum equality constant_run_equal_computed(struct arena *a, const struct value *one, const struct value *two)
{
    return equality_of(a, one, two);
}

/* Returns the value of a constant, or NULL if it is not constant. */
static const struct value *scalar(struct arena *a, const struct absval *v)
{
    if (v->computed != NULL && !v->is_type_determined)
        return v->computed;
    if (!absval_is_constant(v))
        return NULL;
    if (v->kinds == ABS_NULL)
        return &value_null;
    if (v->kinds == ABS_BOOL)
        return value_bool(v->can_be[true]);
    struct value *value = ARENA_NEW(a, struct value);
    *value = of_literal(v->values);
    if ((v->kinds & (ABS_STRING | ABS_BYTES)) != 0)
        arena_pay(a, value->text.len / BYTES_PER_STEP);
    return value;
}

static const struct value *list_of_scalars(struct arena *a, const struct abslist *items)
{
    struct value *list = value_new_list(a, items->count);
    for (size_t i = 0; i < items->count; i++) {
        const struct value *item = items->items[i]->may_fail ? NULL : scalar(a, items->items[i]);
        arena_step(a);
        if (item == NULL)
            return NULL;
        value_append(a, list->list, item);
    }
    return list;
}

static const struct value *argument(struct arena *a, const struct absval *v)
{
    if (!absval_is_exact_list(v))
        return scalar(a, v);
    return v->is_type_determined || v->list->is_typed ? NULL : list_of_scalars(a, v->list);
}

/* ---- what comes of it ---- */

/* Constants of these kinds are known by what they were computed to. */
static const struct {
    enum value_kind kind;
    uint32_t kinds;
    struct str opaque;
} COMPUTED[] = {
    {VALUE_DURATION, ABS_DURATION, STR_INIT("")},
    {VALUE_TIMESTAMP, ABS_TIMESTAMP, STR_INIT("")},
    {VALUE_IP, ABS_OPAQUE, STR_INIT("net.IP")},
    {VALUE_CIDR, ABS_OPAQUE, STR_INIT("net.CIDR")},
    {VALUE_QUANTITY, ABS_OPAQUE, STR_INIT("kubernetes.Quantity")},
    {VALUE_SEMVER, ABS_OPAQUE, STR_INIT("kubernetes.Semver")},
    {VALUE_URL, ABS_OPAQUE, STR_INIT("kubernetes.URL")},
};

/* Returns the abstract value of a constant; NULL if constants of that kind are not known by their values. */
static const struct absval *abstract_scalar(struct arena *a, const struct value *v)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        struct literal l = {.kind = (enum literal_kind)i};
        if (KINDS[i] != v->kind)
            continue;
        if (v->kind == VALUE_STRING || v->kind == VALUE_BYTES)
            l.bytes = v->text;
        else
            l.uinteger = v->uinteger;
        return absval_of_literal(a, l);
    }
    for (size_t i = 0; i < sizeof COMPUTED / sizeof *COMPUTED; i++) {
        if (COMPUTED[i].kind == v->kind)
            return absval_of_computed(a, COMPUTED[i].kinds, COMPUTED[i].opaque, v);
    }
    return NULL;
}

static const struct absval *abstract(struct arena *a, const struct value *v)
{
    if (v->kind != VALUE_LIST)
        return abstract_scalar(a, v);
    const struct absval **items = ARENA_ARRAY(a, v->list->count, const struct absval *);
    for (size_t i = 0; i < v->list->count; i++) {
        arena_step(a);
        items[i] = abstract_scalar(a, v->list->items[i]);
        if (items[i] == NULL)
            return NULL;
    }
    return absval_of_items(a, items, v->list->count);
}

static struct transfer outcome(struct arena *a, const struct value *v)
{
    if (v != NULL && value_is_error(v))
        return transfer_fails(a, (struct failure){.code = v->code, .message = v->text});
    return transfer_passes(v == NULL ? NULL : abstract(a, v));
}

/* ---- calls ---- */

/* Methods of any receiver that read their last argument, a text, as another function does. */
static const struct {
    struct str method, function;
    function_call *call;
} READERS[] = {
    {STR_INIT("containsCIDR"), STR_INIT("cidr"), addresses_cidr},
    {STR_INIT("containsIP"), STR_INIT("ip"), addresses_ip},
};

/* Returns the error of reading the text, or NULL if the method reads nothing, or there is no error. */
static const struct value *reading_error(struct arena *a, struct str method, const struct value *text)
{
    for (size_t i = 0; i < sizeof READERS / sizeof *READERS; i++) {
        if (!str_eq(READERS[i].method, method) || text->kind != VALUE_STRING)
            continue;
        struct str missing;
        const struct invocation c = {
            .arena = a, .function = READERS[i].function, .args = &text, .count = 1, .missing = &missing};
        const struct value *v = READERS[i].call(&c);
        return value_is_error(v) ? v : NULL;
    }
    return NULL;
}

/* Methods of strings that take indexes from the argument `first` on. */
static const struct {
    struct str method;
    size_t first;
} INDEXED[] = {
    {STR_INIT("charAt"), 1},
    {STR_INIT("indexOf"), 2},
    {STR_INIT("lastIndexOf"), 2},
    {STR_INIT("substring"), 1},
};

/* Returns true if no string has such indexes: a negative one, or an end before the start. */
static bool are_no_indexes(struct str method, const struct value *const *args, size_t count)
{
    bool are_none = false;
    for (size_t i = 0; i < sizeof INDEXED / sizeof *INDEXED; i++) {
        for (size_t k = INDEXED[i].first; str_eq(INDEXED[i].method, method) && k < count; k++) {
            const bool is_index = args[k]->kind == VALUE_INT;
            are_none = are_none || (is_index && args[k]->integer < 0) ||
                       (is_index && k > INDEXED[i].first && args[k]->integer < args[k - 1]->integer);
        }
    }
    return are_none;
}

/* The error that a method has with these arguments whatever its receiver is, as the call with one receiver
 * gives it: a time zone that does not exist, an index that no string has. NULL: there is none. */
static const struct value *error_of_arguments(struct arena *a, const struct function *function,
                                              const struct value **values, size_t count)
{
    static const struct value text = {.kind = VALUE_STRING, .text = STR_INIT("")},
                              time = {.kind = VALUE_TIMESTAMP};
    const bool has_zone =
        count == 2 && values[1]->kind == VALUE_STRING && str_has_prefix(function->name, STR("get"));
    if (!has_zone && !are_no_indexes(function->name, values, count))
        return NULL;
    values[0] = has_zone ? &time : &text;
    const struct value *v = settled_call(a, function, true, values, count);
    return v != NULL && value_is_error(v) ? v : NULL;
}

struct transfer constant_run(struct arena *a, const struct function *function, bool is_receiver,
                             const struct absval *const *args, size_t count)
{
    const struct value *values[MAX_ARGS], *error;
    size_t first = count;
    while (count <= MAX_ARGS && first > 0 && (values[first - 1] = argument(a, args[first - 1])) != NULL)
        first--;
    if (first == count)
        return transfer_passes(NULL);
    error = is_receiver ? reading_error(a, function->name, values[count - 1]) : NULL;
    if (error == NULL && is_receiver && first == 1)
        error = error_of_arguments(a, function, values, count);
    if (error != NULL)
        return outcome(a, error);
    return outcome(a, first > 0 ? NULL : settled_call(a, function, is_receiver, values, count));
}
