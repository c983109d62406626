#include "controller/apiserver/crd/crdchild.h"

#include <string.h>

#include "client/base/mem.h"

static const char *const keywords[CRDCHILD_WAYS] = {
    [CRDCHILD_ITEMS] = "items",         [CRDCHILD_ADDITIONAL] = "additionalProperties",
    [CRDCHILD_PROPERTY] = "properties", [CRDCHILD_NOT] = "not",
    [CRDCHILD_ALL_OF] = "allOf",        [CRDCHILD_ANY_OF] = "anyOf",
    [CRDCHILD_ONE_OF] = "oneOf",
};

/* Begins with the way that is next. */
static void begin(struct crdchild *c)
{
    c->way = *c->ways;
    c->name = NULL;
    c->count = 0;
    if (c->way == CRDCHILD_PROPERTY)
        c->member = jsonval_first(c->held[CRDCHILD_PROPERTY]);
}

/* CRDCHILD_END: the keyword holds no schema. */
static enum crdchild_way way_of(const char *keyword)
{
    enum crdchild_way way = CRDCHILD_ONE_OF;
    if (strchr("ipano", *keyword) == NULL) /* nearly always */
        return CRDCHILD_END;
    while (way != CRDCHILD_END && strcmp(keywords[way], keyword) != 0)
        way--;
    return way;
}

struct crdchild crdchild_in(struct json_object *schema, const enum crdchild_way *ways)
{
    struct crdchild c = {.ways = ways};
    jsonval_each(schema, keyword, value)
    {
        c.held[way_of(keyword)] = value;
    }
    c.held[CRDCHILD_END] = NULL;
    begin(&c);
    return c;
}

/* Takes the next child on the present way. Returns false if there is no other. */
static bool next_on_way(struct crdchild *c)
{
    struct json_object *held = c->held[c->way];
    switch (c->way) {
    case CRDCHILD_END:
        return false;
    case CRDCHILD_PROPERTY:
        return jsonval_next(&c->member, &c->name, &c->schema);
    case CRDCHILD_ITEMS:
    case CRDCHILD_ADDITIONAL:
    case CRDCHILD_NOT:
        c->schema = held;
        return held != NULL && c->count++ == 0;
    case CRDCHILD_ALL_OF:
    case CRDCHILD_ANY_OF:
    case CRDCHILD_ONE_OF:
        c->index = c->count++;
        c->schema = jsonval_at(held, c->index);
        return c->index < jsonval_length(held);
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
    const char *keyword = keywords[c->way];
    const char *const parts[] = {field, ".", keyword, "[", c->name, "]"};
    enum { OF_KEYWORD = 3, OF_PROPERTY = sizeof parts / sizeof *parts };
    if (c->way >= CRDCHILD_ALL_OF)
        return mem_printf("%s.%s[%zu]", field, keyword, c->index);
    return mem_join(parts, c->way == CRDCHILD_PROPERTY ? OF_PROPERTY : OF_KEYWORD);
}

struct json_object *crdchild_twin(const struct crdchild *c, struct json_object *other)
{
    struct json_object *held = jsonval_get(other, keywords[c->way]);
    return c->way == CRDCHILD_PROPERTY ? jsonval_get(held, c->name) : held;
}
