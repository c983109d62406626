/*
 * component_name: the parts of the name that an OpenAPI document gives the struct of a Go type.
 *
 *     struct component_name name;
 *     if (component_name_split(STR("io.k8s.api.core.v1.PodSpec"), &name)) ... name.group, name.version
 */
#ifndef TYPECHECK_CEL_SCHEMA_COMPONENT_NAME_H
#define TYPECHECK_CEL_SCHEMA_COMPONENT_NAME_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* "core", "v1" and "PodSpec"; parts of the text that was split. */
struct component_name {
    struct str group, version, type;
};

/* Returns false if the name has fewer than four parts. */
bool component_name_split(struct str component, struct component_name *out);

#endif
