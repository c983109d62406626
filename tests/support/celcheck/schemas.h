/*
 * schemas: reads the OpenAPI documents of an unpacked bundle (manifests/schemas), for celcheck's --schemas.
 */
#ifndef TESTS_SUPPORT_CELCHECK_SCHEMAS_H
#define TESTS_SUPPORT_CELCHECK_SCHEMAS_H

#include <stdbool.h>

#include "typecheck/cel/schema/go_type.h"
#include "typecheck/policy/run/policy_run.h"

/* Reads the file, "PATH BYTES\nJSON\n" for each document; false with a message on stderr. */
bool schemas_read(const char *path);

/* The schema of the kind that the object's JSON names; empty if there is none. */
struct policy_run_type schemas_of_object(struct arena *a, struct str json);

/* The Go type that holds the value of a typed variable; false: its kind has no schema. */
bool schemas_go_type(struct arena *a, struct str variable, struct str json, struct go_type *out);

void schemas_free(void);

#endif
