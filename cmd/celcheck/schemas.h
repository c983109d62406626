/*
 * schemas: the OpenAPI documents of a bundle, unpacked (manifests/schemas): for celcheck's --schemas.
 */
#ifndef CELCHECK_SCHEMAS_H
#define CELCHECK_SCHEMAS_H

#include <stdbool.h>

#include "typecheck/policy_run.h"
#include "typecheck/schema/go_type.h"

/* Reads the file, "PATH BYTES\nJSON\n" for each document; false with a message on stderr. */
bool schemas_read(const char *path);

/* The schema of the object's kind, as its JSON names it; nothing if there is none. */
struct policy_run_type schemas_of_object(struct arena *a, struct str json);

/* In what Go holds the value of a variable that is typed; false: there is no schema of its kind. */
bool schemas_go_type(struct arena *a, struct str variable, struct str json, struct go_type *out);

void schemas_free(void);

#endif
