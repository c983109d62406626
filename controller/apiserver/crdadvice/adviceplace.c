#include "controller/apiserver/crdadvice/adviceplace.h"

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdchild.h"
#include "controller/apiserver/crd/crdsite.h"

enum { RULES_MAX = 100 /* at one place */ };

struct json_object *adviceplace_property(struct json_object *schema, struct str name)
{
    cleanup_mem char *key = mem_strndup(name.at, name.len);
    return jsonval_get(jsonval_get(schema, "properties"), key);
}

struct json_object *adviceplace_element(struct json_object *schema)
{
    struct json_object *items = jsonval_get(schema, "items");
    struct json_object *values = jsonval_get(schema, "additionalProperties");
    return items != NULL ? items : json_object_is_type(values, json_type_object) ? values : NULL;
}

static bool is_list(struct json_object *schema)
{
    return jsonval_get(schema, "items") != NULL;
}

struct json_object *adviceplace_schema_behind(struct json_object *schema, const struct rule_step *step)
{
    struct json_object *property = step->field.len == 0 ? NULL : adviceplace_property(schema, step->field);
    if (property != NULL || (step->field.len != 0 && jsonval_get(schema, "properties") != NULL))
        return property;
    return step->is_key && !is_list(schema) ? NULL : adviceplace_element(schema);
}

static bool lists(struct json_object *names, struct str name)
{
    for (size_t i = 0; i < jsonval_length(names); i++) {
        const char *text = jsonval_text(jsonval_at(names, i));
        if (text != NULL && str_eq(str_of(text), name))
            return true;
    }
    return false;
}

/* Returns true if one of the schemas behind allOf, anyOf and oneOf requires the field, in some case. */
static bool may_be_required(struct json_object *schema, struct str name)
{
    static const enum crdchild_way cases[] = {CRDCHILD_ALL_OF, CRDCHILD_ANY_OF, CRDCHILD_ONE_OF,
                                              CRDCHILD_END};
    bool found = lists(jsonval_array(schema, "required"), name);
    struct crdchild child = crdchild_in(schema, cases);
    while (!found && crdchild_next(&child))
        found = may_be_required(child.schema, name);
    return found;
}

static bool is_of_resource(const struct adviceplace *place, size_t step_count, struct str name)
{
    static const char *const names[] = {"metadata", "kind", "apiVersion"};
    for (size_t i = 0; place->outer == NULL && step_count == 1 && i < sizeof names / sizeof *names; i++) {
        if (str_eq(name, str_of(names[i])))
            return true;
    }
    return false;
}

bool adviceplace_is_optional(const struct adviceplace *place, const struct rule_step *steps, size_t count)
{
    struct json_object *schema = place->schema;
    for (size_t i = 0; i + 1 < count && schema != NULL; i++)
        schema = is_of_resource(place, i + 1, steps[i].field) ? NULL
                                                              : adviceplace_schema_behind(schema, &steps[i]);
    const struct rule_step *last = &steps[count - 1];
    if (schema == NULL || last->field.len == 0 || is_of_resource(place, count, last->field))
        return false;
    struct json_object *field = adviceplace_property(schema, last->field);
    if (field == NULL)
        return jsonval_get(schema, "properties") == NULL && !is_list(schema) &&
               adviceplace_element(schema) != NULL;
    return jsonval_get(field, "default") == NULL && !may_be_required(schema, last->field);
}

struct str *adviceplace_rules(const struct adviceplace *place, size_t *count)
{
    struct json_object *list = jsonval_array(place->schema, CRDSITE_RULES);
    *count = jsonval_length(list) < RULES_MAX ? jsonval_length(list) : RULES_MAX;
    struct str *rules = mem_array(*count + 1, sizeof *rules);
    for (size_t i = 0; i < *count; i++)
        rules[i] = str_of(jsonval_string_or_empty(jsonval_at(list, i), "rule"));
    return rules;
}
