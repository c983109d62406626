/*
 * adviceresource: makes small resources on which a rule is tried. Pure.
 *
 * A resource begins with what its schema requires, each value as small as the schema allows. Then it gets the
 * place of a rule, and the values that the rule compares.
 *
 *     struct json_object *resource = adviceresource_new(definition, "v1", place);
 *     struct json_object *self = adviceresource_enter(resource, place);
 *     adviceresource_set(self, place->schema, &reads->settings[0]);
 *     json_object_put(resource);
 */
#ifndef CONTROLLER_APISERVER_CRDADVICE_ADVICERESOURCE_H
#define CONTROLLER_APISERVER_CRDADVICE_ADVICERESOURCE_H

#include <json-c/json.h>
#include <stddef.h>

#include "controller/apiserver/crdadvice/adviceplace.h"

/* The smallest resource of a version. The caller puts it. */
struct json_object *adviceresource_new(struct json_object *definition, const char *version,
                                       const struct adviceplace *place);

/* The value at the place in a resource, which is added with what leads there; NULL if there cannot be one. */
struct json_object *adviceresource_enter(struct json_object *resource, const struct adviceplace *place);

/* The value that holds what the last step leads to; *schema becomes its schema. Returns NULL if there cannot
 * be one. */
struct json_object *adviceresource_enter_steps(struct json_object *value, struct json_object **schema,
                                               const struct rule_step *steps, size_t count);

/* Makes the value such that what the rule asks of this field is true. Nothing is changed where it cannot
 * be. */
void adviceresource_set(struct json_object *value, struct json_object *schema,
                        const struct rule_setting *setting);

/* The resource as JSON, in one line. It is the tree's, until the tree changes. */
struct str adviceresource_text(struct json_object *resource);

#endif
