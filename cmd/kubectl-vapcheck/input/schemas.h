/*
 * schemas: the version, the resources and the schemas that objects are checked against: from a dump, from a
 * bundle in the program, or from a live cluster.
 *
 * The version and the discovery are read when the schemas are opened. The
 * OpenAPI document of a group-version is read when an object first needs it.
 * schemas_put adds CustomResourceDefinitions as if the cluster had them; they
 * replace the cluster's definitions of the same name.
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_SCHEMAS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_SCHEMAS_H

#include "client/auth/config_source.h"
#include "client/base/err.h"
#include "client/discovery/discovery.h"
#include "client/discovery/openapi_state.h"
#include "controller/apiserver/crd/crds.h"
#include "typecheck/decision.h"
#include "typecheck/typecheck.h"

struct schemas;

/* A dump's directory or a bundle. The caller frees *out with schemas_free. Errors name the document. */
int schemas_open(const char *path, struct schemas **out, struct err *err) MUST_CHECK;
/* The same with a bundle's bytes, which are borrowed until schemas_free. */
int schemas_open_bytes(const void *bytes, size_t len, struct schemas **out, struct err *err) MUST_CHECK;
/* A live cluster, which is asked when a document is needed. */
int schemas_open_cluster(const struct config_source *source, struct schemas **out,
                         struct err *err) MUST_CHECK;
void schemas_free(struct schemas *schemas);

/* Sets the release 0.N of cel-go, if the server was not built with the usual one of its version. To be called
 * before the first look-up. Errors: INTERNAL. */
int schemas_use_cel_go(struct schemas *schemas, int release, struct err *err) MUST_CHECK;

/* Replaces the definitions that were put before; NULL: none. They are borrowed until the next call. If there
 * are definitions, documents that were looked up before become invalid. */
void schemas_put(struct schemas *schemas, const struct crds *crds);

const struct discovery *schemas_discovery(const struct schemas *schemas);

/* Makes the server a 1.minor: its environments and its messages change; kinds and their schemas stay. Errors:
 * INTERNAL. */
int schemas_set_minor(struct schemas *schemas, int minor, struct err *err) MUST_CHECK;

/* The minor version of the server. */
int schemas_minor(const struct schemas *schemas);

/* The CEL environment that this server evaluates stored policies with. */
const struct env *schemas_env(const struct schemas *schemas);

/* The one that it compiles new policies with. */
const struct env *schemas_new_env(const struct schemas *schemas);

/* A check_lookup. A document that is there but cannot be used is reported on stderr; its state is UNKNOWN. */
const struct schema *schemas_lookup(void *schemas, const char *path, enum openapi_state *state);

/* The complete document of a group-version as a tree, which the caller puts. Returns NULL if there is
 * none. */
struct json_object *schemas_document(struct schemas *schemas, struct str group, struct str version);

/* The schema of a kind, from the document of its version or else of v1, which also has the kinds of
 * subresources. NULL: there is none. */
struct policy_run_type schemas_type(struct schemas *schemas, const char *group, const char *version,
                                    const char *kind);

/* Returns true if schemas_lookup reported an error. */
bool schemas_has_failed(const struct schemas *schemas);

#endif
