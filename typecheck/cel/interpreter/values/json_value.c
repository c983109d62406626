#include "typecheck/cel/interpreter/values/json_value.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/jsonread.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/golang/gonumber.h"

static const struct value *read_number(struct arena *a, struct jsonread *r)
{
    size_t start = r->at;
    int64_t integer;
    double floating = 0;
    jsonread_skip(r);
    struct str text = {r->text.at + start, r->at - start};
    if (gonumber_read_int(text, &integer))
        return value_int(a, integer);
    (void)gonumber_read_double(a, text, &floating);
    return value_double(a, floating);
}

/* Nested no deeper than jsonread reads. */
static const struct value *read_value(struct arena *a, struct jsonread *r)
{
    arena_step(a);
    enum jsonread_type type = jsonread_peek(r);
    if (type == JSONREAD_STRING)
        return value_string(a, jsonread_string(r));
    if (type == JSONREAD_NUMBER)
        return read_number(a, r);
    if (type == JSONREAD_ARRAY && jsonread_open(r)) {
        struct value *list = value_new_list(a, 0);
        list->list->is_json = true;
        while (jsonread_element(r))
            value_append(a, list->list, read_value(a, r));
        return list;
    }
    if (type == JSONREAD_OBJECT && jsonread_open(r)) {
        struct value *map = value_map_new(a, 0);
        map->map->is_json = true;
        for (struct str key; jsonread_member(r, &key);) {
            const struct value *name = value_string(a, key);
            value_map_set(a, map->map, name, read_value(a, r));
        }
        return map;
    }
    jsonread_skip(r);
    return type == JSONREAD_NULL || type == JSONREAD_NONE ? &value_null : value_bool(type == JSONREAD_TRUE);
}

const struct value *json_value_read(struct arena *a, struct str text)
{
    struct jsonread r;
    jsonread_init(&r, text, a);
    const struct value *v = read_value(a, &r);
    return jsonread_end(&r) ? v : NULL;
}
