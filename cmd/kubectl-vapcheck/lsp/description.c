#include "cmd/kubectl-vapcheck/lsp/description.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "typecheck/schema.h"
#include "typecheck/text.h"

/* References that are followed for one schema. */
enum { REFERENCES_MAX = 20, NAME_BYTES = 64 * 1024 };

static bool is_value(struct json_object *object, const char *key, struct str value)
{
    return str_eq(str_of(jsonval_string_or_empty(object, key)), value);
}

static bool has_kind(struct json_object *schema, struct str group, struct str version, struct str kind)
{
    struct json_object *list = jsonval_array(schema, "x-kubernetes-group-version-kind");
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct json_object *one = jsonval_at(list, i);
        if (is_value(one, "group", group) && is_value(one, "version", version) && is_value(one, "kind", kind))
            return true;
    }
    return false;
}

static struct json_object *components_of(struct json_object *document)
{
    return jsonval_get(jsonval_get(document, "components"), "schemas");
}

struct json_object *description_find_kind(struct json_object *document, struct str group, struct str version,
                                          struct str kind)
{
    struct json_object *components = components_of(document);
    if (!json_object_is_type(components, json_type_object))
        return NULL;
    jsonval_each(components, name, schema)
    {
        (void)name;
        if (has_kind(schema, group, version, kind))
            return schema;
    }
    return NULL;
}

/* The schema that a $ref of the schema, its own or that of the only member of allOf, refers to; NULL:
 * none. */
static struct json_object *referred(struct json_object *document, struct json_object *schema)
{
    static const char prefix[] = "#/components/schemas/";
    struct json_object *all = jsonval_array(schema, "allOf");
    const char *reference = jsonval_string(schema, "$ref");
    if (reference == NULL && jsonval_length(all) == 1)
        reference = jsonval_string(jsonval_at(all, 0), "$ref");
    if (reference == NULL || strncmp(reference, prefix, sizeof prefix - 1) != 0)
        return NULL;
    return jsonval_get(components_of(document), reference + sizeof prefix - 1);
}

/* The member of the schema, or of one that it refers to; NULL: none has it. */
static struct json_object *find_member(struct json_object *document, struct json_object *schema,
                                       const char *member)
{
    struct json_object *found = NULL;
    for (int i = 0; i < REFERENCES_MAX && schema != NULL && found == NULL; i++) {
        found = jsonval_get(schema, member);
        schema = referred(document, schema);
    }
    return found;
}

/* "@idx" and "@elem" are what a list and a map hold. */
static struct json_object *enter(struct json_object *document, struct json_object *schema, struct arena *a,
                                 struct str step)
{
    struct str name;
    if (str_eq(step, STR("@idx")))
        return find_member(document, schema, "items");
    if (str_eq(step, STR("@elem")))
        return find_member(document, schema, "additionalProperties");
    if (!property_name_unescape(a, step, &name))
        return NULL;
    cleanup_mem char *key = mem_strndup(name.at, name.len);
    return jsonval_get(find_member(document, schema, "properties"), key);
}

static struct str next_step(struct str *path)
{
    const char *dot = memchr(path->at, '.', path->len);
    const size_t len = dot == NULL ? path->len : (size_t)(dot - path->at);
    const struct str step = {path->at, len};
    *path = str_skip(*path, len + (dot != NULL));
    return step;
}

static struct json_object *follow(struct json_object *document, struct json_object *schema, struct arena *a,
                                  struct str holder, struct str field)
{
    (void)next_step(&holder); /* the root's own name */
    while (holder.len > 0 && schema != NULL)
        schema = enter(document, schema, a, next_step(&holder));
    return schema == NULL ? NULL : enter(document, schema, a, field);
}

static char *find_text(struct json_object *document, struct json_object *schema)
{
    struct json_object *text = find_member(document, schema, "description");
    const bool is_said = json_object_is_type(text, json_type_string) && json_object_get_string_len(text) > 0;
    return is_said ? mem_strdup(json_object_get_string(text)) : NULL;
}

char *description_of_field(struct json_object *document, struct json_object *root, struct str holder,
                           struct str field)
{
    struct arena a;
    arena_init(&a, NAME_BYTES);
    if (setjmp(a.escape) != 0) {
        arena_deinit(&a);
        return NULL;
    }
    char *text = find_text(document, follow(document, root, &a, holder, field));
    arena_deinit(&a);
    return text;
}
