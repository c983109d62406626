#include "typecheck/cel/interpreter/values/authorizer.h"

#include "typecheck/base/arena.h"

struct str authorizer_field_name(enum authorizer_field field)
{
    static const struct str names[AUTHORIZER_FIELDS] = {
        [AUTHORIZER_USER] = STR_INIT("user"),
        [AUTHORIZER_PATH] = STR_INIT("path"),
        [AUTHORIZER_GROUP] = STR_INIT("group"),
        [AUTHORIZER_RESOURCE] = STR_INIT("resource"),
        [AUTHORIZER_SUBRESOURCE] = STR_INIT("subresource"),
        [AUTHORIZER_NAMESPACE] = STR_INIT("namespace"),
        [AUTHORIZER_NAME] = STR_INIT("name"),
        [AUTHORIZER_VERB] = STR_INIT("verb"),
    };
    return names[field];
}

static bool is_right(const struct authorizer_row *row, const struct str *asked)
{
    bool is = true;
    for (size_t i = 0; is && i < AUTHORIZER_FIELDS; i++)
        is = !row->is_given[i] || str_eq(row->fields[i], asked[i]);
    return is;
}

static bool answer_of_table(void *user, struct arena *a, const struct authorizer_question *q,
                            struct authorizer_answer *out)
{
    const struct authorizer_table *table = user;
    const struct str asked[AUTHORIZER_FIELDS] = {
        [AUTHORIZER_USER] = q->account.len == 0
                                ? table->user
                                : str_join(a, STR_PARTS(STR("system:serviceaccount:"), q->account_namespace,
                                                        STR(":"), q->account)),
        [AUTHORIZER_PATH] = q->path,
        [AUTHORIZER_GROUP] = q->group,
        [AUTHORIZER_RESOURCE] = q->resource,
        [AUTHORIZER_SUBRESOURCE] = q->subresource,
        [AUTHORIZER_NAMESPACE] = q->namespace,
        [AUTHORIZER_NAME] = q->name,
        [AUTHORIZER_VERB] = q->verb,
    };
    *out = (struct authorizer_answer){.reason = table->otherwise};
    for (size_t i = 0; i < table->count; i++) {
        arena_step(a);
        if (!is_right(&table->rows[i], asked))
            continue;
        *out = table->rows[i].answer;
        break;
    }
    return true;
}

struct authorizer authorizer_of_table(struct authorizer_table *table)
{
    return (struct authorizer){answer_of_table, table};
}
