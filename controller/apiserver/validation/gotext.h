/*
 * gotext: writes values into messages as Go does: strings as fmt's %q, any value as
 * encoding/json. Pure.
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_GOTEXT_H
#define CONTROLLER_APISERVER_VALIDATION_GOTEXT_H

#include <json-c/json.h>
#include <stddef.h>

#include "client/base/buf.h"
#include "typecheck/text.h"

void gotext_put_quoted(struct buf *b, const char *text, size_t len);
/* Objects keep the order of their members. */
void gotext_put_json(struct buf *b, struct json_object *value);

/* The string of a member, borrowed; empty if there is none. */
struct str gotext_member(struct json_object *object, const char *key);

/* The text as strings.TrimSpace gives it. */
struct str gotext_trimmed(struct str s);

#endif
