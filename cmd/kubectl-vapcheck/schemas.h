/*
 * schemas: the cluster that policies are checked against, out of a snapshot.
 *
 * Discovery and version are read on open, a group-version's document when a
 * policy first needs it. What was put (see crds.h) hides the snapshot's.
 */
#ifndef CMD_KUBECTL_VAPCHECK_SCHEMAS_H
#define CMD_KUBECTL_VAPCHECK_SCHEMAS_H

#include "client/discovery.h"
#include "client/err.h"
#include "client/openapi.h"
#include "typecheck/typecheck.h"

struct schemas;

/* A dump's directory or a bundle. The caller frees *out with schemas_free. Errors name the document. */
int schemas_open(const char *path, struct schemas **out, struct err *err) MUST_CHECK;
/* The same with a bundle's bytes, which are not kept. */
int schemas_open_bytes(const void *bytes, size_t len, struct schemas **out, struct err *err) MUST_CHECK;
void schemas_free(struct schemas *schemas);

const struct discovery *schemas_discovery(const struct schemas *schemas);

/* The server is a 1.minor. */
int schemas_minor(const struct schemas *schemas);

/* The CEL environment that this server evaluates stored policies with. */
const struct env *schemas_env(const struct schemas *schemas);

/* A check_lookup. A document that is there but cannot be used is told on stderr, once. */
const struct schema *schemas_lookup(void *schemas, const char *path, enum openapi_state *state);

#endif
