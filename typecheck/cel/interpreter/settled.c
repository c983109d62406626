#include "typecheck/cel/interpreter/settled.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/call.h"
#include "typecheck/cel/interpreter/functions/functions.h"
#include "typecheck/cel/types/decl.h"
#include "typecheck/golang/gourl.h"

/* ---- differences between servers ---- */

/* Strings and ints are printed alike by all releases. */
static bool prints_simple(const struct invocation *c)
{
    const struct value_list *list = c->args[1]->list;
    bool is_simple = true;
    arena_pay(c->arena, list->count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; is_simple && i < list->count; i++)
        is_simple = list->items[i]->kind == VALUE_STRING || list->items[i]->kind == VALUE_INT;
    return is_simple;
}

/* Go has become stricter with hosts, also within a release of Kubernetes. */
static bool has_no_host(const struct invocation *c)
{
    struct gourl u;
    (void)gourl_parse_request(c->arena, c->args[0]->text, &u);
    return !u.has_host;
}

/* Each server has a tz database of its own. */
static bool names_no_zone(const struct invocation *c)
{
    struct str zone = c->args[1]->text;
    return zone.len == 0 || str_eq(zone, STR("UTC")) || memchr(zone.at, ':', zone.len) != NULL;
}

static bool is_settled(struct str overload, const struct invocation *c)
{
    if (str_eq(overload, STR("is_url_string")) || str_eq(overload, STR("string_to_url")))
        return has_no_host(c);
    if (str_eq(overload, STR("string_format")))
        return prints_simple(c);
    return !str_has_suffix(overload, STR("_tz")) || names_no_zone(c);
}

/* ---- calling ---- */

static const struct overload *find_overload(const struct function *function, bool is_receiver,
                                            const struct invocation *c)
{
    for (size_t i = 0; i < function->count; i++) {
        const struct overload *o = &function->overloads[i];
        if (o->receiver == is_receiver && call_takes(o, c->args, c->count))
            return o;
    }
    return NULL;
}

const struct value *settled_call(struct arena *a, const struct function *function, bool is_receiver,
                                 const struct value *const *args, size_t count)
{
    struct str missing = STR("");
    const struct invocation c = {
        .arena = a, .function = function->name, .args = args, .count = count, .missing = &missing};
    const struct overload *o = find_overload(function, is_receiver, &c);
    if (o == NULL || !is_settled(o->id, &c))
        return NULL;
    const struct function_row *row = functions_row(o);
    const struct value *v = row->call == NULL ? NULL : row->call(&c);
    return missing.len != 0 || (v != NULL && value_is_error(v) && v->is_fatal) ? NULL : v;
}
