#include "tests/support/celcheck/answers.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/value_map.h"

static void read_row(struct jsonread *r, struct authorizer_row *row)
{
    if (jsonread_peek(r) != JSONREAD_OBJECT || !jsonread_open(r))
        return;
    for (struct str key; jsonread_member(r, &key);) {
        if (str_eq(key, STR("allowed"))) {
            row->answer.is_allowed = jsonread_peek(r) == JSONREAD_TRUE;
            jsonread_skip(r);
            continue;
        }
        struct str text = STR("");
        if (jsonread_peek(r) == JSONREAD_STRING)
            text = jsonread_string(r);
        else
            jsonread_skip(r);
        if (str_eq(key, STR("reason")))
            row->answer.reason = text;
        else if (str_eq(key, STR("error")))
            row->answer.error = text;
        for (size_t j = 0; j < AUTHORIZER_FIELDS; j++) {
            if (str_eq(key, authorizer_field_name(j))) {
                row->is_given[j] = true;
                row->fields[j] = text;
            }
        }
    }
}

const struct authorizer *answers_read(struct jsonread *r, struct answers *table)
{
    table->table.rows = table->rows;
    table->table.otherwise = STR("no row");
    table->authorizer = authorizer_of_table(&table->table);
    if (jsonread_peek(r) != JSONREAD_ARRAY || !jsonread_open(r))
        return &table->authorizer;
    while (jsonread_element(r)) {
        struct authorizer_row row = {.answer = {.is_allowed = false}};
        read_row(r, &row);
        if (table->table.count < ANSWERS_ROWS)
            table->rows[table->table.count++] = row;
    }
    return &table->authorizer;
}

static const struct value *member(struct arena *a, const struct value *map, struct str key)
{
    const struct value name = {.kind = VALUE_STRING, .text = key};
    return map != NULL && map->kind == VALUE_MAP ? value_map_at(a, map->map, &name) : NULL;
}

void answers_set_user(struct answers *table, struct arena *a, struct str request)
{
    const struct value *info =
        request.len == 0 ? NULL : member(a, json_value_read(a, request), STR("userInfo"));
    const struct value *name = member(a, info, STR("username"));
    table->table.user = name != NULL && name->kind == VALUE_STRING ? name->text : STR("");
}
