#include "typecheck/cel/interpreter/functions/conversions.h"

#include <inttypes.h>
#include <math.h>

#include "bytes/utf8.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/times.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/golang/gonumber.h"

#define TWO_TO_63 9223372036854775808.0
#define TWO_TO_64 18446744073709551616.0

static const struct value *fail(const struct invocation *c, struct str to)
{
    return value_error(
        c->arena, str_join(c->arena, STR_PARTS(STR("type conversion error from '"),
                                               value_type_name(c->args[0]), STR("' to '"), to, STR("'"))));
}

const struct value *conversions_same(const struct invocation *c)
{
    return c->args[0];
}

const struct value *conversions_type(const struct invocation *c)
{
    const struct value *v = c->args[0];
    bool is_made = v->kind == VALUE_OBJECT || v->kind == VALUE_JSON_PATCH; /* whose type's name is `type` */
    return value_type(c->arena, is_made ? STR("type") : value_type_name(v));
}

const struct value *conversions_bool(const struct invocation *c)
{
    bool value;
    return gonumber_read_bool(c->args[0]->text, &value) ? value_bool(value) : fail(c, c->function);
}

const struct value *conversions_bytes(const struct invocation *c)
{
    return value_bytes(c->arena, c->args[0]->text);
}

const struct value *conversions_double(const struct invocation *c)
{
    const struct value *v = c->args[0];
    double value;
    if (v->kind == VALUE_INT)
        return value_double(c->arena, (double)v->integer);
    if (v->kind == VALUE_UINT)
        return value_double(c->arena, (double)v->uinteger);
    arena_pay_bytes(c->arena, v->text.len);
    return gonumber_read_double(c->arena, v->text, &value) ? value_double(c->arena, value)
                                                           : fail(c, c->function);
}

const struct value *conversions_duration(const struct invocation *c)
{
    bool is_text = c->args[0]->kind == VALUE_STRING;
    const struct value *v = is_text ? times_read_duration(c->arena, c->args[0]->text) : NULL;
    return v != NULL ? v : fail(c, STR("google.protobuf.Duration"));
}

const struct value *conversions_timestamp(const struct invocation *c)
{
    if (c->args[0]->kind == VALUE_INT)
        return times_of_seconds(c->arena, c->args[0]->integer);
    const struct value *v = times_read_timestamp(c->arena, c->args[0]->text);
    if (v == NULL && times_is_out_of_range(c->arena, c->args[0]->text))
        return value_error(c->arena, STR("timestamp overflow"));
    return v != NULL ? v : fail(c, STR("google.protobuf.Timestamp"));
}

const struct value *conversions_int(const struct invocation *c)
{
    const struct value *v = c->args[0];
    int64_t value;
    if (v->kind == VALUE_TIMESTAMP)
        return value_int(c->arena, v->timestamp.seconds);
    if (v->kind == VALUE_DURATION)
        return value_int(c->arena, v->integer);
    if (v->kind == VALUE_STRING)
        return gonumber_read_int(v->text, &value) ? value_int(c->arena, value) : fail(c, c->function);
    if (v->kind == VALUE_UINT && v->uinteger <= INT64_MAX)
        return value_int(c->arena, (int64_t)v->uinteger);
    if (v->kind == VALUE_DOUBLE && v->floating > -TWO_TO_63 && v->floating < TWO_TO_63)
        return value_int(c->arena, (int64_t)v->floating);
    return value_error(c->arena, STR("integer overflow"));
}

const struct value *conversions_uint(const struct invocation *c)
{
    const struct value *v = c->args[0];
    uint64_t value;
    if (v->kind == VALUE_STRING)
        return gonumber_read_uint(v->text, &value) ? value_uint(c->arena, value) : fail(c, c->function);
    if (v->kind == VALUE_INT && v->integer >= 0)
        return value_uint(c->arena, (uint64_t)v->integer);
    if (v->kind == VALUE_DOUBLE && v->floating >= 0 && v->floating < TWO_TO_64)
        return value_uint(c->arena, (uint64_t)v->floating);
    return value_error(c->arena, STR("unsigned integer overflow"));
}

static bool is_utf8(struct arena *a, struct str s)
{
    size_t len = 1;
    arena_pay_bytes(a, s.len);
    for (size_t at = 0; at < s.len && len != 0; at += len)
        len = utf8_len(s.at + at, s.len - at);
    return len != 0;
}

const struct value *conversions_string(const struct invocation *c)
{
    const struct value *v = c->args[0];
    if (v->kind != VALUE_BYTES)
        return value_string(c->arena, value_text(c->arena, v));
    return is_utf8(c->arena, v->text)
               ? value_string(c->arena, v->text)
               : value_error(c->arena, STR("invalid UTF-8 in bytes, cannot convert to string"));
}
