#include "typecheck/cel/interpreter/functions/optionals.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/objects.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"

const struct value *optionals_first(const struct invocation *c)
{
    const struct value_list *list = c->args[0]->list;
    return list->count == 0 ? &value_none : value_optional(c->arena, list->items[0]);
}

const struct value *optionals_last(const struct invocation *c)
{
    const struct value_list *list = c->args[0]->list;
    return list->count == 0 ? &value_none : value_optional(c->arena, list->items[list->count - 1]);
}

const struct value *optionals_has_value(const struct invocation *c)
{
    return value_bool(c->args[0]->inner != NULL);
}

const struct value *optionals_none(const struct invocation *c)
{
    (void)c;
    return &value_none;
}

const struct value *optionals_of(const struct invocation *c)
{
    return value_optional(c->arena, c->args[0]);
}

/* The zero time of Go, the year 1. */
#define FIRST_SECOND (-62135596800)

static bool is_zero(const struct value *v)
{
    if (value_is_typed(v) || value_is_custom(v))
        return false;
    switch (v->kind) {
    case VALUE_NULL:
        return true;
    case VALUE_BOOL:
        return !v->boolean;
    case VALUE_INT:
    case VALUE_DURATION:
        return v->integer == 0;
    case VALUE_UINT:
        return v->uinteger == 0;
    case VALUE_DOUBLE:
        return v->floating == 0;
    case VALUE_STRING:
    case VALUE_BYTES:
        return v->text.len == 0;
    case VALUE_TIMESTAMP:
        return v->timestamp.seconds == FIRST_SECOND && v->timestamp.nanoseconds == 0;
    case VALUE_LIST:
        return v->list->count == 0;
    case VALUE_MAP:
        return v->map->count == 0;
    case VALUE_OBJECT:
        return v->object->fields->count == 0;
    case VALUE_TYPE:
    case VALUE_OPTIONAL:
    case VALUE_IP:
    case VALUE_CIDR:
    case VALUE_QUANTITY:
    case VALUE_SEMVER:
    case VALUE_FORMAT:
    case VALUE_URL:
    case VALUE_AUTHORIZATION:
    case VALUE_JSON_PATCH:
    case VALUE_ERROR:
        break;
    }
    return false;
}

const struct value *optionals_of_non_zero(const struct invocation *c)
{
    return is_zero(c->args[0]) ? &value_none : value_optional(c->arena, c->args[0]);
}

const struct value *optionals_unwrap(const struct invocation *c)
{
    const struct value_list *list = c->args[0]->list;
    struct value *values = value_new_list(c->arena, list->count);
    for (size_t i = 0; i < list->count; i++) {
        const struct value *v = list->items[i];
        arena_step(c->arena);
        if (v->kind != VALUE_OPTIONAL && !value_has_text(c->arena, v))
            return function_lacks_text(c);
        if (v->kind != VALUE_OPTIONAL)
            return value_error_of(c->arena, ISSUE_OTHER,
                                  str_join(c->arena, STR_PARTS(STR("value "), value_text(c->arena, v),
                                                               STR(" is not optional"))));
        if (v->inner != NULL)
            value_append(c->arena, values->list, v->inner);
    }
    return values;
}

const struct value *optionals_value(const struct invocation *c)
{
    const struct value *inner = c->args[0]->inner;
    return inner != NULL ? inner : value_error_of(c->arena, ISSUE_OTHER, STR("optional.none() dereference"));
}

const struct value *optionals_innermost(struct arena *a, const struct value *v)
{
    while (v->kind == VALUE_OPTIONAL) {
        arena_step(a);
        v = v->inner == NULL ? &value_null : v->inner;
    }
    return v;
}

const struct value *optionals_rewrap(struct arena *a, const struct value *v)
{
    static const char *const go_types[] = {
        [VALUE_IP] = "netip.Addr",
        [VALUE_CIDR] = "netip.Prefix",
        [VALUE_QUANTITY] = "*resource.Quantity",
        [VALUE_SEMVER] = "semver.Version",
        [VALUE_URL] = "*url.URL",
    };
    v = optionals_innermost(a, v);
    if (v->kind == VALUE_TYPE)
        return value_string(a, v->text);
    if (v->kind == VALUE_AUTHORIZATION)
        return value_no_overload(a);
    if (!value_is_own(v) || v->kind == VALUE_FORMAT)
        return v;
    struct str text = value_text(a, v);
    return value_errorf(a, "unsupported conversion to ref.Val: (%s)%.*s", go_types[v->kind], (int)text.len,
                        text.at);
}
