#include "typecheck/policy/abstract/domain/calls.h"

#include "typecheck/cel/types/decl.h"
#include "typecheck/policy/abstract/domain/call_range.h"
#include "typecheck/policy/abstract/domain/compare_call.h"
#include "typecheck/policy/abstract/domain/format_call.h"
#include "typecheck/policy/abstract/domain/in_call.h"
#include "typecheck/policy/abstract/domain/optional_call.h"
#include "typecheck/policy/abstract/domain/string_call.h"

/* Functions whose results say more than their types */

/* One of the elements, which must compare; there is none in an empty list, and that fails, too. */
static struct transfer call_extreme(const struct abscall *c)
{
    const uint32_t comparable = ABS_BOOL | ABS_NUMBER | ABS_STRING | ABS_BYTES | ABS_TIMESTAMP | ABS_DURATION;
    bool is_list = (c->args[0]->kinds & ABS_LIST) != 0;
    const struct absval *element = is_list ? absval_elements(c->args[0]) : NULL;
    if (absval_is_exact_list(c->args[0]) && c->args[0]->list->count == 0)
        return transfer_fails(
            c->arena,
            (struct failure){.message = str_join(c->arena, STR_PARTS(c->name, STR(" of an empty list")))});
    if (element == NULL)
        return abscall_overloads(c);
    return (element->kinds & comparable) == 0 ? abscall_no_overload(c) : abscall_result(c, element, true);
}

static struct transfer call_dyn(const struct abscall *c)
{
    return transfer_passes(c->args[0]);
}

static struct transfer call_type(const struct abscall *c)
{
    uint32_t kinds = c->args[0]->kinds;
    return abscall_result(c, absval_of_type_value(c->arena, (kinds & ABS_OPAQUE) != 0 ? 0 : kinds), false);
}

static struct transfer wrong_constant(const struct abscall *c, struct str message)
{
    return transfer_fails(c->arena, (struct failure){.code = ISSUE_WRONG_CONSTANT, .message = message});
}

/* "A constant division by zero" of whole numbers; of doubles it is an infinity. */
static struct transfer call_divide(const struct abscall *c)
{
    const struct absval *by = c->args[1];
    bool is_zero = by->value_count == 1 && by->values != NULL &&
                   ((by->kinds == ABS_INT && by->values[0].integer == 0) ||
                    (by->kinds == ABS_UINT && by->values[0].uinteger == 0));
    if (!is_zero || (c->args[0]->kinds & by->kinds) == 0)
        return c->op == AST_MODULO ? call_range_of_remainder(c, abscall_constants(c)) : abscall_constants(c);
    return wrong_constant(c, c->op == AST_MODULO ? STR("modulus by zero") : STR("division by zero"));
}

/* list.slice(from, to): whatever the list. */
static struct transfer call_slice(const struct abscall *c)
{
    const struct absval *from = c->args[1], *to = c->args[2];
    bool are_known =
        from->kinds == ABS_INT && to->kinds == ABS_INT && absval_is_constant(from) && absval_is_constant(to);
    long long start = are_known ? from->values[0].integer : 0, end = are_known ? to->values[0].integer : 0;
    if (start >= 0 && end >= start)
        return abscall_overloads(c);
    const char *why = start < 0 || end < 0 ? "negative indexes not supported"
                                           : "start index must be less than or equal to end index";
    return wrong_constant(c, str_format(c->arena, "cannot slice(%lld, %lld), %s", start, end, why));
}

static struct transfer call_size(const struct abscall *c)
{
    static const struct absnumbers any = {.min = 0,
                                          .max = INT64_MAX,
                                          .text = STR_INIT("a size is never negative")},
                                   not_empty = {.min = 1,
                                                .max = INT64_MAX,
                                                .text = STR_INIT("the list is never empty"),
                                                .is_often_written = true};
    const uint32_t sized = ABS_STRING | ABS_BYTES | ABS_LIST | ABS_MAP;
    const struct absval *v = c->args[0];
    if (absval_is_exact_list(v))
        return abscall_result(c, absval_of_int(c->arena, v->list->count), false);
    const struct transfer t = abscall_constants(c);
    if (t.failure != NULL || t.value->kinds != ABS_INT || t.value->values != NULL)
        return t;
    const bool has_items = v->kinds == ABS_LIST && v->list != NULL && v->list->least != 0;
    const struct absrange range = {has_items ? (int64_t)v->list->least : 0, INT64_MAX,
                                   has_items ? &not_empty : &any};
    return abscall_result(c, absval_in_range(c->arena, &absval_int, range), (v->kinds & ~sized) != 0);
}

