#include "typecheck/run/settled.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/gourl.h"
#include "typecheck/functions/functions.h"
#include "typecheck/run/call.h"
#include "typecheck/types/decl.h"

/* ---- where releases differ ---- */

static bool never(const struct invocation *c)
{
    (void)c;
    return false;
}

/* Strings and ints are printed alike. */
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

/* In an empty text cel-go 0.20 finds no place to begin. */
static bool has_text(const struct invocation *c)
{
    return c->args[0]->text.len != 0;
}

/* Each server has a tz database of its own. */
static bool names_no_zone(const struct invocation *c)
{
    struct str zone = c->args[1]->text;
    return zone.len == 0 || str_eq(zone, STR("UTC")) || memchr(zone.at, ':', zone.len) != NULL;
}

static const struct {
    struct str overload;
    bool (*is_settled)(const struct invocation *c);
} DIFFERENT[] = {
    {STR_INIT("cidr_contains_cidr"), never},
    {STR_INIT("cidr_contains_cidr_string"), never},
    {STR_INIT("is_url_string"), has_no_host},
    {STR_INIT("lists_range"), never},
    {STR_INIT("string_format"), prints_simple},
    {STR_INIT("string_index_of_string"), has_text},
    {STR_INIT("string_index_of_string_int"), never},
    {STR_INIT("string_last_index_of_string"), never},
    {STR_INIT("string_last_index_of_string_int"), never},
    {STR_INIT("string_to_url"), has_no_host},
};

static bool is_settled(struct str overload, const struct invocation *c)
{
    for (size_t i = 0; i < sizeof DIFFERENT / sizeof *DIFFERENT; i++) {
        if (str_eq(DIFFERENT[i].overload, overload))
            return DIFFERENT[i].is_settled(c);
    }
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
    const struct function_row *row = functions_row(o, NULL);
    const struct value *v = row->call == NULL ? NULL : row->call(&c);
    return missing.len != 0 || (v != NULL && value_is_error(v) && v->is_fatal) ? NULL : v;
}
