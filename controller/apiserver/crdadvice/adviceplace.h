/*
 * adviceplace: a place in a schema where rules can stand, and what the schema says of the values below it.
 * Pure.
 *
 * A schema is a part of a CustomResourceDefinition that the API server accepts, as JSON. All are borrowed.
 *
 *     const struct adviceplace root = {.schema = schema}, spec = {&root, spec_schema, "spec", 1};
 *     if (adviceplace_is_optional(&spec, read->steps, read->step_count)) ...
 */
#ifndef CONTROLLER_APISERVER_CRDADVICE_ADVICEPLACE_H
#define CONTROLLER_APISERVER_CRDADVICE_ADVICEPLACE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "typecheck/author.h"

/* The deepest place that is looked at. */
enum { ADVICEPLACE_DEPTH_MAX = 64 };

struct adviceplace {
    const struct adviceplace *outer; /* the place around it; NULL for the root */
    struct json_object *schema;
    const char *property; /* the property's name; NULL for an element of the outer list or map */
    size_t depth;
};

/* The schema of a property; NULL if the schema has none of this name. */
struct json_object *adviceplace_property(struct json_object *schema, struct str name);

/* The schema of each element of a list or a map; NULL if the schema does not say, or is of something else. */
struct json_object *adviceplace_element(struct json_object *schema);

/* Returns NULL if the schema does not say, or the step is over the keys of a map. */
struct json_object *adviceplace_schema_behind(struct json_object *schema, const struct rule_step *step);

/* This is true when a value at the place may lack what the steps lead to, although it has what is before. */
bool adviceplace_is_optional(const struct adviceplace *place, const struct rule_step *steps, size_t count);

/* The texts of the rules at a place, a hundred of them at most. The caller frees the list. */
struct str *adviceplace_rules(const struct adviceplace *place, size_t *count);

#endif