/* Two lists whose elements are known make one. */
static struct transfer call_add(const struct abscall *c)
{
    if (!absval_is_exact_list(c->args[0]) || !absval_is_exact_list(c->args[1]))
        return abscall_constants(c);
    const struct abslist *a = c->args[0]->list, *b = c->args[1]->list;
    const struct absval **items = ARENA_ARRAY(c->arena, a->count + b->count, const struct absval *);
    for (size_t i = 0; i < a->count + b->count; i++)
        items[i] = i < a->count ? a->items[i] : b->items[i - a->count];
    return abscall_result(c, absval_of_items(c->arena, items, a->count + b->count), false);
}

/* "type conversion error": the overload for an int is declared, up to cel-go 0.26, and does nothing. */
static struct transfer call_duration(const struct abscall *c)
{
    static const struct str message =
        STR_INIT("type conversion error from 'int' to 'google.protobuf.Duration'");
    return c->args[0]->kinds == ABS_INT ? wrong_constant(c, message) : abscall_constants(c);
}

/* Each clause of a format that is known takes its argument, or evaluation fails. */
static struct transfer call_format(const struct abscall *c)
{
    const struct str *format = c->is_receiver ? absval_constant_string(c->args[0]) : NULL;
    struct failure why;
    const struct transfer t = abscall_constants(c);
    return t.failure == NULL && format != NULL && absval_is_exact_list(c->args[1]) &&
                   format_call_fails(c->arena, *format, c->args[1]->list, &why)
               ? transfer_fails(c->arena, why)
               : t;
}

/* Of quantities: see absequal_is_to_sum. */
static struct transfer call_sum(const struct abscall *c)
{
    struct transfer t = abscall_constants(c);
    if (t.failure != NULL || !c->is_receiver || t.value->kinds != ABS_OPAQUE)
        return t;
    struct absval *sum = ARENA_NEW(c->arena, struct absval);
    *sum = *t.value;
    sum->is_sum = true;
    return (struct transfer){.value = sum};
}

/* The table */

typedef struct transfer call_function(const struct abscall *c);

static call_function *const OPERATORS[] = {
    [AST_EQUALS] = compare_call_equal,
    [AST_NOT_EQUALS] = compare_call_equal,
    [AST_LESS] = compare_call_order,
    [AST_LESS_EQUALS] = compare_call_order,
    [AST_GREATER] = compare_call_order,
    [AST_GREATER_EQUALS] = compare_call_order,
    [AST_IN] = in_call,
    [AST_ADD] = call_add,
    [AST_DIVIDE] = call_divide,
    [AST_MODULO] = call_divide,
    [AST_NOT_STRICTLY_FALSE] = NULL, /* the last operator */
};

static const struct {
    struct str name;
    size_t count;
    call_function *call;
} FUNCTIONS[] = {
    {STR_INIT("add"), 2, call_sum},
    {STR_INIT("sub"), 2, call_sum},
    {STR_INIT("dyn"), 1, call_dyn},
    {STR_INIT("duration"), 1, call_duration},
    {STR_INIT("format"), 2, call_format},
    {STR_INIT("charAt"), 2, string_call_char_at},
    {STR_INIT("contains"), 2, string_call_test},
    {STR_INIT("endsWith"), 2, string_call_test},
    {STR_INIT("lowerAscii"), 1, string_call_case},
    {STR_INIT("replace"), 3, string_call_replace},
    {STR_INIT("split"), 2, string_call_split},
    {STR_INIT("startsWith"), 2, string_call_test},
    {STR_INIT("string"), 1, string_call_convert},
    {STR_INIT("substring"), 3, string_call_substring},
    {STR_INIT("trim"), 1, string_call_trim},
    {STR_INIT("upperAscii"), 1, string_call_case},
    {STR_INIT("max"), 1, call_extreme},
    {STR_INIT("min"), 1, call_extreme},
    {STR_INIT("type"), 1, call_type},
    {STR_INIT("size"), 1, call_size},
    {STR_INIT("slice"), 3, call_slice},
    {STR_INIT("hasValue"), 1, optional_call_has_value},
    {STR_INIT("value"), 1, optional_call_value},
    {STR_INIT("optional.of"), 1, optional_call_of},
    {STR_INIT("optional.ofNonZeroValue"), 1, optional_call_of},
};

struct transfer calls_apply(const struct abscall *c)
{
    if (OPERATORS[c->op] != NULL)
        return OPERATORS[c->op](c);
    if (c->function == NULL) /* another release may have it */
        return transfer_passes(absval_failing(c->arena, &absval_any));
    for (size_t i = 0; c->op == AST_FUNCTION && i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        if (FUNCTIONS[i].count == c->count && str_eq(FUNCTIONS[i].name, c->name))
            return FUNCTIONS[i].call(c);
    }
    if (c->function->count == 0)
        return transfer_passes(absval_failing(c->arena, &absval_any));
    const struct transfer t = abscall_constants(c);
    return c->op == AST_FUNCTION ? call_range_of_function(c, t) : t;
}
