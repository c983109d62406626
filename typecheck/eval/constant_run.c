#include "typecheck/eval/constant_run.h"

#include "typecheck/base/arena.h"
#include "typecheck/run/functions.h"
#include "typecheck/run/value.h"

/* s: a string, i: an int, l: a list of these, as %s and %d print them in every release. */
static const struct {
    struct str name, args;
    struct str overload; /* empty: the whole function */
} FUNCTIONS[] = {
    {STR_INIT("find"), STR_INIT("ss"), STR_INIT("string_find_string")},
    {STR_INIT("findAll"), STR_INIT("ss"), STR_INIT("string_find_all_string")},
    {STR_INIT("findAll"), STR_INIT("ssi"), STR_INIT("string_find_all_string_int")},
    {STR_INIT("format"), STR_INIT("sl"), STR_INIT("string_format")},
    {STR_INIT("matches"), STR_INIT("ss"), STR_INIT("")},
};

enum { MAX_ARGS = 3 };

/* ---- what is given ---- */

static const struct value *scalar(struct arena *a, const struct absval *v)
{
    if (v->kinds == ABS_STRING && absval_is_constant(v))
        return value_string(a, v->values[0].bytes);
    if (v->kinds == ABS_INT && absval_is_constant(v))
        return value_int(a, v->values[0].integer);
    return NULL;
}

static const struct value *list_of_scalars(struct arena *a, const struct absval *v)
{
    if (!absval_is_exact_list(v))
        return NULL;
    struct value *list = value_new_list(a, v->list->count);
    for (size_t i = 0; i < v->list->count; i++) {
        const struct value *item = scalar(a, v->list->items[i]);
        arena_step(a);
        if (item == NULL)
            return NULL;
        value_append(a, list->list, item);
    }
    return list;
}

/* NULL: it is not of that sort, or not constant. */
static const struct value *argument(struct arena *a, const struct absval *v, char sort)
{
    const uint32_t kind = sort == 's' ? ABS_STRING : sort == 'i' ? ABS_INT : ABS_LIST;
    if (v->kinds != kind || v->may_fail || v->is_type_determined)
        return NULL;
    return kind == ABS_LIST ? list_of_scalars(a, v) : scalar(a, v);
}

/* ---- what comes of it ---- */

static const struct absval *result(struct arena *a, const struct value *v)
{
    if (v->kind == VALUE_BOOL)
        return v->boolean ? &absval_true : &absval_false;
    if (v->kind == VALUE_STRING)
        return absval_of_string(a, v->text);
    if (v->kind != VALUE_LIST)
        return NULL;
    const struct absval **items = ARENA_ARRAY(a, v->list->count, const struct absval *);
    for (size_t i = 0; i < v->list->count; i++) {
        arena_step(a);
        items[i] = absval_of_string(a, v->list->items[i]->text);
    }
    return absval_of_items(a, items, v->list->count);
}

const struct absval *constant_run(struct arena *a, struct str function, const struct absval *const *args,
                                  size_t count)
{
    const struct value *values[MAX_ARGS];
    size_t i = 0, known = 0;
    while (i < sizeof FUNCTIONS / sizeof *FUNCTIONS &&
           !(str_eq(FUNCTIONS[i].name, function) && FUNCTIONS[i].args.len == count))
        i++;
    if (i == sizeof FUNCTIONS / sizeof *FUNCTIONS)
        return NULL;
    while (known < count && (values[known] = argument(a, args[known], FUNCTIONS[i].args.at[known])) != NULL)
        known++;
    if (known < count)
        return NULL;
    struct str overload = FUNCTIONS[i].overload, missing = STR("");
    const struct function_row *row =
        overload.len == 0 ? functions_whole(function) : functions_overload(function, overload);
    struct invocation call = {
        .arena = a, .function = function, .args = values, .count = count, .missing = &missing};
    const struct value *v = row->call(&call);
    return missing.len != 0 ? NULL : result(a, v);
}
