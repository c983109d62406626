#include "typecheck/cel/interpreter/values/urls.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/golang/gourl.h"

/* Queries with more parameters are none to Go. */
enum { MOST_PARAMETERS = 10000 };

/* url.ParseRequestURI, and url.Parse for what it makes of fragments; the error, or an empty text. */
static struct str read_url(struct arena *a, struct str s, struct gourl *u)
{
    struct str error = gourl_parse_request(a, s, u);
    return error.len != 0 ? error : gourl_parse(a, s, GOURL_GO_1_26, u);
}

const struct value *urls_url(const struct invocation *c)
{
    struct gourl *u = ARENA_NEW(c->arena, struct gourl);
    struct str why = read_url(c->arena, c->args[0]->text, u);
    if (why.len != 0)
        return value_error(c->arena,
                           str_join(c->arena, STR_PARTS(STR("URL parse error during conversion from "
                                                            "string: "),
                                                        why)));
    struct value *v = ARENA_NEW(c->arena, struct value);
    v->kind = VALUE_URL;
    v->url = u;
    return v;
}

const struct value *urls_is_url(const struct invocation *c)
{
    struct gourl unimportant;
    return value_bool(gourl_parse_request(c->arena, c->args[0]->text, &unimportant).len == 0);
}

/* The host without brackets, and the port behind it. */
static void split_host(struct str s, struct str *name, struct str *port)
{
    size_t colon = str_find_last(s, ':');
    bool has_port = colon != SIZE_MAX;
    for (size_t i = has_port ? colon + 1 : s.len; i < s.len; i++)
        has_port = has_port && str_is_digit(s.at[i]);
    *port = has_port ? str_skip(s, colon + 1) : STR("");
    *name = has_port ? (struct str){s.at, colon} : s;
    if (name->len >= 2 && name->at[0] == '[' && name->at[name->len - 1] == ']')
        *name = (struct str){name->at + 1, name->len - 2};
}

const struct value *urls_part(const struct invocation *c)
{
    const struct gourl *u = c->args[0]->url;
    struct str name, port;
    split_host(u->host, &name, &port);
    const struct {
        struct str function, text;
    } parts[] = {
        {STR("getScheme"), u->scheme}, {STR("getHost"), u->host},        {STR("getHostname"), name},
        {STR("getPort"), port},        {STR("getEscapedPath"), u->path},
    };
    size_t i = 0;
    while (!str_eq(parts[i].function, c->function))
        i++;
    return value_string(c->arena, parts[i].text);
}

static void add_parameter(struct arena *a, struct value_map *map, struct str key, struct str text)
{
    const struct value *name = value_string(a, key), *known = value_map_at(a, map, name);
    struct value_list *list = known != NULL ? known->list : value_new_list(a, 1)->list;
    value_append(a, list, value_string(a, text));
    if (known == NULL) {
        struct value *v = value_new_list(a, 0);
        v->list = list;
        value_map_set(a, map, name, v);
    }
}

const struct value *urls_query(const struct invocation *c)
{
    struct str query = c->args[0]->url->query, key, parameter;
    struct value *map = value_map_new(c->arena, 0);
    size_t count = 1;
    for (size_t i = 0; i < query.len; i++)
        count += query.at[i] == '&';
    while (count <= MOST_PARAMETERS && gourl_next_parameter(c->arena, &query, &key, &parameter))
        add_parameter(c->arena, map->map, key, parameter);
    return map;
}
