/*
 * request_schema: the schemas of the other inputs of policies than objects: the request, its namespace, and
 * the options of a CONNECT request.
 *
 * No OpenAPI document of the API server has the group admission.k8s.io, and a check may need the schema of a
 * Namespace although it does not have the document of v1. The schemas have the names that the documents use
 * (go_type.h): k8s.io/api/admission/v1/types.go.
 */
#ifndef TYPECHECK_CEL_SCHEMA_REQUEST_SCHEMA_H
#define TYPECHECK_CEL_SCHEMA_REQUEST_SCHEMA_H

#include <stdbool.h>

#include "typecheck/cel/schema/go_type.h"

/* Makes the schemas; the caller frees them with schema_free. Returns NULL if there is no memory. */
struct schema *request_schema_new(void);

/* The Go type of these options, in a document that was made here. */
bool request_schema_options(const struct schema *doc, struct str kind,
                            struct go_type *out); /* of what is connected to */
struct go_type request_schema_request(const struct schema *doc);
struct go_type request_schema_namespace(const struct schema *doc);

#endif
