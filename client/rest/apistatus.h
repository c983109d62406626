/*
 * apistatus: turns an API server's answer to a failed request (metav1.Status) into
 * a struct err. Pure: no I/O.
 *
 * The server answers with a Status object. A proxy between us and the server may answer with anything; then
 * only the HTTP code decides. A Status in a watch is the object of an ERROR event.
 *
 *     if (head.status >= 400)
 *         apistatus_to_err(head.status, head.retry_after_ms, body, len, &err);
 */
#ifndef CLIENT_REST_APISTATUS_H
#define CLIENT_REST_APISTATUS_H

#include <json-c/json.h>
#include <stddef.h>

#include "client/base/err.h"

/* The bytes of an error's body that are read at most. */
enum { APISTATUS_BODY_CAP_BYTES = 64 * 1024 };

/* Fills err from an answer with http_status >= 400. retry_after_ms is the header's, -1 if
 * there was none; the Status' details.retryAfterSeconds is the fallback. The message holds the
 * Status' message, or its causes ("field: message") where the message is empty. */
void apistatus_to_err(int http_status, int retry_after_ms, const char *body, size_t len, struct err *err);

/* The same for a Status object inside a watch; another object is an ERR_PROTOCOL. */
void apistatus_object_to_err(struct json_object *status, struct err *err);

#endif
