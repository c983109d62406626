/*
 * connect: what CONNECT requests bring, as those of pods/exec do.
 *
 * Their kinds (PodExecOptions ...) are in the core API but no server publishes
 * a schema for them. They have a few fields, kind and apiVersion, and no
 * metadata. The same schema reader reads ours.
 *
 *     struct schema *options = connect_schemas();
 *     node = schema_find(options, STR(""), STR("v1"), STR("PodExecOptions"));
 *     schema_free(options);
 */
#ifndef CONTROLLER_CHECK_CONNECT_H
#define CONTROLLER_CHECK_CONNECT_H

#include <stdbool.h>

struct schema;

/* Whether requests with this kind of a subresource are CONNECT, and no other operation. */
bool connect_brings(const char *kind);

/* The caller frees it with schema_free. NULL when memory is exhausted. */
struct schema *connect_schemas(void);

#endif
