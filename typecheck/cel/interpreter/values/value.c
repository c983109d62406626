#include "typecheck/cel/interpreter/values/value.h"

#include "typecheck/base/arena.h"

const struct value value_null = {.kind = VALUE_NULL};
const struct value value_true = {.kind = VALUE_BOOL, .boolean = true};
const struct value value_false = {.kind = VALUE_BOOL, .boolean = false};
const struct value value_none = {.kind = VALUE_OPTIONAL, .inner = NULL};

/* ---- making them ---- */

static struct value *new_value(struct arena *a, enum value_kind kind)
{
    struct value *v = ARENA_NEW(a, struct value);
    v->kind = kind;
    return v;
}

static const struct value *new_text(struct arena *a, enum value_kind kind, struct str text)
{
    struct value *v = new_value(a, kind);
    v->text = text;
    return v;
}

const struct value *value_int(struct arena *a, int64_t integer)
{
    struct value *v = new_value(a, VALUE_INT);
    v->integer = integer;
    return v;
}

const struct value *value_uint(struct arena *a, uint64_t uinteger)
{
    struct value *v = new_value(a, VALUE_UINT);
    v->uinteger = uinteger;
    return v;
}

const struct value *value_double(struct arena *a, double floating)
{
    struct value *v = new_value(a, VALUE_DOUBLE);
    v->floating = floating;
    return v;
}

const struct value *value_string(struct arena *a, struct str text)
{
    return new_text(a, VALUE_STRING, text);
}

const struct value *value_bytes(struct arena *a, struct str bytes)
{
    return new_text(a, VALUE_BYTES, bytes);
}

const struct value *value_duration(struct arena *a, int64_t nanoseconds)
{
    struct value *v = new_value(a, VALUE_DURATION);
    v->integer = nanoseconds;
    return v;
}

const struct value *value_type(struct arena *a, struct str name)
{
    return new_text(a, VALUE_TYPE, name);
}

const struct value *value_optional(struct arena *a, const struct value *inner)
{
    struct value *v = new_value(a, VALUE_OPTIONAL);
    v->inner = inner;
    return v;
}

const struct value *value_error_of(struct arena *a, enum issue_code code, struct str message)
{
    struct value *v = new_value(a, VALUE_ERROR);
    v->code = code;
    v->text = message;
    return v;
}

const struct value *value_error(struct arena *a, struct str message)
{
    return value_error_of(a, ISSUE_WRONG_CONSTANT, message);
}

const struct value *value_errorf(struct arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str message = str_vformat(a, format, args);
    va_end(args);
    return value_error(a, message);
}

const struct value *value_no_key(struct arena *a, struct str key)
{
    return value_error_of(a, ISSUE_NO_SUCH_KEY, str_join(a, STR_PARTS(STR(ISSUE_NO_SUCH_KEY_TEXT), key)));
}

struct str value_missing_key(const struct value *error)
{
    const bool is_of_key = value_is_error(error) && error->code == ISSUE_NO_SUCH_KEY;
    return is_of_key ? str_skip(error->text, sizeof ISSUE_NO_SUCH_KEY_TEXT - 1) : STR("");
}

const struct value *value_no_overload(struct arena *a)
{
    return value_error_of(a, ISSUE_NO_OVERLOAD, STR("no such overload"));
}

const struct value *value_fatal(struct arena *a, struct str message)
{
    struct value *v = new_value(a, VALUE_ERROR);
    v->text = message;
    v->is_fatal = true;
    return v;
}

/* ---- lists ---- */

struct value *value_new_list(struct arena *a, size_t cap)
{
    struct value *v = new_value(a, VALUE_LIST);
    v->list = ARENA_NEW(a, struct value_list);
    v->list->items = ARENA_ARRAY(a, cap, const struct value *);
    v->list->cap = cap;
    return v;
}

enum { FIRST_ITEMS = 4 };

void value_append(struct arena *a, struct value_list *list, const struct value *item)
{
    if (list->count == list->cap)
        list->items = arena_room(a, list->items, &list->cap, FIRST_ITEMS, sizeof(const struct value *));
    list->items[list->count++] = item;
}
