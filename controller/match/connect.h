/*
 * connect: schemas for the options of CONNECT requests, such as pods/exec.
 *
 * The core API has their kinds (PodExecOptions ...) but no server publishes
 * their schemas. They have a few fields, kind and apiVersion, and no metadata.
 * The schemas here are read by the same reader as a server's.
 *
 *     struct schema *options = connect_schemas();
 *     node = schema_find(options, STR(""), STR("v1"), STR("PodExecOptions"));
 *     schema_free(options);
 */
#ifndef CONTROLLER_MATCH_CONNECT_H
#define CONTROLLER_MATCH_CONNECT_H

#include <stdbool.h>

#include "typecheck/schema.h"

struct schema;

/* Returns true if requests to a subresource with this kind are always CONNECT. */
bool connect_brings(const char *kind);

/* The caller frees it with schema_free. NULL when memory is exhausted. */
struct schema *connect_schemas(void);

#endif
