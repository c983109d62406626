#include "tests/support/celcheck/vars.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/object_type.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/admission_types.h"
#include "typecheck/cel/types/provider.h"
#include "typecheck/cel/types/type.h"

/* An object type that a schema of this line has made, by its name. */
struct known {
    struct known *next;
    struct str name;
    const struct type *type;
};

struct reader {
    struct vars *vars;
    struct types *ts;
    struct known *known;
    const struct type *from_schema; /* in the variable that is being read */
    struct str message;             /* why nothing can be read; empty so far */
};

static const struct type *read_type(struct reader *r, struct json_object *json);

static const struct type *fail(struct reader *r, const char *why)
{
    if (r->message.len == 0)
        r->message = str_format(types_arena(r->ts), "cannot read a type: %s", why);
    return &type_error;
}

static struct str text_of(struct json_object *json)
{
    return (struct str){json_object_get_string(json), (size_t)json_object_get_string_len(json)};
}

static const struct type *read_plain(struct reader *r, struct str name)
{
    static const struct {
        struct str name;
        const struct type *type;
    } plain[] = {
        {STR_INIT("dyn"), &type_dyn},
        {STR_INIT("any"), &type_any},
        {STR_INIT("null"), &type_null},
        {STR_INIT("bool"), &type_bool},
        {STR_INIT("int"), &type_int},
        {STR_INIT("uint"), &type_uint},
        {STR_INIT("double"), &type_double},
        {STR_INIT("string"), &type_string},
        {STR_INIT("bytes"), &type_bytes},
        {STR_INIT("duration"), &type_duration},
        {STR_INIT("timestamp"), &type_timestamp},
    };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (str_eq(name, plain[i].name))
            return plain[i].type;
    }
    if (str_eq(name, STR("authorizer")))
        return types_object(r->ts, STR("kubernetes.authorization.Authorizer"), NULL, NULL);
    return fail(r, "unknown name");
}

static const struct type *read_map(struct reader *r, struct json_object *pair)
{
    if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2)
        return fail(r, "a map has a key and a value");
    const struct type *key = read_type(r, json_object_array_get_idx(pair, 0));
    const struct type *value = read_type(r, json_object_array_get_idx(pair, 1));
    return types_map(r->ts, key, value);
}

/* The document for a schema, made once a line however often its types are asked for. */
static struct schema *find_document(struct reader *r, struct json_object *json)
{
    struct vars *v = r->vars;
    for (size_t i = 0; i < v->schema_count; i++) {
        if (v->schemas[i].json == json)
            return v->schemas[i].doc;
    }
    char message[200];
    if (v->schema_count == VARS_MAX_SCHEMAS) {
        fail(r, "too many schemas");
        return NULL;
    }
    size_t len;
    const char *text = json_object_to_json_string_length(json, JSON_C_TO_STRING_PLAIN, &len);
    struct schema *doc = schema_new_single(text, len, message, sizeof message);
    if (doc == NULL) {
        fail(r, message);
        return NULL;
    }
    v->schemas[v->schema_count++] = (struct vars_schema){json, doc};
    return doc;
}

static const struct type *find_known(const struct reader *r, struct str name)
{
    for (const struct known *k = r->known; k != NULL; k = k->next) {
        if (str_eq(k->name, name))
            return k->type;
    }
    return NULL;
}

/* Types of the same name are the same type: upstream tells objects apart by name alone. */
static const struct type *read_schema(struct reader *r, struct json_object *json, struct json_object *schema)
{
    struct str name = text_of(json_object_object_get(json, "name"));
    const struct type *t = find_known(r, name);
    if (t != NULL) {
        r->from_schema = t;
        return t;
    }
    struct schema *doc = find_document(r, schema);
    if (doc == NULL)
        return &type_error;
    if (json_object_get_boolean(json_object_object_get(json, "root")))
        t = object_type_of_resource(r->ts, doc, schema_root(doc), name, SCHEMA_UPSTREAM);
    else
        t = object_type_of_value(r->ts, doc, schema_root(doc), name, SCHEMA_UPSTREAM);
    if (t == NULL)
        return &type_dyn;
    struct known *k = ARENA_NEW(types_arena(r->ts), struct known);
    *k = (struct known){r->known, name, t};
    r->known = k;
    r->from_schema = t;
    return t;
}

