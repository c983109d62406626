#include "typecheck/policy/abstract/domain/call_range.h"

#define NUMBERS(min, max, text, is_often_written)                                                            \
    {                                                                                                        \
        min, max, STR_INIT(text), is_often_written, STR_INIT("")                                             \
    }

static const struct {
    struct str name;
    uint32_t target; /* the kinds of the first argument for which it is so; 0: all */
    struct absnumbers numbers;
} FUNCTIONS[] = {
    {STR_INIT("indexOf"), 0, NUMBERS(-1, INT64_MAX, "an index is never less than -1", false)},
    {STR_INIT("lastIndexOf"), 0, NUMBERS(-1, INT64_MAX, "an index is never less than -1", false)},
    {STR_INIT("compareTo"), 0, NUMBERS(-1, 1, "compareTo() is -1, 0 or 1", false)},
    {STR_INIT("sign"), 0, NUMBERS(-1, 1, "sign() is -1, 0 or 1", false)},
    {STR_INIT("family"), 0, NUMBERS(4, 6, "family() is 4 or 6", false)},
    {STR_INIT("prefixLength"), 0, NUMBERS(0, 128, "prefixLength() is 0 to 128", true)},
    {STR_INIT("getMonth"), ABS_TIMESTAMP, NUMBERS(0, 11, "getMonth() is 0 (January) to 11 (December)", true)},
    {STR_INIT("getDayOfYear"), ABS_TIMESTAMP, NUMBERS(0, 365, "getDayOfYear() is 0 to 365", true)},
    {STR_INIT("getDayOfMonth"), ABS_TIMESTAMP,
     NUMBERS(0, 30, "getDayOfMonth() is 0 to 30 (getDate() is 1 to 31)", true)},
    {STR_INIT("getDate"), ABS_TIMESTAMP, NUMBERS(1, 31, "getDate() is 1 to 31", true)},
    {STR_INIT("getDayOfWeek"), ABS_TIMESTAMP,
     NUMBERS(0, 6, "getDayOfWeek() is 0 (Sunday) to 6 (Saturday)", true)},
    {STR_INIT("getHours"), ABS_TIMESTAMP, NUMBERS(0, 23, "getHours() is 0 to 23", true)},
    {STR_INIT("getMinutes"), ABS_TIMESTAMP, NUMBERS(0, 59, "getMinutes() is 0 to 59", true)},
    {STR_INIT("getSeconds"), ABS_TIMESTAMP, NUMBERS(0, 59, "getSeconds() is 0 to 59", true)},
    {STR_INIT("getMilliseconds"), ABS_TIMESTAMP, NUMBERS(0, 999, "getMilliseconds() is 0 to 999", true)},
};

static bool is_any_int(struct transfer t)
{
    return t.failure == NULL && t.value->kinds == ABS_INT && t.value->values == NULL &&
           t.value->range == NULL;
}

static struct transfer with_range(const struct abscall *c, struct transfer t, int64_t min, int64_t max,
                                  const struct absnumbers *numbers)
{
    t.value = absval_in_range(c->arena, t.value, (struct absrange){min, max, numbers});
    return t;
}

struct transfer call_range_of_function(const struct abscall *c, struct transfer t)
{
    size_t i = 0;
    const size_t count = sizeof FUNCTIONS / sizeof *FUNCTIONS;
    if (!is_any_int(t) || c->count == 0)
        return t;
    while (i < count && !str_eq(FUNCTIONS[i].name, c->name))
        i++;
    if (i == count || (FUNCTIONS[i].target != 0 && c->args[0]->kinds != FUNCTIONS[i].target))
        return t;
    const struct absnumbers *numbers = &FUNCTIONS[i].numbers;
    return with_range(c, t, numbers->min, numbers->max, numbers);
}

/* It has the sign of what is divided, and is nearer to 0 than the divisor. */
struct transfer call_range_of_remainder(const struct abscall *c, struct transfer t)
{
    const struct absval *by = c->args[1];
    struct absrange divided;
    if (!is_any_int(t) || by->kinds != ABS_INT || !absval_is_constant(by) || by->values[0].integer == 0)
        return t;
    const int64_t divisor = by->values[0].integer;
    const int64_t most = divisor < 0 ? -(divisor + 1) : divisor - 1;
    const bool is_known = absval_range(c->args[0], &divided);
    struct absnumbers *numbers = ARENA_NEW(c->arena, struct absnumbers);
    numbers->min = is_known && divided.min >= 0 ? 0 : -most;
    numbers->max = is_known && divided.max <= 0 ? 0 : most;
    numbers->text = str_format(c->arena, "the remainder of a division by %lld is %lld to %lld",
                               (long long)divisor, (long long)numbers->min, (long long)numbers->max);
    return with_range(c, t, numbers->min, numbers->max, numbers);
}

struct str call_range_text(struct arena *a, const struct absnumbers *numbers)
{
    if (numbers->text.len != 0)
        return numbers->text;
    return numbers->max < INT32_MAX ? str_format(a, "%.*s is %lld to %lld", STR_ARG(numbers->field),
                                                 (long long)numbers->min, (long long)numbers->max)
                                    : str_format(a, "%.*s is never less than %lld", STR_ARG(numbers->field),
                                                 (long long)numbers->min);
}

const struct failure *call_range_excludes(struct arena *a, const struct absval *returned,
                                          const struct absval *constant)
{
    struct absrange range, other;
    if (!absval_range(returned, &range) || !absval_range(constant, &other) || range.numbers == NULL ||
        !absval_is_constant(constant) || (other.min >= range.numbers->min && other.max <= range.numbers->max))
        return NULL;
    const struct str text = call_range_text(a, range.numbers);
    struct failure *why = ARENA_NEW(a, struct failure);
    *why = (struct failure){.code = ISSUE_NEVER_EQUAL,
                            .is_ours = true,
                            .message =
                                str_format(a, "%.*s, and never %lld", STR_ARG(text), (long long)other.min)};
    return why;
}
