#include "typecheck/run/strings.h"

#include <string.h>

#include "typecheck/base/arena.h"

/* cel-go has no guard of the types before these. */
static bool are_strings(const struct invocation *c)
{
    return c->args[0]->kind == VALUE_STRING && c->args[1]->kind == VALUE_STRING;
}

const struct value *strings_contains(const struct invocation *c)
{
    if (!are_strings(c))
        return value_no_overload(c->arena);
    struct str s = c->args[0]->text, part = c->args[1]->text;
    arena_pay_bytes(c->arena, s.len + part.len);
    return value_bool(part.len == 0 || memmem(s.at, s.len, part.at, part.len) != NULL);
}

const struct value *strings_ends_with(const struct invocation *c)
{
    if (!are_strings(c))
        return value_no_overload(c->arena);
    arena_pay_bytes(c->arena, c->args[1]->text.len);
    return value_bool(str_has_suffix(c->args[0]->text, c->args[1]->text));
}

const struct value *strings_starts_with(const struct invocation *c)
{
    if (!are_strings(c))
        return value_no_overload(c->arena);
    arena_pay_bytes(c->arena, c->args[1]->text.len);
    return value_bool(str_has_prefix(c->args[0]->text, c->args[1]->text));
}
