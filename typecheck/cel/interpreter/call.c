#include "typecheck/cel/interpreter/call.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/step.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/types/decl.h"

/* ---- choosing ---- */

static bool choose_overloads(struct arena *a, const struct function *function, struct step_call *call)
{
    bool has_one = false;
    call->function = function;
    call->shape = FUNCTION_OF_LIST;
    call->rows = ARENA_ARRAY(a, function->count, const struct function_row *);
    for (size_t i = 0; i < function->count; i++) {
        call->rows[i] = functions_row(&function->overloads[i]);
        has_one = has_one || call->rows[i]->call != NULL;
    }
    return has_one;
}

bool call_choose(struct arena *a, const struct function *function, const struct overload *only,
                 struct step *step)
{
    struct step_call *call = &step->call;
    const struct function_row *row = functions_row(only != NULL ? only : &function->overloads[0]);
    *call = (struct step_call){.name = function->name,
                               .is_strict = !str_eq(function->name, STR("@not_strictly_false"))};
    call->price = functions_price(function, only);
    if (only == NULL && !row->is_whole)
        return choose_overloads(a, function, call);
    if (row->call == NULL)
        return false;
    call->row = row;
    call->overload = row->is_whole ? NULL : only;
    call->shape = row->shape;
    return true;
}

size_t call_count_evaluated(const struct function *function)
{
    size_t count = 0;
    for (size_t i = 0; i < function->count; i++) {
        const struct function_row *row = functions_row(&function->overloads[i]);
        count += row->call != NULL || row->is_step;
    }
    return count;
}

/* ---- types at run time ---- */

static bool is_assignable(const struct type *t, const struct value *v);

static bool is_list_of(const struct type *element, const struct value *v)
{
    return v->kind == VALUE_LIST && (v->list->count == 0 || is_assignable(element, v->list->items[0]));
}

static bool is_map_of(const struct type *key, const struct type *value, const struct value *v)
{
    if (v->kind != VALUE_MAP || v->map->count == 0)
        return v->kind == VALUE_MAP;
    return is_assignable(key, v->map->entries[0].key) && is_assignable(value, v->map->entries[0].value);
}

/* Returns true if a value has the type; the first element or entry of a list or map stands for all. */
static bool is_assignable(const struct type *t, const struct value *v)
{
    static const enum value_kind kinds[] = {
        [TYPE_NULL] = VALUE_NULL,   [TYPE_BOOL] = VALUE_BOOL,         [TYPE_INT] = VALUE_INT,
        [TYPE_UINT] = VALUE_UINT,   [TYPE_DOUBLE] = VALUE_DOUBLE,     [TYPE_STRING] = VALUE_STRING,
        [TYPE_BYTES] = VALUE_BYTES, [TYPE_DURATION] = VALUE_DURATION, [TYPE_TIMESTAMP] = VALUE_TIMESTAMP,
        [TYPE_TYPE] = VALUE_TYPE,
    };
    const unsigned any = TYPE_KIND(TYPE_DYN) | TYPE_KIND(TYPE_ANY) | TYPE_KIND(TYPE_PARAM);
    if (type_is(t, any) || (t->nullable && v->kind == VALUE_NULL))
        return true;
    if (t->kind == TYPE_LIST)
        return is_list_of(t->params[0], v);
    if (t->kind == TYPE_MAP)
        return is_map_of(t->params[0], t->params[1], v);
    if (t->kind == TYPE_OPAQUE || t->kind == TYPE_OBJECT)
        return type_is_optional(t) ? v->kind == VALUE_OPTIONAL : str_eq(t->name, value_type_name(v));
    return t->kind != TYPE_ERROR && kinds[t->kind] == v->kind;
}

bool call_takes(const struct overload *o, const struct value *const *args, size_t count)
{
    bool does = o->arg_count == count;
    for (size_t i = 0; does && i < count; i++)
        does = is_assignable(o->args[i], args[i]);
    return does;
}

/* ---- calling ---- */

static const struct value *no_overload(const struct invocation *c)
{
    struct text t = {.arena = c->arena};
    text_add(&t, STR("no such overload: "));
    text_add(&t, c->function);
    text_add_char(&t, '(');
    for (size_t i = 0; i < c->count; i++) {
        text_add(&t, i == 0 ? STR("") : STR(", "));
        text_add(&t, value_type_name(c->args[i]));
    }
    text_add_char(&t, ')');
    return value_error_of(c->arena, ISSUE_NO_OVERLOAD, text_str(&t));
}

/* A type without the trait: those that receive calls say less. */
static const struct value *no_trait(struct arena *a, struct str name, const struct value *v)
{
    const uint32_t receivers =
        VALUE_KIND(VALUE_STRING) | VALUE_KIND(VALUE_DURATION) | VALUE_KIND(VALUE_TIMESTAMP);
    if ((receivers >> v->kind & 1) != 0)
        return value_no_overload(a);
    return value_error_of(a, ISSUE_NO_OVERLOAD, str_join(a, STR_PARTS(STR("no such overload: "), name)));
}

/* The first overload that takes the arguments. */
static bool find_overload(const struct step_call *call, const struct value *const *args, size_t count,
                          const struct function_row **row)
{
    for (size_t i = 0; i < call->function->count; i++) {
        *row = call->rows[i];
        if (call_takes(&call->function->overloads[i], args, count))
            return true;
    }
    return false;
}

const struct value *call_apply(const struct step *step, const struct invocation *c)
{
    const struct step_call *call = &step->call;
    const struct function_row *row = call->row;
    if (c->pattern != NULL)
        return row->call(c);
    if (call->function != NULL && !find_overload(call, c->args, c->count, &row))
        return no_overload(c);
    if (call->overload != NULL && !call_takes(call->overload, c->args, c->count))
        return no_overload(c);
    if (row->call == NULL) {
        *c->missing =
            str_join(c->arena, STR_PARTS(STR("vapcheck does not evaluate the function "), c->function));
        return &value_null;
    }
    if (row->kinds != 0 && (row->kinds >> c->args[0]->kind & 1) == 0)
        return no_trait(c->arena, c->function, c->args[0]);
    return row->call(c);
}
