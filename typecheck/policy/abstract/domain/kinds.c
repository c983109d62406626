#include "typecheck/policy/abstract/domain/kinds.h"

#include "typecheck/cel/types/type.h"

static const uint32_t LITERAL_KINDS[] = {
    [LITERAL_NULL] = ABS_NULL,   [LITERAL_BOOL] = ABS_BOOL,     [LITERAL_INT] = ABS_INT,
    [LITERAL_UINT] = ABS_UINT,   [LITERAL_DOUBLE] = ABS_DOUBLE, [LITERAL_STRING] = ABS_STRING,
    [LITERAL_BYTES] = ABS_BYTES,
};

uint32_t kinds_of_literal(enum literal_kind kind)
{
    return LITERAL_KINDS[kind];
}

static const uint32_t TYPE_KINDS[] = {
    [TYPE_NULL] = ABS_NULL,   [TYPE_BOOL] = ABS_BOOL,         [TYPE_INT] = ABS_INT,
    [TYPE_UINT] = ABS_UINT,   [TYPE_DOUBLE] = ABS_DOUBLE,     [TYPE_STRING] = ABS_STRING,
    [TYPE_BYTES] = ABS_BYTES, [TYPE_DURATION] = ABS_DURATION, [TYPE_TIMESTAMP] = ABS_TIMESTAMP,
    [TYPE_LIST] = ABS_LIST,   [TYPE_MAP] = ABS_MAP,           [TYPE_TYPE] = ABS_TYPE,
    [TYPE_OBJECT] = 0, /* the last kind */
};

uint32_t kinds_of_type(const struct type *t)
{
    const struct type *not_null = type_not_null(t);
    if (not_null != NULL)
        return kinds_of_type(not_null) | ABS_NULL;
    if (TYPE_KINDS[t->kind] != 0)
        return TYPE_KINDS[t->kind] | (t->nullable ? ABS_NULL : 0u);
    if (t == &type_int_or_string)
        return ABS_INT | ABS_STRING;
    if (t == &type_number)
        return ABS_INT | ABS_DOUBLE;
    if (t == &type_json)
        return ABS_JSON;
    if (t == &type_open)
        return ABS_MAP;
    if (type_is_optional(t))
        return ABS_OPTIONAL;
    if (t->kind == TYPE_OPAQUE)
        return ABS_OPAQUE;
    if (t->kind == TYPE_OBJECT)
        return t->ops == NULL ? ABS_OPAQUE : ABS_MAP;
    return ABS_ALL;
}

bool kinds_meet(uint32_t one, uint32_t two)
{
    return (one & two) != 0 || ((one & ABS_NUMBER) != 0 && (two & ABS_NUMBER) != 0);
}

static const struct str KIND_NAMES[] = {
    STR_INIT("null"),          STR_INIT("bool"),      STR_INIT("int"),      STR_INIT("uint"),
    STR_INIT("double"),        STR_INIT("string"),    STR_INIT("bytes"),    STR_INIT("list"),
    STR_INIT("map"),           STR_INIT("timestamp"), STR_INIT("duration"), STR_INIT("type"),
    STR_INIT("optional_type"),
};
_Static_assert(ABS_OPTIONAL == 1u << (sizeof KIND_NAMES / sizeof *KIND_NAMES - 1), "a name for each kind");

struct str kinds_name(uint32_t kind)
{
    for (size_t i = 0; i < sizeof KIND_NAMES / sizeof *KIND_NAMES; i++) {
        if (kind == 1u << i)
            return KIND_NAMES[i];
    }
    return STR("");
}
