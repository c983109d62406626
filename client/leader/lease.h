/*
 * lease: the object that leaders agree by, a coordination.k8s.io/v1 Lease: its
 * paths, what is read of it, what is written. Pure: time is text.
 *
 * A write sets our fields and leaves all others unchanged.
 *
 *     cleanup_json struct json_object *lease = NULL;
 *     if (lease_parse(reply->body, reply->len, &lease, &err) != 0) ...
 *     lease_hold(lease, "host_1234", 15, "2026-01-02T03:04:05.000006Z");
 *     api_put(api, ... json_object_to_json_string(lease) ...)
 */
#ifndef CLIENT_LEADER_LEASE_H
#define CLIENT_LEADER_LEASE_H

#include <stdint.h>

#include "client/base/err.h"
#include "client/text/jsonval.h"

/* The path of one lease; with name NULL that of all leases in the namespace. The caller frees it. */
char *lease_path(const char *namespace, const char *name);

/* The caller puts *out. Errors: PROTOCOL. */
int lease_parse(const char *bytes, size_t len, struct json_object **out, struct err *err) MUST_CHECK;
/* A lease that was never held. */
struct json_object *lease_new(const char *namespace, const char *name);

/* lease_holder is "" if nobody holds it. lease_record is the text of all fields that the holder writes. Both
 * are borrowed. */
const char *lease_holder(struct json_object *lease);
uint64_t lease_duration_ms(struct json_object *lease);
const char *lease_record(struct json_object *lease);

/* holder has the lease from now on; "": it is released. A holder that did not have it counts as a
 * transition. */
void lease_hold(struct json_object *lease, const char *holder, int duration_s, const char *now);

#endif
