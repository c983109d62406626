#include "controller/apiserver/crd/crdchild.h"

#include "client/base/mem.h"

static const char *const keywords[] = {
    [CRDCHILD_ITEMS] = "items",         [CRDCHILD_ADDITIONAL] = "additionalProperties",
    [CRDCHILD_PROPERTY] = "properties", [CRDCHILD_NOT] = "not",
    [CRDCHILD_ALL_OF] = "allOf",        [CRDCHILD_ANY_OF] = "anyOf",
    [CRDCHILD_ONE_OF] = "oneOf",
};

/* Begins with the way that is next. */
static void begin(struct crdchild *c)
{
    c->way = *c->ways;
    c->held = c->way == CRDCHILD_END ? NULL : jsonval_get(c->above, keywords[c->way]);
    c->name = NULL;
    c->count = 0;
    if (c->way == CRDCHILD_PROPERTY)
        c->member = jsonval_first(c->held);
}

struct crdchild crdchild_in(struct json_object *schema, const enum crdchild_way *ways)
{
    struct crdchild c = {.above = schema, .ways = ways};
    begin(&c);
    return c;
}

/* Takes the next child on the present way. Returns false if there is no other. */
static bool next_on_way(struct crdchild *c)
{
    switch (c->way) {
    case CRDCHILD_END:
        return false;
    case CRDCHILD_PROPERTY:
        return jsonval_next(&c->member, &c->name, &c->schema);
    case CRDCHILD_ITEMS:
    case CRDCHILD_ADDITIONAL:
    case CRDCHILD_NOT:
        c->schema = c->held;
        return c->held != NULL && c->count++ == 0;
    case CRDCHILD_ALL_OF:
    case CRDCHILD_ANY_OF:
    case CRDCHILD_ONE_OF:
        c->index = c->count++;
        c->schema = jsonval_at(c->held, c->index);
        return c->index < jsonval_length(c->held);
    }
    return false;
}

bool crdchild_next(struct crdchild *c)
{
    while (c->way != CRDCHILD_END && !next_on_way(c)) {
        c->ways++;
        begin(c);
    }
    return c->way != CRDCHILD_END;
}

char *crdchild_field(const struct crdchild *c, const char *field)
{
    if (c->way == CRDCHILD_PROPERTY)
        return mem_printf("%s.%s[%s]", field, keywords[c->way], c->name);
    return c->way >= CRDCHILD_ALL_OF ? mem_printf("%s.%s[%zu]", field, keywords[c->way], c->index)
                                     : mem_printf("%s.%s", field, keywords[c->way]);
}

struct json_object *crdchild_twin(const struct crdchild *c, struct json_object *other)
{
    struct json_object *held = jsonval_get(other, keywords[c->way]);
    return c->way == CRDCHILD_PROPERTY ? jsonval_get(held, c->name) : held;
}
