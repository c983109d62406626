#include "cmd/celcheck/answers.h"

#include "typecheck/base/arena.h"
#include "typecheck/values/json_value.h"
#include "typecheck/values/value_map.h"

static const struct str ROW_NAMES[ANSWERS_FIELDS] = {
    STR_INIT("user"),        STR_INIT("path"),      STR_INIT("group"), STR_INIT("resource"),
    STR_INIT("subresource"), STR_INIT("namespace"), STR_INIT("name"),  STR_INIT("verb"),
};

static bool answer(void *user, const struct authorizations_question *q, struct authorizations_answer *out)
{
    const struct answers *t = user;
    struct str who = q->account.len == 0
                         ? t->user
                         : str_join(t->arena, STR_PARTS(STR("system:serviceaccount:"), q->account_namespace,
                                                        STR(":"), q->account));
    const struct str asked[ANSWERS_FIELDS] = {who,          q->path, q->group, q->resource, q->subresource,
                                              q->namespace, q->name, q->verb};
    *out = (struct authorizations_answer){.reason = STR("no row")};
    for (size_t i = 0; i < t->count; i++) {
        bool matches = true;
        for (size_t j = 0; matches && j < ANSWERS_FIELDS; j++)
            matches = !t->rows[i].fields[j].is_given || str_eq(t->rows[i].fields[j].text, asked[j]);
        if (matches) {
            *out = t->rows[i].answer;
            break;
        }
    }
    return true;
}

static void read_row(struct jsonread *r, struct answers_row *row)
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
        for (size_t j = 0; j < ANSWERS_FIELDS; j++) {
            if (str_eq(key, ROW_NAMES[j])) {
                row->fields[j].is_given = true;
                row->fields[j].text = text;
            }
        }
    }
}

const struct authorizations_authorizer *answers_read(struct jsonread *r, struct answers *table)
{
    table->authorizer = (struct authorizations_authorizer){answer, table};
    if (jsonread_peek(r) != JSONREAD_ARRAY || !jsonread_open(r))
        return &table->authorizer;
    while (jsonread_element(r)) {
        struct answers_row row = {.answer = {.is_allowed = false}};
        read_row(r, &row);
        if (table->count < ANSWERS_ROWS)
            table->rows[table->count++] = row;
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
    table->arena = a;
    table->user = name != NULL && name->kind == VALUE_STRING ? name->text : STR("");
}
