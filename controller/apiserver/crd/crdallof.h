/*
 * crdallof: finds the bounds (maxLength, maxItems, maxProperties) that stand only
 * in an allOf of a CustomResourceDefinition's schemas. Generators write several
 * bounds of a field in this way. Pure.
 *
 * The API server validates by such bounds. But when it estimates the cost of
 * rules, it uses only bounds beside allOf
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model).
 *
 *     struct crdallof found;
 *     crdallof_find(definition, &found);
 *     for (size_t i = 0; i < found.count; i++) print(found.items[i].field, found.items[i].keyword);
 *     estimate(found.moved);
 *     crdallof_deinit(&found);
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDALLOF_H
#define CONTROLLER_APISERVER_CRD_CRDALLOF_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct crdallof_bound {
    char *field;         /* the schema with the allOf: "spec.versions[0].schema.openAPIV3Schema..." */
    const char *keyword; /* "maxLength" */
    int64_t bound;       /* the smallest, if allOf has several */
};

struct crdallof {
    struct crdallof_bound *items; /* of schemas with rules, or inside or around one with rules */
    size_t count;
    struct json_object *moved; /* a copy of the definition with these bounds beside allOf; NULL: count is 0 */
    bool is_partial;           /* a limit on work was reached before the end */
};

/* The definition is not changed. The caller frees *out with crdallof_deinit. */
void crdallof_find(struct json_object *definition, struct crdallof *out);
void crdallof_deinit(struct crdallof *found);

#endif
