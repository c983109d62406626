/*
 * crd_twin: a value in a custom resource, and the value that was at the same place before an update.
 *
 * k8s.io/apiserver/pkg/cel/common: equality.go and maplist.go. Fields and entries are found by their names;
 * items of a list only in a list of the type map, by their keys.
 */
#ifndef TYPECHECK_POLICY_CRDRULES_CRD_TWIN_H
#define TYPECHECK_POLICY_CRDRULES_CRD_TWIN_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/interpreter/values/value.h"

struct crd_twin {
    const struct value *now, *before; /* JSON */
    const struct value *schema;
};

/* Sets *out to the values of the field or entry. Returns false if it is not in both, or if the schema does
 * not know it. */
bool crd_twin_member(struct arena *a, const struct crd_twin *twin, struct str name, struct crd_twin *out);
/* The same for the item at an index of the list that there is now. */
bool crd_twin_item(struct arena *a, const struct crd_twin *twin, size_t index, struct crd_twin *out);
/* Returns true if the value is as it was before. */
bool crd_twin_is_equal(struct arena *a, const struct crd_twin *twin);

/* The item of the list with the same keys as this one; NULL if there is none, or the list has no keys. list:
 * NULL counts as empty. */
const struct value *crd_twin_find(struct arena *a, const struct value *schema, const struct value *list,
                                  const struct value *item);

#endif