static const struct type *read_wrapper(struct reader *r, const struct type *t)
{
    switch (t->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_UINT:
    case TYPE_DOUBLE:
    case TYPE_STRING:
    case TYPE_BYTES:
        return types_wrapper(r->ts, t);
    case TYPE_DYN:
    case TYPE_ANY:
    case TYPE_ERROR:
    case TYPE_NULL:
    case TYPE_DURATION:
    case TYPE_TIMESTAMP:
    case TYPE_LIST:
    case TYPE_MAP:
    case TYPE_TYPE:
    case TYPE_PARAM:
    case TYPE_OPAQUE:
    case TYPE_OBJECT:
        break;
    }
    return fail(r, "only scalars have a wrapper");
}

static const struct type *read_constructed(struct reader *r, struct json_object *json)
{
    struct types *ts = r->ts;
    struct json_object *inner;
    if (json_object_object_get_ex(json, "list", &inner))
        return types_list(ts, read_type(r, inner));
    if (json_object_object_get_ex(json, "optional", &inner))
        return types_optional(ts, read_type(r, inner));
    if (json_object_object_get_ex(json, "nullable", &inner))
        return read_wrapper(r, read_type(r, inner));
    if (json_object_object_get_ex(json, "type", &inner))
        return types_type(ts, read_type(r, inner));
    if (json_object_object_get_ex(json, "map", &inner))
        return read_map(r, inner);
    if (json_object_object_get_ex(json, "object", &inner)) {
        const struct type *known = find_known(r, text_of(inner));
        return known != NULL ? known : provider_object(ts, text_of(inner));
    }
    if (json_object_object_get_ex(json, "opaque", &inner))
        return types_opaque(ts, text_of(inner), NULL, 0);
    if (json_object_object_get_ex(json, "param", &inner))
        return types_param(ts, text_of(inner));
    if (json_object_object_get_ex(json, "decl", &inner))
        return str_eq(text_of(inner), STR("namespace")) ? admission_types_namespace_type(ts)
                                                        : admission_types_request_type(ts);
    if (json_object_object_get_ex(json, "schema", &inner))
        return read_schema(r, json, inner);
    return fail(r, "unknown member");
}

static const struct type *read_type(struct reader *r, struct json_object *json)
{
    if (json_object_is_type(json, json_type_string))
        return read_plain(r, text_of(json));
    if (json_object_is_type(json, json_type_object))
        return read_constructed(r, json);
    return fail(r, "neither a name nor an object");
}

const struct variable *vars_read(struct vars *vars, struct types *ts, struct json_object *json, size_t *count,
                                 struct str *message)
{
    struct reader r = {.vars = vars, .ts = ts};
    size_t n = json_object_is_type(json, json_type_object) ? (size_t)json_object_object_length(json) : 0;
    struct variable *list = ARENA_ARRAY(types_arena(ts), n, struct variable);
    *count = n;
    n = 0;
    if (*count != 0) {
        json_object_object_foreach(json, name, value)
        {
            r.from_schema = NULL;
            list[n] = (struct variable){.name = str_of(name), .type = read_type(&r, value)};
            list[n++].from_schema = r.from_schema;
        }
    }
    *message = r.message;
    return r.message.len == 0 ? list : NULL;
}

void vars_clear(struct vars *vars)
{
    for (size_t i = 0; i < vars->schema_count; i++)
        schema_free(vars->schemas[i].doc);
    vars->schema_count = 0;
}
