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

enum {
    /* The limit of the part of one document that is kept: categories and short names, which nobody here
     * reads, are left out as they arrive. A kind takes some 500 bytes. */
    DISCOVERY_CAP_BYTES = 16 * 1024 * 1024,
    DISCOVERY_KIND_CAP_BYTES = 4 * 1024 * 1024, /* weight of one resource (jsonweight.h) */
    DISCOVERY_SLICE_BYTES = 128 * 1024,         /* the work of one slice: some 5 ms */
};

/* One half. */
struct discovery_reader_text {
    const char *bytes; /* borrowed; NULL: there is none */
    size_t len;
    bool is_cut;         /* it is only the beginning of the document: the groups that are whole in it count */
    const char *missing; /* why it is not the whole document (discovery.h's partial); NULL: it is */
    const char *path;    /* if something is wrong with the text, the result is partial, and the reason begins
                            with this; NULL: that is an error */
};

/* Reads the documents in slices. discovery_reader_step does one slice of work (DISCOVERY_SLICE_BYTES are
 * read) and returns false when there is no more to do. discovery_reader_end then gives the result and frees
 * the reader; called earlier, with out and err NULL, it only frees. The texts are borrowed until the end. A
 * group that cannot be read, or is too large, is left out, and the result is partial. */
struct discovery_reader;
struct discovery_reader *discovery_reader_new(const struct discovery_reader_text *core,
                                              const struct discovery_reader_text *groups);
bool discovery_reader_step(struct discovery_reader *reader, size_t bytes);
int discovery_reader_end(struct discovery_reader *reader, struct discovery **out, struct err *err);

/* All at once. Either document may be NULL. The caller frees *out with discovery_free.
 * Errors: PROTOCOL (no JSON, another kind), LIMIT. */
int discovery_parse(const char *core, size_t core_len, const char *groups, size_t groups_len,
                    struct discovery **out, struct err *err) MUST_CHECK;

/* Writes a half as the document from which discovery_parse reads it. Returns -1 if out is full. */
int discovery_write(const struct discovery *discovery, enum discovery_half half, struct buf *out) MUST_CHECK;

/* ---- the parts that the older form has, too ---- */

/* A document of that kind. The caller puts *out. Errors: PROTOCOL, LIMIT. */
int discovery_read_root(const char *bytes, size_t len, const char *kind, struct json_object **out,
                        struct err *err) MUST_CHECK;
const char *const *discovery_read_strings(struct discovery *d, struct json_object *array, size_t *count);
/* Reads the kind of a resource. If the document gives the kind no group or version, it has those of the
 * resource. */
void discovery_read_kind(struct discovery *d, struct discovery_resource *r, struct json_object *kind,
                         const char *group, const char *version);

#endif
