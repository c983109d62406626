/*
 * discovery_parse: discovery from the two documents of the aggregated form
 * (APIGroupDiscoveryList, v2), and back to them. Pure.
 *
 *     discovery_parse(api_json, n1, apis_json, n2, &d, &err);
 */
#ifndef CLIENT_DISCOVERY_DISCOVERY_PARSE_H
#define CLIENT_DISCOVERY_DISCOVERY_PARSE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/base/buf.h"
#include "client/base/err.h"
#include "client/discovery/discovery.h"

enum { DISCOVERY_CAP_BYTES = 3 * 1024 * 1024 }; /* of one document: some 6,000 kinds */

enum { DISCOVERY_SLICE_BYTES = 128 * 1024 }; /* of work: some 5 ms */

/* The documents, read in slices: discovery_reader_step does about so much work, as bytes that are parsed, and
 * answers false when there is no more to do. discovery_reader_end then has the result, and frees the reader;
 * before that nobody may need it (out and err NULL). What is read is borrowed until the end. */
struct discovery_reader;
struct discovery_reader *discovery_reader_new(const char *core, size_t core_len, const char *groups,
                                              size_t groups_len);
bool discovery_reader_step(struct discovery_reader *reader, size_t bytes);
int discovery_reader_end(struct discovery_reader *reader, struct discovery **out, struct err *err);

/* All at once. Either document may be NULL. The caller frees *out with discovery_free.
 * Errors: PROTOCOL (no JSON, another kind), LIMIT. */
int discovery_parse(const char *core, size_t core_len, const char *groups, size_t groups_len,
                    struct discovery **out, struct err *err) MUST_CHECK;

/* The document that discovery_parse reads the half from. Returns -1 if it reaches the cap of out. */
int discovery_write(const struct discovery *discovery, enum discovery_half half, struct buf *out) MUST_CHECK;

/* ---- what the older form has too ---- */

/* A document of that kind. The caller puts *out. Errors: PROTOCOL, LIMIT. */
int discovery_read_root(const char *bytes, size_t len, const char *kind, struct json_object **out,
                        struct err *err) MUST_CHECK;
const char *const *discovery_read_strings(struct discovery *d, struct json_object *array, size_t *count);
/* The kind of a resource of this group and version; they are the kind's where it has none of its own. */
void discovery_read_kind(struct discovery *d, struct discovery_resource *r, struct json_object *kind,
                         const char *group, const char *version);

#endif
