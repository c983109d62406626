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
    struct crdallof_bound *items; /* those of places that have rules, or have them above or below */
    size_t count;
    struct json_object *moved; /* the definition with these bounds beside allOf; NULL: there are none */
    bool is_partial;           /* a limit on work was reached before the end */
};

void crdallof_find(struct json_object *definition, struct crdallof *out);
void crdallof_deinit(struct crdallof *found);

#endif
